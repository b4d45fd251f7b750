"""How large a game's tree is before it is built, and whether it fits.

The size is what the game itself says (an optional method `node_count`), or Knuth's estimate: a random walk to the end
of the game, choosing uniformly, multiplies the branching on its way, and the mean of those products is the number of
nodes (Knuth, "Estimating the efficiency of backtrack programs", 1975). It is unbiased but spread, so a tree is refused
on the estimate only when it is too large by its lower confidence bound; the builder itself stops at the limit.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.games.game import CHANCE, TERMINAL, Game

WALKS = 400
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
    sizes = np.array([_walk(game, rng) for _ in range(walks)])  # [walk, 2] nodes, terminals
    nodes, terminals = sizes.mean(axis=0)
    error = float(sizes[:, 0].std(ddof=1) / math.sqrt(walks)) if walks > 1 else nodes
    return Forecast(float(nodes), error, float(terminals), float(nodes) * node_bytes(game.players))


def _walk(game: Game, rng: np.random.Generator) -> tuple[float, float]:
    state, width, nodes = game.root(), 1.0, 1.0
    for _ in range(DEEPEST):
        actor = game.player(state)
        if actor == TERMINAL:
            return nodes, width
        moves = [move for move, _ in game.outcomes(state)] if actor == CHANCE else list(game.actions(state))
        width *= len(moves)
        nodes += width
        state = game.child(state, moves[int(rng.integers(len(moves)))])
    raise TooLarge(f"{game.name} has not ended after {DEEPEST:,} moves: a game must be finite to be laid out as a tree")


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
