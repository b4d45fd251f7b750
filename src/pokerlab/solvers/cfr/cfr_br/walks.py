"""Walks of CFR-BR over a public tree: a best response to a player, and that player's values against it.

A walk traverses the whole tree, or a sampled *path*: one board per round of the trunk, then every board below it.
Values that come up a path are divided by the sampling probability of its boards, which makes them unbiased.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.cfr.public.solver import BOTH, ONE, OTHER, PublicSolver
from pokerlab.solvers.core.schedule import Schedule, Step
from pokerlab.tree.public.assessor import Assessor, Sums
from pokerlab.tree.public.layout import PublicTree

INSTANT = np.array([[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]])  # a step that discards earlier sums


@dataclass(frozen=True)
class Path:
    """Sampled boards: `boards[i]` is that of round i + 1; empty for the whole tree."""

    boards: tuple[int, ...] = ()
    factors: tuple[float, ...] = ()  # one over each board's probability, counting isomorphic boards as one


@dataclass(frozen=True, eq=False)
class Boards:
    """The boards of a public tree, for sampling."""

    tree: PublicTree

    @cached_property
    def images(self) -> list[np.ndarray]:
        """How many boards each represents.  # [round] of [board]"""
        return [np.diff(level.image_start).astype(np.int64) for level in self.tree.rounds]

    @cached_property
    def weights(self) -> list[np.ndarray]:
        """[round] of [board]: the probability of each given two hands that it allows, with its isomorphic boards."""
        weights = [np.ones(1)]
        for level, images in zip(self.tree.rounds[1:], self.images[1:], strict=True):
            weights.append(weights[-1][level.parent] * level.chance * images)
        return weights

    def sample(self, rounds: int, random: np.random.Generator) -> Path:
        """Sample a board for each of the first rounds that deal public cards."""
        boards: list[int] = []
        factors: list[float] = []
        for number in range(rounds):
            children = self.tree.rounds[number].children
            above = boards[-1] if boards else 0
            first, end = int(children[above]), int(children[above + 1])
            share = self.images[number + 1][first:end] / self.images[number + 1][first:end].sum()
            chosen = int(random.choice(end - first, p=share))
            boards.append(first + chosen)
            factors.append(1 / float(share[chosen]))
        return Path(tuple(boards), tuple(factors))

    def ranges(self, path: Path) -> list[tuple[int, int]]:
        """The boards that the walk of a path visits, as a half-open range.  # [round]"""
        ranges = [(0, 1)]
        for number, level in enumerate(self.tree.rounds[:-1]):
            if number < len(path.boards):
                ranges.append((path.boards[number], path.boards[number] + 1))
            else:
                ranges.append((int(level.children[ranges[-1][0]]), int(level.children[ranges[-1][1]])))
        return ranges


def check_trunk(tree: PublicTree, trunk: int) -> None:
    """Raise BadSetting if public cards are dealt in fewer rounds than the trunk has."""
    dealt = len(tree.rounds) - 1
    if trunk > dealt:
        raise BadSetting(f"trunk must be at most {dealt}, the rounds of {tree.name} with public cards, not {trunk}")


class BestResponseWalk(Assessor):
    """Computes best responses to a player's current strategy."""

    def respond(self, sums: Sums, player: int, path: Path, choice: list[np.ndarray]) -> None:
        """Write a best response of a player into `choice`, on the boards below a path.

        The opponent's strategy is proportional to the positive part of their sums [round][player].
        """
        if not path.boards:
            self.hands(sums, player, choice)
            return
        self.sums, self.player, self.choice = sums, player, choice
        tiles, space = [self.roots[1 - player]], self.top
        for number, board in enumerate((0, *path.boards[:-1])):
            self.descend(number, board, tiles, space)
            tiles = self.deals(number, space)
        last = len(path.boards)
        self._below(last, path.boards[-1], path.boards[-1] + 1, tiles, self.worth(last - 1, space), space)


class SampledBoardSolver(PublicSolver):
    """A solver of the public form that can walk a path of sampled boards."""

    def follow(self, path: Path) -> None:
        """Walk a path, or the whole tree if none is sampled."""
        if not path.boards:
            self.walk(self.roots, self._waste)
            return
        self.descend(0, 0, self.roots, self.top)
        self._follow(1, path, self.deals(0, self.top), self.worth(0, self.top))
        self.ascend(0, 0, self.roots, self._waste, self.top)

    def _follow(self, number: int, path: Path, from_above: list[np.ndarray], to_above: list[np.ndarray]) -> None:
        board, space = path.boards[number - 1], self.top
        if number == len(path.boards):
            self._below(number, board, board + 1, from_above, to_above, space)
        else:
            for tile in to_above:
                tile.fill(0)
            self.descend(number, board, from_above, space)
            self._follow(number + 1, path, self.deals(number, space), self.worth(number, space))
            self.ascend(number, board, from_above, to_above, space)
        for tile in to_above:
            tile *= path.factors[number - 1]


class InstantRegretWalk(SampledBoardSolver):
    """Instantaneous regrets, with each player's strategy proportional to what is stored as regret."""

    def __init__(self, tree: PublicTree, *, threads: int) -> None:
        super().__init__(tree, Schedule("cfr-br", lambda steps: Step()), threads=threads)

    def face(self, player: int, path: Path) -> None:
        """Replace a player's stored strategy by its instantaneous regrets, and the stored average by the strategy.

        On a path, this replaces both players' strategies on the boards visited.
        """
        self.prepare(movers(player, path), INSTANT)
        self.follow(path)


def movers(player: int, path: Path) -> np.ndarray:
    """Who learns from a walk: a player, and on a path also the opponent, in the trunk."""
    return np.array([BOTH if path.boards else (ONE, OTHER)[player]])
