"""Locks that play like an agent or like another solution."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadSetting, PokerlabError
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve.solving import resume, solve
from pokerlab.lab.solve.tasks import open_task
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.lock import lock_from, lock_from_text, lock_settings

RIVER = {
    "board": "Ks7h2d5c9s",
    "pot": 100,
    "stack": 150,
    "out_of_position": {"range": "AA,KQs,76s:0.5,32o", "bet": "50%", "raise": "allin"},
    "in_position": {"range": "QQ,JTs,A5s", "bet": "75%", "raise": "allin"},
}
TURN = RIVER | {"board": "Ks7h2d5h", "in_position": RIVER["in_position"] | {"range": "QQ,JhTh,A5s"}}  # unlike suits


@pytest.mark.parametrize("spot", [RIVER, TURN])
@pytest.mark.parametrize("moves", ["check", "bet 50", "check, bet 75", ""])
def test_an_agent_of_one_action_is_a_lock_of_that_action(spot: dict, moves: str) -> None:
    plain = "call" if "bet" in moves else "check"
    locks = [lock_from_text(f"{moves}: as always-call"), lock_from_text(f"{moves}: {plain}")]
    like, stated = (solve(spot, iterations=30, locks=[lock]) for lock in locks)
    for solution in (like, stated):
        assert solution.at(*filter(None, moves.split(", "))).strategy()[plain] == pytest.approx(1)
    assert like.measure.values == pytest.approx(stated.measure.values, abs=0.05)
    assert like.exploitability == pytest.approx(stated.exploitability, abs=0.05)


def test_every_hand_does_what_the_agent_does() -> None:
    """On every card that may come, with each hand: the agent asked at the table, and the solution browsed."""
    solved = solve(TURN, iterations=3, locks=[lock_from_text("check, check, *, check: as formula with QQ,A5s")])
    game, agent = SpotGame(open_task(TURN).problem), open_agent("formula")
    betting = game.betting.start()
    for action in ("c", "c", "c"):
        betting = game.betting.act(betting, next(a for a in game.betting.actions(betting) if str(a) == action))
    met = 0
    for card in ("Td", "5s", "2c", "Ah", "3h"):
        view = solved.at("check", "check", card, "check")
        place = PublicNode(game, betting, view.board)
        present = {row["hand"] for row in view.table(1)}
        for hand, seen in place.views():
            if hand not in present:
                continue
            told = list(view.strategy(hand).values())
            if hand[0] == hand[2] == "Q" or {hand[0], hand[2]} == {"A", "5"}:
                met += 1
                asked = agent.probabilities(seen)
                assert told == pytest.approx([asked.get(action, 0.0) for action in place.actions], abs=1e-6), hand
    assert met > 30


def test_a_solution_against_itself_changes_nothing(tmp_path: Path) -> None:
    """Where a player is locked to an equilibrium, the value stays and the other cannot gain."""
    kept = tmp_path / "villain.solution"
    free = solve(RIVER, target="0.01%", save=kept)
    names = ("check", "check, bet 75, all-in")
    locked = solve(RIVER, target="0.05%", locks=[lock_from_text(f"{at}: as strategy:{kept}") for at in names[:1]])
    assert locked.values == pytest.approx(free.values, abs=0.1)
    assert locked.at("check").strategy("QQ") == pytest.approx(free.at("check").strategy("QQ"), abs=1e-3)


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_such_a_lock_is_kept_resumed_and_verified(storage: str, tmp_path: Path) -> None:
    file = tmp_path / "a.solution"
    lock = lock_from_text("check: as rules with QQ")
    whole = solve(TURN, iterations=12, storage=storage, locks=[lock])
    solve(TURN, iterations=5, storage=storage, locks=[lock], save=file)
    assert load(file).locks == (lock,) or lock_settings(load(file).locks[0]) == lock_settings(lock)
    assert verify(file, rerun=True).matches
    resumed = resume(file, iterations=12)
    for name, array in whole.state.items():
        assert np.array_equal(array, resumed.state[name]), name


@pytest.mark.parametrize(
    "text",
    [
        "check: fold 80%, bet 50 20%",
        "check: fold 80% bet 50 20%",
        "check: fold=0.8, bet 50=0.2",
        "check: fold = .8 bet 50 = 20%",
        "check: bet 50 0.2 fold 0.8",
    ],
)
def test_frequencies_are_read_as_people_write_them(text: str) -> None:
    assert lock_from_text(text).strategy == pytest.approx({"fold": 0.8, "bet 50": 0.2})


def test_a_sum_of_frequencies_below_one_shows_the_right_form() -> None:
    expected = r"those of 'fold 70%, bet 50 20%' add up to 90 %: write \"fold 80%, call 20%\""
    with pytest.raises(BadSetting, match=expected):
        lock_from_text("check: fold 70% bet 50 20%")


def test_locks_read_back() -> None:
    for text in ("check: as formula(bluff=0.2)", "bet 50, all-in: as strategy:a b.solution with QQ", ": as rules"):
        lock = lock_from_text(text)
        assert lock_settings(lock_from(lock_settings(lock))) == lock_settings(lock)
    assert lock_from_text("bet 50, all-in: as strategy:a b.solution with QQ").like == "strategy:a b.solution"
    for bad in ({"at": "check", "as": 3}, {"at": "check", "as": ""}, {"as": "rules", "strategy": {"check": 1}}, {}):
        with pytest.raises(BadSetting):
            lock_from(bad)


@pytest.mark.parametrize(
    "like",
    [
        "human",
        "remote:2000",
        "./evil.py",
        "evil.py:Agent",
        "package.evil:Agent",
        "nobody",
        "strategy:missing.solution",
        "strategy:x.solution(fallback='./evil.py')",
        "Human",
        " human ",
        "rules(bluff=7)",
    ],
)
def test_who_cannot_be_played_like(like: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("raise SystemExit('run')")
    with pytest.raises(PokerlabError):
        solve(RIVER, iterations=1, locks=[lock_from({"at": "check", "as": like})])


def test_what_a_player_does_not_know_its_fallback_decides(tmp_path: Path) -> None:
    kept = tmp_path / "narrow.solution"
    narrow = solve(RIVER | {"in_position": RIVER["in_position"] | {"range": "QQ"}}, iterations=3, save=kept)
    locked = solve(RIVER, iterations=3, locks=[lock_from_text(f"check: as strategy:{kept}(other_games=true)")])
    known = solve(RIVER, iterations=3, locks=[lock_from_text("check: as formula")])
    assert locked.at("check").strategy("QQ") == pytest.approx(narrow.at("check").strategy("QQ"), abs=1e-6)
    assert locked.at("check").strategy("JTs") == pytest.approx(known.at("check").strategy("JTs"), abs=1e-6)


def test_from_the_command_line(cli: CommandLine, tmp_path: Path) -> None:
    words = ["spot", "--board", "Ks7h2d5c9s", "--oop", "AA,KQs", "--ip", "QQ,JTs", "--iterations", "20"]
    told = cli([*words, "--lock", "check: as formula", "--cost", "--json"]).json
    assert told["locks"] == 1
    assert sum(told["cost_of_locks"]) == pytest.approx(0, abs=1e-3)
    assert "cannot play like 'human'" in cli([*words, "--lock", "check: as human"]).refusal


BOT = """
class Half:
    name = "half"

    def act(self, view, rng):
        return view.actions[0]

    def reset(self):
        pass

    def probabilities(self, view):
        texts = [view.game.action_text(action) for action in view.actions]
        return {texts[0]: 0.5, texts[-1]: 0.5}
