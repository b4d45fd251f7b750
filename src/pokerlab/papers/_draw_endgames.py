"""Unsafe and safe nested endgame solving in draw poker (Ee, section 5), in a game small enough to measure exactly.

One card each of eight, a bet of 2 or none, an exchange of the card or none, and a second bet. A blueprint knows one
size of the second bet, and the game has two: a bet of the other size is off its tree. At the table the endgame after
the exchange is solved again with both sizes, by a linear program over the whole second round:

- *translated*: the blueprint answers the other size as its own;
- *unsafe*: the best play if the opponent's hands come as the blueprint plays them;
- *safe*: the same, but no hand of the opponent may win more than it does against the blueprint (the constraint of
  re-solving; Burch, Johanson and Bowling 2014, Brown and Sandholm 2017).

Both players' endgames are solved, each against its own blueprint, and best responses measure the whole strategy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix, hstack, vstack

from pokerlab.cards.card import RANKS, SUITS, Deck
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.menu import menus_from
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.papers.result import Finding, Row, Table, decided
from pokerlab.registry import load
from pokerlab.solvers.convex.program.linear_program import minimise
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

ONE_SIZE, TWO_SIZES = "2 chips", "2 chips, 6 chips"
TRANSLATED = {"r7": "r3", "r9": "r5"}  # the bet of 6, by its total, as that of 2
ENDGAME = re.compile(r"[^:]*:[^/]*/(?:d\d|d\([^)]*\)){2}")  # up to the end of the exchange
METHODS = ("blueprint", "unsafe", "safe")  # the blueprint answers an off-tree bet as its own size
TOLERANCE = 1e-7  # antes: the accuracy of a linear program


@dataclass(frozen=True)
class Endgames:
    """One blueprint: its exploitability and that of each method, in antes."""

    iterations: int
    on_tree: bool  # whether the opponent bets only the size that the blueprint knows
    exploitability: dict[str, float]


def draw_game(sizes: str, *, ranks: int = 4) -> PokerGame:
    """One card of two suits, an exchange of it, and these bets after the exchange."""
    first, second = (menus_from({"bet": bet, "raise": ""}) for bet in (ONE_SIZE, sizes))
    rounds = Round(private=1, bet=1, menu=first), Round(draw=1, bet=1, menu=second)
    deck = Deck.of(RANKS[-ranks:], SUITS[-2:])
    rules = Rules(players=2, rounds=rounds, deck=deck, limit="no", antes=(1, 1), stacks=(9, 9), showdown="high")
    return PokerGame(rules, "one-card draw")


def solve_endgames(counts: Sequence[int], *, ranks: int = 4) -> list[Endgames]:
    """Blueprints of some numbers of CFR iterations, and what each method makes of them, with one size and with two."""
    small, large = (sequence_form(build(draw_game(sizes, ranks=ranks))) for sizes in (ONE_SIZE, TWO_SIZES))
    cases = []
    for count in counts:
        solver = load("algorithms", "cfr").start(small)
        solver.advance(count)
        blueprint = np.asarray(small.unpack(solver.strategy_arrays()))
        for form, profile in ((small, blueprint), (large, translated(small, blueprint, large))):
            measured = {METHODS[0]: form.measure(profile).exploitability}
            for method in METHODS[1:]:
                measured[method] = form.measure(resolved(form, profile, safe=method == "safe")).exploitability
            cases.append(Endgames(count, form is small, measured))
    return cases


def translated(small: SequenceForm, profile: np.ndarray, large: SequenceForm) -> np.ndarray:
    """A profile of the game with one size in that with two: the other size is answered as its own, and never bet."""
    tree, own = small.tree, {}
    for place, name in enumerate(tree.infoset_names):
        first = int(tree.start[place])
        own[name] = dict(
            zip(tree.action_names[place], profile[first : first + len(tree.action_names[place])], strict=True)
        )
    rows = []
    for name, actions in zip(large.tree.infoset_names, large.tree.action_names, strict=True):
        known = own[re.sub("r[79]", lambda size: TRANSLATED[size[0]], name)]
        rows += [known.get(action, 0.0) for action in actions]
    return np.array(rows)


def resolved(form: SequenceForm, profile: np.ndarray, *, safe: bool) -> np.ndarray:
    """A profile whose endgames are solved again, for both players."""
    plan = np.array(form.plan(profile))
    solved = plan.copy()
    for hero in (0, 1):
        solved[form.sequences_of(hero)] = _Endgame(form, plan, hero).solve(safe=safe)[1:]
    return np.asarray(form.behaviour(solved))


class _Side:
    """One player's treeplex: the empty sequence is number 0."""

    def __init__(self, form: SequenceForm, plan: np.ndarray, player: int) -> None:
        start, parent = form.treeplexes.single(player)
        self.start, self.parent = start.astype(np.int64), parent.astype(np.int64)
        first = int(form.tree.first_infoset[player])
        names = form.tree.infoset_names[first : first + len(self.parent)]
        self.root = [match[0] if (match := ENDGAME.match(name)) else "" for name in names]  # "": before the endgame
        self.plan = np.r_[1.0, plan[form.sequences_of(player)]]

    @cached_property
    def inside(self) -> np.ndarray:
        """The infosets of endgames."""
        return np.flatnonzero([bool(root) for root in self.root])

    @cached_property
    def entries(self) -> np.ndarray:
        """The first infosets of endgames."""
        owner = np.repeat(
            np.arange(len(self.parent)), np.diff(self.start)
        )  # the infoset of each sequence but the empty
        before = self.parent[self.inside]
        outside = [parent == 0 or not self.root[owner[parent - 1]] for parent in before]
        return np.asarray(self.inside[np.array(outside)])

    def sequences(self, infoset: int) -> range:
        """The sequences of an infoset."""
        return range(int(self.start[infoset]), int(self.start[infoset + 1]))


