"""The exact size of a poker game: betting histories times cards."""

from __future__ import annotations

from collections import Counter
from math import comb

from pokerlab.errors import TooLarge
from pokerlab.games.poker.betting_count import BettingCount, count_betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules
from pokerlab.games.sizes import RoundSize, Size


def poker_size(game: PokerGame, *, effort: float = 1.0) -> Size:
    """Betting histories times the possible cards at each."""
    rules, betting = game.rules, count_betting(game, effort=effort)
    deals, views, canonical = _deals(rules), _views(rules), _canonical_views(rules)
    rounds = []
    for number in range(len(rules.rounds)):
        nodes = betting.in_round(number)
        classes = None if canonical is None else nodes * canonical[number]
        rounds.append(RoundSize(nodes, nodes * deals[number], nodes * views[number], classes))
    states = sum(size.states for size in rounds)
    terminals = sum(count * deals[round_] for round_, count in betting.folds.items()) + betting.showdowns * deals[-1]
    chance = sum(count * (deals[before] if before >= 0 else 1) for (before, _), count in betting.deals.items())
    return Size(
        name=game.name,
        how="counted",
        states=states,
        infosets=sum(size.infosets for size in rounds),
        infoset_actions=sum(count * views[round_] for (round_, _), count in betting.actions.items()),
        terminals=terminals,
        nodes=states + terminals + chance,
        by_player=_by_player(rules.players, betting, views),
        canonical_infosets=None if canonical is None else sum(size.canonical_infosets or 0 for size in rounds),
        rounds=tuple(rounds),
    )


def _by_player(players: int, betting: BettingCount, views: list[int]) -> tuple[tuple[int, int], ...]:
    if any(seat is None for _, seat in betting.decisions):
        return ()

    def total(counts: Counter[tuple[int, int | None]], player: int) -> int:
        return sum(count * views[round_] for (round_, seat), count in counts.items() if seat == player)

    return tuple((total(betting.decisions, player), total(betting.actions, player) + 1) for player in range(players))


def _deals(rules: Rules) -> list[int]:
    """By round, the number of ways to deal all cards up to it."""
    by_round, ways, left = [], 1, rules.deck.size
    for round_ in rules.rounds:
        for _ in range(rules.players):
            ways *= comb(left, round_.private)
            left -= 0 if rules.replacement else round_.private
        left -= round_.private if rules.replacement else 0
        ways *= comb(left, round_.public)
        left -= round_.public
        by_round.append(ways)
    return by_round


def _views(rules: Rules) -> list[int]:
    """By round, the number of combinations of hand and board that one player can see."""
    by_round, ways, left = [], 1, rules.deck.size
    for round_ in rules.rounds:
        ways *= comb(left, round_.private) * comb(left - round_.private, round_.public)
        left -= round_.private + round_.public
        by_round.append(ways)
    return by_round


def _canonical_views(rules: Rules) -> list[int] | None:
    """The same up to suit isomorphism; None if the deck has one suit or is too large to index."""
    ranks, suits = len(rules.deck.ranks), len(rules.deck.suits)
    groups: list[int] = []
    last_group = []  # by round, the number of groups of cards dealt
    for round_ in rules.rounds:
        groups += [cards for cards in (round_.private, round_.public) if cards]
        last_group.append(len(groups))
    if suits == 1 or ranks * suits > 52 or not all(last_group):
        return None
    from pokerlab.cards.canonical import HandIndexer

    try:
        indexer = HandIndexer(tuple(groups), ranks, suits)
        return [indexer.size(count - 1) for count in last_group]
    except TooLarge:
        return None
