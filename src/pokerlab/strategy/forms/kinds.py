"""What every form provides for solutions: named strategies, and their layout in files. Each form has one module.

A new form is a module of tree/form.KINDS and one here, with a `KIND`; solutions, files and verification are independent
of the form.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pokerlab.errors import BadFile, BadSetting
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.strategy.lock import Lock
from pokerlab.strategy.policy import Policy, PolicyTable, StrategyLine, has_profiles, ignores_cards, table_of
from pokerlab.tree.form import Form, Problem, SuitIsomorphism
from pokerlab.tree.measure import Measure

KINDS = {
    name: f"pokerlab.strategy.forms.{name}"
    for name in ("sequence", "public", "classes", "pushes", "stochastic", "bucketed")
}
MOST_CACHED = 4_000  # values that a strategy caches

Arrays = Mapping[str, np.ndarray]


class FormStrategy(ABC):
    """A strategy of all players in a form, which is also a policy. Arguments called `form` are that form, built."""

    has_buckets: ClassVar[bool] = False  # whether hands are grouped into buckets

    if TYPE_CHECKING:  # properties, or fields, of each class

        @property
        def game(self) -> str:
            """The name of the game."""

        @property
        def players(self) -> int:
            """The number of players."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game}: {len(self):,} infosets of {self.players} players>"

    @abstractmethod
    def __len__(self) -> int:
        """The number of infosets."""

    @abstractmethod
    def probabilities(self, view: Any) -> Mapping[str, float]:
        """Action probabilities for the hand of a view, by the action codes of the game."""

    def table(self, place: PublicNode) -> PolicyTable:
        """The strategy of every hand at a public node of a poker game."""
        return table_of(self, place)

    @abstractmethod
    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        """Every infoset whose text contains `match`, as people read it."""

    def row_limit(self, player: int | None = None) -> int | None:
        """An upper bound on the actions of all infosets, if there can be very many; otherwise None."""
        return None

    @abstractmethod
    def root_in(self, form: Any) -> Any:
        """The root node, to browse from."""

    @abstractmethod
    def fits(self, form: Any) -> bool:
        """Whether a form stores profiles as this strategy's own form does."""

    @abstractmethod
    def profile(self, form: Any) -> np.ndarray:
        """This strategy as a profile of a form that it fits.  # [A]"""

    def profile_in(self, form: Any) -> np.ndarray | None:
        """This strategy as a profile of any form; None if the form stores its numbers differently.  # [A]"""
        return self.profile(form) if self.fits(form) else None

    def with_best_response(self, player: int, form: Any) -> FormStrategy:
        """This strategy with one player replaced by a best response to the others."""
        return strategy_of(form, form.pack(form.best_response(self.profile(form), player).profile), StrategyNames())

    def measure_in(self, form: Any) -> Measure:
        """Value and best response of each player."""
        return form.measure(self.profile(form))  # type: ignore[no-any-return]

    def solver_arrays(self, form: Any) -> Arrays:
        """The `strategy_arrays()` of a solver in this state, to compare; empty if the state itself is the strategy."""
        return form.pack(self.profile(form))  # type: ignore[no-any-return]

    @abstractmethod
    def file_contents(self) -> tuple[Arrays, dict[str, Any]]:
        """The contents of a file besides the solver's state: arrays and manifest entries."""

    def details(self) -> dict[str, Any]:
        """Summary entries specific to this form, for JSON."""
        return {}

    @property
    def money(self) -> str:
        """The unit in which people read values, if it is not that of the payoffs; otherwise ""."""
        return ""

    @property
    def has_charts(self) -> bool:
        """Whether a chart of the 169 starting hands for each player shows the whole strategy."""
        return False

    def strategy_only(self, bits: int = 8) -> FormStrategy:
        """The strategy as a strategy-only file stores it: unchanged, or rounded (to `bits`, if it has buckets)."""
        return self


class BuiltStrategy(FormStrategy):
    """A strategy that holds its form."""

    form: Any

    @property
    def game(self) -> str:
        return str(self.form.name)

    @property
    def players(self) -> int:
        return int(self.form.players)

    def fits(self, form: Any) -> bool:
        """Whether a form is this one: of the same kind and game."""
        return bool((form.kind, form.name) == (self.form.kind, self.form.name))

    def file_contents(self) -> tuple[Arrays, dict[str, Any]]:
        """The arrays and manifest entries of a file."""
        return self.solver_arrays(self.form), {"game": self.game, "players": self.players}

    def _cached(self, key: Any, compute: Callable[[], Any]) -> Any:
        """A value that is computed once, as long as there are not too many."""
        values: dict[Any, Any] = self.__dict__.setdefault("_values", {})
        if key not in values:
            if len(values) >= MOST_CACHED:
                values.clear()
            values[key] = compute()
        return values[key]

    @property
    @abstractmethod
    def root(self) -> Any:
        """The root node, to browse from."""

    def root_in(self, form: Any) -> Any:
        return self.root

    def at(self, *moves: str) -> Any:
        """The node after some moves: actions ("bet 75", "call") and cards ("Td")."""
        return self.root.at(*moves)


