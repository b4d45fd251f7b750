"""Walking a solution at a terminal, by typed lines, by keys, and at a terminal of its own."""

from __future__ import annotations

import builtins
import csv
import json
import os
import re
import select
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from blueprints import as_solution, few_buckets, made_up, made_up_exchange
from command_line import CommandLine
from pokerlab.cards.categories import MADE
from pokerlab.cli import _walk as walking
from pokerlab.cli._walk import Walk, by_keys, by_lines
from pokerlab.cli.browse import _walk as walk_on
from pokerlab.display.browse.node import show_view
from pokerlab.display.elements.screen import Screen
from pokerlab.lab.analyse.browsing import place_dict
from pokerlab.lab.solve.solving import solve
from pokerlab.strategy.files.solution import Solution

OOP = {"range": "AA,KQs,76s,JTo", "bet": "50%,allin", "raise": "allin"}
IP = {"range": "QQ,KJs,76s,A5o", "bet": "40", "raise": "allin"}
TURN = {"board": "Ks7h2d5c", "pot": 100, "stack": 200, "out_of_position": OOP, "in_position": IP}

Typing = Callable[..., list[str]]
Pressing = Callable[..., tuple[Walk, str]]


@pytest.fixture(scope="module")
def leduc() -> Solution:
    return solve("leduc", form="public", iterations=3)


@pytest.fixture(scope="module")
def turn() -> Solution:
    return solve(TURN, iterations=10)


@pytest.fixture(scope="module")
def kept(turn: Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return turn.save(tmp_path_factory.mktemp("kept") / "turn.spot")


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], leduc: Solution) -> Typing:
    """Walk a solution by these lines; what was printed after each, and at the end what was told as wrong."""

    def typed(*lines: str, solution: Solution = leduc) -> list[str]:
        shown, problems, waiting = [], [], list(lines)

        def answer(_: str) -> str:
            told = capsys.readouterr()
            shown.append(told.out)
            problems.append(told.err)
            if not waiting:
                raise EOFError
            return waiting.pop(0)

        monkeypatch.setattr(builtins, "input", answer)
        monkeypatch.setenv("COLUMNS", "120")
        by_lines(Walk([solution.root]))
        return [*shown[1:], "".join(problems)]

    return typed


def test_moves_up_and_top(typing: Typing) -> None:
    first, second, up, again, top, problems = typing("r", "c", "up", "c", "top")
    assert "r" in first.splitlines()[0]
    assert "a card is dealt" in second
    assert (up, again) == (first, second)
    assert "start" in top.splitlines()[0]
    assert not problems


def test_questions_leave_the_place_as_it_is(typing: Typing, leduc: Solution, tmp_path: Path) -> None:
    table, place = tmp_path / "hands.csv", tmp_path / "place.json"
    told, hands, wrote, wrote_json, after, problems = typing("?", "hands", f"csv {table}", f"json {place}", "top")
    assert told.startswith(walking.HELP)
    assert "player 0" in hands
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert wrote.startswith(f"wrote {table}: {len(rows)} hands at the start, {len(rows[0])} columns")
    assert json.loads(place.read_text()) == json.loads(json.dumps(place_dict(leduc.root)))
    assert wrote_json.startswith(f"wrote {place}: {len(rows)} hands at the start")
    assert "start" in after.splitlines()[0]
    assert not problems


def test_a_wrong_word_is_told_and_the_walk_goes_on(typing: Typing) -> None:
    wrong, moved, problems = typing("nosuch", "c", "q")
    assert "nosuch" not in wrong
    assert "c" in moved.splitlines()[0]
    assert "nosuch" in problems


def test_actions_have_numbers(typing: Typing, turn: Solution) -> None:
    by_number = typing("1", "2", "3", "Td", solution=turn)
    by_name = typing("check", "bet 40", "all-in 200", "Td", solution=turn)
    assert by_number == by_name
    assert "1 check   2 bet 40" in by_number[0]
    assert "1 fold   2 call   3 all-in 200" in by_number[1]
    *_, problems = typing("9", "0", "-1", "²", solution=turn)
    assert len(problems.splitlines()) == 4
    assert "bet 40" in typing("check", "40", solution=turn)[1].splitlines()[0]  # chips, where no action has that number


def test_moves_that_are_numbers_themselves_have_none(typing: Typing) -> None:
    goofspiel = solve("goofspiel(cards=3)", iterations=2)
    names = goofspiel.root.actions
    assert any(name.isdecimal() for name in names)
    first, problems = typing(names[-1], solution=goofspiel)
    assert names[-1] in first.splitlines()[0]
    assert not problems


