"""The action bound: an equilibrium that uses few actions, derived from one that uses many.

Schmid, "Game Theory and Poker", 2013, chapter 9; Schmid, Moravcik and Hladik, "Bounding the support size in extensive
form games with imperfect information", 2014. At a state (below) each choice's probability is multiplied by a factor x,
with every hand, so that ranges and the opponent's best responses stay the same. The factors solve

    sum over choices of probability(hand, choice) * x[choice] = 1 for each hand,    x >= 0,

of which a basic solution has no more positive factors than the player has infosets there.

The thesis requires only that, which is enough if the opponent has not acted yet. If they have, their value with each
hand after reaching the state may change, and reaching it may become better than what they did: then it is no longer an
equilibrium. So `keeping` adds a row for each of the opponent's sequences that lead here, which keeps their value after
it at most as large as before, and the bound becomes the number of infosets of both. If they arrive by a single sequence
no row is needed: factors are rejected if they cost more than factors of 1. The opponent's best-response value then
never grows, for exact and approximate equilibria.

At a *state* a player can shift probability between actions without revealing anything new to the opponent. Consider a
player's infosets at one public state, and for each action there the opponent's infosets that follow: if all
probabilities of an action are multiplied by the same factor, with every hand, the opponent's beliefs do not change. The
opponent's infosets determine which probabilities must change together: two actions belong to the same *choice* if one
of these infosets holds histories after both. So no public partition needs to be given, actions that the opponent does
not see are one choice, and chance may move in between. Infosets belong to the same *state* if they share a choice, or
if the same action of the opponent led to them; actions after which the opponent never acts are one choice at a state if
they have the same name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.errors import BadGame, PokerlabError
from pokerlab.solvers.analysis.beliefs import cleaned
from pokerlab.solvers.convex.program.linear_program import minimise
from pokerlab.tree.sequence import LEAST_STAKES, SequenceForm

USED = 1e-9  # an action with a lower probability is not used
_TOLERANCE = 1e-10
NONE = -1  # no slot, no choice


@dataclass(frozen=True)
class State:
    """Infosets of a player that share choices, and the value of the choices to a best-responding opponent."""

    infosets: np.ndarray  # [R] int64: those that the player reaches
    slots: np.ndarray  # [N] int64: their actions that are taken
    of_slots: np.ndarray  # [N] int64: the infoset of each of these
    choice: np.ndarray  # [N] int64: of each of these, from 0 to C - 1
    fixed: np.ndarray  # [C] bool: choices that the opponent cannot distinguish from play that does not reach the state
    entered: np.ndarray  # [E] int64: the opponent's last sequences before the state
    choice_value: np.ndarray  # [E, C]: the value of each choice to the opponent after each of these

    def hands(self, profile: np.ndarray) -> np.ndarray:
        """The probability of each choice at each infoset.  # [A] -> [R, C]"""
        totals = np.zeros((len(self.infosets), len(self.fixed)))
        np.add.at(totals, (np.searchsorted(self.infosets, self.of_slots), self.choice), profile[self.slots])
        return totals


