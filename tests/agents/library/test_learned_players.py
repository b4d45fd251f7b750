"""bpp against its network computed by definition, manzana against its teacher, and evolution that improves players."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.agents.library.bpp import TYPES, Bpp, own_final, type_of, type_tables
from pokerlab.agents.library.nicolai import SHAPE, inputs
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.decision_network import has_pyagrum, infer
from pokerlab.agents.parts.hand_tables import NOW, percentiles
from pokerlab.agents.parts.self_play import play
from pokerlab.agents.parts.situations import past_actions
from pokerlab.errors import BadFile, BadSetting, MissingExtra
from pokerlab.events import Cancelled, CancelToken, Event, Watch
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, FOLD, RAISE
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State, View
from pokerlab.lab.play import evolution
from pokerlab.lab.play.evolution import EvolutionSettings, evolve
from pokerlab.lab.play.learning import check_source
from pokerlab.lab.play.playing import match
from pokerlab.match.run.contest import ContestRules
from pokerlab.match.run.contests import ContestSettings, play_contests


def opened(text: str) -> PokerGame:
    game = open_game(text)
    assert isinstance(game, PokerGame)
    return game


def played(game: PokerGame, cards: tuple[int, ...], moves: str) -> State:
    state = game.start(cards)
    for move in moves:
        state = game.child(state, {"f": FOLD, "c": CALL, "r": RAISE}[move])
    return state


def by_definition(bpp: Bpp, view: View) -> float:
    """The probability of winning, summed over every final type of both and every current type of each round."""
    tables, past = type_tables(view.game), past_actions(view.game, view.history)
    actions = [one for one in past if one.seat != view.seat]
    mine = own_final(view.game, view.cards, view.board)
    total = won = 0.0
    for final, *currents in product(range(TYPES), repeat=1 + len(actions)):
        weight = tables.final[final]
        for one, current in zip(actions, currents, strict=True):
            weight *= tables.current[one.before.round][final, current]
            weight *= bpp.action_table(one.situation)[current, "fcr".index(one.action.kind)]
        total += weight
        won += weight * sum(
            share * (1.0 if own > final else 0.5 if own == final else 0.0) for own, share in enumerate(mine)
        )
    return won / total


def test_bpp_infers_what_its_network_says() -> None:
    game = opened("rhode-island(ranks=5)")
    bpp = open_agent("bpp")
    assert isinstance(bpp, Bpp)
    cards = (3, 8, 12, 17)
    for moves in ("r", "ccr", "crccr", "rrccr"):
        state = played(game, cards, moves)
        view = game.view(state, state.betting.actor)
        assert bpp.win_probability(view) == pytest.approx(by_definition(bpp, view))
    calm, raised = (game.view(played(game, cards, moves), 1) for moves in ("c", "r"))
    assert bpp.win_probability(raised) < bpp.win_probability(calm) - 0.05  # a raise shows strength


@pytest.mark.skipif(not has_pyagrum(), reason="pyAgrum is not installed: pip install 'pokerlab[learn]'")
def test_pyagrum_infers_the_same_as_arrays() -> None:
    """The network of random hands of play, and its utilities, after an opponent who was observed."""
    game, rng = opened("holdem-limit"), np.random.default_rng(8)
    bpp = open_agent("bpp(inference=arrays)")
    assert isinstance(bpp, Bpp)
    agents, seen = (bpp, open_agent("probe")), list[View]()
    for cards in game.deals(rng, 12):
        play(game, agents, cards, rng, lambda seat, view, action: seen.append(view) if seat == 0 else None)
    assert max(len(bpp.network(view).observed) for view in seen) > 3
    for view in seen:
        by_arrays, by_pyagrum = (infer(bpp.network(view), bpp.payoffs(view), how) for how in ("arrays", "pyagrum"))
        assert by_pyagrum.win == pytest.approx(by_arrays.win, abs=1e-9)
        assert by_pyagrum.utility == pytest.approx(by_arrays.utility, abs=1e-9)
        assert open_agent("bpp(inference=pyagrum)").triple(view) == pytest.approx(  # type: ignore[attr-defined]
            open_agent("bpp(inference=arrays)").triple(view),
            abs=1e-9,  # type: ignore[attr-defined]
        )


def test_without_pyagrum_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyagrum", None)
    with pytest.raises(MissingExtra, match=r"pip install 'pokerlab\[learn\]', or inference=arrays"):
        match(["bpp(inference=pyagrum)", "random"], game="leduc", hands=2, workers=1)


def test_bpp_knows_its_final_hand_by_the_cards_to_come() -> None:
    """With every card on the board it is one type; before, a share of the boards that may come."""
    game = opened("leduc")
    for own, board in ((0, 1), (4, 5), (2, 4)):
        percentile = float(percentiles(game, (board,), measure=NOW)[own])
        assert own_final(game, (own,), (board,)).tolist() == np.eye(TYPES)[type_of(percentile)].tolist()
        later = [own_final(game, (own,), (card,)) for card in range(6) if card != own]
        assert own_final(game, (own,), ()) == pytest.approx(np.mean(later, axis=0))


def test_bpp_learns_from_hands_that_were_shown() -> None:
    """After it has seen the opponent raise nothing but weak hands, a raise no longer frightens it."""
    game = opened("leduc")
    bpp = open_agent("bpp")
    assert isinstance(bpp, Bpp)
    view = game.view(played(game, (4, 2, 1), "r"), 1)
    before = bpp.win_probability(view)
    for _ in range(60):
        bpp.observe(game.view(played(game, (0, 2, 5), "rccc"), 1))
    assert bpp.win_probability(view) > before + 0.1
    bpp.reset()
    assert bpp.win_probability(view) == before


def test_bpp_beats_random_play() -> None:
    result = match(["bpp", "random"], game="leduc", hands=300, workers=1, seed=4)
    assert result.as_dict()["agents"][0]["chips"]["low"] > 0


def test_shipped_networks_have_their_shape_and_play_well(tmp_path: Path) -> None:
    """Among random players each does what it was evolved for, nicolai outlasts them and noble wins from them."""
    game = opened("holdem-nolimit(players=4)")
    view = game.view(game.start(tuple(range(13))), 3)
    assert SHAPE.networks == ((30, 20, 5),)
    assert inputs(view, None).shape == (30,)
    rules = ContestRules((4000,) * 6, payouts=(1.0,))
    freezeouts = ContestSettings.of("holdem-nolimit(players=6)", ["nicolai", *["random"] * 5], rules, repeat=60, seed=7)
    assert play_contests(freezeouts).places[0].high < 3.5  # the mean of places 1 to 6
    result = match(["noble", "random", "random"], game="holdem-limit(players=3)", hands=450, workers=1, seed=7)
    assert result.as_dict()["agents"][0]["chips"]["low"] > 0
    evolved = evolve(EvolutionSettings("noble", generations=1, members=4, contests=1, hands=4, seats=3, seed=3))
    evolved.save(tmp_path / "my.evolved")
    view = game.view(game.start(tuple(range(13))), 3)
    played_by = open_agent(f"noble:{tmp_path}/my.evolved")
    assert played_by.probabilities(view) != open_agent("noble").probabilities(view)  # type: ignore[attr-defined]
    with pytest.raises(BadFile, match="was evolved for noble"):
        open_agent(f"nicolai:{tmp_path}/my.evolved").probabilities(view)  # type: ignore[attr-defined]
    with pytest.raises(BadSetting, match="leave out --from"):
        check_source("noble", tmp_path, generations=None, members=None)
    with pytest.raises(BadSetting, match="--generations and --members are for nicolai and noble"):
        check_source("casper", tmp_path, generations=3, members=None)


class Generations(CancelToken):
    """Cancelled as soon as some generations are complete."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.note(Event("evolve", 0))

    def note(self, event: Event) -> None:
        """Look at the progress."""
        if event.done >= self.most:
            self.cancel()


