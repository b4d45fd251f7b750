"""How cards come, buckets of hands, and files of them."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from pokerlab import store
from pokerlab.abstraction import bucket_file
from pokerlab.abstraction.buckets import Buckets, RoundBuckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.errors import BadCards, BadFile, BadSetting, TooLarge
from pokerlab.formats.opening import open_game


def random_buckets(cards: CardRounds, counts: tuple[int, ...], *, join: bool = False, seed: int = 3) -> Buckets:
    """Buckets drawn by chance, every one of them used."""
    rng = np.random.default_rng(seed)
    rounds, before = [], 1
    for turn, count in enumerate(counts):
        hands = cards.hands(turn)
        table = np.concatenate([np.arange(count), rng.integers(0, count, max(hands - count, 0))])[:hands]
        own = RoundBuckets(f"random:{count}", count, rng.permutation(table).astype(np.uint16))
        if join:
            joined = np.arange(before * count, dtype=np.int32).reshape(before, count)
            own = replace(own, count=before * count, join=joined)
            before *= count
        rounds.append(own)
    return Buckets(cards, tuple(rounds), seed)


def cards_of(game: str, *, ordered: bool = False) -> CardRounds:
    found = open_game(game)
    return CardRounds.of(found, ordered=ordered)  # type: ignore[arg-type]


def test_hands_of_the_rounds() -> None:
    assert [cards_of("holdem-limit").hands(turn) for turn in range(4)] == [169, 1_286_792, 13_960_050, 123_156_254]
    assert [cards_of("holdem-limit", ordered=True).hands(turn) for turn in range(3)] == [169, 1_286_792, 55_190_538]
    assert [cards_of("kuhn").hands(turn) for turn in range(1)] == [3]
    assert cards_of("rhode-island").boards == (0, 1, 2)


@pytest.mark.parametrize(
    ("game", "why"), [("five-card-draw", "change after the first deal"), ("von-neumann", "a deck of their own")]
)
def test_games_without_buckets_say_why(game: str, why: str) -> None:
    with pytest.raises(BadSetting, match=why):
        cards_of(game)


def test_every_hand_has_the_bucket_of_those_that_differ_by_names_of_suits() -> None:
    cards = cards_of("rhode-island")
    buckets = random_buckets(cards, (4, 20, 60))
    rng = np.random.default_rng(8)
    for _ in range(200):
        dealt = rng.permutation(52)[:3]
        names = rng.permutation(4)
        renamed = dealt // 4 * 4 + names[dealt % 4]
        for shown in range(3):
            one = buckets.of(dealt[:1].reshape(1, 1).astype(np.uint8), dealt[1 : 1 + shown].tolist())
            other = buckets.of(renamed[:1].reshape(1, 1).astype(np.uint8), renamed[1 : 1 + shown].tolist())
            assert one == other
    with pytest.raises(BadCards, match="no board of this game has 3 cards"):
        buckets.of(np.zeros((1, 1), np.uint8), [1, 2, 3])


def test_a_bucket_that_remembers_tells_the_buckets_before() -> None:
    cards = cards_of("leduc")
    forgetful, mindful = random_buckets(cards, (2, 4)), random_buckets(cards, (2, 4), join=True)
    assert not forgetful.remembers
    assert mindful.remembers
    for hand, board in combinations(range(6), 2):
        held = np.array([[hand]], np.uint8)
        first, own = int(forgetful.of(held, [])[0]), int(forgetful.of(held, [board])[0])
        assert int(mindful.of(held, [board])[0]) == 4 * first + own


def test_lossless_buckets_are_hands() -> None:
    buckets = lossless(cards_of("leduc"))
    assert buckets.counts == (3, 15)
    assert buckets.is_lossless
    assert buckets.text == "3/15"
    with pytest.raises(TooLarge, match="123,156,254 hands"):
        lossless(cards_of("holdem-limit"))


@pytest.mark.parametrize("join", [False, True])
def test_files_give_the_same_buckets_back(tmp_path: Path, join: bool) -> None:
    made = random_buckets(cards_of("rhode-island"), (3, 7, 11), join=join)
    kept = bucket_file.save(made, tmp_path / "a.buckets")
    found = bucket_file.load(tmp_path / "a.buckets")
    assert found.fingerprint == made.fingerprint == kept.fingerprint
    assert (found.cards, found.counts, found.methods, found.seed) == (made.cards, made.counts, made.methods, made.seed)
    held = np.arange(10, 52, dtype=np.uint8).reshape(-1, 1)
    for board in ([], [0], [0, 9]):
        assert (found.of(held, board) == made.of(held, board)).all()
    assert pickle.loads(pickle.dumps(found.cards)) == found.cards


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    made = random_buckets(cards_of("leduc"), (2, 5))
    path = tmp_path / "a.buckets"

    def kept(**changes: np.ndarray | object) -> Path:
        words = bucket_file.words_of(made) | {"fingerprint": "x"}
        arrays = {f"table_{turn}": one.table for turn, one in enumerate(made.rounds)}
        for name, value in changes.items():
            (arrays if isinstance(value, np.ndarray) else words)[name] = value  # type: ignore[index]
        return store.save(path, arrays, kind=bucket_file.KIND, **words)

    for changes in (
        {"table_1": made.rounds[1].table[:-1]},
        {"table_1": made.rounds[1].table.astype(np.int64)},
        {"table_1": made.rounds[1].table + np.uint16(9)},
        {"join_1": np.full((2, 5), 77, np.int32)},
        {"join_1": np.zeros((1, 5), np.int32)},
        {"counts": [2]},
        {"boards": [1, 0]},
        {"private": -1},
        {"ranks": "many"},
        {"showdown": 3},
    ):
        with pytest.raises(BadFile, match="damaged"):
            bucket_file.load(kept(**changes))
    with pytest.raises(BadFile):
        bucket_file.load(tmp_path / "nothing.buckets")
