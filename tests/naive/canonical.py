"""Suit-canonical hands the slow way: try every renaming of the suits and keep the least hand."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations


def canonical(cards: Sequence[int], rounds: Sequence[int], suits: int) -> tuple[tuple[int, ...], ...]:
    """The least hand, as one sorted tuple a round, over all renamings of the suits."""
    return min(renamed(cards, rounds, names) for names in permutations(range(suits)))


def renamed(cards: Sequence[int], rounds: Sequence[int], names: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The hand with suit s called names[s], as one sorted tuple a round."""
    suits = len(names)
    moved = [card // suits * suits + names[card % suits] for card in cards]
    dealt, hand = 0, []
    for size in rounds:
        hand.append(tuple(sorted(moved[dealt : dealt + size])))
        dealt += size
    return tuple(hand)


def deals(rounds: Sequence[int], cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to deal rounds from these cards, each round as a set."""
    if not rounds:
        yield ()
        return
    for chosen in combinations(cards, rounds[0]):
        rest = [card for card in cards if card not in chosen]
        for later in deals(rounds[1:], rest):
            yield chosen + later
