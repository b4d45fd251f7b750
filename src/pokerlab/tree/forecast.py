"""How large a game's tree is before it is built, and whether it fits.

The size is what the game itself says (an optional method `node_count`), or Knuth's estimate: a random walk to the end
of the game multiplies the branching on its way, and the mean of those products is the number of nodes (Knuth,
"Estimating the efficiency of backtrack programs", 1975). It is unbiased but spread, so a tree is refused on the
estimate only when it is too large by its lower confidence bound; the builder itself stops at the limit.
"""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.games.game import CHANCE, TERMINAL, Game

WALKS = 400
FEWEST_WALKS = 3  # however long they take
MOST_SECONDS = 1.0  # after which no further walk begins
DEEPEST = 5_000  # a walk longer than this is taken for a game without end
MOST_NODES = 2**31 - 1  # nodes are numbered in 32 bits


@dataclass(frozen=True)
class Forecast:
    """The size of a tree: nodes with their standard error (0: exact), terminals, infosets where known, and bytes."""

    nodes: float
    error: float
    terminals: float
    bytes: float

    def text(self) -> str:
        """As people read it: "about 3.1 billion nodes, 71 GB"."""
        about = "about " if self.error else ""
        return f"{about}{count_text(self.nodes)} nodes, {bytes_text(self.bytes)}"


def count_text(count: float) -> str:
    """A count in words of three digits.

    >>> count_text(9451), count_text(3.1e9), count_text(6.3e164)
    ('9,451', '3.1 billion', '6.3e+164')
    """
    if count < 1e6:
        return f"{round(count):,}"
    if count < 1e15:
        power = min(int(math.log10(count)) // 3, 4)
        return f"{count / 10 ** (3 * power):.3g} {['', 'thousand', 'million', 'billion', 'trillion'][power]}"
    return f"{count:.3g}"


def bytes_text(count: float) -> str:
    """A number of bytes with its unit.

    >>> bytes_text(3.2e9), bytes_text(512)
    ('3.2 GB', '512 B')
    """
    for unit, size in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{round(count)} B"


def node_bytes(players: int) -> float:
    """Bytes of one node: its arrays, and the row of a terminal for each, which most nodes are."""
    return 27 + 8 * players


def available_memory() -> float:
    """Bytes that this process may still take, as far as the system tells."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return float(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * float(os.sysconf("SC_PHYS_PAGES")) / 2
    except (AttributeError, ValueError, OSError):
        return 4e9


def forecast(game: Game, *, walks: int = WALKS) -> Forecast:
    """The size of the game's tree, exact where the game tells it, else estimated by random walks."""
    told = getattr(game, "node_count", None)
    if told is not None:
        nodes = float(told())
        return Forecast(nodes, 0.0, nodes / 2, nodes * node_bytes(game.players))
    rng = np.random.default_rng(0)
    found: list[tuple[float, float]] = []
    began = time.perf_counter()
    while len(found) < walks and (len(found) < FEWEST_WALKS or time.perf_counter() - began < MOST_SECONDS):
        found.append(_walk(game, rng))
    sizes = np.array(found)  # [walk, 2] nodes, terminals
    nodes, terminals = sizes.mean(axis=0)
    error = float(sizes[:, 0].std(ddof=1) / math.sqrt(len(sizes)))
    return Forecast(float(nodes), error, float(terminals), float(nodes) * node_bytes(game.players))


def _walk(game: Game, rng: np.random.Generator) -> tuple[float, float]:
    """Nodes and terminals as one walk sees them: ends of the game are counted in passing, never walked into."""
    state, width, nodes, terminals = game.root(), 1.0, 1.0, 0.0
    if game.player(state) == TERMINAL:
        return 1.0, 1.0
    for _ in range(DEEPEST):
        if game.player(state) == CHANCE:
            state, count = _dealt(game, state, rng)
            width *= count
            nodes += width
            if game.player(state) == TERMINAL:
                return nodes, terminals + width
            continue
        children = [game.child(state, move) for move in game.actions(state)]
        going_on = [child for child in children if game.player(child) != TERMINAL]
        nodes += width * len(children)
        terminals += width * (len(children) - len(going_on))
        if not going_on:
            return nodes, terminals
        width *= len(going_on)
        state = going_on[int(rng.integers(len(going_on)))]
    raise TooLarge(f"{game.name} has not ended after {DEEPEST:,} moves: a game must be finite to be laid out as a tree")


def _dealt(game: Game, state: Any, rng: np.random.Generator) -> tuple[Any, int]:
    """The state after one outcome of chance, and how many there are; drawn without listing them where a game can."""
    count = outcome_count(game, state)
    if count is not None and hasattr(game, "sample"):
        return game.child(state, game.sample(state, rng)), count
    outcomes = game.outcomes(state)
    return game.child(state, outcomes[int(rng.integers(len(outcomes)))][0]), len(outcomes)


def outcome_count(game: Game, state: Any) -> int | None:
    """How many outcomes chance has, where the game tells it without listing them (an optional `outcome_count`)."""
    counter = getattr(game, "outcome_count", None)
    return None if counter is None else int(counter(state))


def check_fits(game: Game, size: Forecast, *, memory_limit: float) -> None:
    """Refuse a tree that is surely too large, with its size and what would fit."""
    surely = max(size.nodes - 2 * size.error, size.nodes / 20)
    if surely * node_bytes(game.players) > memory_limit or surely > MOST_NODES:
        raise TooLarge(too_large_text(game, size.text(), memory_limit))


def too_large_text(game: Game, size: str, memory_limit: float) -> str:
    """The sentence of a refusal."""
    return (
        f"the tree of {game.name} is too large to lay out: {size}, where {bytes_text(memory_limit)} may be used; "
        "choose smaller settings (fewer cards, raises or rounds), or a form made for large poker games"
    )
