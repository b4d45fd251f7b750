"""Create the buckets of a game, save them, and resume an interrupted run."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import places, store
from pokerlab.abstraction import bucket_file, unfinished
from pokerlab.abstraction.buckets import LOSSLESS, Buckets, RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.forecast import Forecast, forecast
from pokerlab.abstraction.making import IMPERFECT, PERFECT, FinishedRound, Plan, make, parents_of
from pokerlab.abstraction.method import ValueFunction, method_name, open_method
from pokerlab.abstraction.unfinished import DoneRound
from pokerlab.errors import BadFile, BadSetting, TooLarge, shortened
from pokerlab.events import CancelToken, Event, OnProgress, Watch
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import HOLDEM_ROUNDS
from pokerlab.parallel import core_count, elsewhere
from pokerlab.tree.forecast import available_memory, bytes_text

CARDS_OF = {"holdem": "holdem-limit"}  # any game with the same cards: the betting does not matter
STREETS = dict(zip((0, 3, 4, 5), HOLDEM_ROUNDS, strict=True))  # by public cards
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
MOST_BY_DEFAULT = 1000  # buckets of a round
SHARE_BY_DEFAULT = 10  # hands per bucket, in games with fewer
FEWEST_BY_DEFAULT = 10
MOST_FIRST = 2000  # hands of a first round that get their own bucket
GAMESHRINK = "gameshrink"
_BLOCK = 1 << 22


@dataclass(frozen=True)
class RoundSummary:
    """The result of a round."""

    round: int
    name: str
    method: str
    hands: int
    buckets: int
    distortion: float | None  # None: not measured
    seconds: float | None  # None: not created in this run, and unknown
    smallest: int | None  # hands of a bucket; None: unknown without the table, or without the order of the board
    largest: int | None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return vars(self).copy()


@dataclass(frozen=True, eq=False)
class BucketingResult:
    """Buckets, and how they were created."""

    buckets: Buckets
    rounds: tuple[RoundSummary, ...]
    seconds: float  # of this run
    resumed: tuple[str, ...]  # rounds finished in earlier runs


def cards_of(game: str) -> CardRounds:
    """How a game deals its cards; "holdem" stands for hold'em with any betting."""
    return CardRounds.of(_opened(game))


def check_players(game: str | PokerGame, methods: Sequence[str]) -> None:
    """Raise BadSetting if a method is lossless only with two players, and the game has more."""
    opened = game if isinstance(game, PokerGame) else _opened(game)
    for text in methods:
        if opened.players > 2 and method_name(text) == GAMESHRINK and open_method(text).for_two:
            raise BadSetting(
                f"{shortened(text)} looks at one opponent, and would lose something with the {opened.players} players "
                f"of {opened.name}: choose lossless, or gameshrink(outcomes=true), which is lossy anyway"
            )


def remark(plan: Plan) -> str:
    """A warning about what is less lossless than it looks; empty if there is none."""
    lossless_for_two = [text for text in plan.methods if open_method(text).for_two]
    lossy = [text for text in plan.methods if text not in lossless_for_two and method_name(text) != LOSSLESS]
    if not lossy or not lossless_for_two:
        return ""
    others = shortened(", ".join(dict.fromkeys(lossy)))
    return (
        f"gameshrink is lossless only if every round is made by it or by lossless; with {others} beside it the buckets "
        "are lossy"
    )


def values_of(game: str, plan: Plan) -> ValueFunction | None:
    """Computes the values of a game's hands; None if no method needs them.

    Raises BadSetting or TooLarge, before the work, if they cannot be computed.
    """
    if "values" not in map(method_name, plan.methods):
        return None
    from pokerlab.solvers.bucketed.warm_up import WarmUp

    warm_up = WarmUp(_opened(game))
    warm_up.check()
    return warm_up


def _opened(game: str) -> PokerGame:
    name, bracket, rest = game.strip().partition("(")
    opened = open_game(CARDS_OF.get(name.strip().lower(), name) + bracket + rest)
    if not isinstance(opened, PokerGame):
        raise BadSetting(f"{opened.name} is not a game of the poker engine, and has no hands to put into buckets")
    return opened


def round_names(cards: CardRounds) -> tuple[str, ...]:
    """The names of the rounds: preflop, flop, turn and river, or first, second, third.

    >>> round_names(cards_of("holdem")), round_names(cards_of("leduc"))
    (('preflop', 'flop', 'turn', 'river'), ('first', 'second'))
    """
    streets = [STREETS.get(size, "") for size in cards.boards]
    if all(streets) and cards.rounds > 1 and len(set(streets)) == cards.rounds:
        return tuple(streets)
    return tuple(
        ORDINALS[round_index] if round_index < len(ORDINALS) else f"{round_index + 1}th"
        for round_index in range(cards.rounds)
    )


