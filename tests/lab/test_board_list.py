"""Lists of boards from text: all flops, subsets of them, weights, and mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pokerlab.cards.canonical import canonical_flops
from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadCards, BadFile, BadSetting, PokerlabError
from pokerlab.lab.spots.board_list import WeightedBoard, all_flops, boards_text, read_boards, subset_size


def test_all_flops_are_1755_classes_of_22100() -> None:
    flops = all_flops()
    assert len(flops) == 1755
    assert sum(flop.weight for flop in flops) == 22_100


@pytest.mark.parametrize("size", [25, 49, 95, 184])
def test_a_subset_is_of_different_flops_and_stands_for_all(size: int) -> None:
    flops = read_boards(f"flops:{size}")
    assert len({flop.board for flop in flops}) == len(flops) == size == subset_size(f" Flops: {size}")
    assert {flop.board for flop in flops} <= {flop.board for flop in all_flops()}
    assert sum(flop.weight for flop in flops) == 22_100
    assert min(flop.weight for flop in flops) >= 1


@pytest.mark.parametrize("size", [25, 49, 95, 184])
def test_a_subset_has_the_textures_of_all_flops(size: int) -> None:
    """Shares of deals that combinatorics knows: of suits, and of pairs."""
    shares = {"one suit": 1144 / 22_100, "two suits": 12_168 / 22_100, "pair": 3_744 / 22_100, "ace": 4_804 / 22_100}
    found = dict.fromkeys(shares, 0.0)
    for flop in read_boards(f"flops:{size}"):
        ranks, suits = set(flop.board[::2]), set(flop.board[1::2])
        kinds = {
            "one suit": len(suits) == 1,
            "two suits": len(suits) == 2,
            "pair": len(ranks) == 2,
            "ace": "A" in ranks,
        }
        for kind, is_one in kinds.items():
            found[kind] += flop.weight / 22_100 * is_one
    assert found == pytest.approx(shares, abs=0.03)
    exact = dict.fromkeys(shares, 0)
    for cards, count in canonical_flops():
        suits, ranks = {card % 4 for card in cards}, {card // 4 for card in cards}
        exact["one suit"] += count * (len(suits) == 1)
        exact["two suits"] += count * (len(suits) == 2)
        exact["pair"] += count * (len(ranks) == 2)
        exact["ace"] += count * (12 in ranks)
    assert {kind: count / 22_100 for kind, count in exact.items()} == pytest.approx(shares)


def test_boards_with_weights_comments_and_files(tmp_path: Path) -> None:
    expected = [WeightedBoard("Ks7h2d", 1.0), WeightedBoard("QsJsTs", 2.5)]
    assert read_boards("Ks7h2d, Qs Js Ts:2.5") == expected
    source = tmp_path / "mine.txt"
    source.write_text("# flops\nKs 7h 2d\n\nQsJsTs : 2.5\n")
    assert read_boards(boards_text(str(source))) == expected
    source.write_text(" flops:25\n")
    assert len(read_boards(boards_text(str(source)))) == 25


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("", BadCards, "name some boards"),
        (" , \n# none\n", BadCards, "name some boards"),
        ("Ks7hXx", BadCards, "is not a card"),
        ("Ks7h2d, myboards", BadCards, "boards are"),
        ("Ks7h", BadCards, "the board 'Ks7h' has 2 cards; a flop has 3"),
        ("Ks7h2d5c9s8s", BadCards, "has 6 cards"),
        (":3", BadCards, "has no cards"),
        ("Ks7hKs", BadCards, "twice"),
        ("Ks7h2d, QsJsTs, Ks7h2d:2", BadCards, "the board Ks7h2d is named twice; name it once"),
        ("Ks7h2d, 7h2dKs", BadCards, "Ks7h2d is named twice, the second time as 7h2dKs"),
        ("Ks7h2d:lots", BadSetting, "the weight 'lots' of the board 'Ks7h2d' is not a number above 0"),
        (
            "Ks7h2d:1e308",
            BadSetting,
            "the weight '1e308' of the board 'Ks7h2d' is not a number above 0 and below 1e+09",
        ),
        ("Ks7h2d:0", BadSetting, "the weight '0'"),
        ("Ks7h2d:-1", BadSetting, "the weight '-1'"),
        ("Ks7h2d:nan", BadSetting, "the weight 'nan'"),
        ("Ks7h2d:inf", BadSetting, "the weight 'inf'"),
        ("flops:30", BadSetting, "no subset of '30' flops; there are 25, 49, 95 and 184"),
        ("flops:", BadSetting, "no subset of '' flops"),
        ("flops,Ks7h2d", BadCards, "boards are"),
    ],
)
def test_mistakes(text: str, kind: type[PokerlabError], reason: str) -> None:
    with pytest.raises(kind) as problem:
        read_boards(text)
    assert reason in str(problem.value)
    assert len(str(problem.value)) < 400


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(BadFile, match="there is no such file"):
        boards_text("nowhere/boards.txt")


def test_boards_are_named_as_the_report_names_them() -> None:
    assert all(FULL_DECK.text(FULL_DECK.cards(flop.board)) == flop.board for flop in read_boards("flops:49"))
