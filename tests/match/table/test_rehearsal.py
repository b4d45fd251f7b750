"""Before a person or a dealer waits, agents are asked on every street, with and without a bet; then they forget it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.match.table.rehearsal import rehearse


class Asked:
    """An agent that notes where it is asked."""

    name = "asked"

    def __init__(self) -> None:
        self.places: list[tuple[int, bool]] = []  # round, whether there is something to call
        self.resets = 0

    def act(self, view: View, rng: np.random.Generator) -> Action:
        self.places.append((view.round, view.to_call > 0))
        return CALL

    def reset(self) -> None:
        self.resets += 1


class Unasked(Asked):
    """One that must not be asked."""

    name = "unasked"
    repeatable = False


class Failing(Asked):
    """One that fails."""

    name = "failing"

    def act(self, view: View, rng: np.random.Generator) -> Action:
        super().act(view, rng)
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "name", ["holdem-limit", "holdem-nolimit(players=3)", "leduc", "kuhn", "examples/turn.toml", "rhode-island"]
)
def test_agents_are_asked_on_every_street(name: str) -> None:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    asked, unasked, failing = Asked(), Unasked(), Failing()
    ends = rehearse(game, [asked, unasked, failing])
    streets = {state.betting.round for state in ends}
    assert {(street, owed) for street in range(max(streets) + 1) for owed in (True, False)} <= set(asked.places)
    assert max(streets) == len(game.rules.rounds) - 1
    assert asked.resets == 1
    assert (unasked.places, unasked.resets) == ([], 0)
    assert len(failing.places) == 1  # it tells where it plays


@pytest.mark.parametrize("name", ["push-fold", "five-card-draw", "short-deck"])
def test_hands_of_other_games_end(name: str) -> None:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    asked = Asked()
    assert all(game.player(state) < 0 for state in rehearse(game, [asked]))
    assert asked.places


@pytest.mark.slow
@pytest.mark.parametrize("words", ["holdem-nolimit --against formula", "examples/river.toml", "short-deck"])
def test_nothing_compiles_between_prompts(words: str, tmp_path: Path) -> None:
    """In a process that has no kept kernels: every compilation comes before the first prompt."""
    program = (
        "import builtins, sys\n"
        "from pokerlab.compiled import watching_compilation\n"
        "prompts, late = [], []\n"
        "def typed(prompt=''):\n"
        "    prompts.append(prompt)\n"
        "    return 'q' if len(prompts) > 40 else ('c', 'r', 'c', 'allin')[len(prompts) % 4]\n"
        "builtins.input = typed\n"
        f"sys.argv = ['pokerlab', 'play', *{words.split()!r}]\n"
        "from pokerlab.cli import main\n"
        "with watching_compilation(lambda name: late.append(name) if prompts else None):\n"
        "    try:\n"
        "        main()\n"
        "    except SystemExit:\n"
        "        pass\n"
        "assert len(prompts) > 40 and not late, late\n"
    )
    environment = os.environ | {"POKERLAB_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("compiling kernels") == 1
