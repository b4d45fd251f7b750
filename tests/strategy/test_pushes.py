"""Push or fold with several players as a form like others: files, runs, places, policies and general algorithms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pokerlab.agents.opening import open_policy
from pokerlab.cards.combos import CLASS_COUNT, CLASS_NAMES
from pokerlab.errors import BadFile, BadSetting, IllegalAction
from pokerlab.formats.opening import open_game
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve.comparing import compare
from pokerlab.lab.solve.solving import resume, solve
from pokerlab.strategy.files.solution_file import load
from pokerlab.tree.form import kind_of

SHORT = "push-fold(players=3, stack=(4, 0.4, 6))"  # the big blind is all-in with its blind
PLAIN = "push-fold(players=3, stack=(9, 12, 10))"
PRIZES = "push-fold(players=4, stack=(3, 4, 5, 6), payouts=(50, 30, 20))"
PAIR = "push-fold(stack=(9, 12))"


@pytest.mark.parametrize(
    ("game", "algorithm", "cut", "iterations"),
    [
        (SHORT, None, 1, 2),
        (PLAIN, "regret-matching+", 4, 7),
        (PRIZES, None, 1, 2),
        (PAIR, "fictitious-play(alternating=False)", 4, 7),
    ],
)
def test_a_run_is_saved_resumed_and_verified(
    game: str, algorithm: str | None, cut: int, iterations: int, tmp_path: Path
) -> None:
    """Cut before the first measurement of the pace, and run beyond it."""
    path = tmp_path / "a.solution"
    whole = solve(game, form="pushes", algorithm=algorithm, iterations=iterations, threads=2)
    solve(game, form="pushes", algorithm=algorithm, iterations=cut, save=path)
    resumed = resume(path, iterations=iterations)
    assert all((resumed.state[name] == array).all() for name, array in whole.state.items())
    assert resumed.measure == whole.measure
    assert sum(whole.values) == pytest.approx(0, abs=1e-9 * whole.strategy.form.max_abs_payoff)
    assert verify(path).matches
    opened = load(path)
    assert (opened.form, opened.game) == ("pushes", open_game(game).name)
    assert (opened.strategy.pushes == whole.strategy.pushes).all()


def test_the_run_loop_measures_where_the_solver_refreshes() -> None:
    found = solve("push-fold(stack=5)", form="pushes", iterations=14)
    assert [point.iterations for point in found.curve] == [6, 9, 13, 14]


def test_a_solution_is_walked_and_listed() -> None:
    found = solve("push-fold(players=3)", iterations=4)
    root = found.root
    assert (root.seats, root.seats[root.player], root.actions) == (("SB", "BB", "BU"), "BU", ("fold", "push"))
    assert root.pot == 150
    assert root.strategy("AA")["push"] == 1
    after = found.at("push", "fold")
    assert (after.seats[after.player], after.pot) == ("BB", 1150)
    assert after.likelihood(2).sum() == pytest.approx(1)
    weak, strong = (after.likelihood(2)[after.hands(hand, 2)].mean() for hand in ("72o", "AKo"))
    assert weak < 0.2 * strong, "the button pushes little of 72o"
    assert after.action_ev("AA")["push"] > after.action_ev("AA")["fold"] == pytest.approx(-100)
    assert found.at("push", "push", "push").is_over
    with pytest.raises(IllegalAction):
        found.at("check")
    lines = list(found.strategy.lines("AKs:"))
    assert [line.infoset for line in lines] == [
        "AKs:BU", "AKs:SB", "AKs:BB after SB", "AKs:SB after BU", "AKs:BB after BU", "AKs:BB after BU SB"
    ]  # fmt: skip
    assert len(found.to_pandas()) == 2 * len(found.strategy)


def test_values_of_actions_are_those_of_the_form() -> None:
    """What a seat wins is the mean over its hands, plus what it wins where it does not decide."""
    found = solve("push-fold(players=3)", iterations=4)
    form = found.strategy.form
    profile = found.strategy.profile(form)
    plan, out = form.plan(profile), np.zeros(form.treeplexes.sequences)
    for player in range(3):
        form.payoffs(player, plan, out)
        own = form.treeplexes.sequences_of(player)
        assert out[player] + out[own] @ plan[own] == pytest.approx(found.values[player], abs=0.1)  # of 1,000 chips
    assert out[2] == 0, "the button decides in every hand"
    best = found.best_response(2)
    gain = best.values[2] - found.values[2]
    assert gain == pytest.approx(found.measure.gains[2], rel=0.05)
    assert form.best_response(profile, 2).value == pytest.approx(found.measure.best_responses[2])


def test_the_policy_plays_its_strategy() -> None:
    found = solve(SHORT, iterations=1)
    game, rng = open_game(SHORT), np.random.default_rng(4)
    state = game.start(game.deal(rng))
    seen = 0
    while game.player(state) not in (CHANCE, TERMINAL):
        view = game.view(state, game.player(state))
        probabilities = found.strategy.probabilities(view)
        assert sum(probabilities.values()) == pytest.approx(1)
        seen += len(probabilities) == 2
        state = game.child(state, game.actions(state)[-1])
    assert seen == 2


def test_algorithms_of_the_library_run_on_it_and_agree() -> None:
    """Two players, of whom the classes form knows the exact value."""
    exact = solve("push-fold(stack=5)", form="classes", algorithm="lp").value
    found = compare(
        "push-fold(stack=5)", ["regret-matching+", "cfr+", "fictitious-play"], form="pushes", iterations=150
    )
    for solution in found.solutions.values():
        assert solution.form == "pushes"
        assert solution.value == pytest.approx(exact, abs=solution.nash_conv + 1e-9)
        assert solution.exploitability < 0.5  # of 500 chips


def test_a_saved_strategy_is_an_agent(tmp_path: Path) -> None:
    path = tmp_path / "a.solution"
    solve(SHORT, iterations=1, save=path)
    game = open_game(SHORT)
    policy = open_policy(f"strategy:{path}", game)
    view = game.view(game.start(game.deal(np.random.default_rng(2))), 2)
    assert policy.probabilities(view) == load(path).strategy.probabilities(view)


def test_prizes_are_payoffs_of_the_same_form() -> None:
    chips, prizes = (
        open_game(f"push-fold(players=3, stack=(5, 6, 7){more})") for more in ("", ", payouts=(50, 30, 20)")
    )
    forms = [kind_of("pushes").build(game) for game in (chips, prizes)]
    assert [form.nodes for form in forms] == [6, 6]
    assert forms[0].pot == 150
    assert forms[1].pot == pytest.approx(100)
    assert forms[1].max_abs_payoff < 50
    rng = np.random.default_rng(1)
    for _ in range(5):
        state = prizes.start(prizes.deal(rng))
        while prizes.player(state) >= 0:
            state = prizes.child(state, prizes.actions(state)[-1])
        won = prizes.returns(state)
        assert sum(won) == pytest.approx(0, abs=1e-9)
        assert max(won) == pytest.approx(50 - forms[1].before[list(forms[1].seats).index(int(np.argmax(won)))], abs=31)
    for kind in ("classes", "public", "bucketed"):
        assert kind_of(kind).why_not(prizes)


def test_games_without_the_form_say_why(tmp_path: Path) -> None:
    why_not = kind_of("pushes").why_not
    assert "all-in or fold" in why_not(open_game("kuhn"))
    assert "all-in or fold" in why_not(open_game("holdem-limit"))
    assert "nobody" in why_not(open_game("push-fold(players=3, stack=0.1, ante=0.2)"))
    with pytest.raises(BadSetting, match="at least one prize"):
        open_game("push-fold(players=3, payouts=(0, 0))")


def test_a_damaged_state_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.solution"
    found = solve(PLAIN, iterations=2)
    wrong = found.state["current"] + 1
    object.__setattr__(found, "state", {**found.state, "current": wrong})
    found.save(path)
    with pytest.raises(BadFile):
        resume(path, iterations=3)


def test_profiles_are_packed_and_unpacked() -> None:
    form = kind_of("pushes").build(open_game("push-fold(players=3)"))
    profile = form.normalize(np.random.default_rng(0).random(len(form.uniform())))
    assert form.unpack(form.pack(profile)) == pytest.approx(profile, abs=1e-15)
    assert form.profile_of(form.pushes_of(profile)) == pytest.approx(profile, abs=1e-15)
    aces = CLASS_NAMES.index("AA")
    assert form.pushes_of(profile)[form.order[0], aces] == profile[2 * aces + 1]
    assert len(profile) == 2 * CLASS_COUNT * form.nodes
