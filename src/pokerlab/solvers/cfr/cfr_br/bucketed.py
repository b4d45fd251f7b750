"""CFR-BR over buckets: a player limited to buckets minimises regret against a best response that sees its cards.

Each player is trained against a best response in the real game, computed hand by hand in the public form (public.py);
regrets of hands are summed over their buckets. The average strategies converge to those strategies of the abstraction
that are least exploitable in the real game, which self-play inside the abstraction does not achieve.

The hybrid (`trunk` rounds) samples the public cards dealt in the trunk: below it the opponent plays a best response, in
the trunk it minimises regret hand by hand. An iteration then walks a small part of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting_tree import Decision, walk
from pokerlab.solvers.cfr.cfr_br._kernels import Decisions, HandOffsets, gather_hands, learn, remember, spread_to_hands
from pokerlab.solvers.cfr.cfr_br.public import BestResponseWalk, Boards, InstantRegretWalk, Path, check_trunk
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.solvers.core.schedule import Schedule, Step
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.bucketed.real_game import MOST_BYTES, Measured, betting_histories, held_buckets, measurer
from pokerlab.tree.forecast import bytes_text
from pokerlab.tree.form import kind_of
from pokerlab.tree.measure import Measure
from pokerlab.tree.public.form import public_form
from pokerlab.tree.public.layout import PublicTree, slots_of
from pokerlab.tree.public.profiles import Followers


class BucketedCfrBr:
    """CFR-BR. By number [number]: regret and current strategy, float64; and the average, float32."""

    def __init__(
        self,
        form: BucketedForm,
        schedule: Schedule,
        *,
        trunk: int = 0,
        current: bool = False,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        self.form, self.schedule, self.trunk, self.current = form, schedule, trunk, current
        self.iterations = self.nodes_touched = 0
        self.tree = real_game(form)
        check_trunk(self.tree, trunk)
        self.regret, self.play = np.zeros((2, form.numbers))
        self.average = np.zeros(form.numbers, np.float32)
        self.trunk_regret = [
            [np.zeros(slots_of(level, player)) for player in (0, 1)] for level in self.tree.rounds[:trunk]
        ]
        self._random = seed_word(seed)
        self._boards = Boards(self.tree)
        self._best_response = BestResponseWalk(self.tree, threads=threads)
        self._instant = InstantRegretWalk(self.tree, threads=threads)
        self._placed = placings(form, self.tree)
        self._decisions = [decisions_of(form, player) for player in (0, 1)]
        self._followers = [Followers(self.tree, player) for player in (0, 1)]
        self._match(Step(), np.zeros(form.numbers))

    def _match(self, step: Step, instant: np.ndarray, players: tuple[int, ...] = (0, 1)) -> None:
        for player in players:
            learn(self._decisions[player], step, instant, self.regret, self.play)

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            step = self.schedule.step(self.iterations + 1)
            random = np.random.default_rng([int(self._random[0]), self.iterations])
            for player in (0, 1):
                self._move(player, step, self._boards.sample(self.trunk, random))
            self.iterations += 1

    def _move(self, player: int, step: Step, path: Path) -> None:
        """One player's step: against a best response, or on a path against the hybrid."""
        stores, ranges, rival = self._instant.stores, self._boards.ranges(path), 1 - player
        for number, (first, end) in enumerate(ranges):
            spread_to_hands(self._placed[number][player], first, end, self.play, stores[number][player].regret)
        self._enter_trunk(rival, path)
        sums = [[store.regret for store in pair] for pair in stores]
        choice = [pair[rival] for pair in sums]
        self._best_response.respond(sums, rival, path, choice)
        for number in range(self.trunk, len(ranges)):
            self._followers[rival].share_numbers(number, choice[number], ranges[number])
        self._instant.face(player, path)
        self._leave_trunk(rival, step, path)
        instant, shared = np.zeros((2, self.form.numbers))
        for number, (first, end) in enumerate(ranges):
            weight = self._boards.weights[number] * (np.prod(path.factors[:number]) / self.tree.pairs)
            stored, placing = stores[number][player], self._placed[number][player]
            gather_hands(placing, first, end, weight, stored.regret, instant)
            gather_hands(placing, first, end, weight, stored.average, shared)
            level = self.tree.rounds[number]
            for plex, hands in zip(level.treeplexes, level.hands, strict=True):  # which two walks have visited
                self.nodes_touched += 2 * plex.nodes * int(hands.count[first:end].sum())
        if not self.current:
            remember(self._decisions[player], step.keep_average, step.average_weight, shared, self.average)
        self._match(step, instant, (player,))

    def _trunk_parts(self, rival: int, path: Path) -> Iterator[tuple[int, int, slice]]:
        """The rounds of the trunk, with the board of the path and where the opponent's numbers on it are stored."""
        for number, board in enumerate((0, *path.boards)[: self.trunk]):
            level = self.tree.rounds[number]
            size = level.hands[rival].rows * level.treeplexes[rival].slots
            yield number, board, slice(board * size, (board + 1) * size)

    def _enter_trunk(self, rival: int, path: Path) -> None:
        """The hybrid's strategy in the trunk, proportional to its positive regrets."""
        for number, _, part in self._trunk_parts(rival, path):
            self._instant.stores[number][rival].regret[part] = self.trunk_regret[number][rival][part]

    def _leave_trunk(self, rival: int, step: Step, path: Path) -> None:
        """Add the hybrid's regrets in the trunk, on the boards of the path."""
        for number, board, part in self._trunk_parts(rival, path):
            regret, instant = self.trunk_regret[number][rival], self._instant.stores[number][rival].regret
            self._followers[rival].share_numbers(number, instant, (board, board + 1))
            regret *= np.where(regret > 0, step.keep_positive, step.keep_negative)
            regret[part] += instant[part]
            if step.floor:
                np.maximum(regret, 0, out=regret)

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The average strategies, or the current ones with `strategy=current`.  # [number] float32"""
        return {"average": self.play.astype(np.float32) if self.current else self.average.copy()}

    @cached_property
    def _in_real_game(self) -> Measured:
        measured = measurer(self.form, tree=self.tree)
        assert measured is not None
        return measured

    def measure(self) -> Measure:
        """The measure of the average strategies in the real game, whose tree is already built."""
        return self._in_real_game(self.form.unpack(self.strategy_arrays()))

    def measure_current(self) -> Measure:
        """The measure of the current strategies in the real game."""
        return self._in_real_game(self.play)

    def arrays(self) -> dict[str, np.ndarray]:
        own = {"regret": self.regret, "play": self.play, "random": self._random} | self._trunk_arrays()
        counts = {"counts": np.array([self.iterations, self.nodes_touched]), "unit": np.ones(1)}
        return self.strategy_arrays() | {name: array.copy() for name, array in own.items()} | counts

    def _trunk_arrays(self) -> dict[str, np.ndarray]:
        pairs = enumerate(self.trunk_regret)
        return {f"trunk_{number}_{player}": pair[player] for number, pair in pairs for player in (0, 1)}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        for name in ("regret", "play", "average"):
            getattr(self, name)[:] = arrays[name]
        for name, regret in self._trunk_arrays().items():
            regret[:] = arrays[name]
        self._random[:] = arrays["random"]
        self.iterations, self.nodes_touched = (int(count) for count in arrays["counts"])


