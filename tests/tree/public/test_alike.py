"""Hands that must play alike, beside all renamings of suits; and numbers that some hands take over from others."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from naive.public import row_sums
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.tree.public.layout import BLOCK, PublicTree, slots_of
from pokerlab.tree.public.poker import public_tree
from pokerlab.tree.public.profiles import Followers, equivalent_rows
from pokerlab.tree.public.spot import spot_tree


def spot(board: str, one: str, other: str) -> PublicTree:
    seats = {"out_of_position": {"range": one, "bet": "50%"}, "in_position": {"range": other, "bet": ""}}
    return spot_tree(spot_from({"board": board, "pot": 10, "stack": 20} | seats))


def trees() -> list[tuple[str, PublicTree, int]]:
    """With the number of suits."""
    games = [("leduc", 2), ("leduc(ranks=2, suits=3)", 3), ("rhode-island(ranks=3, suits=3)", 3)]
    found = [(name, public_tree(open_game(name)), suits) for name, suits in games]
    found.append(("no two suits alike", spot("Kh7d2s5c", "A8s,KQo,77", "JJ,T9s"), 4))
    found.append(("three", spot("Kh7h2h5h", "A8s,KQo,77", "random"), 4))
    found.append(("two, in one range alone", spot("Kh7h2h5d", "AcKc,77", "JJ,T9s,A2o"), 4))
    return found


def expected(tree: PublicTree, player: int, number: int, board: int, suits: int) -> list[int]:
    """The first row of each by trying all renamings that keep ranges and the cards of every round so far."""
    level, weights = tree.rounds[number], tree.weights
    lying = [set(tree.rounds[0].boards[0])]
    cards = level.boards[board]
    for one, other in zip(tree.rounds[:number], tree.rounds[1 : number + 1], strict=True):
        lying.append(set(cards[len(one.boards[0]) : len(other.boards[0])]))
    hands, count = level.hands[player].hand[board], int(level.hands[player].count[board])
    first = list(range(level.hands[player].rows))
    for order in permutations(range(suits)):
        moved = np.array([card // suits * suits + order[card % suits] for card in range(tree.deck.size)])
        image = tree.image(moved)
        if any({int(moved[card]) for card in part} != part for part in lying):
            continue
        if not all(np.array_equal(weight[image], weight) for weight in weights):
            continue
        for row in range(count):
            first[row] = min(first[row], int(np.flatnonzero(hands[:count] == image[hands[row]])[0]))
    return first


@pytest.mark.parametrize(("name", "tree", "suits"), trees())
def test_rows_are_those_of_all_renamings(name: str, tree: PublicTree, suits: int) -> None:
    for player in (0, 1):
        for number, rows in enumerate(equivalent_rows(tree, player)):
            for board in list(range(len(rows)))[:: max(1, len(rows) // 8)]:
                assert rows[board].tolist() == expected(tree, player, number, board, suits)
    if name.startswith("no"):
        assert all((rows == np.arange(rows.shape[1])).all() for rows in equivalent_rows(tree, 0))


@pytest.mark.uncompiled
def test_numbers_are_taken_over() -> None:
    tree = public_tree(open_game("rhode-island(ranks=3, suits=3, raises=1)"))
    rng = np.random.default_rng(1)
    for player in (0, 1):
        followers = Followers(tree, player)
        for number, rows in enumerate(equivalent_rows(tree, player)):
            before = rng.random(slots_of(tree.rounds[number], player)).astype(np.float32)
            for boards in (None, (1, 2), (0, len(rows))):
                stored = before.copy()
                followers.share_numbers(number, stored, boards)
                sums = [[stored] * 2] * (number + 1), [[before] * 2] * (number + 1)
                after, old = (row_sums(tree, number, player, one) for one in sums)
                first, end = boards or (0, len(rows))
                wanted = old.copy()
                wanted[first:end] = np.take_along_axis(old, rows[:, :, None], axis=1)[first:end]
                assert np.array_equal(after, wanted)


def test_integers_are_taken_over_in_a_common_unit() -> None:
    """The numbers of other hands stay what they are, to half of the new unit."""
    tree, rng = spot("Kh7h2h5h", "A8s,KQo,77", "random"), np.random.default_rng(1)
    level, rows = tree.rounds[0], equivalent_rows(tree, 1)[0]
    plex = level.treeplexes[1]
    before = rng.integers(-32767, 32768, slots_of(level, 1)).astype(np.int16)
    units = (10.0 ** rng.uniform(-3, 3, len(before) // BLOCK // plex.slots * plex.nodes)).astype(np.float32)
    stored, shared = before.copy(), units.copy()
    Followers(tree, 1).share_numbers(0, stored, units=shared)
    old, new = (_in_units(tree, *pair) for pair in ((before, units), (stored, shared)))
    assert len(units) > plex.nodes  # several blocks
    assert np.array_equal(new, new[rows[0]])
    first = rows[0] == np.arange(len(rows[0]))
    half = 0.5001 * np.repeat(shared.reshape(-1, plex.nodes).max(axis=0), plex.node_actions)
    assert (np.abs(new - old)[first] <= half).all()


def _in_units(tree: PublicTree, stored: np.ndarray, units: np.ndarray) -> np.ndarray:
    """[row, slot] The numbers of player 1 in the first round."""
    plex = tree.rounds[0].treeplexes[1]
    scale = np.repeat(units.reshape(-1, plex.nodes), plex.node_actions, axis=1)
    numbers = stored.reshape(-1, plex.slots, BLOCK) * scale[:, :, None].astype(np.float64)
    return numbers.transpose(0, 2, 1).reshape(-1, plex.slots)
