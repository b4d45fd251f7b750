"""The actions of a hand, one by one, each with the situation in which it was taken.

Opponent models count and predict actions by situation. An opponent is identified by its place relative to one's own
seat, which stays the same while the button moves: `relative_seat`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pokerlab.errors import BadSetting
from pokerlab.games.poker.action import Action, actions_of
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import start_of
from pokerlab.games.poker.state import View
from pokerlab.games.spot.spot_game import SpotGame

NOTHING, BET, RAISES = 0, 1, 2  # what the seat to act faces


class Situation(NamedTuple):
    """What the seat to act sees of the betting."""

    round: int
    facing: int  # NOTHING, BET (or a blind) or RAISES
    raises: int  # in this round
    opponents: int  # still in the hand
    to_call: int
    pot: int  # before the call

    @property
    def key(self) -> tuple[int, int]:
        """What frequencies are counted by."""
        return self.round, self.facing

    @property
    def pot_odds(self) -> float:
        """The cost of a call as a share of the final pot."""
        return self.to_call / (self.pot + self.to_call) if self.to_call else 0.0


class PastAction(NamedTuple):
    """An action that was taken."""

    seat: int
    action: Action
    before: Betting
    situation: Situation


def situation(game: PokerGame, betting: Betting) -> Situation:
    """The situation of the seat to act."""
    actor, raises = betting.actor, betting.raises
    owed = min(max(betting.level - betting.live[actor], 0), game.betting.behind[actor] - betting.live[actor])
    facing = NOTHING if not owed else BET if raises <= 1 else RAISES
    others = (betting.alive & ~(1 << actor)).bit_count()
    return Situation(betting.round, facing, raises, others, owed, game.pot(betting))


@lru_cache(maxsize=100_000)
def past_actions(game: PokerGame, history: str) -> tuple[PastAction, ...]:
    """The actions of a history without draws, in order."""
    betting, past = game.betting.start(), []
    for action in actions_of(history):
        past.append(PastAction(betting.actor, action, betting, situation(game, betting)))
        betting = game.betting.act(betting, action)
    return tuple(past)


def relative_seat(view: View, seat: int) -> int:
    """How many places a seat is to the left of one's own: 0 is oneself."""
    return (seat - view.seat) % view.game.players


def check_open_betting(game: PokerGame, player: str) -> None:
    """Raise BadSetting unless all private cards are dealt before the betting, from one deck, and none are exchanged."""
    start_of(game)
    if game.dealing.draws or game.rules.replacement or isinstance(game, SpotGame):
        raise BadSetting(
            f"{player} plays games whose private cards are dealt once, from one deck, such as holdem-limit; "
            f"{game.name} is not one"
        )
