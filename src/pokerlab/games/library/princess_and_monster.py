"""Princess and Monster: pursuit in the dark on a grid; neither ever sees the other.

After R. Isaacs, in the form of M. Lanctot and others 2009: a grid where neighbours share a side, random starting cells,
and the princess is paid the number of steps until she is caught. Here the two start on different cells, the princess
moves first and then they alternate, always to a neighbouring cell; each move is one step; she is caught as soon as they
share a cell. The paper does not say who moves first or whether starts may coincide, so its count of histories may
differ from ours.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Annotated, NamedTuple

from pokerlab.errors import BadSetting
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.sizes import Size
from pokerlab.settings import Settings, whole

PRINCESS, MONSTER = 0, 1


class State(NamedTuple):
    """The cells that each has visited, in order; empty before they are placed."""

    princess: tuple[str, ...]
    monster: tuple[str, ...]


@dataclass(frozen=True)
class PrincessAndMonster(Settings):
    """Cells are named as on a chess board: a1 is a corner."""

    label = "princess-and-monster"
    players = 2
    always_named = ("rows", "columns", "steps")
    rows: Annotated[int, whole(1, 26)] = 3
    columns: Annotated[int, whole(1, 26)] = 3
    steps: Annotated[int, whole(1, 1000)] = 13  # total number of moves

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows * self.columns < 2:
            raise BadSetting("the grid needs at least 2 cells; got 1 by 1")

    @cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """The cells next to each cell."""
        cells = {(x, y): f"{chr(97 + x)}{y + 1}" for x in range(self.columns) for y in range(self.rows)}
        around = ((0, 1), (1, 0), (0, -1), (-1, 0))
        return {
            cell: tuple(cells[x + dx, y + dy] for dx, dy in around if (x + dx, y + dy) in cells)
            for (x, y), cell in cells.items()
        }

    def root(self) -> State:
        return State((), ())

    def player(self, state: State) -> int:
        if not state.princess:
            return CHANCE
        if self._moves(state) == self.steps or self._caught(state):
            return TERMINAL
        return self._moves(state) % 2

    def _moves(self, state: State) -> int:
        return len(state.princess) + len(state.monster) - 2

    def _caught(self, state: State) -> bool:
        return state.princess[-1] == state.monster[-1]

    def actions(self, state: State) -> tuple[str, ...]:
        return self.neighbours[state[self.player(state)][-1]]

    def outcomes(self, state: State) -> list[tuple[str, float]]:
        cells = list(self.neighbours)
        pairs = [f"{princess} {monster}" for princess in cells for monster in cells if princess != monster]
        return [(pair, 1 / len(pairs)) for pair in pairs]

    def child(self, state: State, action: str) -> State:
        if not state.princess:
            princess, monster = action.split()
            return State((princess,), (monster,))
        if self._moves(state) % 2 == PRINCESS:
            return state._replace(princess=(*state.princess, action))
        return state._replace(monster=(*state.monster, action))

    def returns(self, state: State) -> tuple[float, float]:
        free = float(self._moves(state) - self._caught(state))
        return free, 0.0 - free

    def infoset(self, state: State, player: int) -> str:
        return ">".join(state[player])

    view = infoset

    def size(self, *, effort: float = 1.0) -> Size:
        """Walks of two on a grid until they share a cell; infosets are walks of one."""
        positions = Counter(permutations(self.neighbours, 2))  # of the two, with the number of walks that lead there
        states = terminals = 0
        for step in range(self.steps):
            states += sum(positions.values())
            after: Counter[tuple[str, str]] = Counter()
            for (princess, monster), ways in positions.items():
                for cell in self.neighbours[princess if step % 2 == 0 else monster]:
                    pair = (cell, monster) if step % 2 == 0 else (princess, cell)
                    if pair[0] == pair[1]:
                        terminals += ways
                    else:
                        after[pair] += ways
            positions = after
        terminals += sum(positions.values())
        facts = tuple(self._walks((self.steps + 1 - player) // 2) for player in range(2))
        return Size.counted(self.name, facts, states=states, terminals=terminals, chance=1)

    def _walks(self, moves: int) -> tuple[int, int]:
        """Infosets and sequences of a player who makes this many moves: walks, and walks one step longer."""
        ends = Counter(dict.fromkeys(self.neighbours, 1))
        infosets = pairs = 0
        for _ in range(moves):
            infosets += sum(ends.values())
            after: Counter[str] = Counter()
            for cell, ways in ends.items():
                for neighbour in self.neighbours[cell]:
                    after[neighbour] += ways
            ends = after
            pairs += sum(ends.values())
        return infosets, pairs + 1


game = PrincessAndMonster
