"""Solved spots: published hands, files, walking the tree, locks and best responses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import CommandLine
from naive.public import PublicGame
from pokerlab import registry
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import combo_index
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadCards, BadFile, BadSetting, IllegalAction, PokerlabError, TooLarge
from pokerlab.events import Event
from pokerlab.formats.spot_file import spot_from
from pokerlab.games.spot import spot as spots
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve import solving
from pokerlab.lab.solve.solving import resume, solve
from pokerlab.lab.solve.tasks import open_task
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.lock import Lock, lock_from_text
from pokerlab.tree.form import Pace
from pokerlab.tree.history.layout import build
from pokerlab.tree.public import form as public_form
from pokerlab.tree.public.forecast import forecast
from pokerlab.tree.public.layout import compatible_weight
from pokerlab.tree.public.spot import HANDS, spot_tree, strength
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import sequence_form
from published import spots as published

SEAT = {"range": "AA,KQs,76s,54s,JTo,QQ", "bet": "75%", "raise": "allin"}


def small(board: str = "Ks7h2d5c9s", **changes: Any) -> dict[str, Any]:
    return {"board": board, "pot": 100, "stack": 200, "out_of_position": SEAT, "in_position": SEAT} | changes


@pytest.fixture(scope="module")
def river() -> Solution:
    return solve(published.RIVER, iterations=2500)


@pytest.fixture(scope="module")
def turn() -> Solution:
    return solve(small("Kh7h2h5c"), iterations=60)


def test_hands_are_worth_what_is_published(river: Solution) -> None:
    gap = river.exploitability_percent
    assert gap < 0.005
    for hand, expected in published.RIVER_HANDS.items():
        assert river.root.ev(0, hand) == pytest.approx(expected, abs=0.35), hand
    assert river.root.strategy()["check"] == pytest.approx(0.747, abs=0.03)
    assert river.values[0] == pytest.approx(published.VALUE["river"][0], abs=published.VALUE["river"][1])
    assert river.root.ev(0) == pytest.approx(river.values[0], abs=1e-6)
    assert river.root.ev(1) == pytest.approx(river.values[1], abs=1e-6)


def test_values_add_up_to_the_pot_everywhere(river: Solution, turn: Solution) -> None:
    for view in (
        river.at("check"),
        river.at("bet 50", "raise 250"),
        turn.root,
        turn.at("check", "bet 75"),
        turn.at("check", "bet 75", "call"),
        turn.at("check", "bet 75", "call", "Td"),
        turn.at("check", "check", "2s", "check"),
    ):
        assert view.ev(0) + view.ev(1) == pytest.approx(view.pot, rel=1e-6), view.moves
        assert view.equity(0) + view.equity(1) == pytest.approx(1, abs=1e-6), view.moves


def test_a_place_is_worth_the_mean_of_what_follows(turn: Solution) -> None:
    view = turn.at("check")
    shares = view.strategy()
    worth = sum(share * view.at(action).ev(0) for action, share in shares.items())
    assert worth == pytest.approx(view.ev(0), abs=1e-4)


def test_isomorphic_cards_show_the_same_strategy_with_suits_renamed(turn: Solution) -> None:
    spades, diamonds = turn.at("check", "check", "Ts"), turn.at("check", "check", "Td")
    for one, other in (("AsAh", "AdAh"), ("KsQs", "KdQd"), ("JsTd", "JdTs"), ("JcTc", "JcTc")):
        try:
            expected = spades.strategy(one)
        except BadCards:
            continue
        assert diamonds.strategy(other) == pytest.approx(expected)
        assert diamonds.ev(0, other) == pytest.approx(spades.ev(0, one), abs=1e-3)  # stored in single precision
    assert FULL_DECK.text(diamonds.board) == "Kh7h2h5cTd"
    with pytest.raises(BadCards):
        diamonds.strategy("JdTd")


def test_equities_are_those_of_the_equity_engine(turn: Solution) -> None:
    from pokerlab.cards.equity import equity

    expected = equity(["AhAs", SEAT["range"]], board="Kh7h2h5c").players[0].equity
    assert turn.root.equity(0, "AhAs") == pytest.approx(expected, abs=1e-6)


def test_saved_and_resumed_is_bit_identical(tmp_path: Path) -> None:
    file = tmp_path / "a.spot"
    whole = solve(small("Kh7h2h5c"), iterations=24)
    solve(small("Kh7h2h5c"), iterations=14, save=file)
    opened = load(file)
    assert opened.at("check").strategy("AhAs") == solve(small("Kh7h2h5c"), iterations=14).at("check").strategy("AhAs")
    resumed = resume(file, iterations=24, threads=2)
    for name, array in whole.state.items():
        assert np.array_equal(array, resumed.state[name]), name
    assert resumed.measure == whole.measure
    assert load(file).iterations == 24


@pytest.mark.parametrize("iterations", [-1.0, 1e30])
def test_a_state_of_no_count_of_iterations_is_not_resumed(iterations: float, tmp_path: Path) -> None:
    file = tmp_path / "a.spot"
    found = solve(small("Kh7h2h5c"), iterations=1)
    found.state["state"][0] = iterations
    found.save(file)
    with pytest.raises(BadFile, match="cannot be resumed"):
        resume(file, iterations=2)


def test_a_checkpoint_states_the_distance_of_its_own_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at any moment, a file is one that `verify` says yes to, and its curve is the one so far."""
    monkeypatch.setattr(public_form, "FORM", replace(public_form.FORM, pace=Pace(10, 0.0)))
    file, found = tmp_path / "a.spot", []

    def reopen(event: Event) -> None:
        if file.exists():
            kept = load(file)
            assert kept.measure == kept.strategy.measure_in(kept.built_form())
            found.append((kept.iterations, kept.stopped, [point[0] for point in kept.curve]))

    solve(small("Kh7h2h5c"), iterations=9, measure_every=4, save=file, on_progress=reopen)
    assert (lambda kept: (kept.iterations, kept.stopped, [at for at, *_ in kept.curve]))(load(file)) == (
        9,
        "iterations",
        [4, 8, 9],
    )
    assert any(iterations % 4 for iterations, _, _ in found)
    for iterations, stopped, curve in found:
        assert stopped == "running"
        assert curve == [at for at in (4, 8) if at <= iterations]


