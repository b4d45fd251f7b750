"""Matches: the same result however they are played, cut off, or seated; statistics that mean what they say."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.errors import AgentFailed, BadFile, BadSetting
from pokerlab.games.poker.betting import CALL, Action
from pokerlab.games.poker.state import View
from pokerlab.match.hands.history import History
from pokerlab.match.hands.query import HandsFile
from pokerlab.match.run import match as match_module
from pokerlab.match.run.block import opened_agents, play_block
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.result import MatchResult
from pokerlab.match.run.saved import save_match
from pokerlab.match.run.tournament import pairings, play_tournament
from pokerlab.registry import load
from untimed import untimed


def numbers(result: MatchResult) -> dict[str, Any]:
    """Everything about a result but how long it took."""
    return dict(untimed(result.as_dict())) | {"curve": result.curve.totals.tolist()}


class Pausing:
    """Calls, and takes its time."""

    name = "pausing"

    def act(self, view: View, rng: np.random.Generator) -> Action:
        time.sleep(0.003)
        return CALL

    def reset(self) -> None:
        """Nothing to forget."""


def test_the_time_of_decisions_is_that_of_each_agent() -> None:
    """By agent and not by seat, over blocks and passes; a tournament adds up its matches."""
    settings = MatchSettings.of("kuhn", ["always-call", Pausing()], hands=20, duplicate=True, block=3)
    quick, slow = play_match(settings).decisions
    assert quick.made + slow.made == 40  # nobody ever bets: both act once in each hand
    assert slow.made == 20
    assert 3 <= slow.milliseconds <= 1000 * slow.longest
    assert quick.milliseconds < 3
    cup = play_tournament(pairings("kuhn", ["always-call", Pausing(), "always-fold"], hands=4))
    assert cup.decisions["pausing"].milliseconds >= 3 > cup.decisions["always-fold"].milliseconds


def test_serial_and_processes_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "SECONDS_WORTH_PROCESSES", 0.0)
    settings = MatchSettings.of("leduc", ["formula", "random"], hands=240, duplicate=True, seed=3, block=20)
    assert numbers(play_match(settings, workers=2)) == numbers(play_match(settings))


def test_another_seed_is_another_match() -> None:
    first, second = (
        play_match(MatchSettings.of("leduc", ["random", "random"], hands=50, seed=seed)) for seed in (1, 2)
    )
    assert numbers(first) != numbers(second)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_agent_holds_every_hand_of_a_deal_once(players: int) -> None:
    game = load("games", f"holdem-limit(players={players})")
    settings = MatchSettings.of(game, ["always-call"] * players, hands=20 * players, duplicate=True)
    result = play_match(settings)
    assert result.hands == 20 * players
    for summary in result.summaries:  # equal agents, every hand played by each: no luck is left
        assert (summary.mean, summary.deviation) == (0, 0)


def test_duplicate_variance_is_smaller_than_plain() -> None:
    """The variance of the estimate after the same number of hands, measured; F-test on independent matches."""
    from scipy import stats

    agents = ["formula", "always-call"]
    plain = play_match(MatchSettings.of("leduc", agents, hands=2000, seed=5))
    paired = play_match(MatchSettings.of("leduc", agents, hands=2000, seed=6, duplicate=True))
    ratio = plain.summaries[0].deviation ** 2 / (2 * paired.summaries[0].deviation ** 2)
    assert stats.f.sf(ratio, plain.deals - 1, paired.deals - 1) < 1e-6
    assert paired.summaries[0].half_width < plain.summaries[0].half_width


def test_positions_add_up() -> None:
    settings = MatchSettings.of("leduc", ["formula", "random"], hands=301, seed=4, block=37)
    result = play_match(settings)
    blocks = [play_block(settings.piece(number)) for number in range(settings.blocks)]
    payoffs = np.concatenate([block.payoffs[0] for block in blocks])  # [deal, agent]
    for agent in range(2):
        for seat in range(2):
            rows = [payoffs[deal, agent] for deal in range(301) if (agent + deal) % 2 == seat]
            position = result.positions[agent][seat]
            assert position is not None
            assert (position.count, position.mean) == (len(rows), pytest.approx(np.mean(rows)))
            assert position.deviation == pytest.approx(np.std(rows, ddof=1))
        assert result.summaries[agent].mean == pytest.approx(payoffs[:, agent].mean())
        assert result.curve.totals[-1, agent] == pytest.approx(payoffs[:, agent].sum())


def test_fold_against_raise_loses_the_blinds() -> None:
    """SuitIsomorphism every hand of heads-up no-limit hold'em loses half a big blind on the button and one off it."""
    settings = MatchSettings.of("holdem-nolimit", ["always-fold", "always-raise"], hands=200, duplicate=True)
    result = play_match(settings)
    assert result.units.millibigblinds(result.summaries[0]).mean == -750
    off, button = result.positions[0]
    assert off is not None
    assert button is not None
    assert (off.mean, button.mean) == (-100, -50)


