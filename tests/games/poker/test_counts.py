"""Sizes and uniform values of small poker games, counted by walking the engine's tree."""

from __future__ import annotations

import pytest

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.registry import load


def walk(game):
    """Nodes, terminals, infosets per player, and each player's value when everybody plays uniformly."""
    nodes = terminals = 0
    infosets = [set() for _ in range(game.players)]
    values = [0.0] * game.players
    todo = [(game.root(), 1.0)]
    while todo:
        state, reach = todo.pop()
        nodes += 1
        player = game.player(state)
        if player == TERMINAL:
            terminals += 1
            values = [value + reach * won for value, won in zip(values, game.returns(state), strict=True)]
        elif player == CHANCE:
            todo += [(game.child(state, outcome), reach * chance) for outcome, chance in game.outcomes(state)]
        else:
            infosets[player].add(game.infoset(state, player))
            actions = game.actions(state)
            todo += [(game.child(state, action), reach / len(actions)) for action in actions]
    return nodes, terminals, [len(found) for found in infosets], values


# values.md section 6: nodes with the chance root, terminals, infosets, value of uniform play to the first player
@pytest.mark.parametrize(
    ("spec", "nodes", "terminals", "infosets", "value"),
    [("kuhn", 55, 30, [6, 6], 0.125), ("leduc", 9451, 5520, [468, 468], -0.078125)],
)
def test_published_sizes(spec, nodes, terminals, infosets, value):
    found = walk(load("games", spec))
    assert found[:3] == (nodes, terminals, infosets)
    assert found[3] == pytest.approx([value, -value])


@pytest.mark.parametrize("cards", [2, 3, 4, 13])
def test_one_card_poker(cards):
    """Values.md section 6: 2N infosets per player; nine nodes under each of the N(N - 1) deals, and chance."""
    nodes, terminals, infosets, _ = walk(load("games", f"one-card(cards={cards})"))
    deals = cards * (cards - 1)
    assert (nodes, terminals, infosets) == (1 + 9 * deals, 5 * deals, [2 * cards, 2 * cards])


@pytest.mark.parametrize(("replacement", "deals"), [(True, 100), (False, 90)])
def test_von_neumann_poker(replacement, deals):
    """One decision each: five nodes under each deal. Player bets or checks, and Dealer calls or folds."""
    nodes, terminals, infosets, _ = walk(load("games", f"von-neumann(cards=10, replacement={replacement})"))
    assert (nodes, terminals, infosets) == (1 + 5 * deals, 3 * deals, [10, 10])


def betting_nodes(spec):
    """Decisions of the public betting tree by round, counted without dealing a card."""
    game = load("games", spec)
    counts = [0] * len(game.rules.rounds)
    todo = [game.betting.start()]
    while todo:
        betting = todo.pop()
        if betting.actor != TERMINAL:
            counts[betting.round] += 1
            todo += [game.betting.act(betting, action) for action in game.betting.actions(betting)]
    return counts


def test_betting_trees_without_cards():
    # Johanson 2013 (arXiv 1302.7008) for limit hold'em; values.md section 5
    assert betting_nodes("holdem-limit") == [8, 70, 630, 5670]
    rhode_island = betting_nodes("rhode-island")
    assert rhode_island == [8, 56, 392]
    # one private card and up to two public ones, in the order seen: 26,064,064 infosets a player
    hands = [52, 52 * 51, 52 * 51 * 50]
    assert sum(nodes // 2 * seen for nodes, seen in zip(rhode_island, hands, strict=True)) == 26_064_064
    assert betting_nodes("push-fold") == [2, 0, 0, 0]
    assert betting_nodes("flop-poker") == [2, 0]


def test_states_of_limit_holdem():
    """The published number of game states, from the betting tree and the number of deals (values.md section 5)."""
    deals = [1_624_350, 28_094_757_600, 1_264_264_092_000, 55_627_620_048_000]
    nodes = betting_nodes("holdem-limit")
    assert sum(count * deal for count, deal in zip(nodes, deals, strict=True)) == 316_207_058_696_146_800


def test_a_small_rhode_island():
    """Infosets of each player by the same formula, on six cards."""
    _, _, infosets, _ = walk(load("games", "rhode-island(ranks=3, suits=2)"))
    assert infosets == [4 * 6 + 28 * 6 * 5 + 196 * 6 * 5 * 4] * 2