class _Endgame:
    """The linear program of one player's endgames: their plan x, and the values v of the opponent's infosets."""

    def __init__(self, form: SequenceForm, plan: np.ndarray, hero: int) -> None:
        self.hero, self.other = _Side(form, plan, hero), _Side(form, plan, 1 - hero)
        self.payoffs = csr_matrix(-form.matrix.T if hero == 0 else form.matrix)  # to the opponent: [theirs, hero's]
        self.column = {infoset: number for number, infoset in enumerate(self.other.inside.tolist())}

    def solve(self, *, safe: bool) -> np.ndarray:
        """The plan with the best endgames.  # [sequence]"""
        hero, other = self.hero, self.other
        plans, values = len(hero.plan), len(self.column)
        lower, upper = hero.plan.copy(), hero.plan.copy()
        for infoset in hero.inside.tolist():
            own = hero.sequences(infoset)
            lower[own.start : own.stop], upper[own.start : own.stop] = 0.0, 1.0
        flow, limits = self._flow(), self._limits()
        rows, low = [flow, limits], [np.zeros(flow.shape[0]), np.zeros(limits.shape[0])]
        high = [np.zeros(flow.shape[0]), np.full(limits.shape[0], np.inf)]
        groups, alternatives = self._alternatives()
        if safe:
            rows.append(groups)
            low.append(np.full(groups.shape[0], -np.inf))
            high.append(alternatives)
        cost = np.zeros(plans + values)
        for infoset in other.entries.tolist():
            cost[plans + self.column[infoset]] = other.plan[other.parent[infoset]]
        free = np.full(values, np.inf)
        best = minimise(
            cost,
            csr_matrix(vstack(rows)),
            row_bounds=(np.concatenate(low), np.concatenate(high)),
            column_bounds=(np.r_[lower, -free], np.r_[upper, free]),
        )
        return np.asarray(np.maximum(best.point[:plans], 0.0))

    def _flow(self) -> csr_matrix:
        """The sequences of each of the player's infosets sum to the one before."""
        hero, entries = self.hero, []
        for number, infoset in enumerate(hero.inside.tolist()):
            entries += [(number, sequence, 1.0) for sequence in hero.sequences(infoset)]
            entries.append((number, int(hero.parent[infoset]), -1.0))
        return _matrix(entries, (len(hero.inside), len(hero.plan) + len(self.column)))

    def _limits(self) -> csr_matrix:
        """The value of each of the opponent's infosets is at least that of each of its actions."""
        other = self.other
        below: dict[int, list[int]] = {}
        for infoset in self.column:
            below.setdefault(int(other.parent[infoset]), []).append(infoset)
        entries: list[tuple[int, int, float]] = []
        own: list[int] = []
        for infoset, column in self.column.items():
            for sequence in other.sequences(infoset):
                entries.append((len(own), column, 1.0))
                entries += [(len(own), self.column[after], -1.0) for after in below.get(sequence, [])]
                own.append(sequence)
        values = _matrix(entries, (len(own), len(self.column)))
        return csr_matrix(hstack([-self.payoffs[own], values]))

    def _alternatives(self) -> tuple[csr_matrix, np.ndarray]:
        """For each hand with which the opponent may enter an endgame: its infosets and its value there."""
        other, paid = self.other, self.payoffs @ self.hero.plan
        sequence_value = np.asarray(paid, float).copy()
        best: dict[int, float] = {}
        for infoset in range(len(other.parent) - 1, -1, -1):  # an infoset comes after the sequence that leads to it
            own = other.sequences(infoset)
            best[infoset] = float(sequence_value[own.start : own.stop].max())
            sequence_value[other.parent[infoset]] += best[infoset]
        groups: dict[str, list[int]] = {}
        for infoset in other.entries.tolist():
            groups.setdefault(other.root[infoset], []).append(infoset)
        plans = len(self.hero.plan)
        entries = [
            (number, plans + self.column[infoset], 1.0)
            for number, infosets in enumerate(groups.values())
            for infoset in infosets
        ]
        alternatives = np.array([sum(best[infoset] for infoset in infosets) for infosets in groups.values()])
        return _matrix(entries, (len(groups), plans + len(self.column))), alternatives


