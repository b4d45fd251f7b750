"""Assessments of a strategy: the players' beliefs at each infoset, and whether they could do better there.

A Nash equilibrium says nothing about infosets that it never reaches. A sequential equilibrium plays well there, too,
under beliefs that are consistent with it (Kreps and Wilson, "Sequential equilibria", 1982).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.game import Game
from pokerlab.lab.analyse.responding import StrategyWeights, histories_of, play_in
from pokerlab.solvers.analysis.beliefs import (
    NEVER,
    Beliefs,
    Consistency,
    check_accidents,
    cleaned,
    consistency,
    limit_beliefs,
)
from pokerlab.solvers.analysis.rationality import Rationality, rationality
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.forms.sequence import SEQUENCE, Key, Strategy, named
from pokerlab.tables import frame, write_csv
from pokerlab.tree.sequence import SequenceForm

OF_THE_STAKES = 1e-3  # default tolerance, as a fraction of the largest payoff
COLUMNS = (
    "player infoset reach accidents value loss one_shot_loss action probability action_value better beliefs".split()
)


@dataclass(frozen=True)
class AssessedInfoset:
    """One infoset: the player, the strategy, the beliefs, and the possible gain."""

    player: int
    infoset: str
    reach: float  # reach probability; 0 off the path of play
    accidents: int  # number of zero-probability actions needed to get there
    value: float  # of the strategy to the player, given the infoset
    loss: float  # gain of the best play from there on
    one_shot_loss: float  # gain of the best single deviation there
    better: str  # the action of the best play
    actions: Mapping[str, float]  # the strategy
    action_values: Mapping[str, float]  # value of each action, followed by the strategy
    beliefs: Mapping[str, float]  # by history
    belief_distance: float  # from Bayes' rule at the end of the completely mixed sequence

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: dict(value) if isinstance(value, Mapping) else value for name, value in vars(self).items()}


@dataclass(frozen=True, eq=False)
class Assessment:
    """A strategy of all players with beliefs, tested for sequential equilibrium."""

    form: SequenceForm
    strategy: Strategy  # with rounding noise removed
    beliefs: Beliefs
    verdict: Rationality
    consistency: Consistency
    tolerance: float  # the smallest loss that counts

    def __repr__(self) -> str:
        return (
            f"<Assessment of {self.strategy.game}: {len(self.irrational)} of {len(self.strategy)} infosets lose more "
            f"than {self.tolerance:.3g}, the most {self.largest_loss:.3g}>"
        )

    @cached_property
    def irrational(self) -> list[int]:
        """The numbers of the infosets with a profitable deviation, the largest loss first."""
        order = np.argsort(-self.verdict.loss, kind="stable")
        return [int(index) for index in order if self.verdict.loss[index] > self.tolerance]

    @property
    def off_path(self) -> np.ndarray:
        """Whether play never reaches each infoset.  # [I]"""
        return np.asarray(self.beliefs.reach == 0)

    @property
    def largest_loss(self) -> float:
        """The largest loss at any infoset."""
        return float(self.verdict.loss.max(initial=0.0))

    @property
    def is_rational(self) -> bool:
        """Whether it is sequentially rational: no profitable deviation anywhere, within the tolerance."""
        return not self.irrational

    @property
    def is_consistent(self) -> bool:
        """Whether the beliefs are the limit of Bayes' rule along the completely mixed sequence."""
        return not len(self.consistency.fails())

    def __getitem__(self, key: Key) -> AssessedInfoset:
        return self.at(self.strategy.index(key))

    def at(self, index: int) -> AssessedInfoset:
        """An infoset by its number."""
        strategy, verdict = self.strategy, self.verdict
        actions, slots = strategy.actions[index], slice(strategy.start[index], strategy.start[index + 1])
        return AssessedInfoset(
            player=int(strategy.player[index]),
            infoset=strategy.infosets[index],
            reach=float(self.beliefs.reach[index]),
            accidents=int(self.beliefs.accidents[index]),
            value=float(verdict.value[index]),
            loss=float(verdict.loss[index]),
            one_shot_loss=float(verdict.one_shot[index]),
            better=actions[int(verdict.better[index] - strategy.start[index])],
            actions=dict(zip(actions, strategy.probability[slots].tolist(), strict=True)),
            action_values=dict(zip(actions, verdict.action_value[slots].tolist(), strict=True)),
            beliefs=self.beliefs.of(index),
            belief_distance=float(self.consistency.distance[-1][index]),
        )

    def places(self, *, player: int | None = None, match: str = "", every: bool = False) -> Iterator[AssessedInfoset]:
        """Infosets with a profitable deviation, or all, of one player or of all; the largest loss first."""
        if player is not None and not 0 <= player < self.form.players:
            raise BadSetting(f"{self.form.name} has players 0 to {self.form.players - 1}, not {player}")
        order = np.argsort(-self.verdict.loss, kind="stable").tolist() if every else self.irrational
        for index in order:
            if match in self.strategy.infosets[index] and player in (None, int(self.strategy.player[index])):
                yield self.at(index)

    def rows(self, places: Iterator[AssessedInfoset] | None = None) -> Iterator[tuple[Any, ...]]:
        """A row for each action of each infoset, by COLUMNS; default: all infosets."""
        for place in self.places(every=True) if places is None else places:
            facts = [getattr(place, name) for name in COLUMNS[:7]]
            believed = "; ".join(f"{history}: {share:.6g}" for history, share in place.beliefs.items())
            for action, chance in place.actions.items():
                yield (*facts, action, chance, place.action_values[action], action == place.better, believed)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each action of each infoset."""
        rows = list(self.rows())
        return frame({name: [row[place] for row in rows] for place, name in enumerate(COLUMNS)})

    def write(self, path: Path, places: Iterator[AssessedInfoset] | None = None) -> int:
        """Write the same rows to a CSV file; return their number."""
        return write_csv(path, COLUMNS, self.rows(places))

    def as_dict(self) -> dict[str, Any]:
        """The verdicts, for JSON."""
        loss, off = self.verdict.loss, self.off_path
        return {
            "game": self.strategy.game,
            "players": self.form.players,
            "infosets": len(self.strategy),
            "off_path": int(off.sum()),
            "tolerance": self.tolerance,
            "sequentially_rational": self.is_rational,
            "irrational": len(self.irrational),
            "irrational_off_path": int(off[self.irrational].sum()),
            "largest_loss": self.largest_loss,
            "largest_loss_on_path": float(loss[~off].max(initial=0.0)),
            "consistent": self.is_consistent,
            "trembles": list(self.consistency.trembles),
            "belief_distances": self.consistency.largest,
        }


def assess(
    game: str | Game | SequenceForm,
    strategy: StrategyWeights,
    *,
    beliefs: Mapping[Key, Mapping[str, float]] | None = None,
    accidents: StrategyWeights | None = None,
    tolerance: float | None = None,
    never: float = NEVER,
) -> Assessment:
    """Assess a strategy of all players: what they believe at every infoset, and what they lose there.

    - game: by name, a game, or its sequence form
    - strategy: anything that `best_response` takes
    - beliefs: {"infoset": {"moves to a history": probability}}, instead of the limits of trembles
    - accidents: the action probabilities of trembles off the path of play, positive for every action that the strategy
      does not take; uniform by default
    - tolerance: losses up to this do not count; by default a thousandth of the largest payoff
    - never: actions less likely than this count as not taken
    """
    play = play_in(game, strategy, kinds=(SEQUENCE,))
    shaken = None if accidents is None else play_in(play.form, accidents).profile
    form: Any = play.form
    return assessed(form, play.profile, beliefs=beliefs, accidents=shaken, tolerance=tolerance, never=never)


def assess_solution(solution: Solution, *, tolerance: float | None = None, never: float = NEVER) -> Assessment:
    """Assess a saved solution of any form; TooLarge if the histories of its game do not fit in memory."""
    if solution.spot is not None:
        raise BadSetting("beliefs are computed for games, history by history, and this is the solution of a spot")
    return assessed(*histories_of(solution), tolerance=tolerance, never=never)


def assessed(
    form: SequenceForm,
    profile: np.ndarray,
    *,
    beliefs: Mapping[Key, Mapping[str, float]] | None = None,
    accidents: np.ndarray | None = None,
    tolerance: float | None = None,
    never: float = NEVER,
) -> Assessment:
    """Assess a profile by slot.  # [A]"""
    if tolerance is not None and not tolerance >= 0:
        raise BadSetting(f"tolerance must be at least 0, not {tolerance}")
    kept = cleaned(form, form.check(profile), never=never)
    if accidents is not None:
        accidents = check_accidents(form, kept, accidents)
    strategy, believed = named(form, kept), limit_beliefs(form.tree, kept, accidents)
    if beliefs is not None:
        believed = believed.believing({strategy.index(key): shares for key, shares in beliefs.items()})
    return Assessment(
        form=form,
        strategy=strategy,
        beliefs=believed,
        verdict=rationality(form, kept, believed),
        consistency=consistency(believed, kept, accidents=accidents),
        tolerance=OF_THE_STAKES * form.max_abs_payoff if tolerance is None else tolerance,
    )