def test_grids_and_players(typing: Typing, turn: Solution) -> None:
    ev, equity, other, reach, again, wrong, problems = typing(
        "grid ev", "g", "p", "grid reach", "player 0", "grid nosuch", solution=turn
    )
    assert "EV out of position, in chips" in ev
    assert "equity out of position, in percent" in equity
    assert "equity in position, in percent" in other
    assert "reach in position, in percent" in reach
    assert "reach out of position, in percent" in again
    assert "grid shows strategy, ev, equity or reach" in problems
    assert "EV" not in wrong
    _, _, problems = typing("grid ev", "player 7")
    assert "starting hands" in problems
    assert "0 (player 0), 1 (player 1)" in problems


# ---- keys ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def pressing(capsys: pytest.CaptureFixture[str]) -> Pressing:
    """Walk a solution by keys; the walk at its end, and all that was printed."""

    def pressed(solution: Solution, *keys: str) -> tuple[Walk, str]:
        walk = Walk([solution.root], screen=Screen(width=80))
        waiting = iter([*keys, "end"])
        by_keys(walk, lambda: next(waiting))
        return walk, capsys.readouterr().out

    return pressed


def test_arrows_choose_and_go(turn: Solution, pressing: Pressing) -> None:
    assert pressing(turn, "enter")[0].view.moves == ("check",)
    assert pressing(turn, "down", "enter")[0].view.moves == ("bet 50",)
    assert pressing(turn, "up", "right")[0].view.moves == ("all-in 200",)  # the last before the first
    assert pressing(turn, "down", "right", "left")[0].view.moves == ()
    assert pressing(turn, "down", "right", "backspace")[0].chosen == 1  # where one came from
    assert pressing(turn, "left", "left", "backspace")[0].view.moves == ()
    walk, shown = pressing(turn, "enter", "enter", "down", "down", "enter")
    assert walk.view.moves == ("check", "check", "Ad")  # of cards that may come, from the ace of spades on
    assert "[2 bet 50]" in pressing(turn, "down")[1]
    assert "[Ad]" in shown


def test_words_are_typed_among_keys(turn: Solution, pressing: Pressing) -> None:
    for keys, moves in (
        (("b", "e", "t", " ", "5", "0", "enter"), ("bet 50",)),
        (("2", "enter"), ("bet 50",)),
        (("x", "backspace", "1", "enter", "enter", "T", "d", "enter"), ("check", "check", "Td")),
        (("1", "enter", "enter", "q", "d", "enter"), ("check", "check", "Qd")),  # no end of the walk where queens come
        (("n", "o", "enter", "1", "enter"), ("check",)),
        (("n", "o", "clear", "1", "enter"), ("check",)),
        (("1", "enter", "t", "o", "p", "enter"), ()),
        (("q", "enter"), ()),
    ):
        assert pressing(turn, *keys)[0].view.moves == moves, keys


def test_single_letters_need_no_enter(turn: Solution, leduc: Solution, pressing: Pressing) -> None:
    assert pressing(turn, "g")[0].grid == "ev"
    assert pressing(turn, "g", "g", "g", "g")[0].grid == "strategy"
    assert pressing(turn, "p")[0].player == 1
    assert pressing(turn, *"grid reach", "enter")[0].grid == "reach"  # the first letter was obeyed already
    assert pressing(turn, *"player 0", "enter")[0].player == 0
    assert "> grid re" in pressing(turn, *"grid reach", "enter")[1]  # and it is shown with the rest of the word
    assert "write all hands at this node" in pressing(turn, "?")[1]
    assert pressing(turn, "?", "enter")[0].view.moves == ()  # enter as after any word
    assert pressing(turn, "?", "enter", "enter")[0].view.moves == ("check",)
    assert pressing(leduc, "?", "r", "enter")[0].view.moves == ("r",)  # and no word of it and what follows


def test_the_line_of_choices_fits(turn: Solution) -> None:
    walk = Walk([turn.at("check", "check")])
    for width in (20, 79, 119):
        for chosen in range(48):
            walk.chosen = chosen
            line = walk.prompt("abc", width).plain
            assert len(line) <= width
            assert f"[{walk.choices[chosen]}]" in line
            assert line.endswith("> abc")
            first = walk.choices.index(line.split()[0].strip("[]"))  # nothing is left out that would fit
            assert not first or sum(len(name) + 2 for name in walk.choices[first - 1 : chosen + 1]) > width - 7


