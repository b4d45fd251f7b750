"""Three players to the end of a tournament, by the algorithms of S. Ganzfried and T. Sandholm (2008, 2009).

Values of states start from the independent chip model; the hand of every state is solved by fictitious play (VI-FP,
PI-FP). When three players become two, the exact values of the heads-up tournament are used. Fictitious play of a round
starts from the previous round's averages, which count as only a few iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pokerlab import parallel
from pokerlab.errors import BadFile, BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.games.prizes.icm import values as chip_model
from pokerlab.solvers.preflop.three import HandBuffers
from pokerlab.solvers.stochastic.heads_up import HeadsUpSolution
from pokerlab.solvers.stochastic.iteration import ValueIteration
from pokerlab.solvers.stochastic.three_players import ThreeHanded
from pokerlab.tree.measure import Measure
from pokerlab.tree.pushes.three import ALL_FOLD, BIG, DECIDER, DECISIONS, ENDS, PUSH, end_chances, staying_ends

COUNTED = 20  # iterations that the previous round's averages count for
FIRST_GUESS = 0.3  # initial probability of staying in
BLOCK = 11  # consecutive states for one thread
_SETTLED = 1e-12
_MOST_SWEEPS = 100_000


class ThreeHandedSolver(ValueIteration):
    """Values and strategies of every state of a tournament of three."""

    def __init__(
        self,
        game: ThreeHanded,
        heads_up: HeadsUpSolution,
        cards: Any,
        *,
        iterations: int = 200,
        workers: int | None = None,
        watch: Watch = SILENT,
        **settings: Any,
    ) -> None:
        if iterations < 1:
            raise BadSetting(f"fictitious play needs at least 1 iteration per round, got {iterations}")
        self.game, self.heads_up, self.play_iterations = game, heads_up, iterations
        self.chip_model = np.array([chip_model(stacks, game.payouts) for stacks in game.states])  # [state, 3]
        super().__init__(self.chip_model.copy(), **settings)
        self._cards, self._workers, self.watch = cards, workers, watch
        hands = cards.orders.shape[0]
        self.profile = np.full((game.state_count, DECISIONS, hands), FIRST_GUESS)
        self._leads = np.zeros((game.state_count, DECISIONS, hands, len(ENDS)), np.float32)
        self._assessed = False  # whether `_leads` are those of the profile
        self._measure: Measure | None = None

    def solve_states(self) -> None:
        """Fictitious play in every state; in the first round a state starts from its neighbour."""
        terminals = self._terminal_values(self.values)
        profile = self.profile.copy()
        first = not self.rounds

        def play(state: int, is_first: bool, buffers: HandBuffers) -> None:
            known = not first or not is_first
            start = profile[state - 1] if first and known else profile[state]
            decides = self.game.decides[state]
            buffers.play(terminals[state], start, decides, COUNTED if known else 0, self.play_iterations)
            profile[state] = buffers.average
            self._leads[state] = buffers.leads()

        self._assessed = False  # until all states are played
        self._each_state(play)
        self.profile, self._assessed, self._measure = profile, True, None

    def _assess(self) -> None:
        """Compute the outcomes of the profile from every hand of every state, as needed after a restore."""

        def look(state: int, is_first: bool, buffers: HandBuffers) -> None:
            buffers.average[:] = self.profile[state]
            self._leads[state] = buffers.leads()

        self._each_state(look)
        self._assessed = True

    def _each_state(self, function: Callable[[int, bool, HandBuffers], None]) -> None:
        """Call a function for every state, blocks of them in parallel: (state, whether it is a block's first, ...)."""
        count = self.game.state_count

        def run(block: range) -> int:
            buffers = HandBuffers(self._cards)
            for state in block:
                function(state, state == block.start, buffers)
            return len(block)

        blocks = [range(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK)]
        done = 0
        for size in parallel.run(run, blocks, workers=self._workers, cancel=self.watch.cancel):
            done += size
            self.watch.at("", done, count)

    def _terminal_values(self, values: np.ndarray) -> np.ndarray:
        """The value of each terminal of each hand to each player: [state, terminal, 3]."""
        return self.game.end_values(self.game.outcome_values(values, self.heads_up.values))

    def _terminal_chances(self) -> np.ndarray:
        """The probability of each terminal of each hand under the profile: [state, terminal]."""
        return end_chances(self.profile[:, PUSH], self._leads[:, PUSH])

    def backed_up(self) -> np.ndarray:
        return np.asarray(np.einsum("se,sep->sp", self._terminal_chances(), self._terminal_values(self.values)))

    def evaluated(self) -> np.ndarray:
        return self._evaluated(np.repeat(self._terminal_chances()[:, None], 3, axis=1))

    def _evaluated(self, chances: np.ndarray) -> np.ndarray:
        """Values to the end where seats reach terminals with these chances [state, seat, terminal]."""
        values = self.values
        for _ in range(_MOST_SWEEPS):
            following = np.einsum("spe,sep->sp", chances, self._terminal_values(values))
            change = np.abs(following - values).max()
            values = following
            if change < _SETTLED:
                break
        return values

    def measure(self) -> Measure:
        """Values to the end of every seat of every state, and of best responses by policy iteration."""
        if self._measure is None:
            if not self._assessed:
                self._assess()
            values = self.evaluated()
            best = self._evaluated(self._responses(self._terminal_values(values))[0])
            while True:
                chances, improved = self._responses(self._terminal_values(best))
                if (improved - best).max() < 1e-10:
                    break
                best = self._evaluated(chances)
            own, responses = (tuple(array.reshape(-1).tolist()) for array in (values, np.maximum(best, values)))
            self._measure = Measure(own, responses, zero_sum=False)
        return self._measure

    def _responses(self, terminals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The best response of each seat for one hand: where it leads [state, seat, terminal], and its value."""
        from pokerlab.solvers.stochastic._kernels.responses import respond

        chances = np.zeros((self.game.state_count, 3, len(ENDS)))
        respond(self._leads, terminals, self.game.decides, staying_ends(), np.array(DECIDER), chances)
        chances[:, BIG, ALL_FOLD] = self._terminal_chances()[:, ALL_FOLD]  # where nobody leaves it a decision
        chances /= chances.sum(2, keepdims=True)
        return chances, np.einsum("spe,sep->sp", chances, terminals)

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        return {"profile": self.profile}

    def restore_strategies(self, arrays: Mapping[str, np.ndarray]) -> None:
        profile = arrays.get("profile")
        if profile is None or profile.shape != self.profile.shape or not ((profile >= 0) & (profile <= 1)).all():
            raise BadFile("this state is damaged: its strategies are not probabilities of this tournament")
        self.profile = np.array(profile, float)
        self._assessed, self._measure = False, None
