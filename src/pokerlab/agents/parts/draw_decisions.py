"""How the players of Ee's appendix C ("Approximating Optimal Strategies for Five-Card Draw Poker", 2024) decide.

`decisions(name)` returns a player without memory as tables over the 134,459 hands plus a code for its rules, used by
both agents and compiled matches (solvers/bucketed/_kernels/draw_rules.py). A raise is always the minimum raise.

What the paper leaves open, and our choices:

- *Draws.* It says of the first three only that they draw to their current highest hand: they hold what is made (a pair,
  two pairs, trips, quads; straights and better stand pat) or the highest card alone, and discard the rest. Basic, which
  looks only at its current hand, does the same. Players that use potential discard the cards that maximize the mean
  strength (cards/draws.py).
- *Bets.* "Raise at most to 2 bets" counts the bets and raises of both players in the round; blinds are posted, not bet.
- *Which rules go together.* Potential uses EHS in the first round; after the draw nothing can improve, and EHS is HS.
  Semi-bluffing extends potential, pot odds extends both. "Showdown odds" are named but never defined, and left out.
- *Semi-bluffs.* "Faced 0 bets": nobody has raised. The bet size of Pot_Odds_2 is what the minimum raise adds. In the
  second round the bluff continues up to two bets; a raise before the draw with strength below 0.5 was a bluff.
- *Folding.* Nobody folds when checking is free.

The article's eleven rules, with their gaps (rules 3 and 7 contradict themselves; see each):

- Rules 1 and 9: "royal cat-hop" is three suited cards of ten and up. A pair that rule 5 folds is still played if it is
  a draw.
- Rule 3: its example has no pair; we follow the text. Open-ended means four ranks in a row, open at both ends.
- Rule 4: a straight flush draw is four suited cards that are open-ended; other four of a suit are flush draws.
- Rule 7: its thirds sum to two; the last third draws two cards. It raises half of the time with "at most one card" to
  draw and "never if not drawing": half of the time with one card, else never. Raises come before the draw, so one hand
  in six raises, and it draws one card; low trips call and draw one.
- No rule covers dealt straights, flushes and full houses: they stand pat and raise. Two pairs call and draw one.
- Rule 8: quads bet if nobody has, and call.
- Rule 10: "bet/call" means bet if nobody has, otherwise call; it also applies to hands without a rule (trips made in
  the draw). Full houses made in the draw raise like straights and flushes. Draws that miss bet and call, as the rule
  says. Two pairs are high, medium or low by the higher pair. Pairs of eights or more check and call, made in the draw
  or not; lower ones check and fold, like high cards.
- "Generally raise" means always; none of its rules limits the number of raises.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.cards.draws import all_hands, draw_measures
from pokerlab.cards.strength import HIGH
from pokerlab.errors import UnknownName

if TYPE_CHECKING:
    from pokerlab.solvers.bucketed._kernels.draw_rules import DrawTables

NAMES = (  # by code
    "always-call",
    "always-raise",
    "random",
    "draw-basic",
    "draw-potential",
    "draw-semi-bluff",
    "draw-pot-odds",
    "draw-article",
)
_EIGHT, _NINE, _TEN, _JACK, _QUEEN, _ACE = 6, 7, 8, 9, 10, 12  # ranks
_PAT = ("straight", "flush", "full house", "straight flush")  # complete hands


@cache
def decisions(name: str) -> DrawTables:
    """A player without memory as tables; raises UnknownName for an unknown name."""
    from pokerlab.cards.draw_potential import draw_potential
    from pokerlab.solvers.bucketed._kernels.draw_rules import ARTICLE, POTENTIAL, DrawTables

    if name not in NAMES:
        raise UnknownName(f"{name!r} is not a memoryless five-card draw agent; available: {', '.join(NAMES)}")
    code = NAMES.index(name)
    measures = draw_measures()
    strength = measures.strength
    discards, potential, effective = measures.made, np.zeros(len(strength)), strength
    roles, ends = np.zeros(len(strength), np.uint8), np.zeros(len(strength), np.uint8)
    if POTENTIAL <= code < ARTICLE:
        discards, potential = measures.best, draw_potential()
        effective = strength + (1 - strength) * potential
    if code == ARTICLE:
        (roles, discards), ends = article_deal(), article_ends()
    arrays = (strength, potential, effective, discards, roles, ends)
    return DrawTables(code, *map(np.array, arrays))  # copies, so that all tables have the same type in kernels


@cache
def _categories() -> np.ndarray:
    """The category of every hand, by hand index.  # [hand] int64"""
    return np.searchsorted(HIGH().category_ends, draw_measures().classes)


def _is(category: str) -> np.ndarray:
    return np.asarray(_categories() == HIGH().order.categories.index(category))


@cache
def _made_rank() -> np.ndarray:
    """The rank of the largest group of equal cards (the higher of two), else of the highest card.  # [hand] int8"""
    return np.asarray(HIGH().members[draw_measures().classes][:, 0])


@cache
def article_ends() -> np.ndarray:
    """The article's class of every hand after the draw.  # [hand] uint8"""
    from pokerlab.solvers.bucketed._kernels import draw_rules as play

    rank = _made_rank()
    ends = np.full(len(rank), play.ENDS_NOTHING, np.uint8)
    kinds = {"pair": play.ENDS_PAIR, "two pair": play.ENDS_TWO_PAIR, "three of a kind": play.ENDS_THREE}
    for category, end in (kinds | {"four of a kind": play.ENDS_FOUR} | dict.fromkeys(_PAT, play.ENDS_PAT)).items():
        ends[_is(category)] = end
    ends[_is("pair") & (rank < _EIGHT)] = play.ENDS_LOW_PAIR
    ends[_is("two pair") & (rank > _JACK)] = play.ENDS_HIGH_TWO_PAIR
    return ends


