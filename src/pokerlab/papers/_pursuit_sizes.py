"""Princess and Monster under other readings of its rules: is there one whose size is the printed one?

The paper (Lanctot and others 2009) has a 3 by 3 grid, random starts and a horizon of 13 steps. It leaves open whether a
player may wait, whether both may start on one cell, whether she is caught in between or only after both have moved, and
what a step is. Histories are counted by positions, infosets are the walks of one player, and M, the constant of the
regret bound, sums over action sequences the square roots of the numbers of infosets with that sequence; an action is
named by its cell or by its direction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import sqrt

from pokerlab.papers.result import Finding, Row, Table

Cell = tuple[int, int]
Walks = Counter[tuple[Cell, Cell]]
SIDE = 3
DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))
CELLS: tuple[Cell, ...] = tuple((x, y) for x in range(SIDE) for y in range(SIDE))
CAUGHT = ("after any move", "after the second move of a pair", "never")
STEPS = range(9, 17)
PRINTED_STEPS = 13
NEAR = 0.0006  # of a number printed with three digits


@dataclass(frozen=True)
class Rules:
    """One reading of the rules."""

    waits: bool  # whether staying is a move
    together: bool  # whether both may start on one cell
    caught: str
    moves: int  # of both players

    @property
    def text(self) -> str:
        """The reading in words."""
        words = ["may wait" if self.waits else "must move", "starts may coincide" if self.together else "starts differ"]
        return ", ".join([*words, f"caught {self.caught}", f"{self.moves} moves"])

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Where a player may go from a cell."""
        around = [(cell[0] + dx, cell[1] + dy) for dx, dy in DIRECTIONS]
        return [place for place in around if place in CELLS] + ([cell] if self.waits else [])

    def histories(self) -> int:
        """All histories, with the root and the placement as one chance event."""
        positions: Walks = Counter({(a, b): 1 for a in CELLS for b in CELLS if self.together or a != b})
        total = 1
        for move in range(self.moves):
            total += positions.total()
            after: Walks = Counter()
            for (princess, monster), ways in positions.items():
                for cell in self.neighbours(monster if move % 2 else princess):
                    pair = (princess, cell) if move % 2 else (cell, monster)
                    checked = self.caught == CAUGHT[0] or (self.caught == CAUGHT[1] and move % 2)
                    if checked and pair[0] == pair[1]:
                        total += ways  # the end of a history
                    else:
                        after[pair] += ways
            positions = after
        return total + positions.total()

    def infosets(self) -> tuple[int, int]:
        """The walks at which each player acts."""
        decisions = -(-self.moves // 2), self.moves // 2
        lengths = [0]
        walks = Counter(CELLS)
        for _ in range(decisions[0]):
            lengths.append(lengths[-1] + walks.total())
            after: Counter[Cell] = Counter()
            for cell, ways in walks.items():
                for place in self.neighbours(cell):
                    after[place] += ways
            walks = after
        return lengths[decisions[0]], lengths[decisions[1]]

    def constants(self) -> tuple[float, float]:
        """M of both players, actions named by their cells."""
        return self._constant(-(-self.moves // 2)), self._constant(self.moves // 2)

    def _constant(self, decisions: int) -> float:
        before = {
            cell: sqrt(len(self.neighbours(cell))) for cell in CELLS
        }  # starts from which the first cell is reached
        total = sqrt(len(CELLS)) if decisions else 0.0
        for _ in range(1, decisions):
            total += sum(before.values())
            after = dict.fromkeys(CELLS, 0.0)
            for cell, weight in before.items():
                for place in self.neighbours(cell):
                    after[place] += weight
            before = after
        return total


def readings() -> Iterator[Rules]:
    """Every reading that is tried."""
    for waits, together, caught, moves in product((False, True), (False, True), CAUGHT, STEPS):
        yield Rules(waits, together, caught, moves)


def fitting(histories: float) -> list[Rules]:
    """The readings with the printed number of histories, to its digits."""
    return [rules for rules in readings() if abs(rules.histories() / histories - 1) < NEAR]


def pursuit_table(ours: Rules, printed: tuple[float, float, tuple[float, float]]) -> Table:
    """Our rules, and those that fit the printed histories, beside what is printed."""
    histories, infosets, constants = printed
    rows = [
        Row(
            "printed",
            ours={
                "histories": histories,
                "infosets": infosets,
                "M, princess": constants[0],
                "M, monster": constants[1],
            },
        )
    ]
    for rules in (ours, *fitting(histories)):
        first, second = rules.constants()
        counted = {"histories": rules.histories(), "infosets": sum(rules.infosets())}
        rows.append(Row(rules.text, ours={**counted, "M, princess": first, "M, monster": second}))
    return Table("Princess and Monster: readings of its rules", rows, digits=0)


def pursuit_finding(printed: tuple[float, float, tuple[float, float]]) -> Finding:
    """Whether a reading fits."""
    histories, infosets, _ = printed
    tried = list(readings())
    fit = fitting(histories)
    whole = [rules for rules in fit if abs(sum(rules.infosets()) / infosets - 1) < 0.05]
    words = "; ".join(f"{rules.text}: {rules.histories():,}, {sum(rules.infosets()):,} infosets" for rules in fit)
    return Finding(
        "some reading of the rules of Princess and Monster has the printed size",
        bool(whole),
        f"of {len(tried)} readings {len(fit)} has the printed histories ({words or 'none'}) and {len(whole)} also the "
        f"printed {infosets:,.0f} infosets; 13 steps are then the two placements and {PRINTED_STEPS - 2} moves",
        words="" if whole else "the histories fit one, its infosets do not" if fit else "",
    )
