"""The betting as flat arrays against the rule engine, place by place."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.errors import TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.game import TERMINAL
from pokerlab.tree.bucketed import betting as module
from pokerlab.tree.bucketed.betting import FOLDED, LINE, SHOWN, BettingForm, betting_form

GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "leduc(players=3)",
    "rhode-island",
    "leduc-nolimit",
    "holdem-nolimit(stack=(300, 500, 900), players=3, menu='100%,allin')",
]


@pytest.fixture(params=GAMES)
def form(request: pytest.FixtureRequest) -> BettingForm:
    return betting_form(open_game(request.param))


def test_every_place_is_that_of_the_rule_engine(form: BettingForm) -> None:
    rules, arrays, seen = form.game.betting, form.arrays, 0
    pending = [(rules.start(), 0)]
    while pending:
        state, node = pending.pop()
        seen += 1
        assert form.histories[node] == state.history
        assert form.node_of(state.history) == node
        assert arrays.round[node] == state.round
        assert arrays.put[node].tolist() == [a + b for a, b in zip(state.live, rules.antes, strict=True)]
        if state.actor == TERMINAL:
            assert arrays.actor[node] == (FOLDED if state.folded_out else SHOWN)
            pots = form.game.payoffs.pots(state) if not state.folded_out else []
            own = slice(arrays.pot_first[node], arrays.pot_first[node + 1])
            assert arrays.pot_chips[own].tolist() == [pot.amount for pot in pots]
            assert arrays.pot_seats[own].tolist() == [sum(1 << seat for seat in pot.seats) for pot in pots]
            continue
        actions = rules.actions(state)
        assert arrays.actor[node] == state.actor
        assert form.actions[node] == tuple(form.game.action_text(action) for action in actions)
        first = int(arrays.first[node])
        pending += [(rules.act(state, action), first + place) for place, action in enumerate(actions)]
    assert seen == form.nodes


def test_rows_have_room_for_every_decision_and_none_twice(form: BettingForm) -> None:
    arrays = form.arrays
    for turn, row in enumerate(form.rows):
        used = np.zeros(row, int)
        for node in np.flatnonzero((arrays.round == turn) & (arrays.actor >= 0)):
            used[arrays.slot[node] : arrays.slot[node] + arrays.children[node]] += 1
        assert used.max(initial=0) <= 1
        assert row % LINE == 0


def test_a_players_decisions_of_a_rounds_subtree_share_a_line() -> None:
    form = betting_form(open_game("holdem-limit"))
    arrays = form.arrays
    lines: dict[tuple[str, int], set[int]] = {}
    for node in np.flatnonzero(arrays.actor >= 0).tolist():
        before = form.histories[node].rpartition("/")[0]
        lines.setdefault((before + str(arrays.round[node]), int(arrays.actor[node])), set()).add(
            int(arrays.slot[node]) // LINE
        )
    assert all(len(found) == 1 for found in lines.values())
    assert form.decisions == (8, 70, 630, 5670)
    assert form.rows == (32, 224, 2016, 18144)


def test_too_many_places_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_NODES", 1000)
    with pytest.raises(TooLarge, match="16,584 nodes"):
        betting_form(open_game("holdem-limit"))


def test_betting_that_does_not_fit_in_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available_memory", lambda: 2e6)
    with pytest.raises(TooLarge, match="16,584 nodes, which take 3.98 MB of memory, and 1.6 MB can be used"):
        betting_form(open_game("holdem-limit"))


def test_every_history_is_found_and_others_are_not(form: BettingForm) -> None:
    """Histories are read off states, so each is compared with its node; no other text is a history."""
    rng = np.random.default_rng(3)
    for node in rng.integers(form.nodes, size=min(form.nodes, 300)).tolist():
        history = form.histories[node]
        assert form.node_of(history) == node
        assert form.node_of(history + "x") == form.node_of("/" + history) == -1
    assert form.node_of("ccccccccc") == -1


@pytest.mark.parametrize("game", ["holdem-limit(players=4)", "holdem-nolimit", "holdem-nolimit(stack=10000000)"])
def test_large_betting_is_refused_before_it_is_laid_out(game: str) -> None:
    with pytest.raises(TooLarge, match="choose a menu of fewer bet sizes"):
        betting_form(open_game(game))


@pytest.mark.slow
def test_three_player_limit_holdem_with_all_raises_is_built() -> None:
    """23,937,308 nodes; random lines of play are followed from the root in the rule engine and in the arrays."""
    game = open_game("holdem-limit(players=3)")
    form = betting_form(game)
    assert form.nodes == 23_937_308
    rng, rules, arrays = np.random.default_rng(6), game.betting, form.arrays
    for _ in range(300):
        state, node = rules.start(), 0
        while state.actor != TERMINAL:
            actions = rules.actions(state)
            assert (arrays.actor[node], arrays.children[node]) == (state.actor, len(actions))
            chosen = int(rng.integers(len(actions)))
            state, node = rules.act(state, actions[chosen]), int(arrays.first[node]) + chosen
        assert arrays.put[node].tolist() == list(state.live)
        assert form.histories[node] == state.history
        assert form.node_of(state.history) == node
