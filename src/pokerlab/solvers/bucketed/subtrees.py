"""The betting of two players divided into the subtrees of rounds, for the fast kernel of Pure CFR.

Subtrees of the same shape share their tables; limit hold'em has few shapes. For each shape and traversing player there
is a table of the opponent's patterns: the rest of the subtree after they choose one action at each of their decisions.
Betting in which a decision has other than two or three actions, or with too many patterns, is not supported.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.tree.bucketed.betting import FOLDED, LINE, entries
from pokerlab.tree.bucketed.form import BucketedForm

if TYPE_CHECKING:
    from pokerlab.solvers.bucketed._kernels.fast import Subtrees
    from pokerlab.solvers.bucketed._kernels.tables import Tables

MOST_PATTERNS = 1024  # of one shape, as one player sees it


class Choice(NamedTuple):
    """A decision as its subtree sees it; cells are numbered through the subtree, the root being 0."""

    actor: int
    cell: int
    first: int  # cell below
    moves: int
    slot: int  # relative to the actor's first number of the subtree


class Shape(NamedTuple):
    """The shape shared by subtrees."""

    choices: tuple[Choice, ...]  # parents first
    ends: tuple[tuple[int, int], ...]  # cell, and who wins it: player 0, 1, or -1 where hands are compared
    exits: tuple[int, ...]  # cells


def subtrees_of(form: BucketedForm, tables: Tables) -> Subtrees | None:
    """The subtrees; None if the fast kernel cannot walk the betting."""
    arrays = form.betting.arrays
    if form.players != 2 or arrays.actor[0] < 0:
        return None
    decisions = np.flatnonzero(arrays.actor >= 0)
    if not np.isin(arrays.children[decisions], (2, 3)).all():
        return None
    entry = entries(arrays)[decisions]
    roots, counts = np.unique(entry, return_counts=True)
    if counts.max() > MOST_PATTERNS:
        return None
    groups = np.split(decisions[np.argsort(entry, kind="stable")], np.cumsum(counts)[:-1])
    return _Cutting(form, tables, roots).cut(groups)


class _Cutting:
    """The tables under construction."""

    def __init__(self, form: BucketedForm, tables: Tables, roots: np.ndarray) -> None:
        self.form, self.tables = form, tables
        self.number = {int(root): index for index, root in enumerate(roots)}
        self.shapes: dict[Shape, int] = {}
        self.sides: list[list[int]] = []
        self.pairs: list[list[int]] = []
        self.patterns: list[list[int]] = []
        self.owns: list[list[int]] = []
        self.exits: list[list[int]] = []
        self.counted: list[int] = []
        self.signs: list[int] = []
        self.payoffs: list[int] = []
        self.below: list[int] = []
        self.cells = 0

    def cut(self, groups: list[np.ndarray]) -> Subtrees | None:
        """All tables; None if there are too many patterns, or a tie has a nonzero value."""
        rows = []
        for group in groups:
            row = self._entry(group.tolist())
            if row is None:
                return None
            rows.append(row)
        return self._table(rows)

    def _table(self, rows: list[list[int]]) -> Subtrees | None:
        """All tables as one; None if they or the form's numbers are too large for their columns."""
        from pokerlab.solvers.bucketed._kernels import fast as kernel

        widths = (rows, kernel.ENTRY), (self.sides, 8), (self.pairs, 8), (self.patterns, 8), (self.owns, 8)
        entry, side, pair, pattern, own = (np.array(part, np.int64).reshape(-1, width) for part, width in widths)
        lists = self.exits, self.counted, self.payoffs, self.signs, self.below
        arrays = [entry, side, pair, pattern, own, *(np.array(part, np.int64).reshape(-1) for part in lists)]
        begin = np.cumsum([0, *(_padded(array.size) for array in arrays)]).tolist()
        at_side, at_pair, at_pattern, at_own, at_exit, at_counted, at_payoffs, at_signs, at_below = begin[1:-1]
        entry[:, [0, 1]] = at_side + 8 * entry[:, [0, 1]]
        entry[:, [kernel.STAKES, kernel.BELOW]] += [at_payoffs, at_below]
        side[:, [0, 1, 2]] = [at_pair, at_pair, at_pattern] + 8 * side[:, [0, 1, 2]]
        side[:, kernel.SIGNS] += at_signs
        pattern[:, [0, 1, 2, 3]] *= [8, 8, 2, 2]
        pattern[:, [0, 1, 2, 3]] += [at_own, at_own, at_exit, at_exit]
        pattern[:, kernel.COUNTED] += at_counted
        pair[:, [2, 5]] *= 8
        arrays[-1] *= kernel.ENTRY
        if max(begin[-1], self.form.numbers) >= 2**32:
            return None
        table = np.zeros(begin[-1] + LINE, np.uint32)
        table = table[-table.ctypes.data // table.itemsize % LINE :]
        for first, array in zip(begin, arrays, strict=False):
            table[first : first + array.size] = array.reshape(-1) % 2**32  # signs below 0 as they lie in int32
        return kernel.Subtrees(table, self.cells)

    def _entry(self, nodes: list[int]) -> list[int] | None:
        """The row of a subtree, given its decisions."""
        from pokerlab.solvers.bucketed._kernels.tables import WORD

        arrays, own = self.form.betting.arrays, set(nodes)
        cells = [nodes[0]]
        for node in nodes:
            cells += range(arrays.first[node], arrays.first[node] + arrays.children[node])
        ends = [node for node in cells if arrays.actor[node] < 0]
        exits = [node for node in cells if arrays.actor[node] >= 0 and node not in own]
        paid = [_stake(node, self.tables) for node in ends]
        if any(stake < 0 for stake in paid):
            return None
        mine = [[node for node in nodes if arrays.actor[node] == player] for player in (0, 1)]
        starts = [int(arrays.slot[seat[0]]) if seat else 0 for seat in mine]
        words = [int(self.tables.nodes[seat[0], WORD]) // 2 if seat else 0 for seat in mine]
        shape = self._shape(nodes, cells, starts)
        if shape not in self.shapes:
            if max(_patterns(shape, player) for player in (0, 1)) > MOST_PATTERNS:
                return None
            self.shapes[shape] = len(self.sides)
            for player in (0, 1):
                self._add_side(shape, player)
        round, side = int(arrays.round[nodes[0]]), self.shapes[shape]
        starts = [int(self.tables.base[round]) + start for start in starts]
        below = [len(self.payoffs), len(self.below)]
        row = [side, side + 1, *starts, *words, int(self.tables.rows[round]), 2 * round, *below, *[0] * 6]
        self.payoffs += paid + [0] * (_padded(len(paid)) - len(paid))
        self.below += [self.number[node] for node in exits]
        return row

    def _shape(self, nodes: list[int], cells: list[int], starts: list[int]) -> Shape:
        arrays, own = self.form.betting.arrays, set(nodes)
        where = {node: cell for cell, node in enumerate(cells)}
        choices = []
        for node in nodes:
            actor, moves = int(arrays.actor[node]), int(arrays.children[node])
            slot = int(arrays.slot[node]) - starts[actor]
            choices.append(Choice(actor, where[node], where[int(arrays.first[node])], moves, slot))
        ends = tuple(
            (cell, _winner(node, self.tables) if arrays.actor[node] == FOLDED else -1)
            for cell, node in enumerate(cells)
            if arrays.actor[node] < 0
        )
        exits = tuple(cell for cell, node in enumerate(cells) if arrays.actor[node] >= 0 and node not in own)
        return Shape(tuple(choices), ends, exits)

    def _add_side(self, shape: Shape, player: int) -> None:
        """The tables of a shape as the traversing player sees it."""
        others = [choice for choice in shape.choices if choice.actor != player]
        mine = [choice for choice in shape.choices if choice.actor == player]
        ends, numbers = _padded(len(shape.ends)), [_padded(sum(one.moves for one in seat)) for seat in (others, mine)]
        pair, pattern, signs = len(self.pairs), len(self.patterns), len(self.signs)
        self._add_pairs(others)
        for taken in product(*(range(choice.moves) for choice in others)):
            self._add_pattern(shape, player, dict(zip(others, taken, strict=True)), numbers[0])
        for outcome in (1, 0, -1):  # of player 0's hand against player 1's
            won = [outcome if winner < 0 else 1 - 2 * winner for _, winner in shape.ends]
            self.signs += [sign * (1 - 2 * player) for sign in won] + [0] * (ends - len(won))
        self.sides.append([pair, len(self.pairs), pattern, ends, signs, *numbers, int(bool(shape.exits))])

    def _add_pairs(self, others: list[Choice]) -> None:
        """The opponent's decisions in pairs; the first is most significant in a pattern's number, as in `product`."""
        weights = np.cumprod([1, *(choice.moves for choice in others[::-1])])[-2::-1].tolist() if others else []
        singles = [[choice.slot, choice.moves, weight] for choice, weight in zip(others, weights, strict=True)]
        singles += [[0, 2, 0]] * (len(singles) % 2)
        self.pairs += [[*singles[i], *singles[i + 1], 0, 0] for i in range(0, len(singles), 2)]

    def _add_pattern(self, shape: Shape, player: int, taken: dict[Choice, int], others: int) -> None:
        """The rest of a shape when the opponent plays a pattern."""
        from pokerlab.solvers.bucketed._kernels.tables import TO_BITS, TO_LOW

        number = _cells(shape, player)
        self.cells = max(self.cells, len(number) + _padded(len(shape.ends)))
        at = {choice.cell: choice for choice in shape.choices}

        def led(cell: int) -> int:
            """The cell reached without an own decision."""
            while cell in at and at[cell].actor != player:
                cell = at[cell].first + taken[at[cell]]
            return cell

        reached, visited, counts, pending = [], 0, [0] * others, [0]
        exits, own = [], len(self.owns)
        while pending:
            cell = pending.pop()
            if cell not in at:
                if cell in shape.exits:
                    exits.append(cell)
                continue
            choice = at[cell]
            if choice.actor == player:
                reached.append(choice)
                pending += range(choice.first, choice.first + choice.moves)
                visited += choice.moves
            else:
                counts[choice.slot + taken[choice]] += 1
                pending.append(choice.first + taken[choice])
                visited += 1
        mine = [choice for choice in shape.choices if choice.actor == player]
        for choice in sorted(reached, key=lambda choice: -choice.cell):
            leads = [number[led(choice.first + min(action, choice.moves - 1))] for action in range(3)]
            word, half = divmod(mine.index(choice), 2)
            shift = int(TO_LOW if half else TO_BITS)
            self.owns.append([choice.slot, choice.moves, *leads, number[choice.cell], word, shift])
        first = len(self.exits)
        self.exits += [[shape.exits.index(cell), number[cell]] for cell in sorted(exits)]
        bounds = [own, len(self.owns), first, len(self.exits)]
        self.patterns.append([*bounds, visited, len(self.counted), number[led(0)], 0])
        self.counted += counts


def _cells(shape: Shape, player: int) -> dict[int, int]:
    """The cells that hold values, in the kernel's numbering: terminal nodes, padded; exits; own decisions."""
    ends = {cell: index for index, (cell, _) in enumerate(shape.ends)}
    rest = [*shape.exits, *(choice.cell for choice in shape.choices if choice.actor == player)]
    return ends | {cell: index + _padded(len(ends)) for index, cell in enumerate(rest)}


def _patterns(shape: Shape, player: int) -> int:
    return int(np.prod([float(choice.moves) for choice in shape.choices if choice.actor != player]).clip(max=2**31))


def _padded(count: int) -> int:
    """Round up to whole lines, at least one."""
    return max(1, -(-count // LINE)) * LINE


def _winner(node: int, tables: Tables) -> int:
    from pokerlab.solvers.bucketed._kernels.tables import FIRST_POT

    return int(tables.seats[tables.nodes[node, FIRST_POT]]) >> 1


def _stake(node: int, tables: Tables) -> int:
    """What the winner gets from the loser at a terminal node; -1 if it depends on who wins, or a tie is not worth 0."""
    from pokerlab.solvers.bucketed._kernels.tables import FIRST_POT, LAST_POT

    pots = range(tables.nodes[node, FIRST_POT], tables.nodes[node, LAST_POT])
    outcomes = []
    for winners in (1, 2, 3):  # as bits
        for player in (0, 1):
            won = -int(tables.put[node, player])
            for pot in pots:
                sharing = int(tables.seats[pot]) & winners or int(tables.seats[pot])
                if sharing >> player & 1:
                    won += int(tables.share[pot, sharing.bit_count()])
            outcomes.append(won)
    stake = abs(outcomes[0])
    if outcomes in ([stake, -stake, -stake, stake, 0, 0], [stake, -stake] * 3, [-stake, stake] * 3):
        return stake
    return -1
