"""Strategies alone: what a small file keeps of them, and damaged ones."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest

from pokerlab.errors import BadFile
from pokerlab.formats.spot_file import spot_from
from pokerlab.games.poker.betting_tree import Decision, walk
from pokerlab.registry import load
from pokerlab.tree.public import packing
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.packing import packed, rounded, unpacked
from pokerlab.tree.public.poker import public_tree
from pokerlab.tree.public.reading import BoardMapping, chances
from pokerlab.tree.public.spot import spot_tree

ONE = {"range": "AA,KQs,76s:0.3,JTo", "bet": "33%,75%", "raise": "3x,allin"}
OTHER = {"range": "22+,A2s+", "bet": "50%,allin", "raise": "allin"}
MANY = {"range": "AA,72o", "bet": ",".join(str(size) for size in range(10, 130, 10))}


def spot(board: str, one: dict[str, Any], other: dict[str, Any], **more: Any) -> PublicTree:
    settings = {"board": board, "pot": 30, "stack": 240, "out_of_position": one, "in_position": other}
    return spot_tree(spot_from(settings | more))


TREES = {
    "river": lambda: spot("Ks7h2d5c9s", OTHER, ONE),
    "turn": lambda: spot("Kh7h2h5c", ONE, OTHER, raise_cap=2),
    "many sizes": lambda: spot("Ks7h2d5c9s", MANY, OTHER),
    "leduc": lambda: public_tree(load("games", "leduc")),
    "kuhn": lambda: public_tree(load("games", "kuhn")),
}


@pytest.fixture(params=TREES)
def tree(request: pytest.FixtureRequest) -> PublicTree:
    return TREES[request.param]()


def drawn(tree: PublicTree, seed: int, *, kind: Any = np.float32) -> list[list[np.ndarray]]:
    """Sums as solvers leave them: of any size, pure, even, rare by orders of magnitude, and never played."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(len(tree.rounds)):
        pair = []
        for player in (0, 1):
            count = tree.stored(number, player)
            numbers = rng.uniform(0, 1, count) ** rng.choice([1, 4, 30], count) * rng.choice([0, 1, 1, 1], count)
            if kind is np.int16:
                pair.append(np.rint(numbers * 32_767).astype(kind))
            else:
                pair.append((numbers * 10.0 ** rng.integers(-6, 20)).astype(kind))
        found.append(pair)
    return found


def decisions(tree: PublicTree) -> list[tuple[Decision, BoardMapping]]:
    """Every decision on every board."""
    frame = np.arange(tree.deck.size)
    nodes = [node for node in walk(tree.betting) if isinstance(node, Decision)]
    return [
        (node, BoardMapping(tree.places[node].round, board, frame))
        for node in nodes
        for board in range(len(tree.rounds[tree.places[node].round].boards))
    ]


def opened(tree: PublicTree, arrays: dict[str, np.ndarray]) -> list[list[np.ndarray]]:
    found = unpacked(tree, arrays, "a.spot")
    return [[found[f"average_{number}_{player}"] for player in (0, 1)] for number in range(len(tree.rounds))]


@pytest.mark.parametrize("kind", [np.float32, np.int16])
def test_every_probability_is_right_to_a_thousandth(tree: PublicTree, kind: Any) -> None:
    sums = drawn(tree, 3, kind=kind)
    kept = opened(tree, packed(tree, sums))
    for node, standing in decisions(tree)[:400]:
        before, after = chances(tree, sums, node, standing), chances(tree, kept, node, standing)
        assert np.array_equal(np.isnan(before), np.isnan(after))
        assert np.nanmax(np.abs(before - after)) < 1e-3
        assert np.array_equal(before == 0, after == 0)  # what is possible stays possible, and nothing else is


def test_what_is_rounded_is_what_a_file_gives_and_stays_so(tree: PublicTree) -> None:
    sums = drawn(tree, 4)
    once = rounded(tree, sums)
    for found in (opened(tree, packed(tree, sums)), rounded(tree, once), opened(tree, packed(tree, once))):
        for number in range(len(tree.rounds)):
            for player in (0, 1):
                assert np.array_equal(found[number][player], once[number][player])


@pytest.mark.parametrize("actions", [2, 3, 5, 13, 14, 40])
def test_the_worst_that_can_be_found_is_below_a_thousandth(actions: int) -> None:
    levels = packing.LEVELS if actions <= packing.MOST_ACTIONS else packing.FINER_LEVELS
    rng = np.random.default_rng(actions)
    codes = rng.integers(0, levels, (20_000, actions - 1)) + 0.499  # halfway between two, all to the same side
    half = len(codes) // 2
    codes[half:] = rng.uniform(0, 2 / actions, (len(codes) - half, 1)) ** 0.25 * levels // 1 + 0.499
    share = np.concatenate([np.ones((len(codes), 1)), (codes / levels) ** 4], axis=1)
    near = np.concatenate([np.ones((len(codes), 1)), (np.rint(codes) / levels) ** 4], axis=1)
    error = np.abs(share / share.sum(1, keepdims=True) - near / near.sum(1, keepdims=True)).max()
    assert 5e-5 < error < 1e-3


def test_damaged_streams_are_refused() -> None:
    tree = TREES["turn"]()
    sound = packed(tree, drawn(tree, 5))
    play, ends = sound["play_1_0"], sound["ends_1_0"]
    first = zlib.decompress(play[: ends[0]].tobytes())
    assert len(ends) >= 1

    def with_first(data: bytes) -> dict[str, np.ndarray]:
        stream = np.frombuffer(zlib.compress(data), np.uint8)
        return {
            "play_1_0": np.concatenate([stream, play[ends[0] :]]),
            "ends_1_0": ends - ends[0] + len(stream),
        }

    wrong = {
        "cut": {"play_1_0": play[:-3]},
        "cut and told": {"play_1_0": play[:-3], "ends_1_0": np.append(ends[:-1], ends[-1] - 3)},
        "bounds back": {"ends_1_0": -ends},
        "fewer": {"ends_1_0": ends[:-1], "play_1_0": play[: ends[-2] if len(ends) > 1 else 0]},
        "of another type": {"ends_1_0": ends.astype(np.int32)},
        "of numbers": {"play_1_0": play.astype(np.float32)},
        "in two dimensions": {"play_1_0": play[None]},
        "noise": {"play_1_0": np.random.default_rng(1).integers(0, 256, len(play)).astype(np.uint8)},
        "shorter": with_first(first[:-2]),
        "longer": with_first(first + b"\0\0"),
        "a bomb": with_first(bytes(50_000_000)),
        "codes too large": with_first(b"\xff" * len(first)),
        "no likeliest action": with_first(b"\1" * (len(first) // 2) + bytes(len(first) // 2)),
        "something behind": {"play_1_0": np.append(play, np.uint8(7)), "ends_1_0": np.append(ends[:-1], ends[-1] + 1)},
    }
    for arrays in wrong.values():
        with pytest.raises(BadFile, match="damaged"):
            unpacked(tree, sound | arrays, "a.spot")
    for name in sound:
        with pytest.raises(BadFile, match="play_"):
            unpacked(tree, {other: array for other, array in sound.items() if other != name}, "a.spot")
    unpacked(tree, sound, "a.spot")
