"""How large a game's tree is before it is built, and whether it fits.

The size is what the game itself says (an optional method `node_count`), what games/sizes.py counts, or Knuth's
estimate: a random walk to the end of the game multiplies the branching on its way, and the mean of those products is
the number of nodes (Knuth, "Estimating the efficiency of backtrack programs", 1975). It is unbiased with a large
variance, so a tree is refused only if the lower confidence bound is too large; the builder itself stops at the limit.
Memory is that of a whole run: the tree, twice while it is built, its names, the sequence form and the solver's arrays.
On trees of up to twelve million nodes it is close to the measured peak, and up to two fifths below it where poker is
built many histories at a time.
"""

from __future__ import annotations

import math
import shlex
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.games.game import CHANCE, TERMINAL, Game, check_move_count
from pokerlab.games.sizes import Size, quick_size

WALKS = 400
FEWEST_WALKS = 3  # regardless of the time they take
MOST_SECONDS = 1.0  # no further walk starts after this
DEEPEST = 5_000  # a longer walk means that the game may not end
MOST_NODES = 2**31 - 1  # nodes are numbered in 32 bits
LARGEST = 10**300  # larger numbers, which floats cannot hold, are shown as this

NODE_BYTES = 29  # of the arrays of a tree; a terminal has 8 more a player
NAME_BYTES = 250  # per infoset: its name, and its lookup table while the tree is built
SOLVER_BYTES = 40  # of a sequence: regret, average, strategy, plan and value


@dataclass(frozen=True)
class Forecast:
    """The size of a tree, and the bytes that solving it takes."""

    nodes: float
    error: float  # standard error of the nodes; 0: exact
    terminals: float
    bytes: float
    infosets: float | None = None  # of all players; None: not known, and not in the bytes

    @property
    def surely(self) -> float:
        """A lower bound on the number of nodes, as far as the estimate can be trusted."""
        return max(self.nodes - 2 * self.error, self.nodes / 20)

    def text(self) -> str:
        """As text: "about 3.1 billion nodes, 71 GB"."""
        vague = self.error > self.nodes / 2  # one walk outweighs the others, so larger ones were probably missed
        about = "at least " if vague else "about " if self.error else ""
        return f"{about}{count_text(self.nodes)} nodes, {bytes_text(self.bytes)}"


