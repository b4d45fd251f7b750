"""Laws of every way of bucketing, found and not listed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pokerlab.abstraction import bucket_file, making
from pokerlab.abstraction.buckets import LOSSLESS, Buckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.abstraction.method import open_method
from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.registry import available
from pokerlab.solvers.bucketed.warm_up import WarmUp

ALONE = "gameshrink"  # it takes no count and must remember: see test_gameshrink.py
METHODS = [entry.name for entry in available("abstractions") if entry.name != ALONE]
RHODE_ISLAND = "rhode-island(ranks=6)"
GAMES = ["kuhn", "leduc", RHODE_ISLAND]
OTHERS = {"emd": "emd:7(bins=9, restarts=2)", "histogram": "histogram:6(bins=3)", "ochs": "ochs:6(opponents=3)"}
OTHERS |= {"strength": "strength:5(squared=true)", "nested": "nested:3x4", "uniform": "uniform:4(squared=true)"}
OTHERS |= {"joint": "joint:6(texture=2)", "public": "public:3x4"}


@cache
def cards_of(game: str) -> CardRounds:
    return CardRounds.of(open_game(game))  # type: ignore[arg-type]


def values_of(game: str) -> WarmUp:
    return WarmUp(open_game(game))  # type: ignore[arg-type]


def named(method: str, count: int) -> str:
    return method if method == LOSSLESS else f"{method}:{count}"


@cache
def made(game: str, text: str, *, seed: int = 3, threads: int = 1, recall: str = "imperfect") -> Buckets:
    """Buckets by one method in all rounds, but for a last one of methods that look ahead and cannot there."""
    cards = cards_of(game)
    methods = (text,) * cards.rounds
    try:
        return make(Plan(cards, methods, recall, seed), threads=threads, values=values_of(game))
    except BadSetting:
        return make(Plan(cards, (*methods[:-1], "emd:6"), recall, seed), threads=threads, values=values_of(game))


def hands_of(cards: CardRounds, turn: int) -> np.ndarray:
    """Every hand of a round, names of suits changed at random.  # [hand, cards]"""
    rng, suits = np.random.default_rng(turn), len(cards.deck.suits)
    hands = cards.indexer(turn).unindex_batch(np.arange(cards.hands(turn)))
    renamed = np.array([rng.permutation(suits) for _ in hands])
    new = np.take_along_axis(renamed, (hands % suits).astype(np.int64), axis=1)
    return (hands // suits * suits + new).astype(np.uint8)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [1, 5, 1_000_000 // 13])
def test_every_class_is_used(method: str, game: str, count: int) -> None:
    text = named(method, count if method not in ("nested", "public") else min(count, 300))
    buckets = made(game, text)
    for turn, one in enumerate(buckets.rounds):
        assert one.table is not None
        assert len(one.table) == cards_of(game).hands(turn)
        assert np.unique(one.table).tolist() == list(range(one.count))
        assert one.count <= open_method(one.method).count
        assert one.distortion >= 0
        if text == f"{method}:1" == one.method:
            assert one.count == 1


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("text", [*(named(method, 5) for method in METHODS), *OTHERS.values()])
def test_a_hand_alone_is_placed_as_all_together(game: str, text: str) -> None:
    buckets, cards = made(game, text), cards_of(game)
    for turn, one in enumerate(buckets.rounds):
        hands = hands_of(cards, turn)
        if open_method(one.method).is_rule:
            placed = open_method(one.method).place(one.arrays, cards, turn, hands)
            assert np.array_equal(placed, one.table)  # type: ignore[arg-type]
            alone = open_method(one.method).place(one.arrays, cards, turn, hands[-1:])
            assert alone.tolist() == placed[-1:].tolist()


@pytest.mark.parametrize("game", ["leduc", RHODE_ISLAND])
@pytest.mark.parametrize("method", METHODS)
def test_threads_change_nothing(game: str, method: str) -> None:
    text = named(method, 5)
    one, other = made(game, text), made(game, text, threads=3)
    assert one.fingerprint == other.fingerprint
    for first, second in zip(one.rounds, other.rounds, strict=True):
        assert first.arrays.keys() == second.arrays.keys()
        assert all(np.array_equal(first.arrays[name], second.arrays[name]) for name in first.arrays)


WITHOUT_CHANCE = (LOSSLESS, "strength", "nested", "uniform", "public")  # or with few boards to cluster


@pytest.mark.parametrize("text", [method for method in METHODS if method not in WITHOUT_CHANCE])
def test_another_seed_finds_other_buckets(text: str) -> None:
    found = {made(RHODE_ISLAND, f"{text}:20", seed=seed).rounds[1].table.tobytes() for seed in range(2)}  # type: ignore[union-attr]
    assert len(found) > 1


def deals(cards: CardRounds, count: int) -> np.ndarray:
    """Private cards and boards drawn by chance.  # [deal, cards]"""
    rng = np.random.default_rng(1)
    rows = [rng.permutation(cards.deck.size)[: cards.private + cards.boards[-1]] for _ in range(count)]
    return np.array(rows, np.uint8)


def placed(buckets: Buckets, rows: np.ndarray) -> np.ndarray:
    """The bucket of each deal in each round.  # [deal, round]"""
    cards = buckets.cards
    found = np.empty((len(rows), cards.rounds), np.int64)
    for place, row in enumerate(rows):
        for turn, size in enumerate(cards.boards):
            board = row[cards.private : cards.private + size].tolist()
            found[place, turn] = buckets.at(turn, row[None, : cards.private], board)[0]
    return found


@pytest.mark.parametrize("game", ["leduc", RHODE_ISLAND])
@pytest.mark.parametrize("recall", ["imperfect", "perfect"])
@pytest.mark.parametrize("method", METHODS)
def test_files_give_back_what_was_kept(game: str, method: str, recall: str, tmp_path: Path) -> None:
    buckets = made(game, named(method, 5), recall=recall)
    rows = deals(buckets.cards, 12)
    expected = placed(buckets, rows)
    for name, kept in (("whole", buckets), ("lean", buckets.lean())):
        path = tmp_path / name
        assert bucket_file.save(kept, path).file == str(path)
        opened = bucket_file.load(path)
        assert (opened.cards, opened.counts, opened.methods) == (buckets.cards, buckets.counts, buckets.methods)
        assert (opened.seed, opened.fingerprint) == (3, buckets.fingerprint)
        assert [one.distortion for one in opened.rounds] == [one.distortion for one in buckets.rounds]
        assert np.array_equal(placed(opened, rows), expected)


@pytest.mark.parametrize("within", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_buckets_that_remember_tell_the_one_before(method: str, within: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not within:  # as in games with too many hands
        monkeypatch.setattr(making, "MOST_WITHIN", 0)
    cards = cards_of(RHODE_ISLAND)
    methods = (LOSSLESS, "strength:4", named(method, 4))
    try:
        buckets = make(Plan(cards, methods, PERFECT), values=values_of(RHODE_ISLAND))
    except BadSetting:
        buckets = make(Plan(cards, (LOSSLESS, named(method, 4), "strength:4"), PERFECT))
    assert buckets.cards.ordered is (within and method != "potential")  # which looks ahead
    found = placed(buckets, deals(cards, 250))
    for turn in (1, 2):
        before = dict(zip(found[:, turn].tolist(), found[:, turn - 1].tolist(), strict=True))
        assert all(before[bucket] == earlier for bucket, earlier in found[:, turn - 1 : turn + 1][:, ::-1].tolist())
        assert (found[:, turn] < buckets.counts[turn]).all()
    assert len(set(found[:, 0].tolist())) == 6


def test_lean_files_without_a_rule_are_refused(tmp_path: Path) -> None:
    """Damage that a checksum does not show: written so."""
    buckets = made("leduc", "emd:4").lean()
    bare = replace(buckets, rounds=tuple(replace(one, arrays={}) for one in buckets.rounds))
    bucket_file.save(bare, tmp_path / "bare")
    with pytest.raises(BadFile, match="is damaged"):
        bucket_file.load(tmp_path / "bare")