"""


def test_an_agent_of_ones_own_is_played_like_where_it_is_named_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, file, elsewhere = tmp_path / "bot.py", tmp_path / "a.solution", tmp_path / "elsewhere"
    bot.write_text(BOT)
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    lock = lock_from_text("check: as ./bot.py with QQ")
    whole = solve(RIVER, iterations=6, locks=[lock])
    assert whole.at("check").strategy("QQ") == pytest.approx({"check": 0.5, "bet 75": 0.5})
    solve(RIVER, iterations=3, locks=[lock], save=file)
    with pytest.raises(BadSetting, match=r"a lock in a file cannot play like './bot.py'.*--lock \": as ./bot.py\""):
        solve(RIVER, iterations=1, locks=[lock_from({"at": "check", "as": "./bot.py"})])
    monkeypatch.chdir(elsewhere)
    assert verify(file).matches
    resumed = resume(file, iterations=6)
    for name, array in whole.state.items():
        assert np.array_equal(array, resumed.state[name]), name
    bot.write_text(BOT + "\n")
    with pytest.raises(PokerlabError, match="has changed"):
        resume(file, iterations=7)


def test_an_agent_that_does_not_tell_how_likely_its_actions_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(BOT.replace("def probabilities", "def guesses"))
    with pytest.raises(BadSetting, match=r"does not know its action probabilities.* a method `probabilities\(view\)`"):
        solve(RIVER, iterations=1, locks=[lock_from_text("check: as ./bot.py")])