def test_an_interrupt_while_a_place_is_drawn_ends_the_walk(turn: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def interrupted(walk: Walk) -> None:
        drawn.append(walk.view)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Walk, "show", interrupted)
    monkeypatch.setattr(builtins, "input", lambda _: "check")
    walk_on(turn.root, "strategy", None)
    assert len(drawn) == 1


# ---- a terminal ----------------------------------------------------------------------------------------------------

AT_TERMINAL = """
import fcntl, os, signal, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.SIG_DFL)  # tests that run in the background were started with it ignored
os.execv(sys.executable, [sys.executable, "-m", "pokerlab", "browse", sys.argv[1]])
"""


class Terminal:
    """`pokerlab browse` at a pseudo terminal of POSIX."""

    def __init__(self, file: Path) -> None:
        self.control, self.end = os.openpty()
        settings = {"COLUMNS": "100", "LINES": "40", "TERM": "xterm-256color", "NO_COLOR": "1"}
        self.before = self.modes()
        streams = {"stdin": self.end, "stdout": self.end, "stderr": self.end}
        command = [sys.executable, "-c", AT_TERMINAL, str(file)]
        self.process = subprocess.Popen(command, env=os.environ | settings, **streams)

    def modes(self) -> list[object]:
        """How the terminal treats keys."""
        import termios

        return termios.tcgetattr(self.end)

    def send(self, keys: str, *wanted: str) -> None:
        """Press keys, and wait for what is to be shown, one after the other."""
        os.write(self.control, keys.encode())
        expected = re.compile(".*".join(map(re.escape, wanted)), re.DOTALL)
        self._read_until(lambda shown: bool(expected.search(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown))))

    def interrupt(self) -> int:
        """Press Ctrl-C, and wait for the end; the exit code."""
        os.write(self.control, b"\x03")
        self._read_until(lambda _: self.process.poll() is not None)
        return self.process.returncode

    def _read_until(self, is_enough: Callable[[str], bool]) -> None:
        deadline, shown = time.monotonic() + 120, ""
        while not is_enough(shown):
            assert time.monotonic() < deadline, shown[-2000:]
            if select.select([self.control], [], [], 0.1)[0]:
                shown += os.read(self.control, 65536).decode("utf-8", "replace")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.control)
        os.close(self.end)


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
def test_a_walk_at_a_terminal(kept: Path, tmp_path: Path) -> None:
    terminal = Terminal(kept)
    try:
        terminal.send("", "[1 check] 2 bet 50")
        assert terminal.modes() != terminal.before
        terminal.send("\x1b[B", "[2 bet 50]")
        terminal.send("\r", "[1 fold] 2 call  3 all-in 200")
        terminal.send("\x7f", "[2 bet 50]")
        terminal.send("g", "EV out of position, in chips")
        terminal.send("p", "EV in position, in chips")
        terminal.send("grid strategy\r", "is not to act here")
        terminal.send("check\r", "[1 check] 2 bet 40")
        terminal.send("1\r", "[As]")
        terminal.send("Td\r", "[1 check]")
        terminal.send(f"csv {tmp_path / 'a.csv'}\r", "columns")
        terminal.send("nosuch\r", "nosuch' is not an action", "[1 check]")
        assert (tmp_path / "a.csv").exists()
        assert terminal.interrupt() == 0
        assert terminal.modes() == terminal.before
    finally:
        terminal.close()


def test_before_a_card_the_actions_after_each_card_are_shown(kept: Path, turn: Solution, cli: CommandLine) -> None:
    told = cli(["browse", str(kept), "check", "check", "--json"]).json["after_cards"]
    assert len(told) == 48
    after = turn.at("check", "check", "Ah")
    assert told["Ah"]["frequencies"] == pytest.approx(after.strategy())
    assert told["Ah"]["ev"] == pytest.approx([after.ev(0), after.ev(1)])
    shown = cli(["browse", str(kept), "check", "check"]).printed
    share = f"{100 * told['Ah']['frequencies']['check']:.0f} %"
    table = shown.partition("check, by card")[2]
    assert share in next(line for line in table.splitlines() if line.startswith("A "))


def test_a_row_of_a_table_has_every_number_of_a_hand(turn: Solution) -> None:
    row = turn.root.table(0)[0]
    assert set(row) == {"hand", "reach", "likelihood", "ev", "equity", "strategy", "action_ev"}


