"""The number of betting histories of a poker game, without enumerating them.

Any game: histories that continue in the same ways are counted together, action by action. Heads-up no-limit with deep
stacks has too many chip configurations even for that. There, raises of one round are at least the big blind and never
smaller than the previous one, so the ways to put in s chips are the partitions of s into parts of at least the big
blind, and the last raise may also be all-in of any size. Paths through a round are then one product of power series,
which a nested form (partitions by their number of parts, 1 / (1 - q) ... (1 - q^m)) reduces to additions: all 165
digits of the largest published game take seconds. The counts agree with M. Johanson, "Measuring the size of large
no-limit poker games" (2013).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from math import comb
from operator import add

from pokerlab.errors import TooLarge
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules
from pokerlab.games.sizes import RoundSize, Size

MOST_STEPS = 2_000_000  # actions from different chip configurations
MOST_WORK = 20_000_000  # chips times the maximum raises per round; 20,000 chips with a blind of 100 are 4 million


@dataclass
class BettingCount:
    """Betting histories by how they end. `seat` is None if seats are not distinguished."""

    rounds: int
    decisions: Counter[tuple[int, int | None]] = field(default_factory=Counter)  # by (round, seat)
    actions: Counter[tuple[int, int | None]] = field(default_factory=Counter)  # actions at those decisions
    folds: Counter[int] = field(default_factory=Counter)  # hands ended by folding, by round
    showdowns: int = 0
    deals: Counter[tuple[int, int]] = field(default_factory=Counter)  # by the rounds that betting leads from and to

    def in_round(self, round_: int) -> int:
        """Decisions of all seats in a round."""
        return sum(count for (where, _), count in self.decisions.items() if where == round_)


def count_betting(game: PokerGame, *, effort: float = 1.0) -> BettingCount:
    """The betting histories of a game, by the partition formula if it applies, else by merging equal chips.

    Raises TooLarge if that takes more than this share of the usual work.
    """
    if game.betting.is_endless:
        raise TooLarge(f"the betting of {game.name} has no end: it needs stacks, or a cap on the raises of every round")
    if not _is_plain_no_limit(game):
        return count_by_merging(game, effort=effort)
    stack, blind = game.betting.behind[0], max(game.rules.blinds)
    if stack * (stack // blind) > effort * MOST_WORK:
        raise TooLarge(
            f"{game.name} has stacks of {stack // blind:,} big blinds, too deep to count within a minute; "
            "20,000 chips with blinds of 50 and 100 take seconds"
        )
    return count_no_limit(stack, blind, len(game.rules.rounds))


def _is_plain_no_limit(game: PokerGame) -> bool:
    """Heads-up no-limit, equal stacks and antes, unequal blinds, the larger being the minimum bet in every round."""
    rules = game.rules
    if rules.players != 2 or rules.limit != "no" or rules.stacks is None or rules.least_raise != "last":
        return False
    blind = max(rules.blinds)
    plain_rounds = all(
        round_.betting and round_.bettors is None and round_.raises is None and not round_.draw and round_.bet <= blind
        for round_ in rules.rounds
    )
    equal = len(set(game.betting.behind)) == 1 and len(set(rules.antes)) == 1
    return plain_rounds and equal and not rules.has_menus and min(rules.blinds) < blind < game.betting.behind[0]


def count_by_merging(game: PokerGame, *, effort: float = 1.0) -> BettingCount:
    """Forward from the start: the number of histories that lead to each kind of betting."""
    counts, rules = BettingCount(len(game.rules.rounds)), game.betting
    start = rules.alike(rules.start())
    counts.deals[-1, start.round] += 1
    following, arrivals = _ways_on(game, start, effort * MOST_STEPS)
    ways, ready = Counter({start: 1}), [start]
    while ready:  # each after all that lead to it
        betting = ready.pop()
        own = ways[betting]
        if betting.actor == TERMINAL:
            if betting.folded_out:
                counts.folds[betting.round] += own
            else:
                counts.showdowns += own
            continue
        counts.decisions[betting.round, betting.actor] += own
        counts.actions[betting.round, betting.actor] += own * len(following[betting])
        for after in following[betting]:
            ways[after] += own
            arrivals[after] -= 1
            if not arrivals[after]:
                ready.append(after)
            if after.round > betting.round and not (after.actor == TERMINAL and after.folded_out):
                counts.deals[betting.round, after.round] += own
    return counts


def _ways_on(game: PokerGame, start: Betting, most: float) -> tuple[dict[Betting, list[Betting]], Counter[Betting]]:
    """What the actions of each kind of betting lead to, and how many lead to each; TooLarge beyond `most`."""
    rules, steps = game.betting, 0
    following: dict[Betting, list[Betting]] = {}
    arrivals: Counter[Betting] = Counter()
    layer = [start]
    while layer:
        deciding = [betting for betting in layer if betting.actor != TERMINAL]
        steps += sum(rules.action_count(betting) for betting in deciding)  # counted before any is taken
        if steps > most:
            raise TooLarge(
                f"the betting of {game.name} has too many arrangements of chips to count; smaller stacks, or "
                "no-limit for two players with equal stacks, can be counted"
            )
        layer = []
        for betting in deciding:
            following[betting] = [rules.alike(rules.act(betting, action)) for action in rules.actions(betting)]
            for after in following[betting]:
                if after not in arrivals:
                    layer.append(after)
                arrivals[after] += 1
    return following, arrivals


def count_no_limit(stack: int, blind: int, rounds: int) -> BettingCount:
    """Heads-up no-limit with equal stacks, a big blind equal to the minimum bet, and a smaller small blind.

    In each round two decisions face no bet (nobody has bet; the second follows a check, or a call of the blind), and a
    sequence of raises may start at either. `starting[t]` counts the ways to start a round with t chips behind.
    """
    counts = BettingCount(rounds)
    behind = stack - blind
    starting = [0] * behind + [1]
    partitions = through_raises(starting, blind)[::-1]  # [s] ways to raise by s in total
    up_to = list(accumulate(partitions))  # [s] ways to raise by 1 to s in total
    for round_ in range(rounds):
        begun = sum(starting[1:])
        short_of_all = sum(ways * up_to[t - 1] for t, ways in enumerate(starting) if t > 0 and ways)
        all_in = begun + short_of_all  # after any raises that leave chips, or none, all-in is possible
        facing = 2 * (short_of_all + all_in)
        first = 1 if round_ == 0 else 0  # the small blind faces the big one
        counts.decisions[round_, None] = 2 * begun + facing
        counts.folds[round_] = facing + first
        counts.actions[round_, None] = 2 * begun + facing + (facing + first) + facing  # calls and checks, folds, raises
        last = round_ == rounds - 1
        counts.showdowns += 2 * all_in
        if last:
            counts.showdowns += begun + 2 * short_of_all
            break
        counts.deals[round_, round_ + 1] = begun + 2 * short_of_all
        counts.deals[round_, rounds - 1] += 2 * all_in
        continued = through_raises(starting, blind)
        starting = [0, *(stayed + 2 * raised for stayed, raised in zip(starting[1:], continued[1:], strict=True))]
    counts.deals[-1, 0] = 1
    return counts


def through_raises(starting: list[int], least: int) -> list[int]:
    """By chips left, the number of ways to get there by one or more raises, each at least `least` and the previous one.

    With P_m = q^least / (1 - q^m), the series of partitions into parts of at least `least` is
    P_1 + P_1 P_2 + P_1 P_2 P_3 + ..., evaluated from the inside: a shift and a running sum with stride m at a time.

    >>> through_raises([0, 0, 0, 0, 0, 0, 1], 2)  # 6 chips: raise by 2, 3, 4, 5, 6; by 2 and 2, 2 and 3, ...
    [4, 2, 2, 1, 1, 0, 0]
    """
    by_spent = starting[::-1]
    chips = len(by_spent) - 1
    inner: list[int] = []
    for parts in range(chips // least, 0, -1):
        size = chips + 1 - least * parts  # chips beyond this cannot be spent with this many raises
        summed = list(map(add, by_spent[:size], inner)) if inner else by_spent[:size]
        for offset in range(min(parts, size)):
            summed[offset::parts] = accumulate(summed[offset::parts])
        inner = [0] * least + summed
    return inner[::-1] if inner else [0] * len(by_spent)


def poker_size(game: PokerGame, *, effort: float = 1.0) -> Size:
    """Betting histories times the possible cards at each."""
    rules, betting = game.rules, count_betting(game, effort=effort)
    deals, views, canonical = _deals(rules), _views(rules), _canonical_views(rules)

    def total(counts: Counter[tuple[int, int | None]], player: int) -> int:
        return sum(count * views[round_] for (round_, seat), count in counts.items() if seat == player)

    rounds = []
    for number in range(len(rules.rounds)):
        nodes = betting.in_round(number)
        classes = None if canonical is None else nodes * canonical[number]
        rounds.append(RoundSize(nodes, nodes * deals[number], nodes * views[number], classes))
    states = sum(size.states for size in rounds)
    terminals = sum(count * deals[round_] for round_, count in betting.folds.items()) + betting.showdowns * deals[-1]
    players = [] if any(seat is None for _, seat in betting.decisions) else range(rules.players)
    chance = sum(count * (deals[before] if before >= 0 else 1) for (before, _), count in betting.deals.items())
    return Size(
        name=game.name,
        how="counted",
        states=states,
        infosets=sum(size.infosets for size in rounds),
        infoset_actions=sum(count * views[round_] for (round_, _), count in betting.actions.items()),
        terminals=terminals,
        nodes=states + terminals + chance,
        by_player=tuple((total(betting.decisions, own), total(betting.actions, own) + 1) for own in players),
        canonical_infosets=None if canonical is None else sum(size.canonical_infosets or 0 for size in rounds),
        rounds=tuple(rounds),
    )


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
