"""One kept transcript a game: a play by a fixed rule, so that a change of rules or texts is seen.

The rule takes the (7 k + 3)-th choice, round and round, at the k-th step of a play, so that it needs no random numbers.
`python tests/games/test_golden.py` writes the transcripts anew; look at the difference before keeping it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pokerlab.formats.opening import open_game
from pokerlab.games.game import CHANCE, TERMINAL, action_text, outcome_text

FOLDER = Path(__file__).parent.parent / "golden" / "games"
GAMES = {
    "abstraction_pathology": "abstraction-pathology",
    "ace_king": "ace-king",
    "battle_of_the_sexes": "battle-of-the-sexes",
    "goofspiel": "goofspiel(cards=5)",
    "goofspiel_random": "goofspiel(cards=4, points=random)",
    "goofspiel_open": "goofspiel(cards=4, hidden=false, players=3)",
    "latent_tictactoe": "latent-tictactoe",
    "liars_dice": "liars-dice(dice=2, sides=6)",
    "matching_pennies": "matching-pennies",
    "phantom_tictactoe": "phantom-tictactoe",
    "princess_and_monster": "princess-and-monster",
    "prisoners_dilemma": "prisoners-dilemma",
    "rock_paper_scissors": "rock-paper-scissors",
    "rps_lizard_spock": "rps-lizard-spock",
}


def transcript(name: str, plays: int = 3) -> str:
    """A few plays of a game, a line a move."""
    game = open_game(name)
    lines = [game.name]
    for play in range(plays):
        state, step = game.root(), play
        lines.append("")
        while (player := game.player(state)) != TERMINAL:
            if player == CHANCE:
                outcomes = list(game.outcomes(state))
                move, chance = outcomes[(7 * step + 3) % len(outcomes)]
                lines.append(f"chance ({chance:.6g}): {outcome_text(game, move)}")
            else:
                actions = list(game.actions(state))
                move = actions[(7 * step + 3) % len(actions)]
                choices = " ".join(action_text(game, action) for action in actions)
                lines.append(f"{player} [{game.infoset(state, player)}] {action_text(game, move)} of {choices}")
            state = game.child(state, move)
            step += 1
        lines.append("returns " + " ".join(f"{value:g}" for value in game.returns(state)))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("file", list(GAMES))
def test_transcript(file):
    assert transcript(GAMES[file]) == (FOLDER / f"{file}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file, name in GAMES.items():
        (FOLDER / f"{file}.txt").write_text(transcript(name), encoding="utf-8")
