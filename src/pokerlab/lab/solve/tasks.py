"""What to solve: a game, or a spot with its locks, from a name, a file, a table of settings or an object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab import store
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import is_spot_file, open_game
from pokerlab.formats.spot_file import read_file, spot_from, warn_doubtful_sizes
from pokerlab.games.game import Game
from pokerlab.games.spot.spot import Spot
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.strategy.lock import Lock, isomorphism_of, lock_from
from pokerlab.tree.form import Problem, SuitIsomorphism


@dataclass(frozen=True, eq=False)
class Task:
    """What to solve: a game, or a spot with its locks."""

    problem: Problem | None  # None if the caller gave a form that was already built
    locks: tuple[Lock, ...] = ()
    title: str = ""  # of such a form

    @property
    def spot(self) -> Spot | None:
        """The spot, if it is one."""
        return self.problem if isinstance(self.problem, Spot) else None

    @property
    def name(self) -> str:
        """The name of the game, or "spot"."""
        if self.problem is None:
            return self.title
        return "spot" if isinstance(self.problem, Spot) else self.problem.name

    @property
    def isomorphism(self) -> SuitIsomorphism:
        """The suit isomorphism that the locks allow."""
        return isomorphism_of(self.locks)


def open_task(problem: str | Path | Game | Spot | Mapping[str, Any] | Task, locks: Sequence[Lock] = ()) -> Task:
    """Open what to solve: a game's name or file, a spot's TOML file or table of settings, or the object itself."""
    if isinstance(problem, Task):
        return Task(problem.problem, (*problem.locks, *locks))
    if isinstance(problem, Spot):
        return Task(problem, tuple(locks))
    text = str(problem).strip() if isinstance(problem, str | Path) else ""
    if text.lower().endswith(".toml") and is_spot_file(text):
        problem = read_file(text)
    if isinstance(problem, Mapping):
        task = spot_task(problem, locks)
        warn_doubtful_sizes(problem)
        return task
    if text:
        opened = open_game(text)
        if isinstance(opened, SpotGame):  # from a saved solution, whose locks are part of the problem
            kept = store.manifest_of(text)
            return spot_task({**kept["spot"], "lock": kept.get("locks", [])}, locks)
    else:
        opened = open_game(problem)
    if locks:
        raise BadSetting("locks are for spots, and this is a game")
    return Task(opened)


def spot_task(settings: Mapping[str, Any], locks: Sequence[Lock] = ()) -> Task:
    """The spot that settings define, with their locks and further ones."""
    own = settings.get("lock", [])
    if not isinstance(own, Sequence) or isinstance(own, str):
        raise BadSetting("lock is a list of tables, written [[lock]]")
    spot = spot_from({name: value for name, value in settings.items() if name != "lock"})
    return Task(spot, (*(lock_from(item) for item in own), *locks))
