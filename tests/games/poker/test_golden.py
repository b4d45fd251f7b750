"""One transcript a preset, kept in tests/golden/poker: a few seeded hands with all that the engine says about them.

When a change of the rules is meant, write them anew: `POKERLAB_GOLDEN=write pytest tests/games/poker/test_golden.py`.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from games.playing import poker_names, random_action
from pokerlab.formats.acpc import state_line
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.text import action_words, one_line, seat_name, table_text
from pokerlab.registry import load

FOLDER = Path(__file__).parents[2] / "golden" / "poker"
HANDS = 3


def transcript(game: PokerGame) -> str:
    rng = np.random.default_rng(20)
    lines = [game.name, ""]
    for hand in range(HANDS):
        state = game.start(game.deal(rng))
        lines.append(f"hand {hand}")
        while (seat := game.player(state)) >= 0:
            legal = game.legal(state)
            action = random_action(game, state, rng)
            lines.append(f"  {game.infoset(state, seat)}  {tuple(legal[:5])}")  # none of these has a menu
            lines.append(f"    {seat_name(game, seat)} {action_words(game, state.betting, action)}")
            state = game.child(state, action)
        lines.append(f"  {one_line(game, state)}")
        lines += [f"  {line}" for line in table_text(game, state).splitlines()]
        if not game.dealing.draws:
            lines.append(
                f"  {state_line(game, state, hand, game.returns(state), [f'p{i}' for i in range(game.players)])}"
            )
        lines.append("")
    return "\n".join(lines)


@pytest.mark.parametrize("name", poker_names())
def test_transcript(name):
    path = FOLDER / f"{name}.txt"
    text = transcript(load("games", name))
    if os.environ.get("POKERLAB_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
