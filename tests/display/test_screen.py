"""Names of every origin reach the terminal as letters: no escape sequence, no turned direction, no markup."""

from __future__ import annotations

import io
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from command_line import CommandLine
from pokerlab.agents.library.human import Human
from pokerlab.display.elements.screen import Screen
from pokerlab.errors import printable
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame

HOSTILE = {
    "colour": "\x1b[31mred\x1b[0m",
    "title": "\x1b]0;owned\x07",
    "bell": "bell\x07",
    "return": "honest\rforged",
    "eight bits": "\x9b31mred",
    "turned": "ann\u202egpj.exe",
    "isolated": "\u2066ann\u2069",
    "deleted": "ann\x7f\x08\x08",
    "hidden": "an\u200bn\ufeff",
    "line separator": "a\u2028b",
    "surrogate": "a\udc9bb",
    "nul": "a\x00b",
    "markup": "[red]ann[/red]",
    "unclosed": "[/red]ann[bold",
    "backslash": "\\[red]ann",
    "emoji": ":smile:",
}
PLAIN = ["ann", "José ♠", "玩家", "a b\tc", "x[1, 2]", "naïve\nline"]


def is_steering(letter: str) -> bool:
    return letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_nothing_steers_the_terminal(name: str) -> None:
    file = io.StringIO()
    screen = Screen(file=file, force_terminal=True, color_system=None, width=200)
    table = Table(escape(name))
    table.add_row(escape(name))
    table.add_row(Text(name))
    with screen.status(escape(name)):
        screen.print(escape(name), Text(name), table, f"[bold]{escape(name)}[/bold]")
        screen.print(name)  # a site that forgot to say that this is no markup
        screen.rule(name)
    shown = file.getvalue().replace("\x1b[?25l", "").replace("\x1b[?25h", "")  # the cursor, hidden by the status
    for own in ("\r", "\x1b[2K", "\x1b[1A"):  # how the status leaves its line
        shown = shown.replace(own, "")
    assert not any(map(is_steering, shown))


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_names_are_shown_letter_by_letter(name: str) -> None:
    file = io.StringIO()
    Screen(file=file, width=200).print(f"[bold]{escape(name)}[/bold]")
    assert file.getvalue() == printable(name) + "\n"


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_plain_stays_as_it_is(name: str) -> None:
    assert printable(name) == name


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_what_was_made_printable_tells_what_it_was(name: str) -> None:
    shown = printable(name)
    assert not any(map(is_steering, shown))
    assert len({printable(other) for other in HOSTILE.values()}) == len(HOSTILE)
    assert printable(shown) == shown


def ran(words: list[str], cli: CommandLine) -> str:
    _, out, error = cli(words)
    assert not any(map(is_steering, out + error)), (words, out, error)
    return out + error


def test_from_a_file_to_the_screen(tmp_path: Path, cli: CommandLine) -> None:
    """Players of an imported hand: listed, asked for, replayed, exported; what is kept is the name itself."""
    from pokerlab.formats.phh import _toml
    from pokerlab.match.hands.query import HandsFile

    every = [name for kind, name in HOSTILE.items() if kind != "surrogate"]  # which no file of text can hold
    for names in (every[:8], every[8:]):
        hand, hands = tmp_path / "hand.phh", str(tmp_path / f"{names[0][-3:]}.duckdb")
        count = len(names)
        folds = [f"p{seat} f" for seat in (*range(3, count + 1), 1)]
        actions = [f"d dh p{seat} ????" for seat in range(1, count + 1)] + folds
        hand.write_text(
            f'variant = "NT"\nantes = {[0] * count}\nblinds_or_straddles = {[1, 2] + [0] * (count - 2)}\nmin_bet = 2\n'
            f"starting_stacks = {[50] * count}\nactions = {_toml(actions)}\nplayers = {_toml(names)}\n",
            encoding="utf-8",
        )
        ran(["hands", hands, "--import", "phh", str(hand)], cli)
        assert "bb/100" in ran(["hands", hands], cli)
        for words in (["select agent from players"], ["--replay", "0"], ["select no from players"]):
            ran(["hands", hands, *words], cli)
        out, again = str(tmp_path / "out.phhs"), str(tmp_path / f"{names[0][-3:]}2.duckdb")
        ran(["hands", hands, "--export", "phh", out], cli)
        ran(["hands", again, "--import", "phh", out], cli)
        with HandsFile(again) as file:
            assert file.match().agents == tuple(names)


@pytest.mark.parametrize("name", [name for name in HOSTILE.values() if "\x00" not in name])
def test_what_a_person_typed_is_quoted_safely(name: str, tmp_path: Path, cli: CommandLine) -> None:
    missing = str(tmp_path / name.replace("/", ""))
    for words in (["hands", missing], ["show", missing], ["game", name], ["equity", name], [name], ["solve", name]):
        assert "pokerlab: " in ran(words, cli)


def test_cards_that_a_file_named_are_shown_to_a_person_letter_by_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cards, round_ = 'ranks = ["\\u001b[31mJ", "Q"]\nsuits = ["a"]\n', "[[rounds]]\nprivate = 1\nbet = 1\nraises = 1\n"
    (tmp_path / "game.toml").write_text(f"players = 2\nantes = 1\n{cards}{round_}")
    game = open_game(str(tmp_path / "game.toml"))
    assert isinstance(game, PokerGame)
    monkeypatch.setattr("builtins.input", lambda: "c")
    Human().act(game.view(game.start([0, 1]), 0), np.random.default_rng(0))
    shown = capsys.readouterr().err
    assert "\\x1b[31mJ" in shown
    assert not any(map(is_steering, shown))
