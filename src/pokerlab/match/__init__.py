"""Agents against each other: referee, duplicate matches, tournaments, statistics, protocols, hand histories.

`pokerlab.match(["formula", "rules"], hands=1000)` plays a match. This package has the same name as that function, so
the package itself can be called; the function is `match` of lab/play/playing.py.
"""

import sys
from importlib import import_module
from inspect import Signature, signature
from types import ModuleType
from typing import Any


class _CallableMatch(ModuleType):
    # this package, called as the function `pokerlab.match` and with its help

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return f"{self.__dict__['__doc__']}\nmatch{signature(_function())}\n\n{_function().__doc__}"

    def __call__(self, *agents: Any, **settings: Any) -> Any:
        return _function()(*agents, **settings)

    @property
    def __signature__(self) -> Signature:
        return signature(_function())


def _function() -> Any:
    return import_module("pokerlab.lab.play.playing").match


sys.modules[__name__].__class__ = _CallableMatch
