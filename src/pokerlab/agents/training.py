"""Train the weights that ship with some agents again, with seed 0: `python -m pokerlab.agents.training NAME ...`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import numpy as np

from pokerlab.agents.library import azure_sky, dcubot, lucky7, mccurley
from pokerlab.agents.parts.self_play import ship
from pokerlab.errors import UnknownName

TRAINERS: dict[str, Callable[[int], Mapping[str, np.ndarray]]] = {
    "azure-sky": azure_sky.train,
    "dcubot": dcubot.train,
    "lucky7": lucky7.train,
    "mccurley": mccurley.train,
}


def main(names: list[str]) -> None:
    """Write the files of these agents, or of all."""
    for name in names or list(TRAINERS):
        if name not in TRAINERS:
            raise UnknownName(f"no weights ship with {name!r}; there are some of {', '.join(TRAINERS)}")
        ship(name, TRAINERS[name])


if __name__ == "__main__":
    main(sys.argv[1:])