@pytest.mark.parametrize("board", ["Kh7h2h5c9s", "Kh7h2h5c", "Kh7h2h"])
@pytest.mark.parametrize(("storage", "algorithm"), [("float32", "pcfr+"), ("float32", "dcfr"), ("int16", "dcfr")])
def test_nothing_is_left_to_compile_when_the_clock_starts(board: str, storage: str, algorithm: str) -> None:
    """What a tiny game compiles is all that a spot needs: no kernel gets another signature on the way."""
    from pokerlab.solvers.cfr.public._kernels import rounds
    from pokerlab.tree.public._kernels import assess, reach

    kernels = [item for module in (assess, reach, rounds) for item in vars(module).values()]
    kernels = [item for item in kernels if hasattr(item, "signatures")]
    seat = SEAT | {"raise": ""}
    spot = small(board, in_position=seat | {"range": "22+"}, out_of_position=seat)
    resources = Resources(2, storage)
    laid = solving.prepare(open_task(spot), algorithm=algorithm, resources=resources)
    laid.algorithm.rehearse(laid.form, resources=resources)
    before = [list(item.signatures) for item in kernels]
    solved = solve(spot, iterations=2, algorithm=algorithm, threads=2, storage=storage)
    solved.measure  # noqa: B018
    assert [list(item.signatures) for item in kernels] == before


@pytest.mark.parametrize("board", ["Kh7h2h5c9s", "Kh7h2h5c"])
def test_kernels_are_compiled_before_the_clock_starts(
    board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    for owner, name in ((Algorithm, "rehearse"), (solving, "run")):
        original = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *a, _n=name, _o=original, **k: events.append(_n) or _o(*a, **k))
    solve(small(board), iterations=1, save=tmp_path / "a.spot")
    resume(tmp_path / "a.spot", iterations=2)
    assert events == ["rehearse", "run"] * 2


