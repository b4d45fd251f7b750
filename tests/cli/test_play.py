"""A person at the terminal, by script: the hand is played, kept, and can be left at any time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from command_line import CommandLine
from pokerlab import store
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import read_file
from pokerlab.games.poker.betting import Action
from pokerlab.lab.play import playing
from pokerlab.match.hands.history import History
from pokerlab.match.hands.imports import import_hands
from pokerlab.match.hands.query import HandsFile


def play(cli: CommandLine, words: list[str], typed: str) -> str:
    return cli(["play", *words], typed=typed).printed


def test_a_hand_is_played_and_kept(tmp_path: Path, cli: CommandLine) -> None:
    log = tmp_path / "hands.log"
    words = ["holdem-nolimit", "--against", "always-call", "--seed", "3", "--log", str(log)]
    out = play(cli, words, "r 3bb\nc\npot\nc\n" + "c\n" * 20 + "q\n")
    assert "you raise to 300" in out
    assert "always-call calls 200" in out
    assert "you bet 600" in out
    assert "hand 2" in out
    lines = log.read_text().splitlines()
    assert lines[0] == "# game holdem-nolimit"
    assert lines[1].startswith("STATE:0:cr300c/cc/r900c/")
    assert lines[1].endswith(":you|always-call")


def test_decisions_are_reviewed_unless_that_is_declined(cli: CommandLine) -> None:
    words = ["holdem-limit", "--against", "blueprint", "--seed", "3", "--hands", "2", "--json"]
    assert json.loads(play(cli, words, "c\n" * 40))["review"]
    assert json.loads(play(cli, [*words, "--no-review"], "c\n" * 40))["review"] is None


def test_leaving_at_once(tmp_path: Path, cli: CommandLine) -> None:
    log = tmp_path / "hands.log"
    for typed in ("q\n", ""):
        out = play(cli, ["leduc", "--against", "random", "--seed", "3", "--log", str(log)], typed)
        assert "no hand was finished" in out
        assert not log.exists()


def test_json_and_a_number_of_hands(tmp_path: Path, cli: CommandLine) -> None:
    words = ["kuhn", "--against", "random", "--seed", "3", "--hands", "4", "--json", "--log", str(tmp_path / "log")]
    result = json.loads(play(cli, words, "c\n" * 30))
    assert result["hands"] == 4
    assert (tmp_path / "log").read_text().count("STATE:") == 4


def test_a_seed_repeats_the_cards_and_none_does_not(tmp_path: Path, cli: CommandLine) -> None:
    def dealt(*words: str) -> tuple[str, Any]:
        log = tmp_path / f"log{len(list(tmp_path.iterdir()))}"
        told = ["play", "holdem-limit", "--against", "random", "--hands", "2", "--json", "--log", str(log), *words]
        result = cli(told, typed="c\n" * 40).json
        return "".join(line.split(":")[3].split("/")[0] for line in log.read_text().splitlines()[1:]), result["seed"]

    cards, seed = dealt("--seed", "0")
    assert seed == 0
    assert dealt("--seed", "0") == (cards, 0)
    others, drawn = dealt()
    assert others not in (cards, dealt()[0])
    assert dealt("--seed", str(drawn)) == (others, drawn)
    help_text = cli(["play", "--help"]).printed
    assert "random by default, printed at the end" in " ".join(help_text.split())
    assert "default: 0" not in help_text.partition("--seed")[2].partition("--log")[0]
    end = play(cli, ["kuhn", "--hands", "1", "--log", str(tmp_path / "end")], "c\n" * 9)
    assert "deals the same cards" in end


def test_the_board_is_shown_when_all_chips_go_in_early(tmp_path: Path, cli: CommandLine) -> None:
    log = tmp_path / "log"
    words = ["holdem-nolimit", "--against", "always-call", "--seed", "3", "--hands", "1", "--log", str(log)]
    out = play(cli, words, "allin\n")
    _, _, history, cards, *_ = log.read_text().split(":")
    assert history == "cr20000c///"
    board = "".join(cards.split("/")[1:])
    (line,) = [line for line in out.splitlines() if line.startswith("board")]
    symbols = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    assert line.split()[1:] == [board[i] + symbols[board[i + 1]] for i in range(0, 10, 2)]


def test_the_cards_do_not_depend_on_what_is_done(tmp_path: Path, cli: CommandLine) -> None:
    dealt = []
    for typed in ("c\n" * 50, "f\n" * 3 + "c\n" * 50):
        log = tmp_path / f"log{len(dealt)}"
        words = ["holdem-limit", "--against", "random", "--seed", "3", "--hands", "3", "--log", str(log)]
        play(cli, words, typed)
        dealt.append([line.split(":")[3].split("/")[0] for line in log.read_text().splitlines()[1:]])
    assert len(dealt[0]) == 3
    assert dealt[0] == dealt[1]


class Odd:
    """An agent that chooses what is not allowed, and notes what it is told."""

    name = "odd"
    seen: ClassVar[list[str]] = []

    def act(self, view: Any, rng: Any) -> Any:
        return Action("r", 10**9)

    def reset(self) -> None:
        Odd.seen.append("reset")

    def observe(self, view: Any) -> None:
        Odd.seen.append(view.history)


def test_agents_are_treated_as_in_a_match(tmp_path: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "open_agent", lambda spec: Odd())
    words = ["kuhn", "--against", "odd", "--seed", "3", "--hands", "2", "--log", str(tmp_path / "log")]
    out = play(cli, words, "c\n" * 9)
    assert "a raise is to 2" in out  # why its action was not allowed
    assert Odd.seen == ["reset", "reset", "cc", "cc"]  # after the rehearsal, and as the session begins


def test_agents_that_cannot_play_the_game_say_so(cli: CommandLine) -> None:
    assert "no draws" in cli(["play", "five-card-draw", "--against", "remote"]).refusal


def test_draws_can_be_read_back(tmp_path: Path, cli: CommandLine) -> None:
    log = tmp_path / "log"
    words = ["five-card-draw", "--against", "random", "--seed", "5", "--hands", "3", "--log", str(log)]
    play(cli, words, "c\npat\n" * 30)
    assert "d(" in log.read_text()
    with History(tmp_path / "h.duckdb") as history:
        assert import_hands(history, log, "acpc", game=open_game("five-card-draw")).hands == 3
    with HandsFile(tmp_path / "h.duckdb") as hands:
        match = hands.match()
        for hand in hands.hands(match):
            assert match.game.returns(hand.steps(match)[1]) == hand.payoffs


def test_draws(tmp_path: Path, cli: CommandLine) -> None:
    words = [
        "five-card-draw",
        "--against",
        "always-call",
        "--seed",
        "5",
        "--hands",
        "1",
        "--log",
        str(tmp_path / "log"),
    ]
    out = play(cli, words, "c\npat\nc\nc\npat\nc\nc\n")
    assert "you stand pat" in out
    assert "hands are saved in" in out


EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_spot_is_played_in_its_chips(tmp_path: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    log, file = tmp_path / "log", str(EXAMPLES / "turn.toml")
    words = [file, "--against", "always-call", "--seed", "3", "--hands", "1", "--log", str(log)]
    out = play(cli, words, "bet 75\nbet 50\nallin\n")
    for part in ("pot 100", "behind 300", "r 50  r 100  allin", "'bet 75' is not on the menu", "you bet 50"):
        assert part in out
    for part in ("always-call calls 50", "pot 200", "you bet 250 and are all-in", "350", "turn", "river"):
        assert part in out
    assert "big blinds" not in out
    assert log.read_text().startswith(f"# game file(path={file!r})\nSTATE:0:r200c/r700c:")
    with History(tmp_path / "h.duckdb") as history:
        assert import_hands(history, log, "acpc", game=open_game(file)).hands == 1


def test_a_kept_solution_of_a_spot_is_its_own_opponent(
    tmp_path: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = store.save(tmp_path / "turn.solution", {}, kind="solution", spot=read_file(EXAMPLES / "turn.toml"))
    opened: list[str] = []

    def note(spec: str) -> Odd:
        opened.append(spec)
        return Odd()

    monkeypatch.setattr(playing, "open_agent", note)
    out = play(cli, [str(kept), "--seed", "3", "--log", str(tmp_path / "log")], "q\n")
    assert opened == [f"strategy:{kept}"]
    assert "pot 100" in out
