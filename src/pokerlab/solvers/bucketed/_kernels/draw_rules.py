"""Kernels of memoryless five-card draw players: what they do at a decision, as numbers.

A player's rules are `DrawTables`, made by `decisions(name)` of agents/parts/draw_decisions.py, which describes them;
the situation is `Facts`. Hands are numbers of `HandIndexer((5,))`: `dealt` before the draw, `hand` now (the same in the
first round). `chances` and `discard_options` return all probabilities; `agent_action` and `agent_discards` sample from
them with a random 64-bit word.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import S11, TO_UNIT
from pokerlab.compiled import kernel

FOLD, CALL, RAISE = 0, 1, 2

# codes of the rules; from BASIC to POT_ODDS each extends the one before
ALWAYS_CALL, ALWAYS_RAISE, RANDOM, BASIC, POTENTIAL, SEMI_BLUFF, POT_ODDS, ARTICLE = range(8)

RAISE_FROM, CALL_FROM = 0.85, 0.50  # strengths
MOST_BETS = 2  # of a round, up to which a strong hand raises

# the article's categories of a dealt hand: to be folded, a draw, or a made hand
(
    NOTHING,
    LOW_PAIR,
    PLAYED_PAIR,
    HIGH_PAIR,
    ROYAL_DRAW,
    STRAIGHT_DRAW,
    FLUSH_DRAW,
    STRAIGHT_FLUSH_DRAW,
    TWO_PAIR,
    LOW_THREE,
    THREE,
    PAT,
    FOUR,
) = range(13)

# categories of a hand after the draw
ENDS_NOTHING, ENDS_LOW_PAIR, ENDS_PAIR, ENDS_TWO_PAIR, ENDS_HIGH_TWO_PAIR, ENDS_THREE, ENDS_PAT, ENDS_FOUR = range(8)

# plans of a round
CHECK_FOLD, CHECK_CALL, BET_CALL, RAISES, BET_OFTEN_RAISE, SELDOM_RAISE = range(6)
OFTEN = 1 / 2
SELDOM = 1 / 6  # a third of the time one card is drawn to a three, and half of that time it raises


class DrawTables(NamedTuple):
    """What a player knows about every hand."""

    code: int  # of the rules
    strength: object  # [hand] float64: HS
    potential: object  # [hand] float64: PPOT, after the discard with the best mean strength
    effective: object  # [hand] float64: decides in the first round: EHS, or HS for rules that ignore potential
    discards: object  # [hand] uint8: the cards discarded, bit i for card i of the canonical hand
    roles: object  # [hand] uint8: the article's category of a dealt hand
    ends: object  # [hand] uint8: its category of a hand after the draw


_NOTHING = np.zeros(0), np.zeros(0, np.uint8)
NO_RULE = DrawTables(ALWAYS_CALL, *_NOTHING[:1] * 3, *_NOTHING[1:] * 3)  # for a contestant that never plays by a rule


class Facts(NamedTuple):
    """The inputs of a decision besides the cards."""

    round: int  # 0 before the draw, 1 after it
    bets: int  # bets and raises in this round, not counting blinds
    cost: int  # of a call
    pot: int  # before the call
    raise_by: int  # what the minimum raise adds to the largest bet; 0 if no raise is allowed
    drawn: int  # cards that the player has exchanged
    acted: int  # 1 if the player has acted in this round
    raised: int  # 1 if the player has bet or raised in this round
    raised_before: int  # 1 if the player raised before the draw; in the first round as `raised`


@kernel(allocates=False)
def chances(tables, dealt, hand, facts):
    """The probabilities that the player folds, calls (checks) and raises (bets); only legal actions."""
    code = tables.code
    if code == RANDOM:
        kinds = 1 + (facts.cost > 0) + (facts.raise_by > 0)
        fold, raise_ = (facts.cost > 0) / kinds, (facts.raise_by > 0) / kinds
        return fold, 1.0 / kinds, raise_
    raise_ = 0.0
    wish = CALL
    if code == ARTICLE:
        wish, raise_ = planned(article_plan(tables, dealt, hand, facts), facts)
    elif code >= BASIC:
        wish = threshold_action(tables, dealt, hand, facts)
    elif code == ALWAYS_RAISE:
        wish = RAISE
    if wish == RAISE:
        raise_ = 1.0
    if facts.raise_by == 0:
        raise_ = 0.0
    stay = wish != FOLD or facts.cost == 0  # never fold if staying is free
    return (0.0, 1.0 - raise_, raise_) if stay else (1.0 - raise_, 0.0, raise_)


@kernel(allocates=False)
def by_strength(strength, bets):
    """The action for a hand strength after this many bets in the round."""
    if strength >= RAISE_FROM:
        return RAISE if bets < MOST_BETS else CALL
    return CALL if strength >= CALL_FROM else FOLD


@kernel(allocates=False)
def threshold_action(tables, dealt, hand, facts):
    """The rule of strength thresholds, with semi-bluffs and pot odds if the code includes them."""
    first = facts.round == 0
    action = by_strength(tables.effective[hand] if first else tables.strength[hand], facts.bets)
    if action != FOLD:
        return action
    if tables.code >= SEMI_BLUFF and facts.raise_by > 0:
        if first:
            bet = facts.raise_by
            if facts.bets == 0 and tables.potential[hand] >= 2 * bet / (facts.pot + 4 * bet + 2 * bet):
                return RAISE
        elif facts.raised_before and tables.effective[dealt] < CALL_FROM and facts.bets < MOST_BETS:
            return RAISE
    if tables.code >= POT_ODDS and facts.cost > 0:
        winning = tables.potential[hand] if first else tables.strength[hand]
        if winning >= facts.cost / (facts.pot + facts.cost):
            return CALL
    return FOLD


@kernel(allocates=False)
def planned(plan, facts):
    """What a plan of the article does when it does not raise, and its raise probability."""
    if plan == CHECK_FOLD:
        return FOLD, 0.0
    if plan == RAISES or (plan >= BET_CALL and plan != SELDOM_RAISE and facts.bets == 0):
        return CALL, 1.0
    if plan == BET_OFTEN_RAISE:
        return CALL, OFTEN
    if plan == SELDOM_RAISE:  # decided at the first action of the round, and then fixed
        return CALL, float(facts.raised) if facts.acted else SELDOM
    return CALL, 0.0


@kernel(allocates=False)
def article_plan(tables, dealt, hand, facts):
    """The plan of the article strategy for a round."""
    role = tables.roles[dealt]
    if facts.round == 0:
        if role == NOTHING or role == LOW_PAIR:
            return CHECK_FOLD
        if role == HIGH_PAIR or role == STRAIGHT_FLUSH_DRAW or role == PAT:
            return RAISES
        if role == FOUR:
            return BET_CALL
        return SELDOM_RAISE if role == THREE else CHECK_CALL
    end = tables.ends[hand]
    if end == ENDS_FOUR:
        return BET_CALL if role == FOUR else RAISES
    if end == ENDS_PAT:
        return RAISES
    if end == ENDS_THREE:
        if role != THREE or facts.drawn > 1:
            return BET_CALL
        return BET_OFTEN_RAISE if facts.drawn else RAISES
    if end == ENDS_HIGH_TWO_PAIR:
        return BET_CALL
    if end == ENDS_TWO_PAIR:
        return RAISES
    if ROYAL_DRAW <= role <= STRAIGHT_FLUSH_DRAW:
        return BET_CALL
    return CHECK_CALL if end == ENDS_PAIR else CHECK_FOLD


@kernel(allocates=False)
def agent_action(tables, dealt, hand, facts, word):
    """FOLD, CALL or RAISE, drawn with a random 64-bit word."""
    _, call, raise_ = chances(tables, dealt, hand, facts)
    point = np.int64(word >> S11) * TO_UNIT
    if point < raise_:
        return RAISE
    return CALL if point < raise_ + call else FOLD


@kernel(allocates=False)
def discard_options(tables, dealt, raised_before, option):
    """The mask of one of three discard options, and its probability.

    Every rule has a single option, except the article with high or medium trips: it stands pat, draws one card or
    draws two with equal probability. Only when it draws one card does it raise before the draw, half of the time,
    so a raise reveals the option.
    """
    mask = np.int64(tables.discards[dealt])
    if tables.code != ARTICLE or tables.roles[dealt] != THREE:
        return mask, 1.0 if option == 0 else 0.0
    one = mask
    while one & (one - 1):  # only the lowest card, which has the highest bit
        one &= one - 1
    if raised_before:
        return one, 1.0 if option == 0 else 0.0
    if option == 0:
        return one, 0.2
    return (mask if option == 1 else 0), 0.4


@kernel(allocates=False)
def agent_discards(tables, dealt, raised_before, word):
    """The mask of the cards to discard, sampled with a random 64-bit word."""
    point = np.int64(word >> S11) * TO_UNIT
    mask, chance = discard_options(tables, dealt, raised_before, 0)
    option = 1
    while option < 3 and point >= chance:
        point -= chance
        mask, chance = discard_options(tables, dealt, raised_before, option)
        option += 1
    return mask


@kernel(allocates=False)
def in_canonical_order(cards, ordered):
    """Write the five cards [5] uint8 of a hand in the order of its canonical hand into ordered [5] uint8.

    Suits are permuted so that the longest comes last (ties: the one with the higher ranks); then the highest card
    comes first. If two suits hold the same ranks either may be last: the hands are equivalent.
    """
    held = np.int64(0)  # sixteen bits a suit: three of the number of its cards over thirteen of their ranks
    for card in cards:
        lane = np.int64(card & 3) << 4
        held += (np.int64(1) << (card >> 2) | np.int64(1) << 13) << lane
    for place in range(cards.shape[0]):
        card = cards[place]
        key = held >> (np.int64(card & 3) << 4) & 0xFFFF
        position = 0
        for other in cards:
            higher = other >> 2 > card >> 2
            if other >> 2 == card >> 2 and other != card:
                theirs = held >> (np.int64(other & 3) << 4) & 0xFFFF
                higher = theirs > key or (theirs == key and other & 3 > card & 3)
            position += higher
        ordered[position] = card
