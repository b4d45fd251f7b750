"""How good the hand in a view is now, and how the cards to come may change that.

Strengths are against one opponent with a uniformly random hand (section 2.2.1 of Rubin and Watson, "Computer poker: a
review", 2011): the immediate hand rank counts ties as one half; positive potential is the probability of overtaking a
hand that is ahead, negative potential the probability of being overtaken; effective hand strength is now + (1 - now) *
positive.

Hold'em uses the compiled measures of cards/measures.py, exactly, looking one card ahead by default. Every other game
uses `enumerated`, which applies the game's own showdown rule to every opponent hand and run-out if there are few, and
to a sample if there are many. Private cards that are dealt later are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from pokerlab.cards.card import FULL_DECK, SHORT_DECK
from pokerlab.cards.combos import COMBO_CLASS, combo_index
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.showdown import Strength, is_looked_up, strength_of
from pokerlab.games.poker.state import View

EXACT_UP_TO = 20_000  # pairs of opponent hand and run-out, if strengths are looked up
EXACT_BY_DEFINITION = 65_000  # the same if each strength is computed once: Rhode Island before its flop
SAMPLES = 300


class Reading(NamedTuple):
    """The strength of a hand against one random hand; or of all hands at a public node, as arrays [hand]."""

    now: float  # immediate hand rank: P(ahead now), ties one half; before the flop of hold'em, at the river
    positive: float  # probability of overtaking a hand that is ahead or tied
    negative: float  # probability of being overtaken

    @property
    def effective(self) -> float:
        """Effective hand strength: ahead now, or behind and overtaking.

        >>> round(Reading(now=0.6, positive=0.25, negative=0.1).effective, 3)
        0.7
        """
        return self.now + (1 - self.now) * self.positive

    def against(self, opponents: int) -> Reading:
        """The same against several random hands, assumed independent."""
        return self if opponents <= 1 else self._replace(now=self.now**opponents)


def read(view: View, rng: np.random.Generator | None, *, lookahead: int = 1) -> Reading:
    """The strength of the hand in a view against one random hand; in hold'em, potential looks `lookahead` cards ahead.

    Without `rng`, raises BadSetting if there are too many hands and boards to enumerate.
    """
    return read_cards(view.game, view.cards, view.board, rng=rng, lookahead=lookahead)


def read_all(place: PublicNode, *, lookahead: int = 1) -> Reading:
    """The same for every hand considered at a public node, as arrays [hand]."""
    return _read_all(place.game, place.board, place.among, lookahead)


@lru_cache(maxsize=8)
def _read_all(
    game: PokerGame, board: tuple[int, ...], among: frozenset[tuple[int, ...]] | None, lookahead: int
) -> Reading:
    hands = PublicNode(game, game.betting.start(), board, among).hands().cards
    readings = [read_cards(game, cards, board, lookahead=lookahead) for cards in hands]
    return Reading(*np.array(readings).reshape(-1, 3).T)


def read_cards(
    game: PokerGame,
    held: Sequence[int],
    shown: Sequence[int],
    *,
    rng: np.random.Generator | None = None,
    lookahead: int = 1,
) -> Reading:
    """The strength of these cards with this board, as `read` gives it for a view."""
    cards, board = tuple(sorted(held)), tuple(sorted(shown))
    deck = holdem_deck(game)
    if deck == "high" and not board:
        return Reading(_class_strengths()[COMBO_CLASS[combo_index(*cards)]], 0.0, 0.0)
    if deck and len(board) >= 3:
        return _holdem(deck, cards, board, min(lookahead, 5 - len(board)))
    if _are_few(game, len(cards), len(board)):
        return _exact(game, cards, board)
    if rng is None:
        raise BadSetting(f"the strength of a hand of {game.name} is sampled here, so probabilities are unknown")
    return enumerated(game, cards, board, rng=rng)


def read_against(view: View, weights: np.ndarray, *, lookahead: int = 1) -> Reading:
    """The strength against one opponent who holds each hand with these probabilities.  # [hand]

    Without an immediate rank, as before the flop, it is the share of the pot won by a roll-out, without potential.
    """
    from pokerlab.agents.parts.roll_out import win_shares

    cards, board, deck = tuple(sorted(view.cards)), tuple(sorted(view.board)), holdem_deck(view.game)
    if deck == "high" and len(board) >= 3:
        from pokerlab.cards.measures import hand_transitions

        counts = hand_transitions(cards, board, weights=weights, lookahead=min(lookahead, 5 - len(board)))
        return from_table(counts[::-1, ::-1].tolist())
    return Reading(float(win_shares(view.game, cards, board) @ weights), 0.0, 0.0)


def opponents(view: View) -> int:
    """The number of opponents still in the hand."""
    return (view.betting.alive & ~(1 << view.seat)).bit_count()


@lru_cache(maxsize=64)
def holdem_deck(game: PokerGame) -> str:
    """The hand order of a hold'em game (two hole cards, five board cards): "high", "short_deck"; else ""."""
    rules = game.rules
    private, public = (sum(getattr(round_, kind) for round_ in rules.rounds) for kind in ("private", "public"))
    decks = {"high": FULL_DECK, "short_deck": SHORT_DECK}
    fits = (private, public) == (2, 5) and decks.get(rules.showdown) == rules.deck and not rules.replacement
    return rules.showdown if fits else ""


@cache
def _class_strengths() -> list[float]:
    """The roll-out strength of each of the 169 classes of hole cards."""
    from pokerlab.cards.measures import preflop_strength

    return [float(strength) for strength in preflop_strength().rollout]


