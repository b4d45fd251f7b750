"""Lists of the hands that hold each card on a board, from the weakest to the strongest, as showdowns.cu reads them.

They are made on the machine from the records of hands, once for each round of a tree and player, and again where other
hands take the place of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pokerlab.tree.public.boards import BLOCK
from pokerlab.tree.public.cuda.records import MachineTree, record
from pokerlab.tree.public.layout import PublicTree

LISTS = ("list_of", "rows", "place", "lists", "longest", "stride")
ENTRIES = 4  # of a list that are read at once


class HandLists:
    """A player's lists on the boards of a round, and where the opponent's hands find their sums among them."""

    def __init__(self, base: MachineTree, launch: Callable[..., None], level: Any, number: int, player: int) -> None:
        machine, tree, self._launch = base.machine, base.tree, launch
        public, tokens, at = tree.rounds[number], tree.tokens, machine.address
        boards = len(public.boards)
        seats, self._rows = base.seats[number], public.hands[player].rows
        places, warps = (at(seats[player]), at(level)), -(-tokens // BLOCK)
        self._lists, longest = most_lists(tree, number, player)
        count = machine.zeros(boards * tokens, np.int16)
        self._launches: list[tuple[Any, ...]] = [("count_hands", warps, boards, *places, at(count))]
        self._stride = (longest + 1) | 1
        quads = -(-longest // ENTRIES)
        list_of = machine.zeros(boards * tokens, np.int16)
        rows = machine.zeros(boards * quads * self._lists * ENTRIES, np.int16)
        found = at(count), at(list_of), at(rows), self._lists, longest
        self._launches.append(("list_hands", warps, boards, *places, *found))
        values = {"list_of": list_of, "rows": rows, "lists": self._lists, "longest": longest, "stride": self._stride}
        kept = [count, list_of, rows, record(machine, LISTS, values)]
        if number == len(tree.rounds) - 1:
            own = public.hands[1 - player].rows
            place = machine.zeros(boards * 3 * own, np.int32)
            others = (at(seats[player]), at(seats[1 - player]), at(level), at(kept[-1]))
            self._launches.append(("place_hands", own // BLOCK, boards, *others, at(place)))
            kept += [place, record(machine, LISTS, values | {"place": place})]
        self._kept, self.address = kept, at(kept[-1])
        self.fill()

    def fill(self) -> None:
        """List the hands that are on the boards now."""
        for one in self._launches:
            self._launch(*one)

    @property
    def vectors(self) -> int:
        """How many numbers of each sequence a team has in the memory that it shares, but for those of its threads."""
        return self._rows + 1 + self._lists * self._stride + 1 + self._lists


def most_lists(tree: PublicTree, number: int, player: int) -> tuple[int, int]:
    """The most cards that a player's hands hold on a board of a round, and the most hands that hold one card."""
    cards = tree.hand_cards[tree.weights[player] > 0]
    held = np.bincount(cards.reshape(-1), minlength=tree.tokens)
    left = tree.deck.size - len(tree.rounds[number].boards[0])
    two = len(tree.hands[0]) == 2  # else each hand is paired with a card that no other hand holds
    lists = min(int((held > 0).sum()), left if two else 2 * left)
    return max(lists, 1), max(min(int(held.max(initial=0)), left - 1 if two else 1), 1)


def hand_lists(base: MachineTree, launch: Callable[..., None], level: Any, number: int, player: int) -> HandLists:
    """A player's lists in a round, made once."""
    if (number, player) not in base.lists:
        seats = base.seats[number]
        same = seats[0] is seats[1] and base.lists.get((number, 1 - player))
        base.lists[number, player] = same or HandLists(base, launch, level, number, player)
    found: HandLists = base.lists[number, player]
    return found
