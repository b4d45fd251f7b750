"""Poker trees laid out many histories at a time: entry for entry those made one history at a time."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from pokerlab.cards.card import Deck
from pokerlab.errors import BadFile
from pokerlab.formats.opening import open_game
from pokerlab.games.game import CHANCE, TERMINAL, Game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.tree.history import layout as history
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.history.poker import PokerLayout, build_form, can_build

SIX = Deck.of("JQK", "ab")
ALL_IN = PokerGame(  # chips go in on any round, so that the last cards come with nobody left to act
    Rules(
        players=2,
        rounds=(Round(private=1), Round(public=1), Round(public=1)),
        deck=SIX,
        antes=(1, 1),
        stacks=(4, 3),
        odd_chips="split",
    ),
    "three streets",
)
THREE = PokerGame(
    Rules(players=3, rounds=(Round(private=1),), deck=SIX, blinds=(1, 2, 0), stacks=(3, 4, 5)), "unequal stacks"
)


def histories(game: Game, state: Any) -> int:
    """How many histories go through a state, counted one by one."""
    actor = game.player(state)
    if actor == TERMINAL:
        return 1
    steps = [outcome for outcome, _ in game.outcomes(state)] if actor == CHANCE else game.actions(state)
    return 1 + sum(histories(game, game.child(state, step)) for step in steps)


def one_at_a_time(game: PokerGame) -> HistoryTree:
    growing = history.TreeBuilder(game)
    for _ in growing.grow():
        pass
    return history._finished(growing)


@pytest.mark.parametrize(
    "name",
    [
        "kuhn",
        "kuhn(players=3)",
        "leduc",
        "one-card(cards=7)",
        "von-neumann(cards=6, replacement=true)",
        "von-neumann(cards=6, replacement=false)",
        "rhode-island(ranks=2, suits=2)",
        ALL_IN,
        THREE,
    ],
)
def test_is_the_tree_made_one_history_at_a_time(name: str | PokerGame) -> None:
    game = open_game(name) if isinstance(name, str) else name
    assert can_build(game)
    layout = PokerLayout(game)
    quick, plain = build_form(layout), one_at_a_time(game)
    assert 1 + layout.top.below == plain.nodes
    for column in fields(HistoryTree):
        mine, other = getattr(quick, column.name), getattr(plain, column.name)
        if isinstance(other, np.ndarray):
            assert mine.dtype == other.dtype, column.name
            assert np.array_equal(mine, other), column.name
        else:
            assert (list(mine) == list(other)) if not isinstance(other, int | float) else mine == other, column.name


def test_draws_and_other_games_are_not_for_it() -> None:
    for name in ("five-card-draw", "goofspiel(cards=3)", "liars-dice"):
        assert not can_build(open_game(name))
    later = Rules(players=2, rounds=(Round(private=1), Round(private=1)), deck=SIX, antes=(1, 1), stacks=(3, 3))
    assert not can_build(PokerGame(later, "private cards later"))


@pytest.mark.parametrize(  # the last is counted as it grows, every 5,000 nodes
    ("name", "share"), [("leduc", 1), ("kuhn(players=4)", 1), ("liars-dice(sides=4)", 0.25)]
)
def test_more_infosets_than_a_strategy_has_are_refused_before_all_is_laid_out(
    name: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = open_game(name)
    infosets = history.build(game).infosets
    assert history.build(game, most_infosets=infosets).infosets == infosets
    monkeypatch.setattr(PokerLayout, "__init__", lambda *_: pytest.fail("it was laid out"))
    monkeypatch.setattr(history, "_finished", lambda *_: pytest.fail("it was laid out"))
    too_few = int(share * infosets) - 1
    with pytest.raises(BadFile, match=f"{too_few:,} infosets"):
        history.build(game, most_infosets=too_few)


@pytest.mark.parametrize(
    ("name", "at_once"), [("leduc", True), ("kuhn", False), ("one-card", False), ("liars-dice(sides=4)", False)]
)
def test_build_uses_it_where_it_pays_and_lays_nothing_out_twice(
    name: str, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = open_game(name)
    looked_at: list[int] = []
    opened = history.TreeBuilder._open
    monkeypatch.setattr(
        history.TreeBuilder, "_open", lambda own, node, *words: (looked_at.append(node), opened(own, node, *words))[1]
    )
    tree = history.build(game)
    assert tree.nodes == histories(game, game.root())
    assert len(looked_at) == (0 if at_once else np.count_nonzero(tree.child_count))