def _matrix(entries: Sequence[tuple[int, int, float]], shape: tuple[int, int]) -> csr_matrix:
    row, column, value = zip(*entries, strict=True)
    return csr_matrix((value, (row, column)), shape=shape)


def endgame_table(cases: Sequence[Endgames]) -> Table:
    """What each method leaves."""
    rows = [
        Row(
            f"{'bets on the tree' if one.on_tree else 'bets off the tree'}, blueprint of {one.iterations} iterations",
            ours=one.exploitability,
        )
        for one in sorted(cases, key=lambda one: not one.on_tree)
    ]
    note = "one card of eight each, one exchange; the blueprint knows one size of the second bet, off its tree are two"
    return Table("Nested endgame solving in draw poker (section 5): exploitability, antes", rows, note, digits=4)


def endgame_findings(cases: Sequence[Endgames]) -> tuple[Finding, ...]:
    """The claims of section 5."""
    return (
        Finding(
            "unsafe endgame solving is vulnerable to exploitation (section 5)",
            decided(any(_gains(one, "unsafe") < -TOLERANCE for one in cases), False),
            f"more exploitable than the blueprint: {_listed(cases, 'unsafe', better=False)}",
        ),
        Finding(
            "safe endgame solving makes opponents not better off than the blueprint",
            all(_gains(one, "safe") > -TOLERANCE for one in cases),
            f"the smallest gain is {min(_gains(one, 'safe') for one in cases):.2g} antes",
        ),
        Finding(
            "solving the endgame with the off-tree bet in it is better than translating the bet",
            all(_gains(one, "safe") > TOLERANCE for one in cases if not one.on_tree),
            f"safe endgames, off the tree: {_listed([one for one in cases if not one.on_tree], 'safe', better=True)}",
        ),
    )


def _gains(one: Endgames, method: str) -> float:
    return one.exploitability[METHODS[0]] - one.exploitability[method]


def _listed(cases: Sequence[Endgames], method: str, *, better: bool) -> str:
    """The cases in which a method is better, or worse, than the blueprint."""
    chosen = [one for one in cases if abs(_gains(one, method)) > TOLERANCE and (_gains(one, method) > 0) == better]
    words = [
        f"{'on' if one.on_tree else 'off'} the tree, {one.iterations} iterations: "
        f"{one.exploitability[METHODS[0]]:.4f} to {one.exploitability[method]:.4f}"
        for one in chosen
    ]
    return "; ".join(words) or "in no case"
