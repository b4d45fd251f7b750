"""Which of the mutants in a copy of the package is on, and which are reached; bench/mutants.py copies this file."""

import builtins
import os
from contextlib import suppress


class Switch:
    """Called wherever a mutant is: whether it is on."""

    def __init__(self) -> None:
        self.on = int(os.environ.get("POKERLAB_MUTANT", "-1"))
        self.reached: set[int] = set()

    def __call__(self, number: int) -> bool:
        if number not in self.reached:
            self.reached.add(number)
            path = os.environ.get("POKERLAB_REACHED")
            if path:
                with suppress(OSError), open(path, "a", encoding="ascii") as file:  # some tests leave no room
                    file.write(f"{number}\n")
        return number == self.on


if not hasattr(builtins, "__mutant__"):  # pytest imports this file for doctests, too
    builtins.__mutant__ = Switch()  # type: ignore[attr-defined]
