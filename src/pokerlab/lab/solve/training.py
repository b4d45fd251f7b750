"""Train a blueprint for a game that is too large to solve: its betting, buckets of its hands, and time."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab import specs
from pokerlab.abstraction import bucket_file
from pokerlab.abstraction.abstracted import Abstracted
from pokerlab.abstraction.buckets import Buckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.exchange_buckets import ExchangeBuckets, exchange_buckets
from pokerlab.errors import BadFile, BadSetting, TooLarge
from pokerlab.events import CancelToken, Event, OnProgress
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.abstraction.bucketing import check_players
from pokerlab.lab.solve.limits import check_limits
from pokerlab.lab.solve.solving import BuiltTask, Running, prepare, start
from pokerlab.lab.solve.tasks import Task
from pokerlab.lab.solve.training_memory import measuring_within, training_memory
from pokerlab.solvers.bucketed.playing import TrainingSnapshot, Watch
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Stop
from pokerlab.store import notify
from pokerlab.strategy.files.solution import FULL, Solution
from pokerlab.tree.form import BUCKETED
from pokerlab.tree.machines import device_named
from pokerlab.tree.resources import CPU, Resources

DEFAULT_ALGORITHM = "pure"
DEFAULT_EXCHANGE, EXCHANGING_ALGORITHM = "by-draws", "external(schedule='linear-cfr')"  # for games with a draw
CHECKPOINT_SECONDS = 60.0
NO_PROMISE = (
    "with {players} players no equilibrium is promised: training of this kind has no proof of convergence beyond two "
    "players, and what it finds is judged by matches"
)


@dataclass(frozen=True)
class TrainingProgress:
    """Progress between two checkpoints: the payload of a checkpoint's event."""

    iterations: int
    seconds: float
    nodes_touched: int
    learned: TrainingSnapshot

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        run = {"iterations": self.iterations, "seconds": self.seconds, "nodes_touched": self.nodes_touched}
        return run | self.learned.as_dict()


def named_game(name: str, *, players: int | None = None, stack: str | None = None, menu: str | None = None) -> str:
    """A game's name with some settings changed; a stack may be given in big blinds, "200bb".

    A menu is one for all rounds, "50%,allin", or one for each, "100%,allin / 50%,100%,allin / allin / allin".
    """
    base, settings = specs.read(name)
    if players is not None:
        settings["players"] = players
    if stack is not None:
        settings["stack"] = _stack(specs.spec_text(base, settings), stack)
    if menu is not None:
        rounds = [part.strip() for part in menu.split("/")]
        settings["menu"] = menu if len(rounds) == 1 else rounds
    return specs.spec_text(base, settings)


def _stack(game: str, text: str) -> int:
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(bb)?\s*", text.lower())
    if not match:
        raise BadSetting(f"a stack is a number of chips, or of big blinds as 200bb, not {text[:40]!r}")
    if not match[2]:
        return int(float(match[1]))
    opened = open_game(game)
    blind = max(opened.rules.blinds) if isinstance(opened, PokerGame) else 0
    if not blind:
        raise BadSetting(f"{game} has no blinds: write its stack in chips")
    return int(float(match[1]) * blind)


def abstracted(name: str, buckets: Path | str | Buckets | ExchangeBuckets | None) -> Abstracted:
    """A game with the buckets of a file, or with one bucket per hand if there are few."""
    game = open_game(name)
    if not isinstance(game, PokerGame):
        raise BadSetting(f"{game.name} is not a poker game of the rule engine; `pokerlab solve` takes every game")
    if game.dealing.draws and (buckets is None or isinstance(buckets, str | Path)):
        return Abstracted(game, exchange_buckets_for(game, buckets))
    if isinstance(buckets, str | Path):
        buckets = bucket_file.load(buckets)
    if isinstance(buckets, Buckets):
        check_players(game, buckets.methods)
    try:
        return Abstracted(game, lossless(CardRounds.of(game)) if buckets is None else buckets)
    except TooLarge as problem:
        raise BadSetting(
            f"{game.name} has too many hands for a bucket each: make buckets with "
            f"`pokerlab abstract {shlex.quote(name)} --out small.buckets`, and give them with --buckets small.buckets"
        ) from problem


