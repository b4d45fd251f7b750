"""Search of the betting with a context tree: a published example, brute force, and what the estimates are made of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.agents.library import brplayer, vexbot
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.context_search import ContextSearcher, final_strengths
from pokerlab.agents.parts.context_tree import (
    Context,
    ContextTree,
    by_raises_of_each,
    by_round,
    by_sequence,
    showdown_chances,
)
from pokerlab.agents.parts.search_tree import (
    NOBODY,
    Extent,
    SearchTree,
    back_up,
    check_heads_up,
    leaf_values,
    search_tree,
    spread,
)
from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, FOLD, RAISE
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.games.poker.state import View


def river_of_the_example() -> PokerGame:
    """10 chips in the pot, bets of 2; a hand is one of ten cards, so that each bucket of five has two."""
    rules = Rules(
        players=2,
        deck=Deck.of("23456789TJ", "s"),
        rounds=(Round(private=1, bet=2, raises=2),),
        limit="fixed",
        antes=(5, 5),
        odd_chips="split",
    )
    return PokerGame(rules, "river")


def unequal_stacks(*stacks: int) -> PokerGame:
    return PokerGame(replace(open_game("holdem-nolimit").rules, stacks=stacks), "unequal")


def view_after(game: PokerGame, cards: tuple[int, ...], moves: str) -> View:
    state = game.start(cards)
    for move in moves:
        state = game.child(state, {"f": FOLD, "c": CALL, "r": RAISE}[move])
    return game.view(state, state.betting.actor)


def node_after(tree: SearchTree, moves: str) -> int:
    node = 0
    for move in moves:
        [node] = [child for child in tree.children(node).tolist() if tree.actions[child].kind == move]
    return node


@pytest.mark.parametrize("agent", ["vexbot", "brplayer"])
def test_the_example_of_the_review(agent: str) -> None:
    """Rubin and Watson, section 5.1.1, figures 7 to 9: B bets; A, whose hand is in bucket 3 of 5, should call."""
    game = river_of_the_example()
    player = open_agent(agent, buckets=5, keep=0.0)
    assert isinstance(player, ContextSearcher)
    player.contexts.observe_action(Context(0, ""), "r", times=10)
    for kind, times in (("f", 1), ("c", 9)):
        player.contexts.observe_action(Context(0, "rR"), kind, times=times)
    for moves, shown in (("rC", (1, 2, 4, 4, 4)), ("rRc", (2, 4, 4, 4))):
        for bucket in shown:
            player.contexts.observe_showdown(Context(0, moves), (bucket - 0.5) / 5)
    view = view_after(game, (0, 4), "r")
    own = final_strengths(game, view.cards, (), 5)
    assert own.tolist() == [0, 0, 1, 0, 0]
    search = player.search_from(view)
    values = player.values(search, own, seat=1)
    printed = {"f": -5, "c": -1.4, "rf": 7, "rc": -4.5, "r": -3.35, "": -1.4}
    for moves, value in printed.items():
        assert values[node_after(search.tree, moves)] == pytest.approx(value), moves
    assert player.act(view, np.random.default_rng(0)) == CALL


@pytest.mark.parametrize(
    ("seat", "temperature", "informs"), [(0, 0.0, False), (1, 0.0, True), (1, 3.0, False), (0, 3.0, True)]
)
def test_values_are_those_of_recursion(seat: int, temperature: float, informs: bool) -> None:
    """Backed up by levels, over several hands, with sizes that share a raise, unequal stacks, and columns that are
    known from the second raise on."""
    game = unequal_stacks(900, 1400)
    tree = search_tree(game, game.betting.start(), Extent(raises=3, sizes=(0.5, 1.0), whole_hand=False))
    rng = np.random.default_rng(seat)
    hands = 3
    wins, weights = rng.random((len(tree.leaves), hands)), rng.random(hands)
    chance = spread(tree, rng.random((len(tree), 3, hands)))
    values = leaf_values(tree, seat, wins)
    given = values.copy()
    informed = np.array([informs and betting.raises > 1 for betting in tree.bettings])
    average = back_up(tree, values, chance, seat=seat, weights=weights, temperature=temperature, informed=informed)

    def visit(node: int, reach: np.ndarray) -> np.ndarray:
        children = tree.children(node).tolist()
        if not children:
            return given[node]
        if tree.actor[node] != seat:
            assert sum(chance[child] for child in children) == pytest.approx(np.ones(hands))
            return sum(chance[child] * visit(child, reach * chance[child]) for child in children)
        found = [visit(child, reach) for child in children]
        if informed[node]:
            chosen = np.exp((np.array(found) - np.max(found, axis=0)) / (temperature or 1e-9))
            return np.asarray((chosen / chosen.sum(axis=0) * found).sum(axis=0))
        scores = np.array([value @ reach / reach.sum() for value in found])
        if not temperature:
            return found[int(scores.argmax())]
        shares = np.exp((scores - scores.max()) / temperature)
        return np.tensordot(shares / shares.sum(), found, 1)

    wanted = visit(0, weights)
    assert values[0] == pytest.approx(wanted)
    assert average[0] == pytest.approx(wanted @ weights / weights.sum())


@pytest.mark.parametrize("name", ["leduc", "leduc(ante=3, raises=1)", "unequal", "push-fold"])
def test_leaves_pay_what_the_game_pays(name: str) -> None:
    game = unequal_stacks(700, 450) if name == "unequal" else open_game(name)
    tree = search_tree(game, game.betting.start(), Extent())
    for seat in (0, 1):
        won, lost = (leaf_values(tree, seat, np.array([share]))[:, 0] for share in (1.0, 0.0))
        for node in np.flatnonzero(tree.actor == NOBODY).tolist():
            betting = tree.bettings[node]
            ends = [game.payoffs.returns(betting, order)[seat] for order in ((0, 1), (1, 0))]
            assert sorted((won[node], lost[node])) == pytest.approx(sorted(ends))


def test_a_hand_is_known_when_the_last_card_is_dealt() -> None:
    """A hand that will be the best or the worst is worth more if it is known by the last round, and no more than if it
    had been known from the start."""
    player = open_agent("vexbot(temperature=0, buckets=5)")
    assert isinstance(player, ContextSearcher)
    search = player.search_from(view_after(open_game("leduc"), (0, 2, 4), ""))
    worst, best = np.eye(5)[[0, 4]]
    known, by_then = [player.values(search, own, seat=0)[0] for own in (worst, best)], (worst + best) / 2
    value = player.values(search, by_then, seat=0)[0]
    search.is_last_round[:] = False
    never = player.values(search, by_then, seat=0)[0]
    assert never + 0.3 < value < np.mean(known)


def test_a_search_of_the_round_ends_with_it() -> None:
    game = open_game("leduc")
    tree = search_tree(game, game.betting.start(), Extent(whole_hand=False))
    assert {tree.bettings[leaf].round for leaf in tree.leaves.tolist()} == {1}
    assert len(tree) == 15  # as many as Kuhn poker has with a second raise
    assert len(search_tree(game, game.betting.start(), Extent())) == 85


def test_finer_levels_outweigh_coarser_ones() -> None:
    """Ten observations weigh 1 - keep^10 against what remains."""
    game, keep = open_game("leduc"), 0.9
    contexts = ContextTree((by_sequence, by_raises_of_each, by_round), buckets=4, keep=keep)
    tree = search_tree(game, game.betting.start(), Extent())
    places = contexts.places(tree, Context(1, ""), np.ones(4))
    here = places.decisions.tolist().index(node_after(tree, "r"))
    default = contexts.frequencies(places, len(tree))[places.decisions[here]]
    contexts.observe_action(Context(1, "R"), "f", times=10)
    contexts.observe_action(Context(1, "CrR"), "c", times=5)  # shares the round and the bet to call alone
    found = contexts.frequencies(places, len(tree))[places.decisions[here]]
    fine, coarse = np.array([1.0, 0, 0]), np.array([10.0, 5, 0]) / 15
    wanted = default
    for seen, times in ((coarse, 15), (fine, 10), (fine, 10)):
        wanted = wanted + (1 - keep**times) * (seen - wanted)
    assert found == pytest.approx(wanted)
    contexts.clear()
    assert contexts.frequencies(places, len(tree))[places.decisions[here]] == pytest.approx(default)


def test_histograms_decide_showdowns() -> None:
    """Half of the pot against an equal bucket; what is shown moves the value of a call."""
    own = np.array([0, 0.5, 0.5, 0])
    assert showdown_chances(own).tolist() == [1, 0.75, 0.25, 0]
    game = open_game("leduc")
    view = view_after(game, (0, 2, 4), "ccr")  # a queen against a bet on a board without a pair
    for strength, wanted in ((0.99, FOLD), (0.01, RAISE)):
        player = open_agent("vexbot")
        assert isinstance(player, ContextSearcher)
        for moves in ("cC/rC", "cC/rRc", "cC/rRrC"):
            player.contexts.observe_showdown(Context(0, moves), strength, times=100)
        player.contexts.observe_action(Context(0, "cC/rR"), "c", times=100)
        assert player.act(view, np.random.default_rng(0)) == wanted


def test_hands_are_observed_by_sequence() -> None:
    game = open_game("leduc")
    player = open_agent("vexbot")
    assert isinstance(player, ContextSearcher)
    state = game.start((0, 5, 4))
    for action in (CALL, RAISE, CALL, RAISE, CALL):
        state = game.child(state, action)
    player.observe(game.view(state, 0))
    fresh = ContextTree(vexbot.LEVELS, buckets=20, keep=0.9)
    for moves, kind in (("C", "r"), ("CrC/R", "c")):
        fresh.observe_action(Context(1, moves), kind)
    fresh.observe_showdown(Context(1, "CrC/Rc"), 1.0)  # a pair with the board: better than the other four
    tree = search_tree(game, game.betting.start(), Extent())
    for contexts in (player.contexts, fresh):
        contexts.places(tree, Context(1, ""), np.ones(20))
    places = [contexts.places(tree, Context(1, ""), np.ones(20)) for contexts in (player.contexts, fresh)]
    first, second = (one.histograms(at) for one, at in zip((player.contexts, fresh), places, strict=True))
    assert first == pytest.approx(second)
    frequencies = [one.frequencies(at, len(tree)) for one, at in zip((player.contexts, fresh), places, strict=True)]
    assert frequencies[0] == pytest.approx(frequencies[1])
    player.reset()
    assert player.contexts.histograms(places[0]) == pytest.approx(places[0].histograms)


def test_levels_are_three_and_five() -> None:
    assert (len(vexbot.LEVELS), len(brplayer.LEVELS)) == (3, 5)


@pytest.mark.parametrize("game", ["kuhn(players=3)", "five-card-draw"])
def test_other_games_are_refused(game: str) -> None:
    with pytest.raises(BadSetting, match=r"^vexbot "):
        check_heads_up(open_game(game), "vexbot")
