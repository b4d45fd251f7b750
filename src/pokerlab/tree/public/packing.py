"""The strategy of a public form without solver state, in a twentieth of the bytes.

At every infoset each action is stored as the fourth root of its probability relative to the likeliest action, in
integer multiples of 1 / LEVELS. So every probability is right to within a thousandth: with m other actions, to 0.533
m^(1/4) / LEVELS. Rare actions are right to a few percent of their probability down to a millionth, so that rarely
played lines can still be followed, and possible actions stay possible. The codes of several boards at a time, grouped
by action over all hands, low bytes first, are compressed by zlib.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np

from pokerlab.errors import BadFile
from pokerlab.tree.public.layout import BLOCK, PublicTree
from pokerlab.tree.public.profiles import Sums

LEVELS = 1023
FINER_LEVELS = 4095  # for forms with an infoset of more than MOST_ACTIONS
MOST_ACTIONS = 13
BYTES_A_SLOT = 0.53  # of a file, as measured on a solved flop
MOST_RATIO = 1100  # bytes that one compressed byte can expand to: zlib's 1,032, and its headers
_PORTION = 2**20  # codes that are compressed together, approximately


def packed(tree: PublicTree, sums: Sums) -> dict[str, np.ndarray]:
    """The strategies as arrays for a file."""
    arrays = {}
    for number, player in _sides(tree):
        streams = [_compressed(codes) for codes in _codes(tree, sums[number][player], number, player)]
        arrays[f"play_{number}_{player}"] = np.frombuffer(b"".join(streams), np.uint8)
        arrays[f"ends_{number}_{player}"] = np.cumsum([len(stream) for stream in streams], dtype=np.int64)
    return arrays


def rounded(tree: PublicTree, sums: Sums) -> list[list[np.ndarray]]:
    """The strategies after a round trip through a file; packing them again changes nothing."""
    table = _table(tree)

    def decoded(number: int, player: int) -> np.ndarray:
        portions = _codes(tree, sums[number][player], number, player)
        return np.concatenate([table[codes.transpose(1, 0, 2)].reshape(-1) for codes in portions])

    return [[decoded(number, player) for player in (0, 1)] for number in range(len(tree.rounds))]


def unpacked(tree: PublicTree, arrays: Mapping[str, np.ndarray], path: Path | str) -> dict[str, np.ndarray]:
    """Sums that strategies are proportional to, named as a solver's result; BadFile if they do not fit this form."""
    sums, table = {}, _table(tree)
    for number, player in _sides(tree):
        name, portions = f"{number}_{player}", list(_portions(tree, number, player))
        streams = _streams(arrays.get(f"play_{name}"), arrays.get(f"ends_{name}"), len(portions))
        if streams is None:
            raise BadFile(f"{path} is damaged: its strategies (play_{name}) are not of {tree.name}")
        whole = np.empty(tree.stored(number, player), np.float32)
        size = len(whole) // len(tree.rounds[number].boards)
        for (first, last), stream in zip(portions, streams, strict=True):
            codes = _decompressed(stream, _shape(tree, number, player, last - first))
            if codes is None or not _are_codes(tree, codes, number, player):
                raise BadFile(f"{path} is damaged: its strategies (play_{name}) cannot be read")
            whole[first * size : last * size] = table[codes.transpose(1, 0, 2)].reshape(-1)
        sums[f"average_{name}"] = whole
    return sums


def _streams(play: np.ndarray | None, ends: np.ndarray | None, count: int) -> list[np.ndarray] | None:
    """The compressed portions of a side; None if their number is wrong or they are not contiguous."""
    if play is None or ends is None or play.dtype != np.uint8 or ends.dtype != np.int64:
        return None
    bounds = [0, *ends.reshape(-1).tolist()]
    if play.ndim != 1 or ends.shape != (count,) or bounds != sorted(bounds) or bounds[-1] != len(play):
        return None
    return [play[first:last] for first, last in pairwise(bounds)]


def _are_codes(tree: PublicTree, codes: np.ndarray, number: int, player: int) -> bool:
    """Whether the likeliest action of every infoset has the largest code, or all codes are zero (padding)."""
    plex = tree.rounds[number].treeplexes[player]
    if not plex.slots:
        return True
    largest = np.maximum.reduceat(codes, plex.node_slot, axis=0)
    return bool(((largest == levels(tree)) | (largest == 0)).all())


def levels(tree: PublicTree) -> int:
    """The number of levels between never and as often as the likeliest action."""
    most = max(int(plex.node_actions.max(initial=0)) for level in tree.rounds for plex in level.treeplexes)
    return LEVELS if most <= MOST_ACTIONS else FINER_LEVELS


def _sides(tree: PublicTree) -> Iterator[tuple[int, int]]:
    return ((number, player) for number in range(len(tree.rounds)) for player in (0, 1))


def _portions(tree: PublicTree, number: int, player: int) -> Iterator[tuple[int, int]]:
    """(first, last) Boards of a round that are compressed together."""
    boards = len(tree.rounds[number].boards)
    step = max(1, _PORTION // max(1, tree.stored(number, player) // boards))
    return ((first, min(first + step, boards)) for first in range(0, boards, step))


def _shape(tree: PublicTree, number: int, player: int, boards: int) -> tuple[int, int, int]:
    """(action, block, hand of the block) The shape of the codes of this many boards in a file."""
    level = tree.rounds[number]
    return level.treeplexes[player].slots, boards * level.hands[player].rows // BLOCK, BLOCK


def _codes(tree: PublicTree, stored: np.ndarray, number: int, player: int) -> Iterator[np.ndarray]:
    """The codes of one portion of boards after another.  # [action, block, hand]"""
    plex, most = tree.rounds[number].treeplexes[player], levels(tree)
    size = tree.stored(number, player) // len(tree.rounds[number].boards)
    for first, last in _portions(tree, number, player):
        if not plex.slots:
            yield np.zeros(_shape(tree, number, player, last - first), np.uint16)
            continue
        sums = np.asarray(stored[first * size : last * size]).reshape(-1, plex.slots, BLOCK).astype(np.float32)
        largest = np.maximum.reduceat(sums, plex.node_slot, axis=1)
        share = sums / np.repeat(np.where(largest > 0, largest, 1), plex.node_actions, axis=1)
        codes = np.maximum(np.rint(np.sqrt(np.sqrt(share)) * np.float32(most)), sums > 0).astype(np.uint16)
        yield np.ascontiguousarray(codes.transpose(1, 0, 2))


def _table(tree: PublicTree) -> np.ndarray:
    """[code] The value of each code."""
    most = levels(tree)
    return ((np.arange(most + 1) / most) ** 4).astype(np.float32)


def _compressed(codes: np.ndarray) -> bytes:
    low, high = (codes & 0xFF).astype(np.uint8), (codes >> 8).astype(np.uint8)
    return zlib.compress(low.tobytes() + high.tobytes(), 6)


def _decompressed(stream: np.ndarray, shape: tuple[int, int, int]) -> np.ndarray | None:
    """The codes of a portion; None if the stream is damaged or has the wrong length."""
    count, reader = int(np.prod(shape)), zlib.decompressobj()
    try:
        data = reader.decompress(stream.tobytes(), 2 * count + 1)
    except zlib.error:
        return None
    if len(data) != 2 * count or not reader.eof or reader.unused_data:
        return None
    low, high = np.frombuffer(data, np.uint8).reshape(2, *shape)
    return low | (high.astype(np.uint16) << 8)