def exchange_buckets_for(game: PokerGame, buckets: Path | str | None) -> ExchangeBuckets:
    """Buckets of a game with a draw, by the name of their method; lossless if possible."""
    if buckets is not None:
        return exchange_buckets(str(buckets), game)
    try:
        return exchange_buckets("lossless", game)
    except TooLarge:
        return exchange_buckets(DEFAULT_EXCHANGE, game)


def build_form(
    problem: Abstracted,
    *,
    algorithm: str | Algorithm | None = None,
    threads: int = 1,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> BuiltTask:
    """A game with buckets, ready for training; raises TooLarge before building if it does not fit."""
    return prepare(
        Task(problem),
        algorithm=algorithm or (EXCHANGING_ALGORITHM if problem.game.dealing.draws else DEFAULT_ALGORITHM),
        form=BUCKETED,
        resources=Resources(threads),
        on_progress=on_progress,
        cancel=cancel,
    )


def train(
    game: str,
    *,
    buckets: Path | str | Buckets | ExchangeBuckets | None = None,
    algorithm: str | Algorithm | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    threads: int = 1,
    device: str = CPU,
    seed: int = 0,
    backend: str = "",
    workers: int | None = None,
    interval: int | None = None,
    save: Path | str | None = None,
    keep: str = FULL,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> Solution:
    """Train a blueprint for a large poker game, for a number of iterations or seconds.

    - game: a poker game by name
    - buckets: a file or an object of buckets; small games need none
    - algorithm: by name with settings; "pure" by default
    - seconds: stop after this many
    - iterations: stop after this many
    - threads: with one, the same seed gives the same result
    - device: "cpu", "cuda" (an NVIDIA card; public-chance and cfr-br) or "auto": the card if there is one
    - seed: of the sampled cards and actions
    - backend: "ray" or "ray(address='10.0.0.1:6379')" to train on the machines of a cluster
    - workers: there, parts of an interval; with a fixed number, the same seed gives the same result
    - interval: there, the iterations after which machines exchange what they learned
    - save: a file that the solution is written to at the end and every minute
    - keep: "full", which can be resumed, or "strategy"
    - on_progress: called with the Events of a run, and at every checkpoint with one that has a TrainingProgress
    - cancel: a CancelToken; set from any thread, it stops the run
    """
    check_limits({"iterations": iterations, "seconds": seconds})
    watching: dict[str, Any] = {"on_progress": on_progress, "cancel": cancel}
    resources = Resources(threads, device=device_named(device), backend=backend, workers=workers, interval=interval)
    built = build_form(abstracted(game, buckets), algorithm=algorithm, threads=threads, **watching)
    running = start(built, seed=seed, resources=resources)
    return run(running, Stop(iterations=iterations, seconds=seconds), save=save, keep=keep, **watching)


def run(
    running: Running,
    stop: Stop,
    *,
    save: Path | str | None = None,
    keep: str = FULL,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    snapshots: Path | str | None = None,
) -> Solution:
    """Run a training to its end; with a folder for `snapshots`, the strategy of every checkpoint is saved there.

    What does not fit in memory is not measured, with a Notice.
    """
    memory = training_memory(running.solver.form, stop, started=True)
    for sentence in memory.left_out:
        notify(sentence)
    learning = Watch(running.solver, compares=memory.comparing > 0)
    folder = None if snapshots is None else Path(snapshots)
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise BadFile(f"snapshots cannot be saved in {str(folder)[:80]!r}: {problem.strerror}") from problem

    def checkpoint(solution: Solution) -> None:
        if folder is not None:
            solution.strategy_only().save(folder / f"{solution.iterations}.blueprint")
        if on_progress is not None:
            done, seconds = solution.iterations, solution.seconds
            progress = TrainingProgress(done, seconds, solution.nodes_touched, learning.look())
            on_progress(Event("train", done, stop.iterations, seconds, "iterations", "checkpoint", progress))

    watching: dict[str, Any] = {"on_progress": on_progress, "cancel": cancel, "on_checkpoint": checkpoint}
    watching["measure_solver"] = measuring_within(running.solver, memory)
    return running.run(stop, job="train", save=save, keep=keep, checkpoint_seconds=checkpoint_seconds, **watching)