def test_selection_moves_a_population_to_what_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """If genes near 1 win, the population moves there by more than mutations alone; the winners are remembered."""
    halls: list[int] = []

    def scores(self: Any, populations: list[np.ndarray], rng: np.random.Generator, watch: Watch) -> list[np.ndarray]:
        halls.append(len(self.hall))
        return [-np.abs(rows - 1).mean(axis=1)[:, None] for rows in populations]

    monkeypatch.setattr(evolution._Tournaments, "scores", scores)
    evolved = evolve(EvolutionSettings("nicolai", generations=60, members=20, noise=0.05, seed=2))
    assert evolved.fitness[-1] < 0.9 * evolved.fitness[0]
    assert halls == list(range(60))


@pytest.mark.parametrize("player", ["nicolai", "noble"])
def test_evolution_is_repeatable_and_selects(player: str) -> None:
    small = EvolutionSettings(player, generations=2, members=4, contests=1, hands=4, seats=3, hall=1, seed=5)
    first, again = evolve(small), evolve(small)
    assert (first.genes == again.genes).all()
    assert len(first.fitness) == 2
    with pytest.raises(Cancelled):
        evolve(small, cancel=Generations(0))
    stop = Generations(2)
    cut = evolve(EvolutionSettings(**(vars(small) | {"generations": 50})), on_progress=stop.note, cancel=stop)
    assert (cut.genes == first.genes).all()
    assert cut.as_dict() == first.as_dict()
    other = evolve(EvolutionSettings(**(vars(small) | {"seed": 6})))
    assert not np.array_equal(first.genes, other.genes)