def test_hands_are_shown_by_category(kept: Path, turn: Solution, cli: CommandLine) -> None:
    rows = {
        row["category"]: row for row in cli(["browse", str(kept), "--category", "all", "--json"]).json["categories"]
    }
    assert {name: row["hands"] for name, row in rows.items()} == {  # AA, KQs, 76s and JTo on Ks7h2d5c
        "overpair": 6, "top pair": 3, "middle pair": 3, "high card": 12, "air": 12,
    }  # fmt: skip
    assert sum(row["share"] for name, row in rows.items() if name in MADE) == pytest.approx(1)
    chosen = cli(["browse", str(kept), "--category", "Overpairs", "--json"]).json["categories"]
    assert chosen == [rows["overpair"]]
    assert chosen[0]["ev"] == pytest.approx(turn.root.ev(0, "AA"))
    assert chosen[0]["strategy"] == pytest.approx(turn.root.strategy("AA"))
    assert "overpair" in cli(["browse", str(kept), "--category", "all"]).printed
    assert "no hand of the range" in cli(["browse", str(kept), "--category", "sets"]).printed
    assert "they are straight flush, quads" in cli(["browse", str(kept), "--category", "monsters"]).refusal


# ---- files ---------------------------------------------------------------------------------------------------------


def test_tables_say_what_they_hold_and_take_the_place_of_nothing_else(
    kept: Path, tmp_path: Path, cli: CommandLine
) -> None:
    table = tmp_path / "a.csv"
    code, out, error = cli(["browse", str(kept), "check", "--csv", str(table)])
    assert code == 0, error
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert out.startswith(f"wrote {table}: {len(rows)} hands after check, {len(rows[0])} columns")
    code, out, _ = cli(["browse", str(kept), "check", "bet 40", "--csv", str(table), "--player", "1"])
    assert code == 0  # over such a table
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert out.startswith(f"wrote {table}: {len(rows)} hands of in position after check, bet 40, ")
    told = cli(["browse", str(kept), "--csv", str(table), "--json"]).json
    assert (told["csv"], told["csv_rows"]) == (str(table), len(list(csv.DictReader(table.open(encoding="utf-8")))))
    for content in ("my notes", "player,team\nAnn,Reds\n", "\0\1\2", '{"board": '):
        table.write_text(content)
        code, _, error = cli(["browse", str(kept), "--csv", str(table)])
        assert code == 2
        assert "is not a table of hands" in error
        assert table.read_text() == content
    table.write_text("")
    assert cli(["browse", str(kept), "--csv", str(table)]).code == 0