def test_a_command_lays_out_the_betting_of_its_spot_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine
) -> None:
    laid_out: list[int] = []
    original = spots.betting_tree
    monkeypatch.setattr(spots, "betting_tree", lambda *a, **k: laid_out.append(1) or original(*a, **k))
    file, seats = str(tmp_path / "a.spot"), ["--oop", "AA,KQs", "--ip", "QQ,JTs"]
    for words in (
        ["spot", "--board", "Ks7h2d5c", *seats, "--iterations", "1", "--out", file],
        ["spot", "--resume", file, "--iterations", "2"],
        ["browse", file, "check"],
        ["verify", file],
    ):
        laid_out.clear()
        assert cli(words).code == 0
        assert laid_out == [1], words


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.spot"
    with pytest.raises(BadFile, match="no such file"):
        load(file)
    solve(small(), iterations=2, save=file)
    damaged = bytearray(file.read_bytes())
    damaged[-5] ^= 1
    file.write_bytes(damaged)
    with pytest.raises(BadFile, match="damaged"):
        load(file)


def test_thirty_hands_each_agree_with_the_history_tree_and_the_linear_program() -> None:
    rng = np.random.default_rng(5)
    spot = spot_from(small())
    live = [number for number, hand in enumerate(HANDS) if not set(hand) & set(spot.board)]
    chosen = [np.sort(rng.choice(live, 30, replace=False)) for _ in range(2)]
    weights = [np.zeros(len(HANDS)) for _ in range(2)]
    for held, numbers in zip(weights, chosen, strict=True):
        held[numbers] = rng.uniform(0.1, 1, 30)
    texts = [
        ",".join(f"{FULL_DECK.text(HANDS[number])}:{held[number]:.6f}" for number in numbers)
        for held, numbers in zip(weights, chosen, strict=True)
    ]
    seats = {
        seat: {"range": text, "bet": "50%,allin", "raise": "100%,allin"}
        for seat, text in zip(("out_of_position", "in_position"), texts, strict=True)
    }
    solution = solve(small(**seats), iterations=1500, measure_every=750)
    game = PublicGame(
        solution.strategy.form.betting, HANDS, solution.strategy.form.weights, 52, solution.spot.board, (), strength
    )
    form = sequence_form(build(game))
    exact = registry.load("algorithms", "lp").start(form)
    exact.advance(1)
    value = exact.measure().values[0]
    low, high = solution.measure.bounds
    assert low - 1e-6 <= value <= high + 1e-6
    assert solution.measure.values[0] == pytest.approx(value, abs=solution.measure.exploitability + 1e-6)
    from naive.public import history_profile

    there = form.measure(history_profile(game, form.tree, solution.strategy.form, solution.strategy.sums))
    assert there.exploitability == pytest.approx(solution.measure.exploitability, abs=1e-6)
    assert there.values == pytest.approx(solution.measure.values, abs=1e-6)


# ---- locks and best responses --------------------------------------------------------------------------------------


def test_a_locked_strategy_stays_and_costs_its_owner() -> None:
    free = solve(small(), iterations=600)
    always = Lock(("check",), {"check": 1.0})
    locked = solve(small(), iterations=600, locks=[always])
    assert locked.at("check").strategy() == pytest.approx({"check": 1, "bet 75": 0})
    assert locked.values[1] < free.values[1] - 0.5  # what the lock costs
    assert max(locked.measure.gains) < 0.05  # with the lock, nobody has anything left to gain

    pruned = solve(small(in_position=SEAT | {"bet": ""}), iterations=600)  # a game without that bet
    assert locked.values == pytest.approx(pruned.values, abs=0.05)
    assert locked.measure.best_responses == pytest.approx(pruned.measure.best_responses, abs=0.1)


def test_a_locked_game_is_solved_to_its_own_target_and_answered_within_its_locks() -> None:
    lock = Lock(("check", "check", "*"), {"check": 0.3, "bet 75": 0.7})
    locked = solve(small("Kh7h2h5c"), target="0.5%", iterations=2000, locks=[lock])
    assert locked.stopped == "target"
    exploiting = locked.best_response(0)
    assert exploiting.measure.values[0] == pytest.approx(locked.measure.best_responses[0], abs=1e-6)
    view = exploiting.at("check", "check", "Td")
    assert view.strategy("AhAs") == pytest.approx({"check": 0.3, "bet 75": 0.7}, abs=1e-6)


