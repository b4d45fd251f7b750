"""What is said of each action of a hand."""

from __future__ import annotations

from pokerlab.formats.opening import open_game
from pokerlab.match.hands.betting_actions import BettingReader


def test_who_faces_a_bet() -> None:
    """Blinds are no bets, one bet is enough, and a new round begins without any."""
    actions = BettingReader(open_game("holdem-limit(players=3)")).read("crcc/ccrrcc/").actions
    assert [one.faces_bet for one in actions] == [False, False, True, True, False, False, False, True, True, True]
    assert [one.action for one in actions] == "call raise call call check check bet raise call call".split()