def test_a_journal_without_its_file_does_not_stop_a_new_match(tmp_path: Path) -> None:
    """An interrupted match whose file was deleted, but not the folder beside it."""
    path = tmp_path / "m.duckdb"
    settings = [MatchSettings.of("leduc", ["formula", "random"], hands=40, seed=seed, block=20) for seed in (1, 2)]
    with History(path) as history:
        begun = save_match(history, settings[0].as_dict())
        play_block(begun.with_journal(settings[0].piece(0)))
    path.unlink()
    with History(path) as history:
        result = play_match(settings[1], saved=save_match(history, settings[1].as_dict()))
    assert numbers(result) == numbers(play_match(settings[1]))


def test_resumed_is_uninterrupted(tmp_path: Path) -> None:
    settings = MatchSettings.of("leduc", ["formula", "random"], hands=120, duplicate=True, seed=9, block=10)
    whole = play_match(settings)
    with History(tmp_path / "cut.duckdb") as history:
        kept = save_match(history, settings.as_dict())
        for number in range(2):
            kept.add(play_block(kept.with_journal(settings.piece(number))))
        play_block(kept.with_journal(settings.piece(2)))  # played, but not taken in
        journal = kept.folder / "1-2.tsv"
        lines = journal.read_bytes()
        journal.write_bytes(lines[: len(lines) // 2])  # cut in the middle of a line
    with History(tmp_path / "cut.duckdb") as history:
        with pytest.raises(BadSetting, match="resume"):
            save_match(history, settings.as_dict())
        result = play_match(settings, saved=save_match(history, settings.as_dict(), resume=True))
    with History(tmp_path / "whole.duckdb") as history:
        play_match(settings, saved=save_match(history, settings.as_dict()))
    assert numbers(result) == numbers(whole)
    assert hands_of(tmp_path / "cut.duckdb") == hands_of(tmp_path / "whole.duckdb")
    assert not (tmp_path / "cut.duckdb.journal").exists()


def hands_of(path: Path) -> list[Any]:
    with History(path) as history:
        return history.ask("select * from hands order by hand")


PROGRAM = """
import sys
from pokerlab.match.hands.query import HandsFile
from pokerlab.match.hands.history import History
from pokerlab.match.run.saved import save_match
from pokerlab.match.run.match import MatchSettings, play_match
settings = MatchSettings.of("leduc", ["formula", "random"], hands=20000, duplicate=True, seed=1, block=5000)
with History(sys.argv[1]) as history:
    play_match(settings, saved=save_match(history, settings.as_dict()))
"""


def test_a_kill_loses_at_most_the_hand_in_play(tmp_path: Path) -> None:
    """Killed without warning, the journal holds whole hands, and they are the first hands of the match."""
    file = tmp_path / "killed.duckdb"
    journal = tmp_path / "killed.duckdb.journal" / "1-0.tsv"
    running = subprocess.Popen([sys.executable, "-c", PROGRAM, str(file)])
    try:
        deadline = time.monotonic() + 60
        while not (journal.exists() and journal.read_bytes().count(b"\n") > 200):
            assert running.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        running.kill()
        running.wait()
    kept = journal.read_text().split("\n")
    assert kept[-1] == ""  # no half line: every hand was written at once
    settings = MatchSettings.of("leduc", ["formula", "random"], hands=20000, duplicate=True, seed=1, block=5000)
    assert [line.split("\t")[0] for line in kept[:-1]] == [str(hand) for hand in range(len(kept) - 1)]
    with History(file) as history:
        again = save_match(history, settings.as_dict(), resume=True)
        assert again.blocks_done == 0
        play_block(again.with_journal(settings.piece(0)))  # compares every kept hand with the one played now
    assert journal.read_text().split("\n")[: len(kept) - 1] == kept[:-1]


class Fickle:
    """An agent that draws on more than its seed."""

    name = "fickle"
    count = 0

    def act(self, view: Any, rng: Any) -> Any:
        Fickle.count += 1
        legal = view.legal
        return view.actions[-1] if legal.can_raise and Fickle.count % 7 == 0 else CALL

    def reset(self) -> None:
        pass


def test_a_match_that_cannot_be_repeated_says_so(tmp_path: Path) -> None:
    settings = MatchSettings.of("leduc", [Fickle(), "always-call"], hands=30, block=15)
    with History(tmp_path / "f.duckdb") as history:
        kept = save_match(history, settings.as_dict())
        play_block(kept.with_journal(settings.piece(0)))
        with pytest.raises(AgentFailed, match="cannot be resumed"):
            play_block(kept.with_journal(settings.piece(0)))


class Person(Fickle):
    """The same, and it says so: it is never asked about a hand twice."""

    name = "person"
    repeatable = False

    def __init__(self) -> None:
        self.ends: list[str] = []

    def act(self, view: Any, rng: Any) -> Any:
        return None if rng.random() < 0.2 else super().act(view, rng)

    def observe(self, view: Any) -> None:
        self.ends.append(view.history)


def cut_off(path: Path, settings: MatchSettings, *, lines: int) -> list[str]:
    """Play the first block of a match and leave so many hands of it, and half of another, in the journal."""
    with History(path) as history:
        kept = save_match(history, settings.as_dict())
        play_block(kept.with_journal(settings.piece(0)))
        journal = kept.folder / "1-0.tsv"
        text = journal.read_text().splitlines(keepends=True)
        journal.write_text("".join(text[:lines]) + text[lines][:9])
    return [line.rstrip("\n") for line in text[:lines]]


def test_agents_that_cannot_be_repeated_go_on_after_the_last_kept_hand(tmp_path: Path) -> None:
    person = Person()
    settings = MatchSettings.of("leduc", [person, "random"], hands=60, duplicate=True, block=15, adjust="all-in")
    kept = cut_off(tmp_path / "p.duckdb", settings, lines=20)  # five hands of the second pass
    person.ends = []
    with History(tmp_path / "p.duckdb") as history:
        result = play_match(settings, saved=save_match(history, settings.as_dict(), resume=True))
    assert result.hands == 60
    assert person.ends[:20] == [line.split("\t")[5] for line in kept]  # those it played it is shown, and not asked
    rows = hands_of(tmp_path / "p.duckdb")
    assert [row[7] for row in rows[:20]] == [line.split("\t")[5] for line in kept]
    assert [row[1] for row in rows] == list(range(60))
    won = sum(row[8][row[5].index(0)] for row in rows)
    assert result.summaries[0].mean == pytest.approx(won / 60)
    assert result.adjusted is not None
    faulty = sum(len(row[10].split(";")) for row in rows if row[10])
    assert sum(count for _, _, count in result.faults) == faulty > 0


def test_going_on_is_played_with_new_chance(tmp_path: Path) -> None:
    """Agents at a resumed table do not get again the random numbers that they have used."""
    drawn: list[float] = []

    class Drawing(Person):
        def act(self, view: Any, rng: Any) -> Any:
            drawn.append(rng.random())
            return CALL

    settings = MatchSettings.of("kuhn", [Drawing(), "always-call"], hands=30, block=30)
    cut_off(tmp_path / "d.duckdb", settings, lines=10)
    before = set(drawn)
    drawn.clear()
    with History(tmp_path / "d.duckdb") as history:
        play_match(settings, saved=save_match(history, settings.as_dict(), resume=True))
    assert len(drawn) == 20
    assert not before & set(drawn)


@pytest.mark.parametrize(
    "damage",
    [
        ("\t1\t", "\t3\t"),
        ("|", "x"),
        ("\t1|-1\t", "\t1\t"),  # the chips of one of two
        ("\t1|-1\t", "\t1|-1|0\t"),
        ("\t1|-1\t", "\tinf|-inf\t"),
        ("\t1|-1\t\t", "\t1|-1\t1|-1\t"),  # which this match does not count
        ("\t\n", "\t2:fault\n"),  # of an agent that is not there
        ("\t\n", "\t-1:fault\n"),
    ],
)
def test_a_damaged_journal_is_named(tmp_path: Path, damage: tuple[str, str]) -> None:
    settings = MatchSettings.of("kuhn", [Person(), "random"], hands=30, block=30)
    cut_off(tmp_path / "d.duckdb", settings, lines=10)
    (journal,) = (tmp_path / "d.duckdb.journal").iterdir()
    assert damage[0] in journal.read_text()
    journal.write_text(journal.read_text().replace(*damage))
    with History(tmp_path / "d.duckdb") as history, pytest.raises(BadFile, match="damaged"):
        play_match(settings, saved=save_match(history, settings.as_dict(), resume=True))


def test_hands_of_a_match_that_was_cut_off_can_be_asked_for(tmp_path: Path) -> None:
    settings = MatchSettings.of("leduc", ["random", "always-call"], hands=60, block=15)
    cut_off(tmp_path / "c.duckdb", settings, lines=11)
    with HandsFile(tmp_path / "c.duckdb") as hands:
        match = hands.match()
        assert (match.hands, match.finished) == (11, False)
        assert [hand.number for hand in hands.hands(match)] == list(range(11))
        assert hands.hand(match, 10).steps(match)[1].betting.actor < 0
        assert hands.query("select agent, count(*) from players group by agent order by agent").rows == [
            ("always-call", 11),
            ("random", 11),
        ]
        with pytest.raises(BadSetting, match="cannot be answered"):
            hands.query("insert into matches select * from matches")
    with History(tmp_path / "c.duckdb") as history:
        play_match(settings, saved=save_match(history, settings.as_dict(), resume=True))
    with HandsFile(tmp_path / "c.duckdb") as hands:
        assert hands.match().hands == 60


def test_some_agents_need_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    class Alone(Fickle):
        one_process = True

    def refused(*_: Any, **__: Any) -> Any:
        raise AssertionError("other processes were started")

    monkeypatch.setattr(match_module, "SECONDS_WORTH_PROCESSES", -1.0)
    monkeypatch.setattr(match_module.parallel, "run", refused)
    settings = MatchSettings.of("kuhn", [Alone(), "random"], hands=40, block=10)
    assert play_match(settings, workers=2).hands == 40
    with pytest.raises(AssertionError, match="other processes"):
        play_match(MatchSettings.of("kuhn", ["random", "random"], hands=40, block=10), workers=2)


def test_an_agent_is_opened_once_wherever_it_sits() -> None:
    first, second = opened_agents(("random", "random"))
    assert first is not second
    assert opened_agents(("always-call", "random"))[1] is first


class Learner:
    """Counts the hands it has seen end; raises once it has seen enough, so that memory shows."""

    name = "learner"

    def __init__(self) -> None:
        self.seen = 0
        self.resets = 0

    def act(self, view: Any, rng: Any) -> Any:
        return view.actions[-1] if self.seen >= 5 else CALL

    def observe(self, view: Any) -> None:
        assert view.betting.actor < 0
        self.seen += 1

    def reset(self) -> None:
        self.seen = 0
        self.resets += 1


def test_memory_is_wiped_between_passes() -> None:
    learner = Learner()
    settings = MatchSettings.of("leduc", [learner, "always-call"], hands=60, duplicate=True, block=10)
    play_match(settings)
    assert learner.resets == 6  # three blocks of two passes
    assert learner.seen == 10


def test_same_agent_twice_is_two_agents() -> None:
    settings = MatchSettings.of("kuhn", ["random", "random"], hands=10)
    assert settings.names == ("random", "random-2")


@pytest.mark.parametrize(
    ("game", "agents", "settings", "words"),
    [
        ("leduc", ["random"], {"hands": 1}, "needs 2 agents"),
        ("leduc", ["random", "randm"], {"hands": 1}, "did you mean"),
        ("rock-paper-scissors", ["random", "random"], {"hands": 1}, "not a poker game"),
        ("leduc", ["random", "random"], {"hands": 0}, "hands must be"),
        ("leduc", ["random", "random"], {"hands": 5, "block": 0}, "block must be"),
        ("leduc", ["random", "random(sizes=huge)"], {"hands": 5}, "sizes must be one of"),
    ],
)
def test_bad_settings(game: str, agents: list[str], settings: dict[str, int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        MatchSettings.of(game, agents, **settings)


def test_faults_are_counted_and_named() -> None:
    class Wild:
        name = "wild"

        def act(self, view: Any, rng: Any) -> Any:
            return None

        def reset(self) -> None:
            pass

    result = play_match(MatchSettings.of("kuhn", [Wild(), "always-raise"], hands=10))
    assert sum(count for agent, _, count in result.faults if agent == "wild") >= 10


@pytest.mark.parametrize("spec", ["./bot.py", "bot.py:Bot", "./my bots/bot.py"])
def test_an_agent_whose_file_has_changed_is_another_agent(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a notebook, where a match is played, the file edited, and the match played again."""
    text = """
from pokerlab.games.poker.action import CALL, FOLD

class Bot:
    def act(self, view, rng):
        return ACTION if view.legal.fold else CALL

    def reset(self):
        pass
"""
    monkeypatch.chdir(tmp_path)
    file = Path(spec.removesuffix(":Bot"))
    file.parent.mkdir(exist_ok=True)
    won = []
    for action in ("CALL", "FOLD", "CALL"):
        file.write_text(text.replace("ACTION", action))
        result = play_match(MatchSettings.of("kuhn", [spec, "always-raise"], hands=200, seed=3), workers=1)
        won.append(result.summaries[0].mean)
    assert won[0] == won[2] != won[1] == -1