def test_some_hands_can_be_locked() -> None:
    lock = Lock(("bet 75",), {"fold": 1.0}, Range.parse("QQ"))
    locked = solve(small(), iterations=300, locks=[lock])
    view = locked.at("bet 75")
    assert view.strategy("QhQd")["fold"] == 1
    assert view.strategy("AhAd")["fold"] < 0.01


def test_locks_on_later_streets_with_and_without_a_card() -> None:
    every = Lock(("check", "check", "*"), {"check": 1.0})
    one = Lock(("check", "check", "Td"), {"check": 1.0})
    on_all = solve(small("Kh7h2h5c"), iterations=10, locks=[every])
    assert on_all.at("check", "check", "2s").strategy()["check"] == pytest.approx(1)
    assert len(on_all.strategy.form.rounds[1].boards) < 48
    on_one = solve(small("Kh7h2h5c"), iterations=10, locks=[one])
    assert len(on_one.strategy.form.rounds[1].boards) == 48
    assert on_one.at("check", "check", "Td").strategy()["check"] == pytest.approx(1)
    assert on_one.at("check", "check", "Ts").strategy()["check"] < 0.999


def test_the_maximally_exploiting_response_wins_what_the_measure_says(turn: Solution) -> None:
    for player in (0, 1):
        exploiting = turn.best_response(player)
        assert exploiting.measure.values[player] == pytest.approx(turn.measure.best_responses[player], abs=1e-6)


def test_locks_are_read_from_settings() -> None:
    settings = small(lock=[{"at": "check, bet 75", "strategy": {"fold": 0.5, "call": 0.5}, "hands": "QQ"}])
    solution = solve(settings, iterations=3)
    assert solution.at("check", "bet 75").strategy("QhQd")["fold"] == pytest.approx(0.5)
    for bad in ({"at": "x"}, {"strategy": {"fold": 2}}, {"strategy": {"fold": 0.5}}, {"strategy": 3}):
        with pytest.raises(BadSetting):
            open_task(small(lock=[bad]))
    with pytest.raises(IllegalAction, match="not an action"):
        solve(small(lock=[{"at": "jump", "strategy": {"check": 1}}]), iterations=1)
    for text in ("", "check", "check:", "check: bet 75 150%", "check: bet 75 with QZ"):
        with pytest.raises(PokerlabError):
            lock_from_text(text)
    assert lock_from_text("check: bet 75").strategy == {"bet 75": 1.0}
    assert lock_from_text("check: raise all-in").strategy == {"raise all-in": 1.0}
    assert solve(small(), iterations=2, locks=[lock_from_text("bet 75, allin: fold with QQ")]).locks
    with pytest.raises(BadSetting, match="holds nobody"):
        solve(small(), iterations=2, locks=[lock_from_text("check: check with 22")])
    with pytest.raises(BadSetting, match="no weights"):
        lock_from_text("check: check with QQ:0.5")


def test_locks_in_whole_numbers() -> None:
    lock = lock_from_text("check: check 30%, bet 75 70% with QQ,AA")
    wide, narrow = (solve(small(), iterations=400, storage=kind, locks=[lock]) for kind in ("float32", "int16"))
    assert narrow.at("check").strategy("QhQd")["check"] == pytest.approx(0.3, abs=1e-4)
    assert narrow.values == pytest.approx(wide.values, abs=0.1)
    assert narrow.exploitability_percent < 0.3


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_of_two_locks_at_one_place_the_later_one_holds(storage: str, tmp_path: Path) -> None:
    texts = ("check: check 50%, bet 75 50%", "check: check with QQ", "bet 75: call with AA", "bet 75: fold")
    locks, file = [lock_from_text(text) for text in texts], tmp_path / "a.spot"
    locked = solve(small(), iterations=20, storage=storage, locks=locks, save=file)
    after = locked.at("check")
    assert after.strategy("QhQd") == pytest.approx({"check": 1, "bet 75": 0}, abs=1e-4)
    assert after.strategy("AhAd") == pytest.approx({"check": 0.5, "bet 75": 0.5}, abs=1e-4)
    assert locked.at("bet 75").strategy()["fold"] == pytest.approx(1, abs=1e-4)
    assert verify(file).matches
    resume(file, iterations=33)
    assert verify(file, rerun=True).matches


