"""A solved game or spot: the strategies, their measured distance from equilibrium, and what resuming needs.

There is one kind of solution for all forms, and one kind of file (see store.py). It stores the game or spot, the form,
the algorithm, seed, version, iterations and exploitability, and either the solver's whole state, so that a resumed run
gives exactly the same result, or only the strategy, far smaller, with its own exploitability.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import store
from pokerlab.errors import BadSetting
from pokerlab.formats.game_file import GameFile, check_saved
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import settings_of
from pokerlab.games.game import Game
from pokerlab.games.spot.spot import Spot
from pokerlab.notebook_display import NotebookDisplay
from pokerlab.solvers.core.algorithm import short_spec
from pokerlab.solvers.core.curve import Curve, CurvePoint, curve_columns
from pokerlab.strategy.files.table import strategy_columns
from pokerlab.strategy.forms.kinds import StrategyNames
from pokerlab.strategy.lock import Lock, lock_settings
from pokerlab.strategy.views.hands import number_or_none
from pokerlab.tables import frame
from pokerlab.tree.form import Form, build_form
from pokerlab.tree.form import kind_of as form_kind
from pokerlab.tree.measure import Measure

KIND = "solution"
FULL, STRATEGY = "full", "strategy"  # what a file stores: the solver's state too, or only the strategy
RUN_FACTS = "form keeps algorithm seed iterations seconds setup_seconds stopped nodes_touched".split()
SEATS_OF_A_SPOT = ("out of position", "in position")


@dataclass(frozen=True, eq=False, repr=False)
class Solution(NotebookDisplay):
    """The result of a run, and its measured distance from equilibrium."""

    strategy: Any  # strategy.kinds.FormStrategy
    form: str  # "sequence", "public", "classes" or "bucketed": the form that was solved
    algorithm: str  # with its settings
    seed: int
    iterations: int
    seconds: float
    measure: Measure
    stopped: str  # why the run ended
    pot: float  # reference for exploitability in percent
    nodes_touched: int = 0
    curve: Curve = field(default_factory=list)
    state: Mapping[str, np.ndarray] = field(default_factory=dict)  # of the solver, for resuming
    zero_sum: bool = True  # whether the game is zero-sum
    setup_seconds: float = 0.0  # for building the form and compiling, not included in `seconds`
    game_file: GameFile | None = None  # for a game read from a file
    spot: Spot | None = None  # if a spot was solved instead of a game
    locks: tuple[Lock, ...] = ()
    storage: str = "float32"  # of the solver's state
    folded: bool = True  # whether suit-isomorphic boards may be merged, as far as locks allow
    built: Form | None = None  # the form, if already built; for a file it is built on demand

    def __repr__(self) -> str:
        how = f"{self.algorithm_text}, {self.iterations:,} iterations"
        numbers = f"exploitability {self.exploitability:.3g}, value {self.value:.6g}"
        if not self.measure.is_known:
            numbers = "too large to be measured"
        if self.spot is not None:
            ev = " / ".join(f"{value:.3f}" for value in self.values)
            numbers = f"EV {ev}, exploitability {self.exploitability_percent:.3g} % of the pot"
        return f"<Solution of {self.game} by {how}: {numbers}>"

    @property
    def game(self) -> str:
        """The game's name with its settings; "spot" for a spot."""
        return str(self.strategy.game)

    @property
    def algorithm_text(self) -> str:
        """The algorithm with the settings that differ from their defaults: "dcfr", "lp(method=pdlp)"."""
        return short_spec(self.algorithm)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Lower and upper bound on player 0's value; None unless the game is two-player zero-sum."""
        known = self.measure.is_known and self.zero_sum and len(self.measure.values) == 2
        return self.measure.bounds if known else None

    @property
    def value(self) -> float:
        """Player 0's expected value."""
        return self.measure.values[0]

    @property
    def values(self) -> tuple[float, ...]:
        """Each player's expected value; for a spot in chips won from the pot, so that without rake they sum to it."""
        if self.spot is None:
            return self.measure.values
        return tuple(self.spot.value_in_pot(value) for value in self.measure.values)

    @property
    def exploitability(self) -> float:
        """The average gain of best responses over players."""
        return self.measure.exploitability

    @property
    def exploitability_percent(self) -> float:
        """Exploitability in percent of the starting pot."""
        percent = 100 * self.exploitability / self.pot
        return 0.0 if percent < 0 else percent  # negative only by rounding

    @property
    def nash_conv(self) -> float:
        """The sum of the gains of best responses over players."""
        return self.measure.nash_conv

    # ---- browsing --------------------------------------------------------------------------------------------------

    @cached_property
    def root(self) -> Any:
        """The root node of the game or spot."""
        return self.strategy.root_in(self.built_form())

    def at(self, *moves: str) -> Any:
        """The node after some moves: actions ("bet 75", "call", "r") and public cards ("Td")."""
        return self.root.at(*moves)

    def action_values(self, view: Any) -> dict[str, float]:
        """EV of each action for the hand of a table view, if all play this solution afterwards; empty if unknown.

        Only differences between actions have a meaning. NaN if the opponents' strategies never lead there.
        """
        return dict(self.root.values_for(view))

    def best_response(self, player: int) -> Solution:
        """This solution with one player replaced by a best response to the others."""
        if not 0 <= player < self.strategy.players:
            raise BadSetting(f"{self.game} has players 0 to {self.strategy.players - 1}, not {player}")
        form = self.built_form()
        strategy = self.strategy.with_best_response(player, form)
        return replace(self, strategy=strategy, measure=strategy.measure_in(form), stopped="best response", state={})

    @property
    def keeps(self) -> str:
        """What it contains, "full" or "strategy": whether it can be resumed."""
        return FULL if self.state else STRATEGY

    def strategy_only(self) -> Solution:
        """The strategy without the solver's state, rounded as its file stores it, and measured as such."""
        strategy = self.strategy.strategy_only()
        if strategy is self.strategy:
            return replace(self, state={})
        measure: Measure = strategy.measure_in(self.built_form())
        curve = list(self.curve)
        if curve and curve[-1].iterations == self.iterations:  # its last point describes the saved strategy
            values = measure.values if curve[-1].values else ()
            curve[-1] = curve[-1]._replace(exploitability=measure.exploitability, values=values)
        return replace(self, strategy=strategy, measure=measure, state={}, curve=curve)

    def to_pandas(self, *, player: int | None = None) -> Any:
        """A DataFrame of the strategy, of one player or of all, with a row for each action of each infoset.

        `reach` is the player's own reach probability. In the public form, hand, board and moves have their own columns,
        and suit-isomorphic boards appear once.
        """
        return frame(strategy_columns(self.strategy, player=player))

    def convergence(self) -> Any:
        """A DataFrame of the curve, with a row for each measurement of the run."""
        return frame(curve_columns(self.curve, players=self.strategy.players))

    def open_game(self) -> Game:
        """The solved game; BadFile if its file has changed or is missing, or is code that was not run then."""
        if self.spot is not None:
            raise BadSetting("this is the solution of a spot, not of a game")
        check_saved(self.game, self.game_file)
        return open_game(self.game)

    def built_form(self) -> Any:
        """The form; BadFile, before it is fully built, if a strategy by infosets belongs to a smaller game."""
        if self.built is not None:
            return self.built
        return build_form(self.open_game(), self.form, most_infosets=len(self.strategy))

    def laid_out(self) -> Any:
        """The earlier name of `built_form`."""
        return self.built_form()

    # ---- files -----------------------------------------------------------------------------------------------------

    def save(self, path: Path | str) -> Path:
        """Write the solution to one file."""
        if not self.state and self.strategy.strategy_only() is not self.strategy:
            return self.strategy_only().save(path)
        arrays, words = self.strategy.file_contents()
        if self.spot is not None:
            words |= {"spot": settings_of(self.spot), "locks": [lock_settings(lock) for lock in self.locks]}
        if form_kind(self.form).in_state:
            words |= {"storage": self.storage}
        if not self.folded:
            words |= {"folded": False}
        words |= self._run_facts() | {
            "zero_sum": self.zero_sum,
            "game_file": None if self.game_file is None else asdict(self.game_file),
            "pot": self.pot,
            "curve_columns": list(CurvePoint._fields),
            "curve": [list(point) for point in self.curve],
        }
        state = {f"state.{name}": array for name, array in self.state.items()}
        return store.save(path, arrays | state, kind=KIND, **words)

    def _run_facts(self) -> dict[str, Any]:
        """What a file and a summary state about the run."""
        return {name: getattr(self, name) for name in RUN_FACTS} | self._distance()

    def _distance(self) -> dict[str, Any]:
        """The measured values; None for each if the game is too large to measure."""
        measure = self.measure
        numbers = {
            "values": list(measure.values),
            "best_responses": list(measure.best_responses),
            "exploitability": measure.exploitability,
            "nash_conv": measure.nash_conv,
        }
        return numbers if measure.is_known else dict.fromkeys(numbers)

    def summary(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        result = (
            {"game": self.game}
            | self._run_facts()
            | {
                "players": self.strategy.players,
                "value": number_or_none(self.value),
                "exploitability_percent": number_or_none(self.exploitability_percent),
                "epsilon": number_or_none(self.measure.epsilon),
                "infosets": len(self.strategy),
                "bounds": None if self.bounds is None else list(self.bounds),
                **self.strategy.details(),
            }
        )
        if self.spot is None:
            return result
        board, pot, stack = settings_of(self.spot)["board"], self.spot.pot, self.spot.stack
        of_spot = {"board": board, "pot": pot, "stack": stack, "unit": self.spot.money, "ev": list(self.values)}
        of_spot["storage"] = self.storage
        return result | of_spot | {"root": self.root.summary()}


def naming_of(spot: Spot | None, locks: tuple[Lock, ...] = (), *, threads: int = 1) -> StrategyNames:
    """The names for the strategies of a game, or of a spot with its locks."""
    if spot is None:
        return StrategyNames(locks=locks, threads=threads)
    return StrategyNames(SEATS_OF_A_SPOT, locks, threads, "bb" if spot.in_big_blinds else "")
