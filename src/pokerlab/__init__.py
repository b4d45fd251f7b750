"""pokerlab: an open laboratory for computer poker.

Define a poker game, solve it to a measured distance from equilibrium, turn the solution into an agent, and play it
against other agents or against yourself. `pokerlab.solve("leduc", algorithm="dcfr", target=1e-3)` solves a game.
Importing this package is cheap: compiled code is loaded only when something is computed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pokerlab.version import __version__

if TYPE_CHECKING:
    from pokerlab.cards.equity import equity
    from pokerlab.cards.ranges import Range
    from pokerlab.events import Cancelled, CancelToken, Event
    from pokerlab.lab.analyse.assessing import assess
    from pokerlab.lab.analyse.exploiting import exploit
    from pokerlab.lab.analyse.responding import best_response, exploitability
    from pokerlab.lab.play.playing import match
    from pokerlab.lab.preflop.pushing import pushfold
    from pokerlab.lab.solve.comparing import compare
    from pokerlab.lab.solve.solving import resume, solve
    from pokerlab.lab.solve.training import train
    from pokerlab.lab.tournament.chip_values import icm
    from pokerlab.strategy.files.solution_file import load
    from pokerlab.strategy.forms.sequence import Strategy

__all__ = [
    "CancelToken",
    "Cancelled",
    "Event",
    "Range",
    "Strategy",
    "__version__",
    "assess",
    "best_response",
    "compare",
    "equity",
    "exploit",
    "exploitability",
    "icm",
    "load",
    "match",
    "pushfold",
    "resume",
    "solve",
    "train",
]

_HOMES = {
    "CancelToken": "pokerlab.events",
    "Cancelled": "pokerlab.events",
    "Event": "pokerlab.events",
    "Range": "pokerlab.cards.ranges",
    "Strategy": "pokerlab.strategy.forms.sequence",
    "assess": "pokerlab.lab.analyse.assessing",
    "best_response": "pokerlab.lab.analyse.responding",
    "compare": "pokerlab.lab.solve.comparing",
    "equity": "pokerlab.cards.equity",
    "exploit": "pokerlab.lab.analyse.exploiting",
    "exploitability": "pokerlab.lab.analyse.responding",
    "icm": "pokerlab.lab.tournament.chip_values",
    "load": "pokerlab.strategy.files.solution_file",
    "pushfold": "pokerlab.lab.preflop.pushing",
    "resume": "pokerlab.lab.solve.solving",
    "solve": "pokerlab.lab.solve.solving",
    "train": "pokerlab.lab.solve.training",
}


def __getattr__(name: str) -> Any:
    """Import a public name of this package on first use."""
    if name == "match":
        return import_module("pokerlab.match")  # a package and a function in one
    if name not in _HOMES:
        raise AttributeError(f"module 'pokerlab' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names, imported or not, and nothing else."""
    return sorted(__all__)