def test_rake_is_taken_wherever_the_hand_ends() -> None:
    raked = solve(small("Ks7h2d5c", rake=0.05, rake_cap=12), iterations=30)
    ends = {("bet 75", "allin", "call"): 12, ("check", "check", "Td", "check", "check"): 5}
    for moves, taken in ends.items():
        view = raked.at(*moves)
        assert view.ev(0) + view.ev(1) == pytest.approx(view.pot - taken, abs=1e-6)
    line = raked.at("check", "check")
    assert line.ev(0) + line.ev(1) < line.pot - 4.9


def test_a_target_reached_already_is_not_gone_beyond(tmp_path: Path) -> None:
    kept = solve(small(), target="0.5%", save=tmp_path / "a.spot")
    again = resume(tmp_path / "a.spot", target="5%")
    assert (again.iterations, again.stopped, again.measure) == (kept.iterations, "target", kept.measure)
    assert [point[0] for point in again.curve] == [point[0] for point in kept.curve]


def test_a_killed_run_at_its_target_already_verifies_when_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last checkpoint fell between two points of the curve; as the end of a run it is one."""
    monkeypatch.setattr(public_form, "FORM", replace(public_form.FORM, pace=Pace(10, 0.0)))

    def kill(event: Event) -> None:
        if event.job == "solve" and event.done >= 8:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        solve(small(), iterations=30, measure_every=4, on_progress=kill, save=tmp_path / "a.spot")
    assert verify(tmp_path / "a.spot").matches
    reached = resume(tmp_path / "a.spot", target="100%", measure_every=4)
    assert (reached.iterations in (5, 6, 7), reached.stopped) == (True, "target")  # as quickly as the machine is
    assert [point[0] for point in reached.curve] == [4, reached.iterations]
    assert verify(tmp_path / "a.spot", rerun=True).matches


# ---- asking --------------------------------------------------------------------------------------------------------


def test_moves_may_be_written_in_several_ways(river: Solution) -> None:
    expected = river.at("bet 50").moves
    for text in ("b50", "BET 50", "50", "bet to 50"):
        assert river.at(text).moves == expected
    assert river.at("allin").moves == ("all-in 300",)
    assert river.at("x", "x").is_over
    for text in ("bet 60", "jump", "", "💥", "b" * 1000):
        with pytest.raises(IllegalAction):
            river.at(text)
    with pytest.raises(BadCards):
        river.root.strategy("KsKh")
    with pytest.raises(BadCards):
        river.root.strategy("Zz")


def test_frequencies_and_reach_multiply(river: Solution) -> None:
    view = river.at("bet 50")
    hand = combo_index(*FULL_DECK.cards("AhKh"))
    assert view.range(0)[hand] == pytest.approx(river.root.frequencies[hand, 1])
    likely = river.root.likelihood(0)
    assert likely.sum() == pytest.approx(1)
    tree = river.strategy.form
    weight = compatible_weight(tree.hand_cards, tree.weights[1], tree.tokens)
    assert likely[hand] == pytest.approx(weight[hand] / tree.pairs)


def test_tables_of_a_place(river: Solution) -> None:
    rows = river.at("check").table(1)
    assert len(rows) == 1081
    row = next(row for row in rows if row["hand"] == "KhKd")
    assert row["ev"] == pytest.approx(published.RIVER_HANDS_AFTER_CHECK["KhKd"], abs=3)
    assert sum(row["strategy"].values()) == pytest.approx(1)
    assert sum(row["likelihood"] for row in rows) == pytest.approx(1)


def test_the_forecast_is_the_size_that_is_built() -> None:
    for settings in (published.RIVER, published.TURN, small("Kh7h2h5c")):
        spot = spot_from(settings)
        told, tree = forecast(spot), spot_tree(spot)
        assert told.infosets == tree.infosets
        assert 8 * tree.slots < told.bytes < 8 * tree.slots * 1.5
    assert forecast(spot_from(published.FLOP)).nodes == published.NODES["flop"]
    with pytest.raises(TooLarge, match="int16"):
        forecast(spot_from(published.FLOP)).check(memory=1e9)


def test_an_algorithm_that_does_not_run_on_the_public_form_is_refused() -> None:
    with pytest.raises(BadSetting, match="solved in the public form, by algorithms that run on it"):
        solve(small(), algorithm="lp", iterations=1)
