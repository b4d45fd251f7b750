"""pokerlab: an open laboratory for computer poker.

Define a poker game, solve it to a measured distance from equilibrium, turn the solution into a player, and seat
it against other programs or against yourself. Importing this package is cheap: compiled code is loaded only when
something is computed.

`pokerlab.solve("leduc", algorithm="dcfr", target=1e-3)` solves a game (see strategy/facade.py, whose function it is);
`pokerlab.solve` is also the package of the algorithms, so that module is made callable here, above all layers.
"""

from importlib import import_module
from types import ModuleType
from typing import Any

__version__ = "0.1.0"


class _Solve(ModuleType):
    """The package of algorithms, which can also be called."""

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        return import_module("pokerlab.strategy.facade").solve(*arguments, **settings)


import_module("pokerlab.solve").__class__ = _Solve
