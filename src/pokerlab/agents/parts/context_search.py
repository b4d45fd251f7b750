"""Players who search the betting with what a context tree says of the opponent: Vexbot and BRPlayer.

The share of the pot that is won at a showdown compares the histogram of the opponent's hands there with how strong
one's own hand will be at the end, over all cards to come; the cards themselves are not part of the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

import numpy as np

from pokerlab.agents.parts.context_tree import Context, ContextTree, Level, Places, default_histogram, showdown_chances
from pokerlab.agents.parts.hand_reading import holdem_deck, read_cards
from pokerlab.agents.parts.roll_out import run_outs
from pokerlab.agents.parts.search_tree import (
    Extent,
    SearchTree,
    back_up,
    check_heads_up,
    leaf_values,
    search_tree,
    spread,
)
from pokerlab.agents.parts.situations import past_actions
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import Share, number, whole

Buckets = Annotated[int, whole(2, 100)]  # of hands in showdown histograms
Temperature = Annotated[float, number(0, 1e6)]  # of own actions, in largest bets; 0: always the best
Keep = Share  # the weight that coarser levels keep after one observation
Raises = Annotated[int, whole(1, 10)]  # bets and raises in a round that are searched
MOST_TREES = 2_000  # of an agent; fewer than that occur in limit hold'em


class Search:
    """A tree, and where its nodes are in the context tree."""

    def __init__(self, tree: SearchTree, places: Places) -> None:
        self.tree, self.places = tree, places
        self.version = -1  # of the observations that the estimates are of
        self.chance = self.histograms = np.zeros(0)  # [node, 1], [leaf, bucket]
        rounds = len(tree.game.rules.rounds)
        self.is_last_round = np.array([betting.round == rounds - 1 for betting in tree.bettings])  # [node]


class ContextSearcher:
    """Learns one opponent by betting sequence, and does what is best against what it has seen."""

    def __init__(
        self,
        name: str,
        levels: Sequence[Level],
        *,
        buckets: int = 20,
        keep: float = 0.95,
        temperature: float = 0.0,
        raises: int = 4,
        pot_fraction: float = 1.0,
    ) -> None:
        self.name = name
        self.contexts = ContextTree(levels, buckets=buckets, keep=keep)
        self._temperature = temperature
        self._extent = Extent(raises=raises, sizes=(pot_fraction,))
        self._searches: dict[tuple[PokerGame, int, str], Search] = {}
        self._version = 0

    def check_game(self, game: PokerGame) -> None:
        check_heads_up(game, self.name)

    def reset(self) -> None:
        """Forget the opponent."""
        self.contexts.clear()
        self._version += 1

    def act(self, view: View, rng: np.random.Generator) -> Action:
        actions, values = self.action_values(view)
        if self._temperature > 0:
            scale = self._temperature * max(round_.bet for round_ in view.game.rules.rounds)
            chances = np.exp((values - values.max()) / scale)
            return actions[int(rng.choice(len(actions), p=chances / chances.sum()))]
        return actions[int(np.argmax(values))]

    def action_values(self, view: View) -> tuple[list[Action], np.ndarray]:
        """The actions that are searched, and what they win over the whole hand."""
        search = self._search(view)
        final = final_strengths(view.game, tuple(sorted(view.cards)), tuple(sorted(view.board)), self.contexts.buckets)
        scale = self._temperature * max(round_.bet for round_ in view.game.rules.rounds)
        values = self.values(search, final, seat=view.seat, temperature=scale)
        children = search.tree.children(0)
        return [search.tree.actions[node] for node in children.tolist()], values[children]

    def values(self, search: Search, own: np.ndarray, *, seat: int, temperature: float = 0.0) -> np.ndarray:
        """The value of each node with a hand whose chance of each bucket at the end is `own` [bucket].  # [node]"""
        tree = search.tree
        if search.version != self._version:
            search.chance = spread(tree, self.contexts.frequencies(search.places, len(tree)))
            search.histograms = self.contexts.histograms(search.places)
            search.version = self._version
        possible = np.flatnonzero(own)
        wins = search.histograms @ showdown_chances(np.eye(len(own)))[:, possible]
        values = leaf_values(tree, seat, wins)
        return back_up(
            tree,
            values,
            search.chance,
            seat=seat,
            weights=own[possible],
            temperature=temperature,
            informed=search.is_last_round,
        )

    def _search(self, view: View) -> Search:
        key = view.game, view.seat, view.history
        if key not in self._searches:
            if len(self._searches) >= MOST_TREES:
                self._searches.clear()
            self._searches[key] = self.search_from(view)
        return self._searches[key]

    def search_from(self, view: View) -> Search:
        """The search from a decision on."""
        tree = search_tree(view.game, view.betting, self._extent)
        context, steps = Context(1 - view.seat, ""), []
        for past in past_actions(view.game, view.history):
            context = context.in_round(past.before.round).after(past.seat, past.action.kind)
            if past.seat != view.seat:
                steps.append((past.action.kind, past.situation.facing, past.before.round))
        start = default_histogram(steps, self.contexts.buckets)
        return Search(tree, self.contexts.places(tree, context.in_round(view.betting.round), start))

    def observe(self, view: View) -> None:
        """Count the opponent's actions, and the hand if it was shown."""
        if view.game.players != 2:
            return
        other, context = 1 - view.seat, Context(1 - view.seat, "")
        for past in past_actions(view.game, view.history):
            context = context.in_round(past.before.round)
            if past.seat == other:
                self.contexts.observe_action(context, past.action.kind)
            context = context.after(past.seat, past.action.kind)
        if view.shown and view.shown[other]:
            self.contexts.observe_showdown(context, read_cards(view.game, view.shown[other], view.board).now)
        self._version += 1


@lru_cache(maxsize=20_000)
def final_strengths(game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...], buckets: int) -> np.ndarray:
    """The chance of each bucket of the strength of a hand once all public cards are dealt.  # [bucket]"""
    if holdem_deck(game) == "high":
        found = _in_holdem(cards, board, buckets)
    else:
        found = _by_run_outs(game, cards, board, buckets)
    found.setflags(write=False)
    return found


def _in_holdem(cards: tuple[int, ...], board: tuple[int, ...], buckets: int) -> np.ndarray:
    from pokerlab.cards.combos import COMBO_CLASS, combo_index
    from pokerlab.cards.measures import hand_measures

    if board:
        return hand_measures(cards, board, lookahead=0).histogram(buckets)
    return np.asarray(_preflop_histograms(buckets)[COMBO_CLASS[combo_index(*cards)]])


@lru_cache(maxsize=4)
def _preflop_histograms(buckets: int) -> np.ndarray:
    from pokerlab.cards.measures import preflop_strength

    return preflop_strength().histogram(buckets)


def _by_run_outs(game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...], buckets: int) -> np.ndarray:
    unseen = [card for card in range(game.deck.size) if card not in cards and card not in board]
    coming = sum(round_.public for round_ in game.rules.rounds) - len(board)
    found = np.zeros(buckets)
    for later in run_outs(unseen, coming, most=30, seed=(*cards, *board)):
        strength = read_cards(game, cards, (*board, *later)).now
        found[min(int(strength * buckets), buckets - 1)] += 1
    return np.asarray(found / found.sum())