class PlayerSequences:
    """One player's sequences before every history, by the number of the player's actions."""

    def __init__(self, form: SequenceForm, player: int) -> None:
        self.form, self.player, self.other = form, player, 1 - player
        tree = form.tree
        self.infoset = np.repeat(np.arange(tree.infosets), np.diff(tree.start))  # [A]: of each slot
        self.before = np.where(form.parent < form.players, NONE, form.parent.astype(np.int64) - form.players)  # [I]
        last = np.full(tree.nodes, NONE, np.int64)
        for level in tree.levels[1:]:
            above = tree.parent[level]
            last[level] = np.where(tree.actor[above] == player, tree.slot[level], last[above])
        nodes = tree.decisions[tree.actor[tree.decisions] == self.other]
        self.seen = np.unique(np.column_stack([tree.label[nodes], last[nodes]]), axis=0)  # [*, 2]: (infoset, last slot)
        nodes = tree.decisions[tree.actor[tree.decisions] == player]
        nodes = nodes[tree.actor[np.maximum(tree.parent[nodes], 0)] == self.other]
        # [*, 2]: (slot of the opponent, infoset that it led to)
        self.led = np.unique(np.column_stack([tree.slot[nodes], tree.label[nodes]]), axis=0)

    @cached_property
    def chains(self) -> list[np.ndarray]:
        """By the number of earlier own actions, for each slot and for none: the slot of that action.  # [A + 1] each"""
        own, count = self.form.slots_of(self.player), len(self.infoset)
        depth = np.zeros(count + 1, np.int64)
        above = np.append(self.before[self.infoset], NONE)  # the slot before each slot
        for slot in range(own.start, own.stop):  # earlier slots come first
            depth[slot] = depth[above[slot]] + 1
        totals = []
        for number in range(int(depth.max())):
            chain = np.where(depth > number, np.arange(count + 1), NONE)
            while (too_deep := depth[chain] > number + 1).any():
                chain = np.where(too_deep, above[chain], chain)
            totals.append(chain)
        return totals

    def states(self, plan: np.ndarray, number: int) -> list[State]:
        """The states at which the player takes their action of this number, under a realization plan.  # [S]"""
        slots, choice, of_infoset = self._choices(plan, number)
        if not len(slots):
            return []
        group = self._states(slots, choice)
        choice = self._named(slots, choice, group, of_infoset)
        choice_value = self._worths(plan, number, choice, of_infoset)
        _, group = np.unique(group, return_inverse=True)
        of_choice = np.full(int(choice.max()) + 1, NONE)
        of_choice[choice[slots]] = group
        of_choice[0] = NONE  # its value does not change
        of_row = of_choice[choice_value[:, 1].astype(np.int64)]
        states = np.arange(int(group.max()) + 1)
        return [
            self._state(members, choice, rows)
            for members, rows in zip(_parted(slots, group, states), _parted(choice_value, of_row, states), strict=True)
        ]

    def _choices(self, plan: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The slots taken, the choice of every slot, and of every infoset of the opponent.  # [*], [A + 1], [I]

        Choice 0 is for what the opponent cannot distinguish from histories with fewer actions of the player.
        """
        chain, players = self.chains[number], self.form.players
        count, infosets = len(self.infoset), self.form.tree.infosets
        come = np.append(plan[players:] > 0, True)
        seen = self.seen[come[self.seen[:, 1]]]
        acted = chain[seen[:, 1]]
        later = np.zeros(infosets, bool)
        later[seen[acted != NONE, 0]] = True
        seen, acted = seen[later[seen[:, 0]]], acted[later[seen[:, 0]]]
        size = count + 1 + infosets  # slots, no slot, infosets of the opponent
        label = _components(acted % (count + 1), count + 1 + seen[:, 0], size)
        none = label[count]
        label = np.where(label == none, 0, np.where(label < none, label + 1, label))
        taken = np.flatnonzero((chain[:count] == np.arange(count)) & come[:count])
        of_infoset = np.where(later, label[count + 1 :], NONE)
        return taken, label[: count + 1], of_infoset

    def _worths(self, plan: np.ndarray, number: int, choice: np.ndarray, of_infoset: np.ndarray) -> np.ndarray:
        """The values of choices to a best-responding opponent: rows of (sequence before, choice, amount).  # [*, 3]"""
        form, players = self.form, self.form.players
        own = form.sequences_of(self.other)
        sequences = np.r_[self.other, own]
        row = form.row.astype(np.int64)
        leaves = np.r_[row[self.other] : row[self.other + 1], row[own.start] : row[own.stop]]
        owner = np.repeat(sequences, (row[sequences + 1] - row[sequences]))
        mine = form.other[leaves, 0].astype(np.int64)
        acted = self.chains[number][np.where(mine < players, NONE, mine - players)]
        of_sequence = np.append(of_infoset, NONE)[np.r_[[NONE] * players, self.infoset]]  # the empty ones are of none
        paid = (acted != NONE) & (of_sequence[owner] == NONE) & (plan[mine] > 0)
        ends = np.column_stack([owner, choice[acted], form.value[leaves] * plan[mine]])[paid]
        best = response_values(form, plan, self.other)
        parent = form.parent.astype(np.int64)
        first = np.flatnonzero((of_infoset != NONE) & (of_sequence[parent] == NONE))
        return np.concatenate([ends, np.column_stack([parent[first], of_infoset[first], best[first]])])

    def _states(self, slots: np.ndarray, choice: np.ndarray) -> np.ndarray:
        """A number of the state of each slot; choice 0 does not join infosets.  # [N]"""
        infosets, free = self.form.tree.infosets, choice[slots] != 0
        led = self.led[np.isin(self.led[:, 1], self.infoset[slots])]
        first = infosets + int(choice.max()) + 1  # infosets, choices, the opponent's actions
        size = first + len(self.infoset)
        nodes, linked = (
            np.r_[self.infoset[slots[free]], led[:, 1]],
            np.r_[infosets + choice[slots[free]], first + led[:, 0]],
        )
        label = _components(nodes, linked, size)
        return np.asarray(label[self.infoset[slots]])

    def _named(self, slots: np.ndarray, choice: np.ndarray, group: np.ndarray, of_infoset: np.ndarray) -> np.ndarray:
        """The same choices, but with one for all actions of a name at a state after which the opponent never acts."""
        tree, totals = self.form.tree, choice.copy()
        answered = np.isin(choice[slots], of_infoset)
        names: dict[tuple[int, str], int] = {}
        for slot, state in zip(slots[~answered].tolist(), group[~answered].tolist(), strict=True):
            infoset = int(self.infoset[slot])
            name = tree.action_names[infoset][slot - int(tree.start[infoset])]
            totals[slot] = names.setdefault((state, name), int(choice[slot]))
        return totals

    def _state(self, slots: np.ndarray, choice: np.ndarray, choice_value: np.ndarray) -> State:
        """The state of these slots, with the values of its choices: rows of (sequence before, choice, amount)."""
        own = self.infoset[slots]
        names, numbered = np.unique(choice[slots], return_inverse=True)
        rows = choice_value[np.argsort(choice_value[:, 0], kind="stable")]
        entered, place = np.unique(rows[:, 0].astype(np.int64), return_inverse=True)
        table = np.zeros((len(entered), len(names)))
        np.add.at(table, (place, np.searchsorted(names, rows[:, 1].astype(np.int64))), rows[:, 2])
        return State(np.unique(own), slots, own, numbered, names == 0, entered, table)


def _components(nodes: np.ndarray, linked: np.ndarray, size: int) -> np.ndarray:
    """The connected component of each node of a graph in which nodes[i] and linked[i] are linked.  # [size]"""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    links = csr_matrix((np.ones(len(nodes)), (nodes, linked)), shape=(size, size))
    return np.asarray(connected_components(links, directed=False)[1])


def _parted(values: np.ndarray, group: np.ndarray, groups: np.ndarray) -> list[np.ndarray]:
    """The values of each of these groups."""
    order = np.argsort(group, kind="stable")
    starts, ends = (np.searchsorted(group[order], groups, side) for side in ("left", "right"))
    return [values[order[start:end]] for start, end in zip(starts, ends, strict=True)]


def response_values(form: SequenceForm, plan: np.ndarray, player: int) -> np.ndarray:
    """The values of a player's infosets under a best response to a plan; 0 for the opponent's.  # [S] -> [I]"""
    low, high = form.tree.first_infoset[player : player + 2].tolist()
    infoset_values = np.zeros(form.tree.infosets)
    if high > low:
        values = form.best_response_to_plan(player, plan).values[: form.sequences_of(player).stop]
        infoset_values[low:high] = np.maximum.reduceat(values, form.start[low:high].astype(np.int64))
    return infoset_values


@dataclass(frozen=True)
class ThinnedState:
    """The result at one state."""

    player: int
    infosets: tuple[int, ...]  # that the player reaches
    actions: int  # that can be taken there
    entered: int  # how many sequences of the opponent lead there
    used_before: int  # choices, with any hand; if the opponent sees every action, these are the actions
    used: int
    bound: int  # that this cannot exceed


def thin(
    form: SequenceForm, profile: np.ndarray, *, keeping: bool = True, fewest: bool = True
) -> tuple[np.ndarray, tuple[ThinnedState, ...]]:
    """A profile with the same value and fewer actions, and the result at every state.  # [A] -> [A]

    Choices are dropped at a state one by one, in two orders, until none can be; without `fewest` the first basic
    solution is used. Without `keeping`, the opponent's value on the way to a state may change, as in the thesis.
    """
    if form.players != 2 or not form.is_zero_sum:
        why = f"has {form.players} players" if form.players != 2 else "is not zero-sum"
        raise BadGame(f"actions are thinned out in two-player zero-sum games, and {form.name} {why}")
    thinned, states = cleaned(form, form.check(profile), never=USED).copy(), []
    for player in range(2):
        sequences = PlayerSequences(form, player)
        for number in range(len(sequences.chains)):
            plan = form.plan(thinned)
            for state in sequences.states(plan, number):
                factors = _factors(state, thinned, plan, keeping=keeping, fewest=fewest)
                states.append(_thinned(form, state, thinned, factors, keeping=keeping))
    return thinned, tuple(states)


class _Program:
    """The factors of a state's choices as a linear program, each scaled by the largest probability of its choice."""

    def __init__(self, state: State, profile: np.ndarray, plan: np.ndarray, *, keeping: bool) -> None:
        from scipy.sparse import csr_matrix

        infosets, hands = len(state.infosets), state.hands(profile)
        self.unit = hands.max(axis=0)
        choice_value = state.choice_value / np.maximum(
            np.abs(state.choice_value).max(axis=1, keepdims=True), LEAST_STAKES
        )
        value_rows = choice_value if keeping and len(choice_value) > 1 else choice_value[:0]
        weight = plan[state.entered]
        cost = (weight if weight.any() else np.ones(len(weight))) @ state.choice_value / self.unit
        self._cost = cost / max(np.abs(cost).max(initial=0.0), LEAST_STAKES)
        # where no row keeps what the opponent wins, choices of the least cost do, and other factors may cost more
        self._dearest = np.inf if len(value_rows) else float(self._cost @ self.unit) + USED
        self._rows = csr_matrix(np.concatenate([hands, value_rows]) / self.unit)
        lowest = np.r_[np.ones(infosets), np.full(len(value_rows), -np.inf)]
        self._row_bounds = lowest, np.r_[np.ones(infosets), value_rows.sum(axis=1)]
        self._fixed = state.fixed

    def solve(self, allowed: np.ndarray) -> np.ndarray | None:
        """Scaled factors of the choices allowed; None if there are none, or all let the opponent win more.  # [C]"""
        least = np.where(self._fixed, self.unit, 0.0)
        most = np.where(self._fixed, self.unit, np.where(allowed, np.inf, 0.0))
        bounds: dict[str, Any] = {"row_bounds": self._row_bounds, "column_bounds": (least, most)}
        try:
            point = minimise(self._cost, self._rows, **bounds, tolerance=_TOLERANCE, presolve=False).point
        except PokerlabError:
            return None
        return point if self._cost @ point <= self._dearest else None


def _factors(state: State, profile: np.ndarray, plan: np.ndarray, *, keeping: bool, fewest: bool) -> np.ndarray:
    """The factor by which to multiply each choice.  # [C]"""
    choices, hands = len(state.fixed), state.hands(profile)
    if np.linalg.matrix_rank(hands / hands.max(axis=0), tol=USED) == choices:  # no other factors than 1
        return np.ones(choices)
    program = _Program(state, profile, plan, keeping=keeping)
    factors = program.solve(np.ones(choices, bool))
    if factors is None:  # rounding leaves no other solution
        return np.ones(choices)
    if fewest:
        order = np.argsort(program.unit, kind="stable")
        tried = [factors, *(_dropped(program, factors, one) for one in (order, order[::-1]))]
        factors = min(tried, key=lambda candidate: int((candidate > USED).sum()))
    return np.asarray(factors / program.unit)


def _dropped(program: _Program, factors: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Factors of the choices that remain when they are dropped in this order, if possible.  # [C]"""
    allowed = np.ones(len(factors), bool)
    for choice in order:
        allowed[choice] = False
        if factors[choice] > USED:
            without = program.solve(allowed)
            allowed[choice] = without is None
            factors = factors if without is None else without
    return factors


def _thinned(
    form: SequenceForm, state: State, profile: np.ndarray, factors: np.ndarray, *, keeping: bool
) -> ThinnedState:
    """Multiply choices by factors at a state, and report the result."""
    tree = form.tree
    before = set(state.choice[profile[state.slots] > USED].tolist())
    played = profile.copy()
    played[state.slots] *= np.maximum(factors, 0.0)[state.choice]
    for infoset in state.infosets:
        slots = slice(int(tree.start[infoset]), int(tree.start[infoset + 1]))
        profile[slots] = np.where(played[slots] > USED, played[slots], 0.0)
        profile[slots] /= profile[slots].sum()
    entered = len(state.entered) if keeping and len(state.entered) > 1 else 0
    possible = {name for infoset in state.infosets for name in tree.action_names[infoset]}
    return ThinnedState(
        player=int(tree.infoset_player[state.infosets[0]]),
        infosets=tuple(state.infosets.tolist()),
        actions=len(possible),
        entered=len(state.entered),
        used_before=len(before),
        used=len(set(state.choice[profile[state.slots] > 0].tolist())),
        bound=len(state.infosets) + entered + int(state.fixed.any()),
    )
