"""Hands that are taken in are worth what their file says, or the file is refused; what goes out comes back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games.playing import finished_hand
from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.gamedef import acpc_rules
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.hands.exchange import _acpc_hand, exported
from pokerlab.match.hands.hand_text import log_line
from pokerlab.match.hands.history import History
from pokerlab.match.hands.imports import import_hands
from pokerlab.match.hands.query import HandsFile

FIRST_BOARD = (  # public cards in the first round, and none in the third
    "GAMEDEF\nnolimit\nnumPlayers = 3\nnumRounds = 4\nstack = 300 500 100\nblind = 5 10 0\nfirstPlayer = 3 1 1 1\n"
    "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 3 1 0 1\nEND GAMEDEF\n"
)
GAMES = {
    "limit": "holdem-limit",
    "three": "holdem-nolimit(players=3, stack=[300, 1000, 90])",
    "four, fractions": "holdem-limit(players=4, stack=60)",
    "leduc": "leduc",
    "draw": "five-card-draw(players=3)",
    "short deck": "short-deck(players=4, stack=50)",
    "first board": FIRST_BOARD,
}


def opened(name: str) -> PokerGame:
    game = PokerGame(acpc_rules(name)) if name.startswith("GAMEDEF") else open_game(name)
    assert isinstance(game, PokerGame)
    return game


def log_of(game: PokerGame, hands: int, seed: int = 3) -> list[str]:
    rng = np.random.default_rng(seed)
    names = [f"p{seat}" for seat in range(game.players)]
    ends = [finished_hand(game, rng) for _ in range(hands)]
    return [log_line(game, end, number, returns=game.returns(end), names=names) for number, end in enumerate(ends)]


def taken_in(lines: list[str], game: PokerGame, folder: Path) -> Path:
    path, file = folder / "x.log", folder / "h.duckdb"
    path.write_text("\n".join(lines) + "\n")
    with History(file) as history:
        import_hands(history, path, "acpc", game=game)
    return file


@pytest.mark.parametrize("name", GAMES.values(), ids=GAMES)
def test_logs_come_in_and_out_as_they_are(name: str, tmp_path: Path) -> None:
    game = opened(name)
    lines = log_of(game, 60)
    with HandsFile(taken_in(lines, game, tmp_path)) as hands:
        match = hands.match()
        for hand in hands.hands(match):
            assert hand.payoffs == pytest.approx(game.returns(hand.steps(match)[1]))
        if not game.dealing.draws:
            assert list(exported(hands, match, "acpc"))[1:-1] == lines


def with_values(line: str, values: list[str]) -> str:
    parts = line.split(":")
    parts[4] = "|".join(values)
    return ":".join(parts)


CHANGES = {
    "more for one": lambda values: [str(float(values[0]) + 1), *values[1:]],
    "moved": lambda values: [str(float(values[0]) + 1), str(float(values[1]) - 1), *values[2:]],
    "half a chip": lambda values: [str(float(values[0]) + 0.5), str(float(values[1]) - 0.5), *values[2:]],
    "nothing": lambda values: ["0"] * len(values),
    "not a number": lambda values: ["nan", *values[1:]],
    "endless": lambda values: ["inf", "-inf", *values[2:]],
    "other way": lambda values: [str(-float(value)) for value in values],
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("name", [GAMES["limit"], GAMES["three"], GAMES["draw"], FIRST_BOARD])
def test_payoffs_that_the_hand_does_not_have_are_refused(name: str, change, tmp_path: Path) -> None:
    game = opened(name)
    lines = log_of(game, 30)
    wrong = next(i for i, line in enumerate(lines) if i > 9 and float(line.split(":")[4].split("|")[0]))
    true = lines[wrong].split(":")[4]
    stated = change(true.split("|"))
    lines[wrong] = with_values(lines[wrong], stated)
    with pytest.raises(BadFile) as caught:
        taken_in(["# a comment", *lines], game, tmp_path)
    assert f"line {wrong + 2} of " in str(caught.value)
    assert f"and by the rules they are {true}; nothing was imported" in str(caught.value)
    with HandsFile(tmp_path / "h.duckdb") as hands:
        assert hands.matches() == []


def test_all_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    game = opened("leduc")
    lines = [with_values(line, ["99", "-99"]) if i in (3, 4, 8) else line for i, line in enumerate(log_of(game, 12))]
    with pytest.raises(BadFile, match="line 4 of .*; 2 more do not fit either; nothing was imported"):
        taken_in(lines, game, tmp_path)


def test_odd_chips_may_be_split_as_the_competition_does(tmp_path: Path) -> None:
    """Three chips for two: our presets give the odd one to the first seat, the competition's server halves it."""
    game = opened("holdem-nolimit(players=3, blinds=[1, 2])")
    line = "STATE:0:cfc/cc/cc/cc:2c3d|2d3c|4h4s/AsKsQs/Js/Ts:{}:a|b|c"  # the small blind of 1 folds
    for values, kept in (("-1|1|0", (-1, 1, 0)), ("-1|0.5|0.5", (-1, 0.5, 0.5))):
        folder = tmp_path / str(kept[1])
        folder.mkdir()
        with HandsFile(taken_in([line.format(values)], game, folder)) as hands:
            assert next(hands.hands(hands.match())).payoffs == kept
    with pytest.raises(BadFile, match=r"states payoffs of -1\|0\|1,"):
        taken_in([line.format("-1|0|1")], game, tmp_path)