def test_files_without_a_name_and_foreign_ones_are_refused(typing: Typing, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    *_, problems = typing("csv", "json", f"csv {notes}", f"json {notes}", f"csv {tmp_path}", "csv /no/such/a.csv")
    assert len(re.findall("needs a file name|cannot write|would be lost", problems)) == 6
    assert notes.read_text() == "mine"


# ---- what is shown -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", ["strategy", "ev", "equity", "reach"])
@pytest.mark.parametrize("player", [None, 0, 1])
@pytest.mark.parametrize("moves", [(), ("check",), ("check", "check"), ("check", "check", "Td"), ("all-in", "fold")])
def test_every_grid_at_every_kind_of_place(
    turn: Solution, capsys: pytest.CaptureFixture[str], grid: str, player: int | None, moves: tuple[str, ...]
) -> None:
    show_view(Screen(width=80), turn.at(*moves), grid=grid, player=player)
    out = capsys.readouterr().out
    assert all(len(line) <= 80 for line in out.splitlines())
    if grid != "strategy":
        acting = 1 if moves == ("check",) else 0
        seat = ("out of position", "in position")[acting if player is None else player]
        assert f"{grid.replace('ev', 'EV')} {seat}, in " in out


def test_a_grid_shows_what_the_place_has(kept: Path, cli: CommandLine, turn: Solution) -> None:
    place = turn.at("check")
    out = cli(["browse", str(kept), "check", "--grid", "ev", "--player", "0"], width=120).printed
    for hand in ("AA", "KQs", "76s", "JTo"):
        told = re.search(rf"{hand} *(-?[\d.]+)", out)
        assert told, hand
        assert float(told[1]) == pytest.approx(place.ev(0, hand), abs=0.51 if "." not in told[1] else 0.051)
    assert out.count("·") >= 169 - 4  # hands that are not in the range
    out = cli(["browse", str(kept), "check", "--grid", "reach", "--player", "0"], width=120).printed
    told = re.search(r"KQs *([\d.]+)", out)
    assert told
    assert float(told[1]) == pytest.approx(100 * turn.root.strategy("KQs")["check"], abs=1)
    assert f"{place.range(0).sum():.1f} of " in out


def test_actions_have_their_combos(kept: Path, cli: CommandLine, turn: Solution) -> None:
    rows = cli(["browse", str(kept)], width=80).printed.splitlines()
    number = next(index for index, line in enumerate(rows) if "combos" in line)
    combos = [float(line.split("%")[1].split()[0]) for line in rows[number + 1 : number + 4]]
    assert sum(combos) == pytest.approx(turn.root.range(0).sum(), abs=0.2)


# ---- solutions over buckets ------------------------------------------------------------------------------------------

MENU = "holdem-nolimit(stack=1000, menu='50%,100%,allin')"


@pytest.fixture(scope="module")
def blueprint() -> Solution:
    return as_solution(made_up(MENU, few_buckets(MENU, (169, 20, 1, 1)), seed=2), measured=False)


@pytest.fixture
def three(folder: Path) -> str:
    return str(as_solution(made_up("leduc(players=3)", seed=3), measured=False).save(folder / "three.blueprint"))


def test_a_blueprint_is_walked(typing: Typing, blueprint: Solution) -> None:
    lines = ["r 200", "c", "Td7s2c", "hand AhKh", "g", "g", "g", "p", "2", "up", "half", "grid ev", "nosuch"]
    *told, problems = typing(*lines, solution=blueprint)
    raised, flop, place, hand, first, second, again, other, bet, up, half, *_ = told
    assert "player 0 (big blind) to act" in raised
    assert "3 cards are dealt: type them, for example " in flop
    assert place.splitlines()[0] == "T♦ 7♠ 2♣   pot 400   raise 200 · call · Td7s2c"
    assert re.search(r"bucket \d+ of 20 \(from 0\): [\d,]+ of the 1,176 possible hands", hand)
    assert "equity player 0" in first
    assert "reach player 0" in second
    assert again == place
    assert "player 1 (small blind) is not to act here: the grid shows reach" in other
    assert "bet 200" in bet.splitlines()[0]
    assert up == other
    assert half == bet
    assert "what hands are worth is not known" in problems
    assert "available: fold, call" in problems
    assert "EV" not in "".join(told)
    assert "nan" not in "".join(told)


@pytest.mark.parametrize("width", [80, 120])
def test_places_of_a_blueprint_fit(blueprint: Solution, width: int, capsys: pytest.CaptureFixture[str]) -> None:
    for view in (blueprint.root, blueprint.at("allin"), blueprint.at("call", "check", "Td7s2c", "bet 100")):
        for grid in ("strategy", "reach", "equity"):
            show_view(Screen(width=width), view, grid=grid)
    told = capsys.readouterr().out
    assert len(told.splitlines()) > 100
    assert all(len(line) <= width for line in told.splitlines())


def test_three_players_over_buckets(three: str, cli: CommandLine, folder: Path) -> None:
    told = cli(["browse", three, "r", "c", "c", "Qb", "--by-hand"]).printed
    assert "player 2\n" in re.sub(" +\n", "\n", told)
    found = json.loads(cli(["browse", three, "raise", "call", "--json"]).printed)
    assert found["moves"] == ["bet", "call"]
    assert found["player"] == 2
    assert sorted(found["hands"]) == ["0", "1", "2"]
    assert not {"ev", "equity", "action_ev"} & set(found)
    assert {"hand", "reach", "likelihood", "bucket", "strategy"} == set(found["hands"]["2"][0])
    one = json.loads(cli(["browse", three, "raise", "call", "--hand", "Kb", "--json"]).printed)
    assert one["buckets"] == [{"bucket": found["hands"]["2"][0]["bucket"], "hands": 2}]
    cli(["browse", three, "raise", "--csv", "hands.csv"])
    rows = list(csv.DictReader((folder / "hands.csv").open(encoding="utf-8")))
    assert list(rows[0])[:5] == ["player", "hand", "reach", "likelihood", "bucket"]
    assert [row["player"] for row in rows] == [str(player) for player in range(3) for _ in range(len(rows) // 3)]
    assert cli(["browse", three, "--exploit", "0"]).code == 2
    assert cli(["browse", three, "r", "c", "c", "Qb9"]).code == 2


# ---- an exchange of cards --------------------------------------------------------------------------------------------

DRAW = "five-card-draw(menu='min', stack=6)"


@pytest.fixture(scope="module")
def draw() -> Solution:
    return as_solution(made_up_exchange(DRAW, "by-draws(before=20, after=20)", seed=6), measured=False)


def test_draw_poker_is_walked(typing: Typing, draw: Solution, tmp_path: Path) -> None:
    table, file = tmp_path / "hands.csv", tmp_path / "place.json"
    lines = ["call", "1", "hand AsAdKh7c2d", "6", "stand pat", "hand AsAdKh7c2d", "hands", f"csv {table}"]
    lines += [f"json {file}", "up", "g", "d6", "grid ev", "top"]
    *told, problems = typing(*lines, solution=draw)
    called, exchange, hand, third, pat, after, hands, wrote, wrote_json, up, same, *_, top = told
    assert "player 1 (big blind, button) to act" in called
    place = draw.at("call", "check")
    row = next(line for line in exchange.splitlines() if line.startswith("pair of aces"))
    shown = [float(number) for number in re.findall(r"([\d.]+) %", row)][1:]
    found = next(row for row in place.table(0) if row["hand"] == "pair of aces")
    assert shown == pytest.approx([100 * share for share in found["strategy"].values()], abs=0.051)
    told_shares = [float(number) for number in re.findall(r"([\d.]+) %", hand)]
    assert told_shares == pytest.approx([100 * share for share in place.strategy("AsAdKh7c2d").values()], abs=0.051)
    assert re.search(r"^d3 +[\d.]+ %   discards Kh7c2d$", hand, re.MULTILINE)
    assert re.search(r"bucket \d+ of 20 \(from 0\): [\d,]+ of the 2,598,960 possible hands", hand)
    assert third.splitlines()[0] == "pot 4   call · check · d3"
    assert pat.splitlines()[0] == "pot 4   call · check · d3 · d0"
    assert "bucket" in after
    assert "pair of aces" in hands
    assert wrote.startswith(f"wrote {table}: 24 classes of hands after call, check, d3, d0, ")
    assert wrote_json.startswith(f"wrote {file}: 24 classes of hands after")
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert list(rows[0])[:4] == ["player", "hand", "likelihood", "check frequency"]
    assert json.loads(file.read_text())["moves"] == ["call", "check", "d3", "d0"]
    assert up == same == third
    assert "'d6' cannot be done here: cards are exchanged" in problems
    assert "a grid is of the starting hands" in problems
    assert top.splitlines()[0].startswith("pot 3   start")


def test_arrow_keys_in_an_exchange(pressing: Pressing, draw: Solution) -> None:
    keys = ["down", "enter", "enter", "down", "down", "down", "enter", "left"]
    walk, _ = pressing(draw, *keys)
    assert walk.view.moves == ("call", "check")
    assert walk.choices[walk.chosen] == "d2"


@pytest.mark.parametrize("width", [80, 120])
def test_places_of_draw_poker_fit(draw: Solution, width: int, capsys: pytest.CaptureFixture[str]) -> None:
    views = [draw.root, draw.at("call", "check"), draw.at("call", "check", "d1", "d5"), draw.at("fold")]
    for view in views:
        show_view(Screen(width=width), view)
    told = capsys.readouterr().out
    assert "…" not in told
    lines = told.splitlines()
    assert all(len(line) <= width for line in lines)
    notes = [line for view in views for line in textwrap.wrap(view.note, width)]
    assert len(lines) == 3 * (2 + 26) + 2 + len(notes)
    assert {line.rstrip() for line in lines} > set(notes)


def test_a_hand_of_draw_poker_for_programs(draw: Solution, folder: Path, cli: CommandLine) -> None:
    file = str(draw.save(folder / "draw.blueprint"))
    place = json.loads(cli(["browse", file, "call", "check", "--json"]).printed)
    assert sorted(place["hands"]) == ["0", "1"]
    assert place["hands"]["1"] == []
    assert set(place["hands"]["0"][0]) == {"hand", "likelihood", "strategy"}
    hand = json.loads(cli(["browse", file, "call", "check", "--hand", "AsAdKh7c2d", "--json"]).printed)
    assert hand["thrown"]["d3"] == "Kh7c2d"
    assert hand["strategy"] == pytest.approx(draw.at("call", "check").strategy("AsAdKh7c2d"))
    after = json.loads(cli(["browse", file, "call", "check", "d3", "d3", "--hand", "AsAdKh7c2d", "--json"]).printed)
    assert after["strategy_by_way"] == {"d3": after["strategy"]}
    shown = cli(["show", file], width=120).printed
    assert "pair of aces" in shown
    assert "pokerlab browse" in shown
