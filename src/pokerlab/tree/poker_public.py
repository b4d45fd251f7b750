"""Poker games of the rule engine in public form: any two-player game of one or two private cards without draws.

The betting is walked by the rule engine's own automaton, which knows no cards; `betting_tree` does that for all legal
actions or for those that a menu chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.betting import Action, Betting, BettingRules
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker import PokerGame
from pokerlab.tree.betting import Deal, Decision, Node, Settled, Showdown
from pokerlab.tree.public import PublicTree, build

MOST_BETTING_NODES = 60_000
DEEPEST_BETTING = 400  # actions in a row: the tree is walked by functions that call themselves

Choose = Callable[[Betting, int], Sequence[tuple[str, Action]]]  # (betting, level when its round began)


@dataclass(frozen=True)
class Rake:
    """What the house takes of every pot: a part of it, at most a cap."""

    part: float = 0.0
    cap: float = float("inf")

    def of(self, pot: float) -> float:
        """What is taken of this pot."""
        return min(self.part * pot, self.cap)


def betting_tree(rules: BettingRules, choose: Choose, *, unit: float = 1.0, rake: Rake | None = None) -> Node:
    """The betting of a two-player game: at each decision the actions that `choose` names. Returns are in units."""
    taken = rake or Rake()
    count = 0

    def visit(betting: Betting, base: int, depth: int) -> Node:
        nonlocal count
        count += 1
        if count > MOST_BETTING_NODES or depth > DEEPEST_BETTING:
            raise TooLarge(
                f"the betting alone has more than {MOST_BETTING_NODES:,} nodes or very long raising; "
                "choose fewer bet sizes, a lower cap on raises, or a smaller stack"
            )
        if betting.actor == TERMINAL:
            return _end(betting)
        named = choose(betting, base)
        children = []
        for _, action in named:
            after = rules.act(betting, action)
            child = visit(after, base if after.round == betting.round else after.level, depth + 1)
            deals = 0 if after.folded_out else after.round - betting.round
            for _ in range(deals):
                child = Deal(child)
            children.append(child)
        return Decision(betting.actor, tuple(label for label, _ in named), tuple(children))

    def _end(betting: Betting) -> Node:
        matched = min(live + ante for live, ante in zip(betting.live, rules.antes, strict=True)) * unit
        fee = taken.of(2 * matched)
        if betting.folded_out:
            winner = 0 if betting.alive == 1 else 1
            won, lost = matched - fee, -matched
            return Settled((won, lost) if winner == 0 else (lost, won))
        return Showdown((matched - fee,) * 2, (-matched,) * 2)

    start = rules.start()
    node = visit(start, 0, 0)
    for _ in range(0 if start.folded_out else start.round):
        node = Deal(node)
    return node


def public_tree(game: PokerGame, *, symmetric: bool = True) -> PublicTree:
    """A poker game in public form, cards that a renaming of suits maps onto each other kept once.

    >>> from pokerlab import registry
    >>> tree = public_tree(registry.load("games", "leduc"))
    >>> len(tree.rounds), [len(level.boards) for level in tree.rounds], tree.infosets
    (2, [1, 3], 486)
    """
    rules = game.rules
    private = rules.rounds[0].private
    if rules.players != 2 or any(round_.draw or round_.private for round_ in rules.rounds[1:]) or private not in (1, 2):
        raise BadSetting(
            f"{game.name} has no public form here: that is for two players who are dealt one or two cards "
            "at the start and exchange none"
        )
    if rules.replacement:
        raise BadSetting(f"{game.name} deals each player from a deck of their own, which the public form does not")
    if rules.rounds[0].public:
        raise BadSetting(f"{game.name} deals public cards before any betting, which the public form does not")
    betting = betting_tree(
        game.betting, lambda state, _: [(game.action_text(action), action) for action in game.betting.actions(state)]
    )
    deck = game.deck
    hands = list(combinations(range(deck.size), private))

    def strength(board: tuple[int, ...]) -> np.ndarray:
        meets = [bool(set(hand) & set(board)) for hand in hands]
        powers = [0 if met else -game.strength(hand + board) for hand, met in zip(hands, meets, strict=True)]
        return np.array(powers, np.int64)

    return build(
        betting,
        hands=hands,
        weights=(np.ones(len(hands)), np.ones(len(hands))),
        deck_size=deck.size,
        deals=tuple(round_.public for round_ in rules.rounds[1:]),
        strength=strength,
        symmetries=suit_symmetries(deck) if symmetric else (),
    )


def suit_symmetries(deck: Deck) -> list[np.ndarray]:
    """Every renaming of the suits of a deck, as permutations of its cards."""
    ranks, suits = len(deck.ranks), len(deck.suits)
    if suits > 4:  # the renamings are too many to list; those that exchange two suits would not be a group
        return []
    return [np.add.outer(np.arange(ranks) * suits, names).reshape(-1) for names in permutations(range(suits))]
