"""Bucket files: one table per round, opened as a memory map; damaged files and other kinds are rejected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import places, store
from pokerlab.abstraction.buckets import LOSSLESS, Buckets, RoundBuckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.method import open_method
from pokerlab.cards.card import Deck
from pokerlab.errors import BadFile, PokerlabError
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import SHOWDOWNS
from pokerlab.reading import LARGEST_WHOLE, count, finite, text_of

KIND = "buckets"
LISTS = ("ranks", "suits", "boards", "methods", "counts", "distortions")  # of the manifest


def save(buckets: Buckets, path: Path | str) -> Buckets:
    """Write buckets to a file and return them with their file set."""
    arrays = arrays_of(dict(enumerate(buckets.rounds)))
    store.save(path, arrays, kind=KIND, fingerprint=buckets.fingerprint, **words_of(buckets))
    return replace(buckets, file=str(path))


def arrays_of(rounds: Mapping[int, RoundBuckets]) -> dict[str, np.ndarray]:
    """The arrays of some rounds, by their names in the file."""
    arrays: dict[str, np.ndarray] = {}
    for number, one in rounds.items():
        arrays |= {f"rule_{number}_{name}": array for name, array in one.arrays.items()}
        tables = {f"table_{number}": one.table, f"join_{number}": one.join}
        arrays |= {name: table for name, table in tables.items() if table is not None}
    return arrays


def words_of(buckets: Buckets) -> dict[str, Any]:
    """The cards and methods of buckets, for a manifest and for JSON."""
    cards = buckets.cards
    return {
        "ranks": list(cards.deck.ranks),
        "suits": list(cards.deck.suits),
        "private": cards.private,
        "boards": list(cards.boards),
        "showdown": cards.showdown,
        "ordered": cards.ordered,
        "methods": list(buckets.methods),
        "counts": list(buckets.counts),
        "distortions": [one.distortion for one in buckets.rounds],
        "seed": buckets.seed,
    }


def load(path: Path | str) -> Buckets:
    """Read buckets from a file; BadFile says what is wrong with a missing, damaged or foreign file."""
    saved = store.load(path, kind=KIND, quick=True)
    words: dict[str, Any] = dict(saved.manifest)
    try:
        if not all(isinstance(words[name], list) for name in LISTS):
            raise ValueError
        cards = _cards(words)
        methods = [text_of(word) for word in words["methods"]]
        counts = [count(one) for one in words["counts"]]
        seed, fingerprint = count(words["seed"], most=LARGEST_WHOLE), text_of(words["fingerprint"])
        if not len(methods) == len(counts) == len(words["distortions"]) == cards.rounds:
            raise ValueError
    except (KeyError, TypeError, ValueError, PokerlabError) as problem:
        raise BadFile(f"{path} is damaged: its manifest does not say what its buckets are of") from problem
    rounds = [read_round(saved, cards, number, method=method) for number, method in enumerate(methods)]
    buckets = Buckets(cards, tuple(rounds), seed, str(path))
    vars(buckets)["fingerprint"] = fingerprint  # of the whole tables; the file's checksum guarantees it
    return buckets


def _cards(words: Mapping[str, Any]) -> CardRounds:
    deck = Deck(tuple(map(text_of, words["ranks"])), tuple(map(text_of, words["suits"])))
    boards = tuple(count(one) for one in words["boards"])
    if not boards or list(boards) != sorted(boards) or words["showdown"] not in SHOWDOWNS:
        raise ValueError
    if not isinstance(words["ordered"], bool):
        raise ValueError
    return CardRounds(deck, count(words["private"]), boards, text_of(words["showdown"]), words["ordered"])


def read_round(saved: store.StoredFile, cards: CardRounds, number: int, *, method: str) -> RoundBuckets:
    """The buckets of a round; BadFile if a table holds an invalid bucket, because kernels do not check."""
    table, join = saved.arrays.get(f"table_{number}"), saved.arrays.get(f"join_{number}")
    wrong = BadFile(f"{saved.path} is damaged: its table of round {number} does not fit its game")
    prefix = f"rule_{number}_"
    arrays = {name.removeprefix(prefix): array for name, array in saved.arrays.items() if name.startswith(prefix)}
    total = count(saved.manifest["counts"][number])
    try:
        distortion = finite(saved.manifest["distortions"][number])
    except (TypeError, ValueError) as problem:
        raise wrong from problem
    classes = 1
    if table is not None:
        if table.shape != (cards.hands(number),) or table.dtype not in (np.uint8, np.uint16, np.uint32):
            raise wrong
        classes = int(table.max()) + 1
    elif not arrays:
        raise wrong
    if join is None:
        if classes > total:
            raise wrong
    else:
        before = saved.manifest["counts"][number - 1] if number else 1
        if join.ndim != 2 or join.dtype != np.int32 or join.shape[0] < before or join.shape[1] < classes:
            raise wrong
        if join.size and (int(join.min()) < 0 or int(join.max()) >= total):
            raise wrong
    try:
        kind = open_method(method)
    except PokerlabError as problem:  # a method of a package that is not installed: the table is all we need
        if table is None:
            raise BadFile(f"{saved.path} needs a method that is not installed: {problem}") from problem
        return RoundBuckets(method, total, table, join, {}, distortion)
    if arrays and not kind.is_sound(arrays, cards, number, total if join is None else join.shape[1]):
        raise wrong
    return RoundBuckets(method, total, table, join, arrays, distortion)


def trained_buckets(words: Mapping[str, Any], game: PokerGame, *, beside: Path, path: Path | str) -> Buckets:
    """The buckets that a strategy was trained with, at their saved path or beside the strategy; BadFile if missing."""
    try:
        methods, fingerprint, file = list(words["methods"]), text_of(words["fingerprint"]), text_of(words["file"])
        counts = "/".join(str(count(one)) for one in words["counts"])
    except (KeyError, TypeError, ValueError) as problem:
        raise BadFile(f"{path} is damaged: its manifest does not say which buckets it plays with") from problem
    if set(methods) == {LOSSLESS}:
        return lossless(CardRounds.of(game))
    name = Path(file).name or "a file of buckets"
    files = [place for place in (Path(file), beside / Path(file).name) if file and places.exists(place)]
    for place in files:
        buckets = load(place)
        if buckets.fingerprint == fingerprint:
            return buckets
    why = f"{name} there holds others" if files else "it is not there"
    raise BadFile(
        f"{path} needs the buckets that it was trained with, {counts} in {name}, and {why}: put that file beside it"
    )