@lru_cache(maxsize=100_000)
def _holdem(deck: str, cards: tuple[int, ...], board: tuple[int, ...], lookahead: int) -> Reading:
    from pokerlab.cards.measures import hand_transitions
    from pokerlab.cards.strength import ranking

    shift = FULL_DECK.size - SHORT_DECK.size if deck == "short_deck" else 0
    hole, shown = ([card + shift for card in group] for group in (cards, board))
    counts = hand_transitions(hole, shown, lookahead=lookahead, ranking=ranking(deck))
    return from_table(counts[::-1, ::-1].tolist())


@lru_cache(maxsize=100_000)
def _exact(game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...]) -> Reading:
    return _exact_of_suits(game, *rename_suits(cards, board, len(game.deck.suits)))


@lru_cache(maxsize=100_000)
def _exact_of_suits(game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...]) -> Reading:
    return enumerated(game, cards, board)


def rename_suits(cards: tuple[int, ...], board: tuple[int, ...], suits: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A hand and a board with the names of suits in a fixed order: the same for all that differ by these names alone.

    >>> rename_suits((5,), (0, 6), 4) == rename_suits((6,), (3, 5), 4)
    True
    """
    ranks = [
        [tuple(card // suits for card in group if card % suits == suit) for group in (cards, board)]
        for suit in range(suits)
    ]
    ranks.sort()
    held, shown = (
        tuple(sorted(rank * suits + suit for suit, pair in enumerate(ranks) for rank in pair[group]))
        for group in (0, 1)
    )
    return held, shown


def enumerated(
    game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...], *, rng: np.random.Generator | None = None
) -> Reading:
    """A reading by the game's own showdown rule: over all opponent hands and run-outs, or with `rng` over a sample."""
    unseen, theirs, coming = _hidden(game, cards, board)
    before, after = _strength(game, len(cards) + len(board)), _strength(game, len(cards) + len(board) + coming)
    table = [[0, 0, 0] for _ in range(3)]  # [before][after], each of behind, tied, ahead
    mine_now = before((*cards, *board))
    for hand, later in _pairs(unseen, theirs=theirs, coming=coming, rng=rng):
        now = _compare(mine_now, before((*hand, *board)))
        then = _compare(after((*cards, *board, *later)), after((*hand, *board, *later))) if coming else now
        table[now][then] += 1
    return from_table(table)


Pair = tuple[tuple[int, ...], tuple[int, ...]]  # an opponent's hand, and the public cards to come


def _pairs(unseen: list[int], *, theirs: int, coming: int, rng: np.random.Generator | None) -> Iterator[Pair]:
    if rng is None:
        for hand in combinations(unseen, theirs):
            rest = [card for card in unseen if card not in hand]
            yield from ((hand, later) for later in combinations(rest, coming))
    else:
        drawn = rng.random((SAMPLES, len(unseen))).argsort(axis=1)[:, : theirs + coming]
        for row in np.array(unseen)[drawn].tolist():
            yield tuple(row[:theirs]), tuple(row[theirs:])


def _compare(mine: int, theirs: int) -> int:
    """0 behind, 1 tied, 2 ahead; smaller strengths are stronger."""
    return 2 if mine < theirs else 1 if mine == theirs else 0


def from_table(table: Sequence[Sequence[float]]) -> Reading:
    """The measures of a table of counts [before][after], each of behind, tied, ahead.

    >>> from_table([[6, 0, 2], [0, 0, 0], [1, 0, 7]])
    Reading(now=0.5, positive=0.25, negative=0.125)
    """
    behind, tied, ahead = (sum(row) for row in table)
    total = behind + tied + ahead
    overtaking = table[0][2] + table[0][1] / 2 + table[1][2] / 2
    falling = table[2][0] + table[2][1] / 2 + table[1][0] / 2
    return Reading(
        (ahead + tied / 2) / total,
        overtaking / (behind + tied / 2) if behind + tied else 0.0,
        falling / (ahead + tied / 2) if ahead + tied else 0.0,
    )


def _hidden(game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...]) -> tuple[list[int], int, int]:
    """Unseen cards, how many of them an opponent holds, and how many public cards are still to come."""
    seen = set() if game.rules.replacement else {*cards, *board}  # with replacement each player has a separate deck
    coming = sum(round_.public for round_ in game.rules.rounds) - len(board)
    return [card for card in range(game.deck.size) if card not in seen], len(cards), coming


@lru_cache(maxsize=256)
def _are_few(game: PokerGame, held: int, shown: int) -> bool:
    """Whether there are few enough pairs of opponent hand and run-out to enumerate."""
    unseen, theirs, coming = _hidden(game, tuple(range(held)), tuple(range(held, held + shown)))
    now = held + shown
    quick = all(is_looked_up(game.rules.showdown, game.deck, size) for size in (now, now + coming))
    pairs = comb(len(unseen), theirs) * comb(len(unseen) - theirs, coming)
    return pairs <= (EXACT_UP_TO if quick else EXACT_BY_DEFINITION)


@lru_cache(maxsize=64)
def _strength(game: PokerGame, cards: int) -> Strength:
    """The strength of this many cards, cached by set."""
    strength = strength_of(game.rules.showdown, game.deck, cards)
    if is_looked_up(game.rules.showdown, game.deck, cards):
        return strength
    of_sorted = cache(strength)
    return lambda held: of_sorted(tuple(sorted(held)))
