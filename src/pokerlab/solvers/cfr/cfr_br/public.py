"""CFR-BR over the public form: every hand of both players, each against a best response to its current strategy.

The best response is computed in float64 and stored as the 0/1 strategy of an opponent who does not learn; the player's
step against it is a CFR step. Suit-isomorphic hands share their numbers: one board stands for several.

The hybrid (`trunk` rounds) samples the public cards dealt in the trunk: below it the opponent plays a best response, in
the trunk it minimises regret. A player's regret on a board is not divided by the board's sampling probability, since
that is constant and regret matching depends only on proportions.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.cfr.cfr_br.walks import BestResponseWalk, Boards, Path, SampledBoardSolver, check_trunk, movers
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.solvers.core.schedule import (
    AVERAGE_WEIGHT,
    KEEP_AVERAGE,
    KEEP_NEGATIVE,
    KEEP_POSITIVE,
    PREDICTION,
    Schedule,
)
from pokerlab.tree.measure import Measure
from pokerlab.tree.public._kernels.memory import Store
from pokerlab.tree.public.alike import Followers
from pokerlab.tree.public.layout import PublicRound, PublicTree, slots_of
from pokerlab.tree.public.walk import aligned, empty_store


class PublicCfrBr(SampledBoardSolver):
    """CFR-BR. The state is that of CFR, plus the hybrid's regrets in the trunk.

    With `strategy=current`, the current strategies are stored where CFR stores the average.
    """

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
