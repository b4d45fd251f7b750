"""Three players to the end, by the algorithms of S. Ganzfried and T. Sandholm (2008, 2009).

Values of states start as the independent chip model has them. A round plays fictitious play in every state, with the
ends of the hand worth what the values say, and then computes the values anew: *value iteration* takes what the
strategies win in one hand with the old values behind it (VI-FP), *policy iteration* what they win against each other to
the end (PI-FP). Neither must converge, and value iteration may converge to what is no equilibrium; so strategies are
measured ex post: the best response of each player in the whole tournament, from every state, with both opponents as
they are. Where three players become two, the exact values of the heads-up tournament follow.

With prizes of 60, 40 and 0 values can swing from round to round: what one state is worth changes the play of others,
which changes what it is worth. mixing.py damps that by a `step` below 1 and a `memory` of rounds before. The first
round goes all the way, since the chip model is but a guess.

Fictitious play of a round begins with the averages of the round before, which count as a few iterations only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab import parallel
from pokerlab.errors import BadFile, BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.games.tournament.icm import values as chip_model
from pokerlab.solvers.tournament.heads_up import HeadsUpSolution
from pokerlab.solvers.tournament.mixing import Mixing
from pokerlab.solvers.tournament.three_handed import ALL_FOLD, BIG, DECIDER, FIRST_ORDER, ThreeHanded

METHODS = ("policy", "value")
DECISIONS = 6
COUNTED = 20  # iterations that the averages of the round before stand for
FIRST_GUESS = 0.3  # how often everybody stays in before anything is known
ROUNDED = 0.005  # what is nearer to never or always begins a round as that: sums over hands are then short
BLOCK = 11  # states one after another in one thread
_SETTLED = 1e-12
_MOST_SWEEPS = 100_000


def staying_ends(ends: int) -> np.ndarray:
    """Which ends of the hand follow on staying in, by decision; the others follow on folding: [6, ends] bool."""
    found = np.zeros((DECISIONS, ends), bool)
    orders = list(range(FIRST_ORDER, ends))
    for decision, after in enumerate(([1, *range(3, 9)], [3, 4, 5], [2, 9, 10, 11], [6, 7, 8], [9, 10, 11], [])):
        found[decision, after] = True
    found[np.ix_([0, 1, 5], orders)] = True
    return found


@dataclass(frozen=True, eq=False)
class ExPost:
    """How far strategies are from equilibrium in the whole tournament."""

    values: np.ndarray  # [state, seat] of the strategies, to the end
    best: np.ndarray  # [state, seat] of a best response, to the end
    policies: int  # improvements until nothing improved

    @cached_property
    def gains(self) -> np.ndarray:
        """What a best response wins more: [state, seat]."""
        return np.asarray(self.best - self.values)

    @property
    def epsilon(self) -> float:
        """The largest gain in any state and seat."""
        return float(self.gains.max())


@dataclass(frozen=True)
class Round:
    """What a round of the solver did."""

    number: int
    change: float  # how far a value of the new strategies is at most from the one that they were played with
    epsilon: float  # measured ex post


class ThreeHandedSolver:
    """Values and strategies of every state, made better round by round."""

    def __init__(
        self,
        game: ThreeHanded,
        heads_up: HeadsUpSolution,
        cards: Any,
        *,
        method: str = "policy",
        iterations: int = 200,
        step: float = 1.0,
        memory: int = 0,
    ) -> None:
        if method not in METHODS:
            raise BadSetting(f"cannot iterate over {method!r}; choose one of {', '.join(METHODS)}")
        if iterations < 1:
            raise BadSetting(f"fictitious play needs 1 iteration or more a round, not {iterations}")
        self.game, self.heads_up, self.method, self.iterations = game, heads_up, method, iterations
        self.mixing = Mixing(step=step, memory=memory)
        self._cards = cards
        hands = cards.orders.shape[0]
        self.chip_model = np.array([chip_model(stacks, game.payouts) for stacks in game.states])  # [state, 3]
        self.values = self.chip_model.copy()  # [state, 3]
        self.profile = np.full((game.state_count, DECISIONS, hands), FIRST_GUESS)
        self.rounds: list[Round] = []
        self._decides = np.array([game.decides(stacks) for stacks in game.states.tolist()])  # [state, 6]
        self._stays = staying_ends(game.ends)
        self._leads = np.zeros((game.state_count, DECISIONS, hands, game.ends), np.float32)
        self.assessed = False

    # ---- a round --------------------------------------------------------------------------------------------------

    def advance(self, *, workers: int | None = None, watch: Watch = SILENT) -> Round:
        """One round: fictitious play in every state, values anew, and the measure ex post."""
        ends = self.game.end_values(self.game.worth(self.values, self.heads_up.values))
        self.profile = self._played(ends, workers, watch)
        chances = self._end_chances()
        if self.method == "value":
            values = np.einsum("se,sep->sp", chances, ends)
        else:
            values = self._evaluated(np.repeat(chances[:, None], 3, axis=1))
        change = float(np.abs(values - self.values).max())
        self.values = self.mixing.following(self.values, values) if self.rounds else values
        done = Round(len(self.rounds) + 1, change, self.measure().epsilon)
        self.rounds.append(done)
        return done

    def _played(self, ends: np.ndarray, workers: int | None, watch: Watch) -> np.ndarray:
        """New averages of every state: [state, 6, hand]; in the first round a state begins where its neighbour is."""
        count = self.game.state_count
        profile = self.profile.copy()
        first = not self.rounds

        def play(block: range) -> int:
            room = Room(self._cards)
            for state in block:
                known = not first or state > block.start
                begin = profile[state - 1] if first and known else profile[state]
                counted = COUNTED if known else 0
                room.play(ends[state], begin, self._decides[state], counted, self.iterations)
                profile[state] = room.average
                self._leads[state] = room.leads()
            return len(block)

        blocks = [range(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK)]
        done = 0
        for size in parallel.run(play, blocks, workers=workers, cancel=watch.cancel):
            done += size
            watch.at("", done, count)
        self.assessed = True
        return profile

    # ---- what a profile wins --------------------------------------------------------------------------------------

    def assess(self, *, workers: int | None = None, watch: Watch = SILENT) -> None:
        """Where the profile leads from every hand of every state, computed anew as after a restore."""
        count = self.game.state_count

        def look(block: range) -> int:
            room = Room(self._cards)
            for state in block:
                room.average[:] = self.profile[state]
                self._leads[state] = room.leads()
            return len(block)

        blocks = [range(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK)]
        done = 0
        for size in parallel.run(look, blocks, workers=workers, cancel=watch.cancel):
            done += size
            watch.at("", done, count)
        self.assessed = True

    def _end_chances(self) -> np.ndarray:
        """How likely each end of each hand is under the profile: [state, end]."""
        push = self.profile[:, 0, :, None]  # [state, hand, 1]
        played = np.where(self._stays[0], push, 1 - push)
        chances = (played * self._leads[:, 0]).sum(1)
        return np.asarray(chances / chances.sum(1, keepdims=True))  # float32 sums to 1 within 1e-7

    def _evaluated(self, chances: np.ndarray) -> np.ndarray:
        """Values to the end where each seat of each state comes to its ends with these chances [state, seat, end]."""
        values = self.values
        for _ in range(_MOST_SWEEPS):
            ends = self.game.end_values(self.game.worth(values, self.heads_up.values))
            following = np.einsum("spe,sep->sp", chances, ends)
            change = np.abs(following - values).max()
            values = following
            if change < _SETTLED:
                break
        return values

    def measure(self) -> ExPost:
        """The best response of each player in the whole tournament, by policy iteration over its own strategy."""
        assert self.assessed
        own = np.repeat(self._end_chances()[:, None], 3, axis=1)  # [state, seat, end]
        values = self._evaluated(own)
        best = values
        policies = 0
        while True:
            ends = self.game.end_values(self.game.worth(best, self.heads_up.values))
            chances, backed = self._responses(ends)
            if policies and (backed - best).max() < 1e-10:
                return ExPost(values, np.maximum(best, values), policies)
            best = self._evaluated(chances)
            policies += 1

    def _responses(self, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The best response of each seat for one hand: where it leads [state, seat, end], and what it is worth."""
        from pokerlab.solvers.tournament._kernels.response import respond

        chances = np.zeros((self.game.state_count, 3, self.game.ends))
        respond(self._leads, ends, self._decides, self._stays, np.array(DECIDER), chances)
        chances[:, BIG, ALL_FOLD] = self._end_chances()[:, ALL_FOLD]  # where nobody leaves it a decision
        chances /= chances.sum(2, keepdims=True)
        return chances, np.einsum("spe,sep->sp", chances, ends)

    # ---- kept -----------------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        history = np.array([(done.change, done.epsilon) for done in self.rounds]).reshape(-1, 2)
        kept = {"values": self.values, "profile": self.profile, "history": history}
        return kept | self.mixing.arrays(self.values.shape)

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave; BadFile where it is of another tournament."""
        for name, own in (("values", self.values), ("profile", self.profile)):
            given = arrays.get(name)
            if given is None or given.shape != own.shape or not np.isfinite(given).all():
                raise BadFile(f"this state belongs to another tournament: its {name!r} does not fit")
        if (arrays["profile"] < 0).any() or (arrays["profile"] > 1).any():
            raise BadFile("this state is damaged: its strategies are no probabilities")
        history = arrays.get("history")
        if history is None or history.shape[1:] != (2,) or not np.isfinite(history).all():
            raise BadFile("this state is damaged: its 'history' is none of rounds")
        self.mixing.restore(arrays, self.values.shape)
        self.values, self.profile = np.array(arrays["values"], float), np.array(arrays["profile"], float)
        self.rounds = [Round(number + 1, float(one[0]), float(one[1])) for number, one in enumerate(history)]
        self.assessed = False


class Room:
    """What one thread needs to play and look at a hand."""

    def __init__(self, cards: Any) -> None:
        from pokerlab.solvers.tournament._kernels.hand import Matrices, Profile

        hands, orders = cards.orders.shape[:2]
        square = (8, hands, hands)
        self._cards = cards
        self.matrices = Matrices(
            np.zeros(square, np.float32), np.zeros(square, np.float32), np.zeros((9, orders), np.float32)
        )
        self.average = np.zeros((DECISIONS, hands))
        self.profile = Profile(
            np.zeros((DECISIONS, hands)), self.average, np.zeros((DECISIONS, hands)), np.ones(DECISIONS, bool)
        )
        self._leads = np.zeros((DECISIONS, hands, FIRST_ORDER + orders))

    def play(self, ends: np.ndarray, begin: np.ndarray, decides: np.ndarray, counted: int, iterations: int) -> None:
        """Fictitious play from averages that stand for so many iterations."""
        from pokerlab.solvers.tournament._kernels.hand import fictitious_play

        self.average[:] = np.where(begin < ROUNDED, 0.0, np.where(begin > 1 - ROUNDED, 1.0, begin))
        self.profile.decides[:] = decides
        fictitious_play(self._cards, ends, self.matrices, self.profile, counted, iterations)

    def leads(self) -> np.ndarray:
        """Where the averages lead: [6, hand, end]."""
        from pokerlab.solvers.tournament._kernels.hand import assess

        assess(self._cards, self.average, self._leads)
        return self._leads