@pytest.mark.parametrize(
    ("values", "fits"),
    [
        ("-100|100", True),  # either may have won: the cards of the second were not shown
        ("100|-100", True),
        ("0|0", True),
        ("200|-200", False),
        ("100|-50", False),
        ("nan|nan", False),
    ],
)
def test_cards_that_are_not_known(values: str, fits: bool, tmp_path: Path) -> None:
    game = opened("holdem-nolimit")
    line = f"STATE:0:cc/cc/cc/cc:AsAd|/2c3d4h/9s/Th:{values}:a|b"
    if not fits:
        with pytest.raises(BadFile, match="which no cards could have paid"):
            taken_in([line], game, tmp_path)
        return
    with HandsFile(taken_in([line], game, tmp_path)) as hands:
        assert list(exported(hands, hands.match(), "acpc"))[1] == line


def test_names_that_a_log_would_make_one_are_not_exported(tmp_path: Path) -> None:
    """Two different players stay two."""
    text = (
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [50, 50]\n'
        'players = ["a b", "a_b"]\nactions = ["d dh p1 AsKs", "d dh p2 2c7d", "p2 f"]\n'
    )
    (tmp_path / "x.phh").write_text(text)
    with History(tmp_path / "h.duckdb") as history:
        import_hands(history, tmp_path / "x.phh", "phh")
    with HandsFile(tmp_path / "h.duckdb") as hands, pytest.raises(BadSetting, match="would be the same name"):
        list(exported(hands, hands.match(), "acpc"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("STATE:0:cc:K|J:1|-1:" + "a" * 300_000 + "|b", "300,000 characters"),
        ("STATE:0:cc:" + "|" * 300_000 + ":1|-1:a|b", "not those of 2 players"),
        ("STATE:0:cc:K|J" + "/" * 300_000 + ":1|-1:a|b", "not those of 2 players"),
    ],
)
def test_lines_without_measure(line: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=words) as told:
        taken_in([line], open_game("kuhn"), tmp_path)
    assert len(str(told.value)) < 1000


PHH = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
players = ["ann", "bea", "cy"]
actions = ["d dh p1 AcAd", "d dh p2 7h2s", "d dh p3 KhKs", "p3 cbr 20", "p1 cbr 60", "p2 f", "p3 cc",
  "d db 2c3d9h", "p1 cc", "p3 cbr 40", "p1 cc", "p1 sm AcAd", "p3 sm KhKs", "d db Td", "d db Jc"]
"""


@pytest.mark.parametrize(
    ("field", "fits"),
    [
        ("finishing_stacks = [202, 98, 0]", True),
        ("finishing_stacks = [195.0, 98, 0]", True),  # a room took its rake
        ("finishing_stacks = [0, 98, 202]", False),
        ("finishing_stacks = [202, 100, 0]", False),
        ("finishing_stacks = [150, 98, 0]", False),  # too much for a rake
        ("finishing_stacks = [202, 98]", False),
        ("winnings = [202, 0, 0]", True),
        ("winnings = [192.5, 0, 0]", True),
        ("winnings = [102, 0, 0]", True),  # the gain
        ("winnings = [0, 0, 202]", False),
        ("winnings = [400, 0, 0]", False),
        ('winnings = ["much", 0, 0]', False),
    ],
)
def test_what_phh_states_of_the_end(field: str, fits: bool, tmp_path: Path) -> None:
    (tmp_path / "x.phh").write_text(PHH + field + "\n")
    with History(tmp_path / "h.duckdb") as history:
        if fits:
            assert import_hands(history, tmp_path / "x.phh", "phh").hands == 1
        else:
            with pytest.raises(BadFile, match="hand 1 of .*(by the rules they are|must be)"):
                import_hands(history, tmp_path / "x.phh", "phh")
    with HandsFile(tmp_path / "h.duckdb") as hands:
        assert [list(hand.payoffs) for match in hands.matches() for hand in hands.hands(match)] == (
            [[102, -2, -100]] if fits else []
        )


@pytest.mark.parametrize(("stacks", "written"), [("[1000, 1000, 1000]", 40), ("[1000, 60, 1000]", None)])
def test_hands_that_phh_has_other_rules_for_are_not_written(stacks: str, written: int | None, tmp_path: Path) -> None:
    """Where the big blind is short, PHH's own program has less to call than the rule books, and could not go on."""
    from pokerkit import HandHistory

    game = opened(f"holdem-nolimit(players=3, stack={stacks})")
    with HandsFile(taken_in(log_of(game, 40), game, tmp_path)) as hands:
        lines = exported(hands, hands.match(), "phh")
        if written is None:
            with pytest.raises(BadSetting, match="cannot be written as PHH"):
                list(lines)
        else:
            assert len([list(hand)[-1] for hand in HandHistory.loads_all("\n".join(lines))]) == written


@pytest.mark.parametrize(("text", "number"), [("7", 7), ("9" * 12, 10**12 - 1), ("9" * 13, 0), ("x7", 0)])
def test_numbers_of_hands_in_logs(text: str, number: int) -> None:
    """However long the betting is; a number that is none, or too long, is given anew."""
    betting = "rrrc/rrrrc/rrrrc/rrrrc"
    line = f"STATE:{text}:{betting}:AsKs|QhQd/2c3c4d/5h/6s:0|0:Ann|Bob"
    game = open_game("holdem-limit")
    assert isinstance(game, PokerGame)
    hand = _acpc_hand(line, game)
    assert (hand.number, hand.betting, hand.payoffs) == (number, betting, (0, 0))
