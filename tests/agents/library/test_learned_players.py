"""bpp against its network computed by definition, manzana against its teacher, and evolution that improves players."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from pokerlab.agents.library.bpp import TYPES, Bpp, own_final, type_tables
from pokerlab.agents.library.nicolai import SHAPE, inputs
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.situations import past_actions
from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, FOLD, RAISE
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State, View
from pokerlab.lab.play.evolution import EvolutionSettings, evolve
from pokerlab.lab.play.learning import check_source
from pokerlab.lab.play.playing import match


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
    """At a table of random players each wins, the inputs are 30 numbers, and a foreign file is refused."""
    game = opened("holdem-nolimit(players=4)")
    view = game.view(game.start(tuple(range(13))), 3)
    assert SHAPE.networks == ((30, 20, 5),)
    assert inputs(view, None).shape == (30,)
    for agent, table in (("nicolai", "holdem-nolimit(players=3)"), ("noble", "holdem-limit(players=3)")):
        result = match([agent, "random", "random"], game=table, hands=6000, workers=1, seed=7)
        assert result.as_dict()["agents"][0]["chips"]["low"] > 0, agent
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


@pytest.mark.parametrize("player", ["nicolai", "noble"])
def test_evolution_is_repeatable_and_selects(player: str) -> None:
    small = EvolutionSettings(player, generations=2, members=4, contests=1, hands=4, seats=3, hall=1, seed=5)
    first, again = evolve(small), evolve(small)
    assert (first.genes == again.genes).all()
    assert len(first.fitness) == 2
    other = evolve(EvolutionSettings(**(vars(small) | {"seed": 6})))
    assert not np.array_equal(first.genes, other.genes)
