"""The use cases of playing, without a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab import store
from pokerlab.agents.library.human import Human, Leaves
from pokerlab.errors import BadFile, BadSetting
from pokerlab.events import Event
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import read_file
from pokerlab.lab.play import playing
from pokerlab.lab.play.hands import take_in
from pokerlab.lab.play.playing import play_at_table, run_match, run_tournament, seat_opponents
from pokerlab.match.hands.query import HandsFile
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.tournament import pairings, play_tournament
from pokerlab.match.table.session import HandEnds

EXAMPLES = Path(__file__).parents[2] / "examples"


def caller(*, leaves_after: int = 10**9) -> Human:
    """A person who checks and calls so often."""
    left = iter(range(leaves_after))
    return Human(ask=lambda view: "c" if next(left, None) is not None else "q", show=lambda text: None)


@pytest.mark.parametrize("game", ["leduc", "five-card-draw", "holdem-nolimit(players=4)", str(EXAMPLES / "flop.toml")])
def test_a_session_is_kept_and_can_be_taken_in(game: str, tmp_path: Path) -> None:
    events: list[Any] = []
    person = Human(ask=lambda view: "pat" if view.betting.drawing else "c", show=lambda text: None)
    log = tmp_path / "deep" / "log"
    seating = seat_opponents(game, ["random"])
    result = play_at_table(seating, person, hands=3, seed=5, log=str(log), on_event=events.append)
    ends = [event for event in events if isinstance(event, HandEnds)]
    assert result.hands == len(ends) == 3
    assert result.won == ends[-1].won[0]
    assert result.log == log
    assert take_in(tmp_path / "h.duckdb", log, "acpc", game=game).hands == 3
    with HandsFile(tmp_path / "h.duckdb") as hands:
        match = hands.match()
        assert match.game == open_game(game)
        for hand, event in zip(hands.hands(match), ends, strict=True):
            assert hand.payoffs == pytest.approx(event.returns)


def test_played_hands_are_not_in_the_cache_which_may_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("POKERLAB_DATA", raising=False)
    monkeypatch.setenv("POKERLAB_HOME", str(tmp_path / "cache"))
    seating = seat_opponents("kuhn", ["always-call"])
    log = play_at_table(seating, caller(), hands=1, on_event=lambda event: None).log
    assert log is not None
    assert log.is_file()
    assert not log.is_relative_to(store.home())
    monkeypatch.delenv("POKERLAB_HOME")
    assert not log.is_relative_to(store.home())
    monkeypatch.setenv("POKERLAB_DATA", str(tmp_path / "data"))
    log = play_at_table(seating, caller(), hands=1, on_event=lambda event: None).log
    assert log is not None
    assert log.parent == tmp_path / "data" / "played"


def test_hands_of_a_game_from_a_file_are_kept_among_the_others(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text(
        'players = 2\nlimit = "fixed"\nantes = 1\nranks = "JQK"\nsuits = "a"\n[[rounds]]\nprivate = 1\nbet = 1\n'
    )
    (tmp_path / "own.py").write_text(
        "from pokerlab.formats.opening import open_game\n\ngame = open_game('kuhn').rules\n"
    )
    monkeypatch.setattr(playing, "data_home", lambda: folder)
    for game in ("mine.toml", "own.py"):
        seating = seat_opponents(str(tmp_path / game), ["always-call"])
        log = play_at_table(seating, caller(), hands=1, on_event=lambda event: None).log
        assert log is not None
        assert log.parent == folder / "played"
        assert log.name.startswith(f"{Path(game).stem}-2")


def test_who_leaves_keeps_the_hands_before(tmp_path: Path) -> None:
    seating = seat_opponents("kuhn", ["always-call"])
    result = play_at_table(
        seating, caller(leaves_after=2), seed=5, log=str(tmp_path / "log"), on_event=lambda event: None
    )
    assert result.hands == (tmp_path / "log").read_text().count("STATE:") == 2
    with pytest.raises(BadFile, match="cannot save the hand"):
        play_at_table(seating, caller(), hands=1, log=str(tmp_path), on_event=lambda event: None)
    with pytest.raises(Leaves):
        caller(leaves_after=0).act(None, np.random.default_rng(0))  # what ends a session quietly


def test_who_sits_opposite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seat_opponents("holdem-limit").names == ("formula",)
    assert seat_opponents("leduc(players=3)").names == ("random 1", "random 2")
    assert seat_opponents(str(EXAMPLES / "river.toml")).names == ("formula",)
    with pytest.raises(BadSetting, match="has 2 other seats, and --against names 3 agents"):
        seat_opponents("kuhn(players=3)", ["random"] * 3)
    with pytest.raises(BadSetting, match="is not a poker game with a table"):
        seat_opponents("rock-paper-scissors")
    opened: list[str] = []
    monkeypatch.setattr(playing, "open_agent", lambda spec: opened.append(spec) or caller())
    kept = store.save(tmp_path / "a.solution", {}, kind="solution", spot=read_file(EXAMPLES / "river.toml"))
    assert seat_opponents(str(kept)).names == ("strategy",)
    assert opened == [f"strategy:{kept}"]


def test_matches_are_those_that_were_asked_for(tmp_path: Path) -> None:
    events: list[Event] = []
    settings = MatchSettings.of("kuhn", ["formula", "random"], hands=60, duplicate=True, seed=3)
    kept = run_match(settings, workers=1, out=tmp_path / "m.duckdb", on_progress=events.append)
    assert kept.summaries == play_match(settings).summaries
    assert (events[-1].done, events[-1].total, events[-1].unit) == (60, 60, "hands")
    again = run_match(settings, workers=1, out=tmp_path / "m.duckdb", resume=True)
    assert again.summaries == kept.summaries
    matches = pairings("kuhn", ["formula", "random", "always-fold"], hands=20, seed=3)
    events.clear()
    cup = run_tournament(matches, seed=3, workers=1, out=tmp_path / "t.duckdb", on_progress=events.append)
    assert [(event.message, event.done, event.total) for event in events] == [
        ("formula v random", 20, 60),
        ("formula v always-fold", 40, 60),
        ("random v always-fold", 60, 60),
    ]
    assert cup.ranking == play_tournament(matches, seed=3).ranking
    with HandsFile(tmp_path / "t.duckdb") as hands:
        assert len(hands.matches()) == 3