def round_number(cards: CardRounds, text: str) -> int:
    """The round that a text names, "flop", "second" or "2"; BadSetting lists them."""
    names, word = round_names(cards), text.strip().lower()
    for known in (names, ORDINALS[: cards.rounds], [str(round_index + 1) for round_index in range(cards.rounds)]):
        if word in known:
            return list(known).index(word)
    raise BadSetting(f"the rounds of this game are {', '.join(names)}, and {shortened(text, 30)!r} is not one of them")


def default_methods(cards: CardRounds, buckets: int | None = None) -> list[str]:
    """The default methods: lossless in a first round of few hands, then emd, and ochs in the last round.

    >>> default_methods(cards_of("holdem")), default_methods(cards_of("holdem"), 50)
    (['lossless', 'emd:1000', 'emd:1000', 'ochs:1000'], ['emd:50', 'emd:50', 'emd:50', 'ochs:50'])
    """
    methods = []
    for round_index in range(cards.rounds):
        hands = cards.hands(round_index)
        count = buckets or max(FEWEST_BY_DEFAULT, min(MOST_BY_DEFAULT, hands // SHARE_BY_DEFAULT))
        is_lossless = hands <= count or (round_index == 0 and buckets is None and hands <= MOST_FIRST)
        methods.append(LOSSLESS if is_lossless else f"{'ochs' if round_index == cards.rounds - 1 else 'emd'}:{count}")
    return methods


def chosen_methods(
    cards: CardRounds, *, named: Sequence[tuple[str, str]] = (), listed: str | None = None, buckets: int | None = None
) -> tuple[str, ...]:
    """A method for each round: all in one list, or the named (round, method) pairs with defaults for the others."""
    if listed is not None:
        if named:
            raise BadSetting("name methods of rounds one by one, or all with --methods, not both")
        methods = [part.strip() for part in re.split(r",(?![^(]*\))", listed)]
        if len(methods) != cards.rounds:
            rounds = ", ".join(round_names(cards))
            count = f"{len(methods)} method" + "s" * (len(methods) != 1)
            raise BadSetting(f"--methods names {count}, and there are {cards.rounds} rounds: {rounds}")
        return tuple(methods)
    chosen: dict[int, str] = {}
    for name, method in named:
        round_index = round_number(cards, name)
        if round_index in chosen:
            raise BadSetting(f"two methods are named for the {round_names(cards)[round_index]} round: name one")
        chosen[round_index] = method
    return tuple(
        chosen.get(round_index, default) for round_index, default in enumerate(default_methods(cards, buckets))
    )


def planned(cards: CardRounds, methods: Sequence[str], *, recall: str = IMPERFECT, seed: int = 0) -> Plan:
    """The plan of a run; raises BadSetting before the work."""
    return Plan(cards, tuple(methods), recall, seed)


def forecast_of(plan: Plan, *, threads: int | None = None, out: Path | None = None) -> Forecast:
    """The forecast for the rounds that are not yet finished in a file beside `out`."""
    done = () if out is None or plan.within else tuple(unfinished.load(unfinished.path_of(out), plan))
    return forecast(plan, threads=threads or core_count(), done=done)


def check_fits(expected: Forecast) -> None:
    """Raise TooLarge if memory would not suffice."""
    free = available_memory()
    if expected.bytes > free:
        raise TooLarge(
            f"these buckets take about {bytes_text(expected.bytes)} of memory while they are made, and "
            f"{bytes_text(free)} are free: choose methods with fewer dimensions per hand, such as strength or ochs"
        )


def check_out(out: Path) -> None:
    """Raise BadFile if a file of another kind would be overwritten."""
    for path, kind in ((out, bucket_file.KIND), (unfinished.path_of(out), unfinished.KIND)):
        if places.exists(path):
            other = store.manifest_of(path).get("kind") if store.is_saved(path) else "foreign"
            if other != kind:
                raise BadFile(
                    f"{path} is a {shortened(str(other), 40)} file, and would be lost: name another for --out"
                )


def make_buckets(
    plan: Plan,
    *,
    threads: int | None = None,
    backend: str = "",
    out: Path | None = None,
    lean: bool = False,
    values: ValueFunction | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> BucketingResult:
    """Create buckets. With `out` they are saved there at the end, and finished rounds beside it until then.

    A rerun with the same plan and `out` resumes from the finished rounds. An event gives the share of the current stage
    that is done; when a round is finished, its payload is the MadeRound. The features of hands are computed on the
    `backend`, if there is one, and clustered here.
    """
    part = None if out is None else unfinished.path_of(out)
    if out is not None:
        check_out(out)
    done = {} if part is None or plan.within else unfinished.load(part, plan)
    names, before, began = round_names(plan.cards), tuple(done), time.perf_counter()
    given = {round_index: one.buckets for round_index, one in done.items()}
    last = began

    def finished(round_index: int, one: RoundBuckets) -> RoundSummary:
        nonlocal last
        now = time.perf_counter()
        done[round_index], last = DoneRound(one, now - last), now
        if part is not None and not plan.within and len(done) < plan.cards.rounds:
            unfinished.save(part, plan, done)
        return _made_round(plan.cards, round_index, one, done[round_index].seconds, None)

    def report(event: Event) -> None:
        name, result = names[_current(plan, done)], event.payload
        if isinstance(result, FinishedRound):
            result = finished(result.round, result.buckets)
        if on_progress is not None:
            stage = re.sub(r" (of )?round \d+$", "", event.message)
            on_progress(replace(event, message=f"{name}: {stage}", payload=result))

    with Watch("abstract", report, cancel).interruptible() as watch, elsewhere(backend):
        buckets = make(plan, threads=threads or core_count(), watch=watch, done=given, values=values)
    rounds = round_summaries(buckets, seconds={round_index: one.seconds for round_index, one in done.items()})
    buckets = buckets.lean() if lean else buckets
    if out is not None and part is not None:
        buckets = bucket_file.save(buckets, out)
        places.remove(part)
    return BucketingResult(
        buckets, rounds, time.perf_counter() - began, tuple(names[round_index] for round_index in sorted(before))
    )


def _current(plan: Plan, done: Mapping[int, DoneRound]) -> int:
    """The current round: nested buckets begin with the first, others with the last."""
    left = [round_index for round_index in range(plan.cards.rounds) if round_index not in done] or [0]
    return left[0] if plan.within else left[-1]


# ---- describing buckets --------------------------------------------------------------------------------------------


def round_summaries(buckets: Buckets, *, seconds: Mapping[int, float] | None = None) -> tuple[RoundSummary, ...]:
    """A description of each round."""
    return tuple(
        _made_round(
            buckets.cards, round_index, one, (seconds or {}).get(round_index), hands_of_buckets(buckets, round_index)
        )
        for round_index, one in enumerate(buckets.rounds)
    )


def _made_round(
    cards: CardRounds, round_index: int, one: RoundBuckets, seconds: float | None, sizes: np.ndarray | None
) -> RoundSummary:
    distortion = one.distortion if one.join is None or one.arrays else None
    smallest, largest = (None, None) if sizes is None else (int(sizes[sizes > 0].min()), int(sizes.max()))
    name, hands = round_names(cards)[round_index], cards.hands(round_index)
    return RoundSummary(round_index, name, one.method, hands, one.count, distortion, seconds, smallest, largest)


def recall_of(buckets: Buckets) -> str:
    """Whether each bucket encodes the buckets of earlier rounds."""
    return PERFECT if buckets.remembers else IMPERFECT


def labels_of(buckets: Buckets, round_index: int) -> np.ndarray | None:
    """The bucket of every hand of a round; None without a table, and where a hand does not determine its bucket.

    It does not with perfect recall if the order of the board is forgotten: on the turn, the bucket of the flop depends
    on which card came last.  # [hand]
    """
    one, cards = buckets.rounds[round_index], buckets.cards
    if one.table is None or one.join is None:
        return one.table
    if not round_index:
        return np.asarray(one.join[0, one.table])
    before = labels_of(buckets, round_index - 1)
    if before is None or not (cards.ordered or cards.boards[round_index - 1] in (0, cards.boards[round_index])):
        return None
    return np.asarray(one.join[before[parents_of(cards, round_index)], one.table])


def hands_of_buckets(buckets: Buckets, round_index: int) -> np.ndarray | None:
    """The number of hands in each bucket of a round; None if that is unknown, as in `labels_of`.  # [bucket]"""
    labels = labels_of(buckets, round_index)
    if labels is None:
        return None
    total = np.zeros(buckets.rounds[round_index].count, np.int64)
    for start in range(0, len(labels), _BLOCK):
        total += np.bincount(labels[start : start + _BLOCK], minlength=len(total))
    return total


def summary(buckets: Buckets) -> dict[str, Any]:
    """The game of the buckets and how they were created, for JSON."""
    cards = buckets.cards
    return {
        "file": buckets.file or None,
        "bytes": places.size(Path(buckets.file)) if buckets.file else None,
        "deck": cards.deck.text(range(cards.deck.size)),
        "private": cards.private,
        "boards": list(cards.boards),
        "showdown": cards.showdown,
        "ordered": cards.ordered,
        "recall": recall_of(buckets),
        "lean": buckets.is_lean,
        "seed": buckets.seed,
        "fingerprint": buckets.fingerprint,
        "rounds": [one.as_dict() for one in round_summaries(buckets)],
    }