SlotFinder = Callable[[Any, Any, int, str], int | None]  # (game, state, seat, action); None if there is no such slot


@dataclass(frozen=True)
class StrategyNames:
    """The names of a strategy that its form does not provide."""

    seats: tuple[str, str] = ("player 0", "player 1")
    locks: Sequence[Lock] = ()
    threads: int = 1
    money: str = ""  # the unit of EV and of sizes, unless it is chips


def _packed_arrays(form: Form, storage: str) -> dict[str, tuple[int, Any]]:
    """The lengths and types of the arrays of a packed profile."""
    return {name: (len(array), array.dtype) for name, array in form.pack(form.uniform()).items()}


@dataclass(frozen=True)
class StrategyKind:
    """How the strategies of one form are named and stored in a file."""

    named: Callable[[Any, Arrays, StrategyNames], FormStrategy]  # (form, a solver's arrays, names)
    stored: Callable[[Any, str], Mapping[str, tuple[int, Any]]] = _packed_arrays  # (form, storage) -> sizes and types
    max_entry: float = 1.0  # the largest allowed number in the arrays
    agent: str = "strategy"  # the agent that plays a file
    check_size: Callable[[Problem, SuitIsomorphism, str, Arrays, Path | str], None] | None = None  # before building
    alone: Callable[[Any, Arrays, StrategyNames, Path | str], FormStrategy] | None = None  # reads a strategy-only file
    problem: Callable[[Any, Mapping[str, Any], Path | str], Problem] | None = None  # (game, manifest, path)
    profile_of: Callable[..., np.ndarray] | None = None  # (policy, game, form, *, player): queries every decision
    betting_profile: Callable[[Any, Any], np.ndarray] | None = None  # (policy that ignores cards, form)
    written: Callable[[Mapping[Any, Any], Any], np.ndarray] | None = None  # (probabilities by infoset, form)
    slot_finder: Callable[[Any], SlotFinder] | None = None  # (form): the offset of a hand's action in a profile
    without_form: Callable[[Arrays, Mapping[str, Any], str], FormStrategy] | None = (
        None  # opens a file without its form
    )


def kind_of(form: Any, path: Path | str = "this file") -> StrategyKind:
    """The kind of strategies of a form; BadFile for an unknown form."""
    if not isinstance(form, str) or form not in KINDS:
        raise BadFile(f"{path} holds a solution in the form {str(form)[:40]!r}, which this version does not know")
    kind = import_module(KINDS[form]).KIND
    assert isinstance(kind, StrategyKind)
    return kind


def strategy_of(form: Form, arrays: Arrays, naming: StrategyNames) -> FormStrategy:
    """A solver's arrays as a strategy with the names of its form."""
    return kind_of(form.kind).named(form, arrays, naming)


def agent_of(form: Any) -> str:
    """The name of the agent that plays files of a form."""
    return kind_of(form).agent if isinstance(form, str) and form in KINDS else StrategyKind.agent


def profile_in(policy: Policy, game: Any, form: Form, *, player: int | None = None) -> np.ndarray:
    """A policy as a profile of a form, or only one player's part with the others uniform.  # [A]

    BadSetting if the policy does not know a decision, or if the form does not support this.
    """
    own = stored_profile(policy, form)
    if own is not None:
        return own
    kind = kind_of(form.kind)
    query = kind.profile_of
    if query is None and kind.betting_profile is not None and ignores_cards(policy):
        return kind.betting_profile(policy, form)
    if query is None:
        raise BadSetting(f"agents cannot be measured in the {form.kind} form; the sequence and public forms take them")
    return query(policy, game, form, player=player)


def stored_profile(policy: Any, form: Form) -> np.ndarray | None:
    """The numbers of a strategy that a form stores in the same way; None for any other policy.  # [A]"""
    own = policy.profile_in(form) if has_profiles(policy) else None
    return None if own is None else np.asarray(own)


def written_profile(table: Mapping[Any, Any], form: Form) -> np.ndarray:
    """A dict, as `Strategy.from_dict` takes it, as a profile; BadSetting unless the form names infosets.  # [A]"""
    write = kind_of(form.kind).written
    if write is None:
        raise BadSetting(
            f"a dict names infosets of the sequence form, and this is the {form.kind} form; give a solution, a policy "
            "or an agent"
        )
    return write(table, form)


def can_query(policy: Policy, form: Form) -> bool:
    """Whether `profile_in` knows how a policy plays a form."""
    kind = kind_of(form.kind)
    by_betting = kind.betting_profile is not None and ignores_cards(policy)
    return kind.profile_of is not None or by_betting or stored_profile(policy, form) is not None


def queryable_forms() -> tuple[str, ...]:
    """The kinds of forms in which any policy can be queried at every decision."""
    return tuple(name for name in KINDS if kind_of(name).profile_of is not None)
