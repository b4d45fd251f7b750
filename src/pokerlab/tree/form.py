"""A form: a game or a spot built for solving, with the operations that algorithms use.

Each kind of form has one module (KINDS) with a `FORM` that says which problems it fits, how large it would be, and how
to build it. Only the form knows how it stores numbers; algorithms run on forms (solvers/core/algorithm.py), and
strategy/ adds names to their results.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import takewhile
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from pokerlab.abstraction.abstracted import Abstracted
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.game import Game
from pokerlab.games.spot.spot import Spot
from pokerlab.registry import nearest
from pokerlab.tree.forecast import available_memory, bytes_text, count_text
from pokerlab.tree.measure import BestResponse, Measure
from pokerlab.tree.resources import Resources
from pokerlab.tree.treeplex import PlayerResponse, Treeplexes

if TYPE_CHECKING:
    from pokerlab.tree.smoothing import SmoothedBestResponse

KINDS = {  # best first
    "sequence": "pokerlab.tree.sequence",
    "classes": "pokerlab.tree.classes",
    "public": "pokerlab.tree.public.form",
    "pushes": "pokerlab.tree.pushes.form",
    "stochastic": "pokerlab.tree.stochastic",
    "normal": "pokerlab.tree.normal",
    "bucketed": "pokerlab.tree.bucketed.form",
}
SHARE_OF_MEMORY = 0.8
LARGE = 5e8  # bytes: above this, a far smaller form is preferred
FAR_SMALLER = 0.1

BUCKETED = "bucketed"
PACKED = "probability"  # the name of a profile's array in files, unless a form stores several
SPOT_IS_PUBLIC = (  # why a spot has no other form
    "a spot is solved in the public form, by algorithms that run on it: dcfr, cfr+, egt, cfr-br, "
    "double-oracle(over=strategies) ..."
)

Problem = Game | Spot | Abstracted
AnyForm = TypeVar("AnyForm", bound="Form")


@dataclass(frozen=True)
class FormSize:
    """The size of a form, forecast before it is built or measured after."""

    nodes: float
    infosets: float | None  # of all players; None if unknown before building
    bytes: float  # of a whole run, including the solver

    def text(self) -> str:
        """The size as text."""
        infosets = "" if self.infosets is None else f", {count_text(self.infosets)} infosets"
        return f"{count_text(self.nodes)} nodes{infosets}, {bytes_text(self.bytes)}"


class Form:
    """A problem built for solving: a game as arrays, and the operations on them.

    A *profile* [A] is a behaviour strategy of all players as this form's own flat array. A *plan* [S] is the same
    as realization plans, in the numbering of `treeplexes`. A form provides its treeplexes and its payoffs;
    everything else follows from these, and a form with a faster kernel overrides it.
    """

    kind: ClassVar[str]  # a key of KINDS, unless the form is made for one purpose and not for whole problems

    if TYPE_CHECKING:  # properties, or fields, of each form

        @property
        def name(self) -> str: ...  # of the game, or of the spot

        @property
        def players(self) -> int: ...

        @property
        def max_abs_payoff(self) -> float: ...  # of any player: tolerances are fractions of it

        @property
        def pot(self) -> float: ...  # what a target in percent refers to: at the start; if none, the largest payoff

        @property
        def is_zero_sum(self) -> bool: ...

        @property
        def size(self) -> FormSize: ...

    def small(self) -> Form:
        """A tiny form that runs the same compiled code: kernels are compiled on it."""
        raise NotImplementedError

    def on(self, resources: Resources) -> Form:
        """The same form, computing with these resources."""
        return self

    def as_form(self) -> Form:
        """Itself; a history tree returns its sequence form."""
        return self

    def derive(self, kind: str) -> Form | None:
        """The form of another kind that is derived from this one; None if there is none."""
        return None

    @property
    def solution_form(self) -> Form:
        """The form in which strategies computed here are named and saved: by default this one."""
        return self

    def centred(self) -> Form:
        """The same game with payoffs shifted towards zero if they are all far to one side of it; otherwise itself."""
        return self

    # ---- what a form provides ----------------------------------------------------------------------------------------

    @property
    def treeplexes(self) -> Treeplexes:
        """The layout of plans; BadSetting if the form has none."""
        raise BadSetting(
            f"the {self.kind} form of {self.name} has no realization plans, which this needs: choose another form"
        )

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        """The value of each sequence of a player against the others' plans, without what later own actions win.

        Weighted by chance and by the others' reach. Writes out[player] and the player's part of out [S].
        """
        raise BadSetting(f"payoffs by sequence are not known in the {self.kind} form of {self.name}")

    def largest_payoff_sum(self, player: int) -> float:
        """The largest sum of absolute payoffs after one sequence of a player, which bounds first-order steps."""
        raise BadSetting(f"first-order methods do not run on the {self.kind} form of {self.name}")

    @property
    def nodes_per_pass(self) -> int:
        """The number of histories that one evaluation of payoffs visits; 0 if not counted."""
        return 0

    @property
    def file_slots(self) -> int:
        """The number of action probabilities in a file, if that can be very large; otherwise 0."""
        return 0

    def pack(self, profile: np.ndarray) -> dict[str, np.ndarray]:
        """A profile as the named arrays of a solver's result, a file or another device: by default, one array."""
        return {PACKED: profile}

    def unpack(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """The profile of such arrays.  # [A]"""
        return arrays[PACKED]

    # ---- profiles and plans ------------------------------------------------------------------------------------------

    def uniform(self) -> np.ndarray:
        """The uniform profile.  # [A]"""
        return self.treeplexes.uniform()

    def slots_of(self, player: int) -> Any:
        """The index of a player's part of a profile: a slice or positions."""
        return self.treeplexes.slots_of(player)

    def infoset_sums(self, numbers: np.ndarray) -> np.ndarray:
        """The sum over the actions of each infoset, repeated for each action.  # [A] -> [A]"""
        return self.treeplexes.sums(numbers)

    def normalize(self, weights: np.ndarray) -> np.ndarray:
        """The profile in proportion to weights, uniform where they are all zero.  # [A] -> [A]"""
        return self.treeplexes.normalize(weights)

    def occupied(self, player: int) -> np.ndarray:
        """Which slots of a player's part of a profile are actions, not padding.  # [slots of the player] bool"""
        own = self.slots_of(player)
        return np.ones(own.stop - own.start, np.bool_)

    def pool(self, counts: np.ndarray) -> np.ndarray:
        """Counts summed over equivalent hands, if this form stores such hands separately.  # [A] -> [A]"""
        return counts

    def count_infosets(self, counts: np.ndarray) -> tuple[int, int]:
        """The number of infosets with some positive count, and the number of infosets."""
        trees = self.treeplexes
        positive = np.add.reduceat(counts > 0, trees.first_slots) if len(trees.counts) else np.zeros(0)
        return int((positive > 0).sum()), len(trees.parent)

    def by_sequence(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers by slot of a profile in the order of the treeplexes.  # [A] -> [S - P]"""
        return numbers

    def in_treeplexes(self, profile: np.ndarray) -> np.ndarray:
        """A profile as the behaviour of the treeplexes, if the form stores profiles differently.  # [A] -> [S - P]"""
        return profile

    def plan(self, profile: np.ndarray) -> np.ndarray:
        """The realization plans of a profile.  # [A] -> [S]"""
        return self.treeplexes.plan(self.in_treeplexes(profile))

    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        """The profile of plans, uniform at infosets that they never reach.  # [S] -> [A]"""
        return self.treeplexes.behaviour(plan)

    def check(self, profile: np.ndarray) -> np.ndarray:
        """The profile as float64; BadSetting unless every infoset has a probability distribution."""
        profile = np.asarray(profile, dtype=np.float64)
        size = len(self.uniform())
        if profile.shape != (size,):
            raise BadSetting(f"a profile of {self.name} has {size:,} numbers, not {profile.shape}")
        sums = self.infoset_sums(profile)
        wrong = np.flatnonzero(~(np.abs(sums - 1) < 1e-6) | ~(profile >= 0))
        if len(wrong):
            infoset, total = self._slot_name(int(wrong[0])), sums[wrong[0]]
            raise BadSetting(f"the probabilities at {infoset} must be 0 or more and sum to 1, not to {total}")
        return profile

    def check_player(self, player: object) -> int:
        """A player's number; BadSetting if there is no such player."""
        if isinstance(player, bool) or not isinstance(player, Integral) or not 0 <= int(player) < self.players:
            raise BadSetting(f"{self.name} has players 0 to {self.players - 1}, not {player}")
        return int(player)

    def _slot_name(self, slot: int) -> str:
        """The infoset of a slot, for messages."""
        return f"slot {slot}"

    # ---- values and best responses -----------------------------------------------------------------------------------

    def best_response_to_plan(self, player: int, plan: np.ndarray) -> PlayerResponse:
        """One player's best response to the others' plans: payoffs, then one pass up the player's treeplex."""
        value = np.zeros(self.treeplexes.sequences)
        self.payoffs(player, plan, value)
        return self.treeplexes.best_response(player, value)

    def measure(self, profile: np.ndarray) -> Measure:
        """Values of a profile, and each player's best response to it."""
        trees, plan = self.treeplexes, self.plan(profile)
        values, best, value = [], [], np.zeros(trees.sequences)
        for player in range(trees.players):
            self.payoffs(player, plan, value)
            own = trees.sequences_of(player)
            values.append(float(value[player] + value[own] @ plan[own]))
            best.append(trees.best_response(player, value).value)
        return Measure(tuple(values), tuple(best), zero_sum=self.is_zero_sum)

    def measure_where_known(self, profile: np.ndarray) -> Measure:
        """The same; inside an abstraction if the real game is too large to measure."""
        return self.measure(profile)

    @property
    def is_measured_inside(self) -> bool:
        """Whether this is an abstraction of a game that is too large to measure."""
        return False

    def expected_values(self, profile: np.ndarray) -> tuple[float, ...]:
        """The expected value of each player."""
        return self.measure_where_known(profile).values

    def best_response(self, profile: np.ndarray, player: int) -> BestResponse:
        """One player's best response to the others' part of a profile."""
        player, profile = self.check_player(player), self.check(profile)
        response = self.best_response_to_plan(player, self.plan(profile))
        played = profile.copy()
        played[self.slots_of(player)] = response.choice[self.treeplexes.sequences_of(player)]
        return BestResponse(response.value, played)

    def regrets(self, profile: np.ndarray) -> np.ndarray:
        """Immediate counterfactual regret of each action: the gain from switching to it there only.  # [A]"""
        behaviour = self.in_treeplexes(self.check(profile))
        return self.instant_regrets(self.treeplexes.plan(behaviour), behaviour)

    def instant_regrets(self, plan: np.ndarray, behaviour: np.ndarray) -> np.ndarray:
        """The same for a behaviour in the order of `treeplexes`, and its plan.  # [S], [S - P] -> [S - P]"""
        from pokerlab.tree._kernels.treeplex import back_up

        trees, value = self.treeplexes, np.zeros(self.treeplexes.sequences)
        by_sequence = np.concatenate([np.ones(trees.players), behaviour])
        for player in range(trees.players):
            self.payoffs(player, plan, value)
            back_up(*trees.infosets[player], trees.arrays, value, by_sequence)
        values = value[trees.players :]
        return np.asarray(values - trees.sums(values * behaviour))

    def sampled(self, share: float, seed: int) -> Form:
        """The form with a random sample of its leaves, whose payoffs are larger by 1/share."""
        raise BadSetting(f"leaves are sampled in the sequence form only, and this is the {self.kind} form")

    def smoothed(self, prox: str) -> SmoothedBestResponse:
        """The smoothed best response under a prox function, for first-order methods."""
        from pokerlab.tree.smoothing import TreeplexSmoothing

        return TreeplexSmoothing(self, prox)


def given_form(problem: object) -> Form | None:
    """The form that a caller passed in place of a game or a spot; None if it is not a form."""
    return problem if isinstance(problem, Form) else None


@dataclass(frozen=True)
class Pace:
    """How often a run is measured and saved, depending on the cost."""

    measure_every: int | None = None  # None: at growing intervals
    checkpoint_seconds: float = 30.0
    first: int | None = None  # the first measurement, each later one `growth` times as far
    growth: float = 2.0


@dataclass(frozen=True)
class SuitIsomorphism:
    """Which boards a form may merge if some strategies are fixed: only those that they treat the same."""

    symmetric: bool = True  # whether suit-isomorphic boards may be merged
    preserved: Sequence[np.ndarray] = ()  # numbers per hand that such a suit permutation must preserve


@dataclass(frozen=True)
class FormKind:
    """One kind of form: which problems have it, how large it is, how it is built."""

    why_not: Callable[[Problem], str]  # a sentence, "" if the problem has this form
    forecast: Callable[..., FormSize]  # (problem, and for large forms an isomorphism); TooLarge if it is not known
    build: Callable[..., Form]  # (problem, *, isomorphism: SuitIsomorphism, watch: Watch, most_infosets)
    check: Callable[[Problem, SuitIsomorphism, Resources], None] | None = None  # TooLarge before building
    default_algorithm: str = "dcfr"
    chosen: bool = True  # whether it may be chosen by default
    pace: Pace = Pace()
    in_state: bool = False  # whether a file's strategy is part of the solver's state
    has_plans: bool = True  # whether its forms have treeplexes and payoffs, so that every general algorithm runs
    has_histories: bool = False  # whether its forms have every history of the game
    is_large: bool = False  # whether its forms may be so large that memory holds few profiles
    is_usual: bool = False  # whether results need not mention the form
    in_percent: bool = False  # whether exploitability is shown in percent of the pot
    built_from: str = ""  # the form that is built in its place, from which algorithms derive it
    command: str = "solve"  # the command that solves it


def kind_of(name: str) -> FormKind:
    """A kind of form by its name."""
    if name not in KINDS:
        raise BadSetting(f"there is no form called {name[:40]!r}; {nearest(name[:40], list(KINDS))}")
    form_kind = import_module(KINDS[name]).FORM
    assert isinstance(form_kind, FormKind)
    return form_kind


@dataclass(frozen=True)
class Choice:
    """The form chosen for a problem, and why better ones were not."""

    kind: str
    reasons: tuple[str, ...] = ()


def choose(problem: Problem, kinds: Sequence[str], *, memory: float | None = None) -> Choice:
    """The first of these forms that the problem has and that fits; a later one if the first is needlessly large.

    TooLarge if none fits, BadSetting if the problem has none of them.
    """
    limit = SHARE_OF_MEMORY * available_memory() if memory is None else memory
    missing = {kind: why_not(problem, kind) for kind in kinds}
    there = [kind for kind in kinds if not missing[kind]]
    if not there:
        raise BadSetting("; ".join(dict.fromkeys(missing.values())))
    if len(there) == 1:
        return Choice(there[0])
    sizes: dict[str, float] = {}  # bytes
    for kind in there:
        sizes[kind] = _forecast_bytes(problem, kind)
        if sizes[kind] <= min(LARGE, limit):
            return Choice(kind, _reasons(sizes, kind, limit))
    fitting = [kind for kind, size in sizes.items() if size <= limit]
    if not fitting:
        return Choice(there[0])  # building it raises, with its size and advice
    best = fitting[0]
    for kind in fitting[1:]:
        if sizes[kind] < FAR_SMALLER * sizes[best]:
            best = kind
    return Choice(best, _reasons(sizes, best, limit))


def why_not(problem: Problem, kind: str) -> str:
    """Why a problem does not have a form, as a sentence; "" if it has it."""
    if isinstance(problem, Abstracted) and kind != BUCKETED:
        return f"{problem.name} with buckets has the bucketed form alone, not the {kind} form"
    return kind_of(kind).why_not(problem)


def _forecast_bytes(problem: Problem, kind: str) -> float:
    """The bytes that a form would need; infinite if that cannot even be forecast."""
    try:
        return kind_of(kind).forecast(problem).bytes
    except TooLarge:
        return math.inf


def _reasons(sizes: dict[str, float], chosen: str, limit: float) -> tuple[str, ...]:
    """Why the kinds before the chosen one were passed over."""
    reasons = []
    for kind, size in takewhile(lambda item: item[0] != chosen, sizes.items()):
        if math.isinf(size):
            reasons.append(f"the {kind} form is too large")
        else:
            beyond = f", more than the {bytes_text(limit)} available" if size > limit else ""
            reasons.append(f"the {kind} form needs {bytes_text(size)}{beyond}")
    return tuple(reasons)


def build_form(problem: Problem, kind: str, **options: Any) -> Form:
    """A problem in one of its forms; BadSetting, with the reason, if it does not have it."""
    reason = why_not(problem, kind)
    if reason:
        raise BadSetting(reason)
    return kind_of(kind).build(problem, **options)


def build_as(problem: Problem, form: type[AnyForm]) -> AnyForm:
    """A problem in the form of a class."""
    built = build_form(problem, form.kind)
    assert isinstance(built, form)
    return built
