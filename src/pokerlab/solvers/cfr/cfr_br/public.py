"""CFR-BR over the public form: every hand of both players, each against a best response to its current strategy.

The best response is computed in float64 and stored as the 0/1 strategy of an opponent who does not learn; the player's
step against it is a CFR step. Suit-isomorphic hands share their numbers: one board stands for several.

The hybrid (`trunk` rounds) samples the public cards dealt in the trunk: below it the opponent plays a best response, in
the trunk it minimises regret. A player's regret on a board is not divided by the board's sampling probability, since
that is constant and regret matching depends only on proportions.

A walk traverses the whole tree, or a sampled *path*: one board per round of the trunk, then every board below it.
Values that come up a path are divided by the sampling probability of its boards, which makes them unbiased.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.cfr.public.solver import BOTH, ONE, OTHER, PublicSolver
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.solvers.core.schedule import (
    AVERAGE_WEIGHT,
    KEEP_AVERAGE,
    KEEP_NEGATIVE,
    KEEP_POSITIVE,
    PREDICTION,
    Schedule,
    Step,
)
from pokerlab.tree.measure import Measure
from pokerlab.tree.public._kernels.memory import Store
from pokerlab.tree.public.assessor import Assessor
from pokerlab.tree.public.layout import PublicRound, PublicTree, slots_of
from pokerlab.tree.public.profiles import Followers, Sums
from pokerlab.tree.public.walk import empty_store
from pokerlab.tree.resources import aligned

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
        self._below(last, path.boards[-1], path.boards[-1] + 1, tiles, self.action_value(last - 1, space), space)


class SampledBoardSolver(PublicSolver):
    """A solver of the public form that can walk a path of sampled boards."""

    def follow(self, path: Path) -> None:
        """Walk a path, or the whole tree if none is sampled."""
        if not path.boards:
            self.walk(self.roots, self._waste)
            return
        self.descend(0, 0, self.roots, self.top)
        self._follow(1, path, self.deals(0, self.top), self.action_value(0, self.top))
        self.ascend(0, 0, self.roots, self._waste, self.top)

    def _follow(self, number: int, path: Path, from_above: list[np.ndarray], to_above: list[np.ndarray]) -> None:
        board, space = path.boards[number - 1], self.top
        if number == len(path.boards):
            self._below(number, board, board + 1, from_above, to_above, space)
        else:
            for tile in to_above:
                tile.fill(0)
            self.descend(number, board, from_above, space)
            self._follow(number + 1, path, self.deals(number, space), self.action_value(number, space))
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


class PublicCfrBr(SampledBoardSolver):
    """CFR-BR. The state is CFR's plus the hybrid's regrets; `current` strategies are stored in place of the average."""

    def __init__(
        self,
        tree: PublicTree,
        schedule: Schedule,
        *,
        trunk: int = 0,
        current: bool = False,
        seed: int = 0,
        threads: int = 1,
        storage: str = "float32",
    ) -> None:
        check_trunk(tree, trunk)
        if storage != "float32":
            raise BadSetting(f"cfr-br stores float32 only, since suit-isomorphic hands share numbers, not {storage}")
        super().__init__(tree, schedule, threads=threads, storage=storage)
        self.trunk, self.current = trunk, current
        self._predicts = bool((schedule.table(1, 3)[:, PREDICTION] > 0).any())
        if trunk and self._predicts:
            raise BadSetting(
                f"{schedule.name} predicts from the last step, which a trunk takes on few boards; choose cfr, cfr+, "
                "linear-cfr or dcfr"
            )
        self._assessor = self._best_response = BestResponseWalk(tree, threads=threads)
        self._boards, self._random = Boards(tree), seed_word(seed)
        self._followers = [Followers(tree, player) for player in (0, 1)]
        self._in_trunk = [
            [empty_store(level, player, dtype=np.float32, predictive=False) for player in (0, 1)]
            for level in tree.rounds[:trunk]
        ]
        self._responses = [
            _response_stores(level, learning=trunk > 0, predictive=self._predicts) for level in tree.rounds
        ]
        self._opposed = [self._opposing(player) for player in (0, 1)]

    def _opposing(self, player: int) -> list[tuple[Store, ...]]:
        """[round][player] The stores for a player's walk: their own, and the opponent's strategy."""
        rival = 1 - player
        against = [pair[rival] for pair in self._in_trunk + self._responses[self.trunk :]]
        own = [pair[player] for pair in self.stores]
        return [pair if player == 0 else pair[::-1] for pair in zip(own, against, strict=True)]

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            steps = self._table(1)
            if self.current:
                steps[:, KEEP_AVERAGE], steps[:, AVERAGE_WEIGHT] = 1.0, 0.0
            random = np.random.default_rng([int(self._random[0]), self.iterations])
            for player in (0, 1):
                self._move(player, steps.copy(), self._boards.sample(self.trunk, random))
            self.iterations += 1
        if self.current:
            for stored, current in zip(self.average, self._playing(), strict=True):
                for player in (0, 1):
                    stored[player][:] = current[player]

    def _move(self, player: int, steps: np.ndarray, path: Path) -> None:
        """One player's step: against a best response, or on a path against the hybrid."""
        rival, ranges = 1 - player, self._boards.ranges(path)
        choice = [pair[rival].regret for pair in self._responses]
        self._best_response.respond(self._play_against(player, steps[0, PREDICTION]), rival, path, choice)
        for number in range(self.trunk, self.last_round + 1):
            self._followers[rival].share_numbers(number, choice[number], ranges[number])
        if path.boards:
            self._fade(player, steps)
        self.prepare(movers(player, path), steps)
        self.walked = self._opposed[player]
        self.follow(path)
        self.walked = self.stores
        for number in range(self.last_round + 1):
            store = self.stores[number][player]
            self._followers[player].share_numbers(number, store.regret, ranges[number])
            if self._predicts:
                self._followers[player].share_numbers(number, store.last, ranges[number])
            if number < self.trunk:
                self._followers[rival].share_numbers(number, self._in_trunk[number][rival].regret, ranges[number])
        self._keep_locks()

    def _play_against(self, player: int, prediction: float) -> list[list[np.ndarray]]:
        """[round][player] The player's next strategy is proportional to the positive ones; the rival's are regrets."""
        sums = [[store.regret for store in pair] for pair in self.stores]
        if prediction > 0:
            for pair, stores in zip(sums, self.stores, strict=True):
                pair[player] = stores[player].regret + np.float32(prediction) * stores[player].last
        return sums

    def _fade(self, player: int, steps: np.ndarray) -> None:
        """Discount the sums of a step on every board, since the walk of a path visits only few."""
        positive, negative, average = steps[0, [KEEP_POSITIVE, KEEP_NEGATIVE, KEEP_AVERAGE]]
        trunk = [pair[1 - player].regret for pair in self._in_trunk]
        if positive != 1 or negative != 1:
            for regret in [pair[player].regret for pair in self.stores] + trunk:
                regret *= np.where(regret > 0, np.float32(positive), np.float32(negative))
        if average != 1:
            for pair in self.average:
                pair[player][:] *= np.float32(average)
        steps[:, [KEEP_POSITIVE, KEEP_NEGATIVE, KEEP_AVERAGE]] = 1.0

    def _keep_locks(self) -> None:
        super()._keep_locks()
        for number, player, places, frequencies in self._locks:
            if number < self.trunk:
                self._in_trunk[number][player].regret[places] = frequencies

    def _playing(self) -> list[list[np.ndarray]]:
        """[round][player] The current strategies, as sums that they are proportional to."""
        prediction = self.schedule.table(self.iterations + 1, 1)[0, PREDICTION]
        pairs = zip(self._play_against(0, prediction), self._play_against(1, prediction), strict=True)
        return [[np.maximum(one[0], 0), np.maximum(other[1], 0)] for one, other in pairs]

    def measure_current(self) -> Measure:
        """Exploitability of the current strategies, which approach equilibrium too (with high probability)."""
        return self.assessor.measure(self._playing())

    def arrays(self) -> dict[str, np.ndarray]:
        trunk = {
            f"trunk_{number}_{player}": store.regret
            for number, pair in enumerate(self._in_trunk)
            for player, store in enumerate(pair)
        }
        return super().arrays() | trunk | ({"random": self._random} if trunk else {})

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        super().restore(arrays)
        self._keep_locks()


def _response_stores(level: PublicRound, *, learning: bool, predictive: bool) -> tuple[Store, Store]:
    """Storage for a best response of either player in a round; only one of them is stored at a time.

    With `learning` a walk adds to the strategy as to any store, and nobody reads the result.
    """
    size = max(slots_of(level, player) for player in (0, 1))
    strategy, unused = aligned(size, np.float32), aligned(size if learning else 1, np.float32)
    nothing = aligned(size if predictive else 1, np.float32)  # a zero prediction
    one = np.ones(1, np.float32)
    first, second = (Store(strategy[: slots_of(level, player)], unused, nothing, one, one) for player in (0, 1))
    return first, second
