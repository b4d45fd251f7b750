"""The exact size of a poker game: betting histories times cards."""

from __future__ import annotations

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
    for round_ in range(len(rules.rounds)):
        nodes = betting.in_round(round_)
        classes = None if canonical is None else nodes * canonical[round_]
        rounds.append(RoundSize(nodes, nodes * deals[round_], nodes * views[round_], classes))
    states = sum(one.states for one in rounds)
    terminals = sum(count * deals[round_] for round_, count in betting.folds.items()) + betting.showdowns * deals[-1]
    chance = sum(count * (deals[before] if before >= 0 else 1) for (before, _), count in betting.deals.items())
    return Size(
        name=game.name,
        how="counted",
        states=states,
        infosets=sum(one.infosets for one in rounds),
        infoset_actions=sum(count * views[round_] for (round_, _), count in betting.actions.items()),
        terminals=terminals,
        nodes=states + terminals + chance,
        by_player=_by_player(rules.players, betting, views),
        canonical_infosets=None if canonical is None else sum(one.canonical_infosets or 0 for one in rounds),
        rounds=tuple(rounds),
    )


def _by_player(players: int, betting: BettingCount, views: list[int]) -> tuple[tuple[int, int], ...]:
    if any(seat is None for _, seat in betting.decisions):
        return ()
    found = []
    for player in range(players):
        infosets = sum(count * views[round_] for (round_, seat), count in betting.decisions.items() if seat == player)
        pairs = sum(count * views[round_] for (round_, seat), count in betting.actions.items() if seat == player)
        found.append((infosets, pairs + 1))
    return tuple(found)


def _deals(rules: Rules) -> list[int]:
    """By round, the number of ways to deal all cards up to it."""
    found, ways, left = [], 1, rules.deck.size
    for round_ in rules.rounds:
        for _ in range(rules.players):
            ways *= comb(left, round_.private)
            left -= 0 if rules.replacement else round_.private
        if rules.replacement:
            left -= round_.private
        ways *= comb(left, round_.public)
        left -= round_.public
        found.append(ways)
    return found


def _views(rules: Rules) -> list[int]:
    """By round, the number of combinations of hand and board that one player can see."""
    found, ways, left = [], 1, rules.deck.size
    for round_ in rules.rounds:
        ways *= comb(left, round_.private) * comb(left - round_.private, round_.public)
        left -= round_.private + round_.public
        found.append(ways)
    return found


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
