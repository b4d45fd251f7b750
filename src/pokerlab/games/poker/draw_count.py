"""The size of a two-player game with one draw: its betting is counted without the draw, and the cards beside it.

Every player who reaches the second round draws once, whatever the betting was, so the cards do not depend on the
betting. A player sees their own hand, discards and new cards, and how many cards the opponent drew.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import comb

from pokerlab.errors import TooLarge
from pokerlab.games.poker.betting_count import count_betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules
from pokerlab.games.sizes import RoundSize, Size


def draw_size(game: PokerGame, *, effort: float = 1.0) -> Size | None:
    """The exact size of a game; None unless two players are dealt hands, bet, draw once and bet, with enough cards."""
    rules = game.rules
    if rules.players != 2 or len(rules.rounds) != 2 or rules.replacement:
        return None
    first, second = rules.rounds
    hand, deck, most = first.private, rules.deck.size, min(second.draw, first.private)
    later = second.private or first.public or second.public or first.draw
    if later or not (first.betting and second.betting) or deck < 2 * (hand + most):
        return None
    without = PokerGame(replace(rules, rounds=tuple(replace(round_, draw=0) for round_ in rules.rounds)), game.name)
    betting = count_betting(without, effort=effort)
    draws = sum(count for (before, after), count in betting.deals.items() if (before, after) == (0, 1))
    counts, stock = range(most + 1), deck - 2 * hand
    deals = comb(deck, hand) * comb(deck - hand, hand)
    discards = sum(comb(hand, cards) for cards in counts)
    one_drew = deals * sum(comb(hand, own) * comb(stock, own) for own in counts)
    both_drew = deals * sum(
        comb(hand, own) * comb(stock, own) * comb(hand, theirs) * comb(stock - own, theirs)
        for own in counts
        for theirs in counts
    )
    dealt = comb(deck, hand)
    drawn = sum(dealt * comb(hand, own) * comb(deck - hand, own) for own in counts) * len(counts)
    infosets: Counter[int | None] = Counter()  # by player
    actions: Counter[int | None] = Counter()
    for seat, seen in ((second.first, 1), (1 - second.first, len(counts))):  # the second also sees a number of cards
        infosets[seat] += draws * seen * dealt
        actions[seat] += draws * seen * dealt * discards
    for ours, total in ((betting.decisions, infosets), (betting.actions, actions)):
        for (round_, own_seat), count in ours.items():
            total[own_seat] += count * (drawn if round_ else dealt)
    bets = betting.in_round(0), betting.in_round(1)
    drawing = draws * (1 + len(counts))  # decisions, ignoring cards
    canonical = _canonical(rules, hand, most)
    rounds = (
        RoundSize(bets[0], bets[0] * deals, bets[0] * dealt, canonical and bets[0] * canonical[0]),
        RoundSize(
            drawing + bets[1] * len(counts) ** 2,
            draws * (deals + one_drew) + bets[1] * both_drew,
            drawing * dealt + bets[1] * drawn,
            canonical and drawing * canonical[0] + bets[1] * canonical[1] * len(counts),
        ),
    )
    states = sum(one.states for one in rounds)
    terminals = betting.folds[0] * deals + (betting.folds[1] + betting.showdowns) * both_drew
    chance = 1 + draws * (deals + one_drew) * (discards - 1)  # standing pat deals nothing
    by_player = tuple((infosets[seat], actions[seat] + 1) for seat in range(2))
    return Size(
        name=game.name,
        how="counted",
        states=states,
        infosets=infosets.total(),
        infoset_actions=actions.total(),
        terminals=terminals,
        nodes=states + terminals + chance,
        by_player=() if None in infosets else by_player,
        canonical_infosets=canonical and sum(one.canonical_infosets or 0 for one in rounds),
        rounds=rounds,
    )


def _canonical(rules: Rules, hand: int, most: int) -> tuple[int, int] | None:
    """Hands up to suit isomorphism, dealt and with discards and new cards; None if the deck has one suit."""
    from pokerlab.cards.canonical import HandIndexer

    ranks, suits = len(rules.deck.ranks), len(rules.deck.suits)
    if suits == 1 or ranks * suits > 52:
        return None
    try:
        groups = [tuple(size for size in (hand - own, own, own) if size) for own in range(most + 1)]
        sizes = [HandIndexer(group, ranks, suits).size() for group in groups]
    except TooLarge:
        return None
    return sizes[0], sum(sizes)