def count_text(count: float) -> str:
    """A count in words, with three digits.

    >>> count_text(9451), count_text(3.1e9), count_text(6.3e164)
    ('9,451', '3.1 billion', '6.3e164')
    """
    count = min(count, LARGEST)
    if count < 1e6:
        return f"{round(count):,}"
    if count < 1e15:
        power = min(int(math.log10(count)) // 3, 4)
        return f"{count / 10 ** (3 * power):.3g} {['', 'thousand', 'million', 'billion', 'trillion'][power]}"
    return f"{count:.3g}".replace("e+", "e")


def bytes_text(count: float) -> str:
    """A number of bytes with its unit.

    >>> bytes_text(3.2e9), bytes_text(512), bytes_text(1.26e36)
    ('3.2 GB', '512 B', '10^36 bytes')
    """
    count = min(count, LARGEST)
    if count >= 1e21:
        return f"10^{int(math.log10(count))} bytes"
    for unit, size in (("EB", 1e18), ("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{round(count)} B"


def node_bytes(players: int) -> float:
    """Bytes per node while the tree is built: its arrays and their copy, with half of the nodes terminal."""
    return 2 * (NODE_BYTES + 8 * players / 2)


def run_bytes(players: int, nodes: float, terminals: float, infosets: float = 0, sequences: float = 0) -> float:
    """Peak bytes for solving a game: layout, names, sequence form, solver."""
    tree = NODE_BYTES * nodes + 8 * players * terminals
    form = players * terminals * (4 * (players - 1) + 8) + 8 * infosets + 8 * sequences
    tracing = terminals * (4 * players + 8)
    return 2 * tree + NAME_BYTES * infosets + form + tracing + SOLVER_BYTES * sequences


def available_memory() -> float:
    """Bytes that this process may still allocate: free memory, or less if a limit was set (ulimit -v)."""
    import psutil

    available = float(psutil.virtual_memory().available)
    if sys.platform != "win32":  # it has no such limits
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            available = min(available, max(0.0, float(limit) - float(psutil.Process().memory_info().vms)))
    return available


def check_memory(needed: float, what: str, share: str) -> None:
    """TooLarge if more memory is needed than is available, with the advice to use CFR instead."""
    limit = 0.9 * available_memory()
    if needed > limit:
        raise TooLarge(
            f"{what} need {bytes_text(needed)} of memory here, more than the {bytes_text(limit)} available; "
            f"algorithms of the CFR family need {share} of it: dcfr, cfr+ ..."
        )


def forecast(game: Game, *, walks: int = WALKS) -> Forecast:
    """The size of the game's tree, exact if the game gives it or it can be counted, else estimated by random walks."""
    node_count = getattr(game, "node_count", None)
    if node_count is not None:
        nodes = float(node_count())
        return Forecast(nodes, 0.0, nodes / 2, run_bytes(game.players, nodes, nodes / 2))
    counted = quick_size(game)
    if counted is not None and counted.nodes is not None:
        return of_size(counted, game.players)
    rng = np.random.default_rng(0)
    estimates: list[tuple[float, float]] = []
    began = time.perf_counter()
    while len(estimates) < walks and (len(estimates) < FEWEST_WALKS or time.perf_counter() - began < MOST_SECONDS):
        estimates.append(_walk(game, rng))
    sizes = np.array(estimates)  # [walk, 2] nodes, terminals
    nodes, terminals = sizes.mean(axis=0)
    error = float(sizes[:, 0].std(ddof=1) / math.sqrt(len(sizes)))
    return Forecast(float(nodes), error, float(terminals), run_bytes(game.players, float(nodes), float(terminals)))


def of_size(size: Size, players: int) -> Forecast:
    """The forecast of a game of known size; the number of nodes is required."""
    assert size.nodes is not None
    nodes = float(min(size.nodes, LARGEST))
    terminals = nodes / 2 if size.terminals is None else float(min(size.terminals, LARGEST))
    infosets, pairs = (
        None if count is None else float(min(count, LARGEST)) for count in (size.infosets, size.infoset_actions)
    )
    return Forecast(nodes, 0.0, terminals, run_bytes(players, nodes, terminals, infosets or 0, pairs or 0), infosets)


def _walk(game: Game, rng: np.random.Generator) -> tuple[float, float]:
    """Nodes and terminals as one walk estimates them: terminal nodes are counted in passing, never walked into."""
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
        actions = game.actions(state)
        check_move_count(game, actions)
        children = [game.child(state, move) for move in actions]
        going_on = [child for child in children if game.player(child) != TERMINAL]
        nodes += width * len(children)
        terminals += width * (len(children) - len(going_on))
        if not going_on:
            return nodes, terminals
        width *= len(going_on)
        state = going_on[int(rng.integers(len(going_on)))]
    raise TooLarge(f"{game.name} has not ended after {DEEPEST:,} moves: only finite games have a tree")


def _dealt(game: Game, state: Any, rng: np.random.Generator) -> tuple[Any, int]:
    """The state after one chance outcome, and how many there are; sampled without listing them if the game can."""
    count = outcome_count(game, state)
    if count is not None and hasattr(game, "sample"):
        return game.child(state, game.sample(state, rng)), count
    outcomes = game.outcomes(state)
    return game.child(state, outcomes[int(rng.integers(len(outcomes)))][0]), len(outcomes)


def outcome_count(game: Game, state: Any) -> int | None:
    """The number of chance outcomes, if the game gives it without listing them (an optional `outcome_count`)."""
    counter = getattr(game, "outcome_count", None)
    return None if counter is None else int(counter(state))


def check_fits(game: Game, size: Forecast, *, memory_limit: float) -> None:
    """Raise if a tree is certainly too large, with its size and what would fit."""
    if size.bytes * (size.surely / size.nodes) > memory_limit or size.surely > MOST_NODES:
        raise TooLarge(too_large_text(game, size.text(), memory_limit, counted=not size.error))


def too_large_text(game: Game, size: str, memory_limit: float, *, counted: bool = False) -> str:
    """The error message for a tree that is too large."""
    from pokerlab.tree.classes import why_not as why_no_classes

    word, name = game.name.partition("(")[0], shlex.quote(game.name)
    advice = ["choose smaller settings (fewer cards, raises or rounds)"]
    if not why_no_classes(game):
        advice.append(f"`pokerlab solve {name}` solves it in the classes form")
    if word.startswith("holdem"):
        advice.append("`pokerlab spot` solves what is played after the flop")
    if counted:
        advice.append(f"`pokerlab size {name}` prints its exact size")
    return (
        f"the tree of {game.name} is too large to build: {size}, with {bytes_text(memory_limit)} available; "
        + "; ".join(advice)
    )
