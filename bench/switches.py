"""Which of the mutants in a copy of the package is on, and which are reached; bench/mutants.py copies this file."""

import builtins
import os

on = int(os.environ.get("POKERLAB_MUTANT", "-1"))
reached: set[int] = set()


def is_on(number: int) -> bool:
    if number not in reached:
        reached.add(number)
        path = os.environ.get("POKERLAB_REACHED")
        if path:
            with open(path, "a", encoding="ascii") as file:
                file.write(f"{number}\n")
    return number == on


builtins.__mutant__ = is_on  # type: ignore[attr-defined]
