"""What an algorithm is: a name with settings, what it asks of a game, and a solver for a tree.

Each file solvers/library/NAME.py defines `algorithm(**settings) -> Algorithm`. An algorithm is a value; the solver
that it makes for a tree is what runs (see run.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from pokerlab import registry
from pokerlab.errors import BadGame, PokerlabError
from pokerlab.solvers.run import Solver
from pokerlab.solvers.schedule import Schedule
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.sequence import SequenceForm, sequence_form


class TreeSolver(Solver, Protocol):
    """A solver of a tree: besides what the run loop needs, it knows its form and gives its profile of strategies."""

    @property
    def form(self) -> SequenceForm:
        """What it solves."""
        ...

    @property
    def nodes_touched(self) -> int:
        """How many histories have been visited so far."""
        ...

    def profile(self) -> np.ndarray:
        """The solution as it stands: the probability of each action of each infoset.  # [A]"""
        ...


@dataclass(frozen=True)
class Algorithm:
    """A way to solve a game. `solver(tree, seed=...)` checks that the game suits it and starts it there."""

    name: str
    make: Callable[[SequenceForm, int], TreeSolver]  # (form, seed)
    settings: Mapping[str, Any] = field(default_factory=dict)
    schedule: Schedule | None = None  # of the CFR family: what the other engines run too
    two_player_zero_sum: bool = False  # needs it
    random: bool = False  # whether the seed matters

    @property
    def spec(self) -> str:
        """The name with its settings, as the registry reads it: "dcfr(alpha=1.5)"."""
        inside = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"{self.name}({inside})" if inside else self.name

    def solver(self, tree: HistoryTree | SequenceForm, *, seed: int = 0) -> TreeSolver:
        """A solver of this tree at its start; BadGame when the game is not of the kind that the algorithm needs."""
        form = sequence_form(tree)
        if self.two_player_zero_sum and not (form.players == 2 and form.tree.is_zero_sum):
            count = f"{form.players} player{'' if form.players == 1 else 's'}"
            why = f"has {count}" if form.players != 2 else "is not zero-sum"
            raise BadGame(
                f"{self.name} solves two-player zero-sum games, and {form.tree.game} {why}; "
                "algorithms of the CFR family and fictitious play take any game"
            )
        return self.make(form, seed)


def short_spec(spec: str) -> str:
    """An algorithm's name with those settings that are not its own.

    >>> short_spec("dcfr(alpha=1.5, gamma=3.0)"), short_spec("lp(method='pdlp')")
    ('dcfr(gamma=3.0)', 'lp(method=pdlp)')
    """
    try:
        made = registry.load("algorithms", spec)
        usual = registry.load("algorithms", made.name).settings
    except PokerlabError:  # of a file that another version wrote
        return spec
    chosen = [f"{name}={value}" for name, value in made.settings.items() if usual.get(name) != value]
    return f"{made.name}({', '.join(chosen)})" if chosen else str(made.name)