def real_game(form: BucketedForm) -> PublicTree:
    """The game without its buckets, in the public form; BadSetting if it has none or is too large."""
    kind = kind_of("public")
    reason = kind.why_not(form.game)
    if not reason and (size := kind.forecast(form.game).bytes) > MOST_BYTES:
        reason = (
            f"the public form of {form.name} needs {bytes_text(size)}, more than the {bytes_text(MOST_BYTES)} allowed"
        )
    if reason:
        raise BadSetting(f"cfr-br responds to every hand of the real game, in the public form: {reason}")
    return public_form(form.game)


def placings(form: BucketedForm, tree: PublicTree) -> list[list[HandOffsets]]:
    """Where each player's hands are stored among the numbers of buckets, round by round.  # [round][player]"""
    slots = [[np.zeros((2, plex.slots), np.int64) for plex in level.treeplexes] for level in tree.rounds]
    histories, arrays = betting_histories(tree), form.betting.arrays
    for node in walk(tree.betting):
        if isinstance(node, Decision):
            place, own = tree.places[node], form.betting.node_of(histories[id(node)])
            round_index, moves = int(arrays.round[own]), len(node.actions)
            first, stride = slots[place.round][node.player]
            first[place.slot : place.slot + moves] = form.first_number(own, 0) + np.arange(moves)
            stride[place.slot : place.slot + moves] = form.betting.rows[round_index]
    return [
        [
            HandOffsets(
                held_buckets(form, tree, level, player).astype(np.int32),
                level.hands[player].count,
                *slots[number][player],
            )
            for player in (0, 1)
        ]
        for number, level in enumerate(tree.rounds)
    ]


def decisions_of(form: BucketedForm, player: int) -> Decisions:
    """A player's decisions in the bucketed form."""
    arrays = form.betting.arrays
    nodes = np.flatnonzero(arrays.actor == player)
    turns = arrays.round[nodes].astype(np.int64)
    return Decisions(
        form.base[turns] + arrays.slot[nodes],
        np.array(form.betting.rows, np.int64)[turns],
        np.array(form.buckets.counts, np.int64)[turns],
        arrays.moves[nodes].astype(np.int64),
    )