@cache
def article_deal() -> tuple[np.ndarray, np.ndarray]:
    """The article's class of every dealt hand, and its discards.  # [hand] uint8 each"""
    from pokerlab.solvers.bucketed._kernels import draw_rules as play

    rank = _made_rank()
    roles, discards = np.full(len(rank), play.NOTHING, np.uint8), draw_measures().made.copy()
    royal = _royal_draws()
    plain = _is("high card") | _is("pair")
    _give(roles, discards, plain & (royal > 0), play.ROYAL_DRAW, royal)
    _pairs(roles, discards)
    straight, flush = _straight_draws(), _flush_draws()
    below_ten = _is("high card") | (_is("pair") & (rank < _TEN))
    up_to_ten = _is("high card") | (_is("pair") & (rank <= _TEN))
    _give(roles, discards, below_ten & (straight > 0), play.STRAIGHT_DRAW, straight)
    _give(roles, discards, up_to_ten & (flush > 0), play.FLUSH_DRAW, flush)
    both = (straight > 0) & (straight == flush) & plain
    _give(roles, discards, both, play.STRAIGHT_FLUSH_DRAW, flush)
    kinds = {"two pair": play.TWO_PAIR, "three of a kind": play.THREE, "four of a kind": play.FOUR}
    for category, role in (kinds | dict.fromkeys(_PAT, play.PAT)).items():
        roles[_is(category)] = role
    low = _is("three of a kind") & (rank < _EIGHT)
    _give(roles, discards, low, play.LOW_THREE, _lowest(discards))
    return roles, discards


def _give(roles: np.ndarray, discards: np.ndarray, where: np.ndarray, role: int, masks: np.ndarray) -> None:
    roles[where] = role
    discards[where] = masks[where]


def _lowest(masks: np.ndarray) -> np.ndarray:
    """The lowest card of each mask: its highest bit.  # [hand] uint8"""
    return np.asarray(1 << (np.frexp(masks.astype(np.float64))[1] - 1).clip(0), np.uint8)


def _pairs(roles: np.ndarray, discards: np.ndarray) -> None:
    """Rule 5: pairs by their rank and the other three cards."""
    from pokerlab.solvers.bucketed._kernels import draw_rules as play

    pair, rank = _is("pair"), _made_rank()
    ranks = all_hands() // 4
    beside = ranks != rank[:, None]  # [hand, card]
    higher = (beside & (ranks > rank[:, None])).sum(1)
    ace = pair & (rank != _ACE) & (ranks == _ACE).any(axis=1)
    low = pair & (roles != play.ROYAL_DRAW)
    roles[low] = play.LOW_PAIR
    plays = (
        (rank == _JACK)
        | ((rank == _TEN) & (higher >= 1))
        | ((rank == _NINE) & ((higher >= 2) | ace))
        | ((rank == _EIGHT) & ((higher == 3) | ace))
        | ((rank < _EIGHT) & ace)
    )
    three = draw_measures().made
    _give(roles, discards, pair & plays, play.PLAYED_PAIR, three)
    _give(roles, discards, pair & (rank >= _QUEEN), play.HIGH_PAIR, three)
    kicker = ace & ((rank < _EIGHT) | ((rank == _EIGHT) & (higher == 1)))
    with_ace = np.where(ranks == _ACE, 0, three[:, None] & (1 << np.arange(5))).sum(1).astype(np.uint8)
    discards[kicker] = with_ace[kicker]


def _flush_draws() -> np.ndarray:
    """The mask of the one card outside the suit of the other four, 0 if no four are suited.  # uint8"""
    return _but_one(lambda suits, ranks: np.asarray((suits == suits[:, :1]).all(axis=1)))


def _straight_draws() -> np.ndarray:
    """The mask of the one card without which four ranks are in a row and open at both ends, else 0.  # uint8

    If the row contains a pair, the second card is discarded; its suit has no more cards than that of the first. The ace
    also ranks below the deuce, so only a row that ends with it is closed.
    """

    def is_open(suits: np.ndarray, ranks: np.ndarray) -> np.ndarray:
        return np.asarray((ranks[:, :3] - ranks[:, 1:] == 1).all(axis=1) & (ranks[:, 0] < _ACE))

    return _but_one(is_open)


def _but_one(holds: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """The mask of the last card without which the other suits and ranks [hand, 4] satisfy `holds`, else 0."""
    hands = all_hands().astype(np.int64)
    masks = np.zeros(len(hands), np.uint8)
    for thrown in range(5):
        rest = np.delete(hands, thrown, axis=1)
        masks[holds(rest % 4, rest // 4)] = 1 << thrown
    return masks


def _royal_draws() -> np.ndarray:
    """The mask of the cards other than three suited ones of ten and up, 0 without such three.  # [hand] uint8"""
    hands = all_hands()
    suits, high = hands % 4, hands // 4 >= _TEN
    masks = np.zeros(len(hands), np.uint8)
    for suit in range(4):
        kept = high & (suits == suit)
        thrown = (~kept << np.arange(5)).sum(1)
        masks = np.where(kept.sum(1) >= 3, thrown, masks)
    return masks.astype(np.uint8)
