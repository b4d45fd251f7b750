"""The referee: views only, faults mended and named, failures named."""

from __future__ import annotations

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.agents.opening import open_agent
from pokerlab.errors import AgentFailed
from pokerlab.games.poker.betting import CALL, FOLD, Action
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.table.referee import decide, play_hand, show_end

RNGS = [np.random.default_rng(seat) for seat in range(2)]


class Scripted:
    """Gives these answers, whatever they are, then calls."""

    name = "scripted"

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.ends: list[Any] = []

    def act(self, view: Any, rng: Any) -> Any:
        answer = self._answers.pop(0) if self._answers else CALL
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def reset(self) -> None:
        pass

    def observe(self, view: Any) -> None:
        self.ends.append(view)


def nolimit() -> Any:
    return registry.load("games", "holdem-nolimit")


@pytest.mark.parametrize(
    ("answer", "history"),
    [
        (Action("r", 120), "c"),  # too small a raise becomes a call
        (Action("r", 10**9), "c"),
        (Action("r", -5), "c"),
        (Action("r"), "c"),
        (Action("d", 0, (1,)), "f"),  # what is no betting at all becomes a fold
        (Action("x"), "f"),
        (None, "f"),
        ("c", "f"),
        (3.5, "f"),
        (("r", "much", ()), "f"),
    ],
)
def test_illegal_actions_become_legal_and_are_named(answer: Any, history: str) -> None:
    game = nolimit()
    over = play_hand(game, range(9), [Scripted(), Scripted(answer)], RNGS)
    assert over.state.betting.history[:1] == history
    assert [fault.seat for fault in over.faults][:1] == [1]
    assert "not" in over.faults[0].reason or "raise" in over.faults[0].reason


def test_a_fold_of_nothing_is_a_check() -> None:
    game = nolimit()
    over = play_hand(game, range(9), [Scripted(FOLD), Scripted()], RNGS)
    assert over.state.betting.history == "cc/cc/cc/cc"
    assert len(over.faults) == 1


def test_numpy_amounts_are_taken() -> None:
    game = nolimit()
    over = play_hand(game, range(9), [Scripted(FOLD), Scripted(Action("r", np.int64(300)))], RNGS)  # type: ignore[arg-type]
    assert over.state.betting.history == "r300f"
    assert not over.faults
    assert over.payoffs == (-100, 100)


def test_an_agent_that_raises_is_named() -> None:
    with pytest.raises(AgentFailed, match=r"scripted failed after 'c' in holdem-nolimit: KeyError: 'lost'"):
        play_hand(nolimit(), range(9), [Scripted(KeyError("lost")), Scripted()], RNGS)


def test_an_agent_that_leaves_the_program_is_named() -> None:
    """Nobody would be told otherwise why there is no result."""
    game = nolimit()
    with pytest.raises(AgentFailed, match=r"scripted failed after 'c' in holdem-nolimit: SystemExit: 0"):
        play_hand(game, range(9), [Scripted(SystemExit(0)), Scripted()], RNGS)
    with pytest.raises(AgentFailed, match="SystemExit"):
        decide(game, game.start(range(9)), Scripted(SystemExit(0)), RNGS[0])
    with pytest.raises(AgentFailed, match=r"KeyboardInterrupt, in line \d+ of test_referee.py"):
        play_hand(game, range(9), [Scripted(), Scripted(KeyboardInterrupt())], RNGS)


def test_ctrl_c_while_an_agent_thinks_is_not_its_failure() -> None:
    """The signal reaches Python between two lines of the agent."""

    class Interrupted(Scripted):
        def act(self, view: Any, rng: Any) -> Any:
            signal.raise_signal(signal.SIGINT)
            return CALL

    with pytest.raises(KeyboardInterrupt):
        play_hand(nolimit(), range(9), [Scripted(), Interrupted()], RNGS)


@pytest.mark.parametrize("thread", ["main", "other"])
def test_an_agent_that_never_acts_is_stopped_at_its_line(thread: str) -> None:
    """It catches every Exception, loops in Python or, in the main thread, sleeps."""

    class Stuck(Scripted):
        def act(self, view: Any, rng: Any) -> Any:
            while True:
                try:
                    time.sleep(1000 if thread == "main" else 0)
                except Exception:
                    continue

    def match() -> None:
        play_match(MatchSettings.of("kuhn", [Stuck(), "always-call"], hands=2, decision_seconds=0.2))

    expected = r"scripted takes longer than 0.2 s to act at the first decision in kuhn, in line \d+ of test_referee.py"
    with pytest.raises(AgentFailed, match=expected), ThreadPoolExecutor(1) as others:
        match() if thread == "main" else others.submit(match).result()


def test_slow_people_and_quick_agents_are_not_stopped() -> None:
    """A person may think for longer than the limit; a limit on each decision is none on their sum."""

    class Slow(Scripted):
        def act(self, view: Any, rng: Any) -> Any:
            time.sleep(0.05 if self.repeatable else 0.4)
            return CALL

        repeatable = True

    class Person(Slow):
        repeatable = False

    settings = MatchSettings.of("kuhn", [Slow(), Person()], hands=4, decision_seconds=0.3)
    assert play_match(settings).hands == 4


def test_only_the_acting_seats_cards_are_seen() -> None:
    """No view holds a card of another hand, before the showdown or after a fold."""
    game = nolimit()
    views: list[Any] = []

    class Spy(Scripted):
        def act(self, view: Any, rng: Any) -> Any:
            views.append(view)
            return open_agent("random").act(view, rng)

    rng = np.random.default_rng(8)
    for cards in game.deals(rng, 200):
        views.clear()
        spies = [Spy(), Spy()]
        over = play_hand(game, cards, spies, [rng, rng])
        show_end(game, over.state, spies)
        ends = [spy.ends[0] for spy in spies]
        for view in views + ([] if ends[0].shown else ends):
            theirs = cards[2 * (1 - view.seat) : 2 * (1 - view.seat) + 2]
            assert not set(theirs) & {*view.cards, *view.board, *view.dealt}
            assert view.shown == ()
            assert view.cards == cards[2 * view.seat : 2 * view.seat + 2]
        if ends[0].shown:
            assert ends[0].shown == (cards[:2], cards[2:4])
