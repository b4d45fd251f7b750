"""The actions of saved hands, one by one: who did what on which street, what it cost, and what the pot was.

They follow from the betting alone, so each distinct betting is replayed once, whatever the cards were.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pokerlab.errors import BadFile, IllegalAction, shortened
from pokerlab.games.poker.betting import Action, Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.text import round_name

FOLD, CHECK, CALL, BET, RAISE, DRAW = "fold", "check", "call", "bet", "raise", "draw"
_ACTION = re.compile(r"f|c|r(\d{0,12})|d\(([^()>]*)>[^()>]*\)|/")
MOST_KNOWN = 200_000  # states of the betting that are cached


class BettingAction(NamedTuple):
    """One action. Amounts are as the game displays them."""

    seat: int
    round: int
    street: str
    action: str  # FOLD, CHECK, CALL, BET, RAISE or DRAW
    chips: float  # that the seat puts in; of a draw, the number of cards
    to_call: float  # before it
    pot: float  # before it
    faces_bet: bool  # whether somebody has bet or raised in this round; blinds are not bets


class BettingLine(NamedTuple):
    """The betting of a whole hand."""

    actions: tuple[BettingAction, ...]
    end: Betting


class BettingReader:
    """Reads the betting of hands of one game."""

    def __init__(self, game: PokerGame) -> None:
        self.game = game
        self._after: dict[tuple[str, str], tuple[BettingAction, Betting]] = {}  # by history and action

    def read(self, text: str) -> BettingLine:
        """The actions of a hand; raises BadFile if they are not those of a hand of the game."""
        betting, actions, position = self.game.betting.start(), [], 0
        while position < len(text):
            token = _ACTION.match(text, position)
            if not token:
                raise BadFile(f"cannot read the betting {shortened(text)!r} at {text[position : position + 10]!r}")
            position = token.end()
            if token.group() != "/":
                action, betting = self._acted(betting, token, text)
                actions.append(action)
        return BettingLine(tuple(actions), betting)

    def _acted(self, betting: Betting, token: re.Match[str], text: str) -> tuple[BettingAction, Betting]:
        key = betting.history, token.group()
        if key not in self._after:
            if len(self._after) >= MOST_KNOWN:
                self._after.clear()
            action = _engine_action(self.game, token)
            try:
                self.game.betting.verify(betting, action)
                after = self.game.betting.act(betting, action)
            except IllegalAction as problem:
                raise BadFile(f"the betting {shortened(text)!r} does not fit {self.game.name}: {problem}") from problem
            self._after[key] = self._described(betting, action, after), after
        return self._after[key]

    def _described(self, betting: Betting, action: Action, after: Betting) -> BettingAction:
        game, seat = self.game, betting.actor
        to_call = 0 if betting.drawing else max(game.betting.legal(betting).call, 0)
        chips = len(action.cards) if action.kind == "d" else game.chips(after.live[seat] - betting.live[seat])
        opened = betting.raises > 0 or betting.level > game.betting.level_before(betting.history)
        kinds = {"f": FOLD, "c": CALL if to_call else CHECK, "r": RAISE if opened else BET, "d": DRAW}
        return BettingAction(
            seat=seat,
            round=betting.round,
            street=round_name(game, betting.round),
            action=kinds[action.kind],
            chips=float(chips),
            to_call=float(game.chips(to_call)),
            pot=float(game.chips(game.pot(betting))),
            faces_bet=betting.raises > 0 and to_call > 0,
        )


def _engine_action(game: PokerGame, token: re.Match[str]) -> Action:
    word = token.group()
    if word[0] == "d":
        return Action("d", 0, tuple(range(len(game.deck.cards(token[2])))))
    return Action(word[0], int(token[1] or 0) if word[0] == "r" else 0)
