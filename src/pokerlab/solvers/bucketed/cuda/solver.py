"""CFR over buckets on a graphics card: all hands of both players on many sampled boards at once.

Public chance sampling (Johanson, Bard, Lanctot, Gibson and Bowling 2012): an iteration is a board with all hands of
both players and all betting; the card walks some hundreds of boards together, which is one step of the schedule.
Regrets and averages of a bucket are added up over its hands on all of them.

CFR-BR (Johanson, Bard, Burch and Bowling 2012), the hybrid: the player in training meets an opponent who minimises
regret over buckets in the first rounds, the trunk, and from then on plays a best response that sees their own cards,
over every board that may follow. The paper's opponent sees their cards in the trunk too. With `self_play` iterations
before, it begins from regrets of public chance sampling, which comes near faster.

Regrets are in the units of the same algorithms on the CPU, and arrays have the form's layout, so that a run is resumed
on either device. Sums are added in any order: two runs with one seed differ by rounding, and then by more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.poker.betting_tree import Decision, walk
from pokerlab.solvers.bucketed.betting_units import tables_of
from pokerlab.solvers.bucketed.cuda.batch import Batch, Learned, Numbers
from pokerlab.solvers.bucketed.sampled import check_schedule
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.bucketed.cuda.sampled_boards import ALL, BoardSample, BoardSampler
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.bucketed.real_game import betting_histories
from pokerlab.tree.machines import Machine
from pokerlab.tree.measure import Measure
from pokerlab.tree.public.card_memory import OVER_BUCKETS, check_card_memory
from pokerlab.tree.public.cuda.records import MachineTree
from pokerlab.tree.public.cuda.response import RESPONDING, UNUSED
from pokerlab.tree.public.cuda.walk import Arena, Walks, macros, space_bytes

LEARNING = [*RESPONDING, Path(__file__).with_name("learn.cu")]
REAL = np.float32
BOARDS = 96  # complete boards that are walked together
BYTES_OF_A_NUMBER = 12  # regret, average and strategy
MOST_BUCKETS = 2**16  # of a round
MOST_BOARDS = 20_000  # of a step
KEPT = 0.25  # steps of self-play that regrets count for afterwards, as a share


class CudaBucketSolver:
    """Public chance sampling, or with `trunk` rounds (0 or more) CFR-BR; see run.Solver.

    `fan`: the boards drawn after each round but the last, see sampled_boards.py; the first number counts iterations.
    `self_play`: iterations of public chance sampling before those of CFR-BR; the average begins after them.
    """

    nodes_touched = 0  # not counted: each step visits every hand at every node of its boards

    def __init__(
        self,
        form: BucketedForm,
        schedule: Schedule,
        *,
        machine: Machine,
        seed: int,
        trunk: int | None = None,
        current: bool = False,
        self_play: int = 0,
        fan: tuple[int, ...] | None = None,
        threads: int = 1,
    ) -> None:
        check_schedule(schedule)
        if trunk is not None and trunk >= max(form.buckets.cards.rounds, 2):
            raise BadSetting(
                f"{form.name} has {form.buckets.cards.rounds} rounds, and a best response needs the last of them: "
                f"choose a trunk of at most {form.buckets.cards.rounds - 1}"
            )
        self.self_play = self_play if trunk is not None else 0
        self.form, self.schedule, self.machine, self.trunk, self.current = form, schedule, machine, trunk, current
        self.iterations = self._steps = 0
        if max(form.buckets.counts) > MOST_BUCKETS:
            raise BadSetting(
                f"a card takes at most {MOST_BUCKETS:,} buckets a round, and these are {form.buckets.text}"
            )
        self._seed = seed_word(seed)
        self._sampler = BoardSampler(form, seed=int(self._seed[0]), threads=threads)
        self._first_fan = self._usual_fan(None)
        self.fan = fan or self._usual_fan(trunk)
        self._check_boards()
        self._unit = tables_of(form)[1]
        check_card_memory(form.numbers * BYTES_OF_A_NUMBER, machine.free_bytes(), of=OVER_BUCKETS)
        self._launch = machine.program(LEARNING, **macros(REAL, np.float32) | {"LEARNS_BUCKETS": "1"})
        self._tree = self._sampler.sample(0, (1,) * (form.buckets.cards.rounds - 1)).tree
        self._learned = [[self._zeros(number, player) for player in (0, 1)] for number in self._rounds]
        self._rivals = [[self._zeros(number, player) for player in (0, 1)] for number in range(trunk or 0)]
        self._pattern: MachineTree | None = None
        self._batch: tuple[tuple[int, bool], Batch] | None = None  # by its shape
        self._arena = Arena(machine, 2**20)
        self._ahead: tuple[tuple[int, tuple[int, ...]], Future[BoardSample]] | None = None
        self._pool = ThreadPoolExecutor(1)

    @property
    def _rounds(self) -> range:
        return range(self.form.buckets.cards.rounds)

    def _usual_fan(self, trunk: int | None) -> tuple[int, ...]:
        """One board of each later round for each first deal; for best responses all boards below the trunk."""
        sampler, later = self._sampler, self.form.buckets.cards.rounds - 1
        if trunk is None:  # in small games fewer, so that a step does not see every board several times
            first = min(BOARDS, max(1, sampler.sets(0) // 4)) if later else 1
            return (first, *(1 for _ in range(later - 1)))[:later]
        below = prod(sampler.sets(number) for number in range(trunk, later))
        first = min(max(1, BOARDS // below), max(1, sampler.sets(0) // 4)) if trunk and later else ALL
        return (first, *(1 if number < trunk else ALL for number in range(1, later)))[:later]

    def _check_boards(self) -> None:
        """Raise TooLarge where a step has too many boards."""
        boards = prod(wanted or self._sampler.sets(number) for number, wanted in enumerate(self.fan))
        if boards > MOST_BOARDS:
            raise TooLarge(
                f"each step of cfr-br with a trunk of {self.trunk} takes {boards:,} boards of {self.form.name}, more "
                f"than {MOST_BOARDS:,}: choose a longer trunk, as in --with 'cfr-br(trunk=2)'"
            )

    def _slots(self, number: int, player: int) -> int:
        return self._tree.rounds[number].treeplexes[player].slots

    def _zeros(self, number: int, player: int) -> Learned:
        count = self._slots(number, player) * self.form.buckets.counts[number]
        return Learned(*(self.machine.zeros(count, np.float32) for _ in Learned._fields))

    # ---- steps -------------------------------------------------------------------------------------------------------

    def advance(self, iterations: int) -> None:
        last = self.iterations + iterations
        while self.iterations < last:
            if self.iterations == self.self_play:
                self._begin_responses()
            ends = last if self.iterations >= self.self_play else min(last, self.self_play)
            firsts = min(self.together, ends - self.iterations)
            fan = self._fan
            sample = self._next_sample((firsts, *fan[1:]) if fan[:1] != (ALL,) else fan)
            step = self._steps
            if not self._plays_itself:
                step -= round((1 - KEPT) * self._steps_of(self.self_play))
            self.walk(sample, firsts, self.schedule.step(step + 1))
            self._steps += 1
            self.iterations += firsts
        self.machine.wait()

    def walk(self, sample: BoardSample, firsts: int, step: Any) -> None:
        """One step of the schedule over a sample, for a number of iterations."""
        batch = self._batch_of(sample, firsts)
        batch.run([self._weigh(number, batch.boards, firsts, step) for number in self._rounds])

    def _batch_of(self, sample: BoardSample, firsts: int) -> Batch:
        """The walks of a sample, in place of the last one's if it had the same shape."""
        shape = firsts, self._plays_itself
        if self._batch is not None and self._batch[0] == shape:
            self._batch[1].take(sample)
            return self._batch[1]
        self.machine.wait()
        self._batch = None  # its workspaces are given out again
        base, numbers = self._base(sample), Numbers(self.form.buckets.counts, self._learned, self._rivals)
        shared: dict[str, Any] = {"real": REAL, "storage": np.float32, "launch": self._launch}
        walks = Walks(base, self._place(base), portion=len(base.tree.rounds[-1].boards), without=UNUSED, **shared)
        batch = Batch(walks, sample, numbers, responding=not self._plays_itself)
        self._batch = shape, batch
        return batch

    def _weigh(self, number: int, boards: list[int], firsts: int, step: Any) -> np.ndarray:
        """Factors of the schedule, and what a pair of hands and a hand weigh: as means over the boards of a round."""
        share = firsts / boards[number]
        regret, average = self._sampler.pair_probability(number) * share, share / self._sampler.left(number)
        return np.array([step.keep_positive, step.keep_negative, step.keep_average, regret, average], np.float64)

    @property
    def _plays_itself(self) -> bool:
        """Whether opponents are the strategies of the run itself: always, or before the first best response."""
        return self.trunk is None or self.iterations < self.self_play

    @property
    def _fan(self) -> tuple[int, ...]:
        return self._first_fan if self.iterations < self.self_play else self.fan

    @property
    def together(self) -> int:
        """The iterations of a step: first deals that are drawn."""
        return self._fan[0] if self._fan and self._fan[0] != ALL else 1

    def _steps_of(self, iterations: int) -> int:
        """The steps that a number of iterations takes."""
        by_itself = min(iterations, self.self_play)
        first = self._first_fan[0] if self._first_fan else 1
        own = self.fan[0] if self.fan and self.fan[0] != ALL else 1
        return -(-by_itself // first) - (-(iterations - by_itself) // own)

    def _begin_responses(self) -> None:
        """After self-play: averages begin, regrets count less, and in the trunk opponents have them too."""
        if not self.self_play:
            return
        for pair in self._learned:
            for own in pair:
                own.average[:] = 0
                own.regret[:] *= np.float32(KEPT * self.together / self._first_fan[0])
        for pair, rivals in zip(self._learned, self._rivals, strict=False):
            for own, rival in zip(pair, rivals, strict=True):
                rival.regret[:] = own.regret

    def _next_sample(self, fan: tuple[int, ...]) -> BoardSample:
        """The sample of this step; the next one is drawn while the machine works."""
        key = self._steps, fan
        if self._ahead is not None and self._ahead[0] == key:
            sample = self._ahead[1].result()
        else:
            sample = self._sampler.sample(*key)
        following = self._steps + 1, self._fan
        self._ahead = following, self._pool.submit(self._sampler.sample, *following)
        return sample

    def _place(self, base: MachineTree) -> Arena:
        """An arena that holds the workspaces of a sample."""
        needed = space_bytes(base, REAL, len(base.tree.rounds[-1].boards), without=UNUSED)
        if needed > self._arena.bytes:
            self._arena.give_back()
            check_card_memory(needed, self.machine.free_bytes(), of=OVER_BUCKETS)
            self._arena = Arena(self.machine, needed)
        return self._arena

    def _base(self, sample: BoardSample) -> MachineTree:
        """A sample on the machine; the first one gives the others its records of the betting."""
        base = MachineTree(self.machine, sample.tree, like=self._pattern)
        self._pattern = self._pattern or base
        return base

    # ---- what is asked of solvers ------------------------------------------------------------------------------------

    def measure(self) -> Measure:
        """The measure of the average strategies in the real game; unknown if that is too large."""
        return self.form.measure(self.form.unpack(self.strategy_arrays()))

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The average strategies in the form's layout, as numbers they are proportional to.  # [number] float32"""
        return {"average": self._numbers("probability" if self.current else "average")}

    def arrays(self) -> dict[str, np.ndarray]:
        counts = {"counts": np.array([self.iterations, 0]), "unit": np.array([self._unit]), "random": self._seed.copy()}
        rivals = {
            f"trunk_{number}_{player}": self.machine.host(own.regret)
            for number, pair in enumerate(self._rivals)
            for player, own in enumerate(pair)
        }
        regret = self._numbers("regret") / np.float32(self._unit)
        return {"average": self._numbers("average"), "regret": regret} | counts | rivals

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        scale = float(np.asarray(arrays["unit"])[0])
        for name, by in (("regret", scale), ("average", 1.0)):
            self._set_numbers(name, np.asarray(arrays[name]), by)
        for number, pair in enumerate(self._rivals):
            for player, own in enumerate(pair):
                values = np.asarray(arrays[f"trunk_{number}_{player}"], np.float32)
                self.machine.put_numbers(self.machine.address(own.regret), values)
        self._seed[:] = arrays["random"]
        self._sampler.seed = int(self._seed[0])
        self.iterations = int(arrays["counts"][0])
        self._steps, self._ahead = self._steps_of(self.iterations), None

    @cached_property
    def _decisions(self) -> list[tuple[int, int, int, int, int]]:
        """(round, player, slot in the public tree, row in the form, actions) of each decision."""
        form, tree, found = self.form, self._tree, []
        histories = betting_histories(tree)
        for node in walk(tree.betting):
            if isinstance(node, Decision):
                place, own = tree.places[node], form.betting.node_of(histories[id(node)])
                row = int(form.betting.arrays.slot[own])
                found.append((place.round, node.player, place.slot, row, len(node.actions)))
        return found

    def _moves(self, number: int, player: int) -> tuple[np.ndarray, np.ndarray]:
        """Slots of the public tree, and the rows of the form that they are."""
        own = [one for one in self._decisions if one[:2] == (number, player)]
        slots = [slot + k for _, _, slot, _, actions in own for k in range(actions)]
        rows = [row + k for _, _, _, row, actions in own for k in range(actions)]
        return np.array(slots, np.int64), np.array(rows, np.int64)

    def _parts(self) -> Iterator[tuple[int, int, np.ndarray, np.ndarray, slice, tuple[int, int]]]:
        for number in self._rounds:
            count, rows = self.form.buckets.counts[number], self.form.betting.rows[number]
            part = slice(int(self.form.base[number]), int(self.form.base[number + 1]))
            for player in (0, 1):
                yield number, player, *self._moves(number, player), part, (count, rows)

    def _numbers(self, name: str) -> np.ndarray:
        """The numbers of one kind in the form's layout."""
        numbers = np.zeros(self.form.numbers, np.float32)
        for number, player, slots, rows, part, shape in self._parts():
            table = self.machine.host(getattr(self._learned[number][player], name)).reshape(-1, shape[0])
            numbers[part].reshape(shape)[:, rows] = table[slots].T
        return numbers

    def _set_numbers(self, name: str, numbers: np.ndarray, scale: float) -> None:
        for number, player, slots, rows, part, shape in self._parts():
            table = np.zeros((self._slots(number, player), shape[0]), np.float32)
            table[slots] = numbers[part].reshape(shape)[:, rows].T * scale
            own = getattr(self._learned[number][player], name)
            self.machine.put_numbers(self.machine.address(own), table)
