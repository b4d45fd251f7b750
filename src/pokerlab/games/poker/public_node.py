"""A public node of a poker game: the betting and the public cards, independent of private cards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from pokerlab.errors import BadSetting, IllegalAction
from pokerlab.games.poker.betting import Action, Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View

MOST_CARDS_CACHED = 2  # of a hand: the hands of a board are listed once for all its nodes


class PrivateHands(NamedTuple):
    """The hands that a seat may hold."""

    texts: tuple[str, ...]
    cards: tuple[tuple[int, ...], ...]


class PublicNode(NamedTuple):
    """A node where a seat decides, cards are dealt, or the hand is over."""

    game: PokerGame
    betting: Betting
    board: tuple[int, ...]
    among: frozenset[tuple[int, ...]] | None = None  # only these hands, highest card first; None: all

    @property
    def seat(self) -> int:
        """The seat to act once the public cards are dealt."""
        return self.betting.actor

    @property
    def missing(self) -> int:
        """The number of public cards to be dealt before anybody acts."""
        return self.game.dealing.public(self.betting.round) - len(self.board)

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of the seat to act, as the game writes them: ("f", "c", "r300"); in a draw by count: "d2"."""
        return tuple(self._choices())

    def _choices(self) -> dict[str, Action]:
        """The actions of the seat to act, by text."""
        if self.seat < 0 or self.missing:
            return {}
        if self.betting.drawing:
            rounds = self.game.rules.rounds
            most = min(rounds[self.betting.round].draw, rounds[0].private)
            return {f"d{count}": Action("d", 0, tuple(range(count))) for count in range(most + 1)}
        return {self.game.action_text(action): action for action in self.game.seat_actions(self.betting, ())}

    def after(self, move: str) -> PublicNode:
        """The node after an action, as the game writes it, or after public cards."""
        if self.missing:
            cards = tuple(self.game.deck.cards(move))
            if len(cards) != self.missing or set(cards) & set(self.board):
                raise IllegalAction(f"{move[:40]!r} cannot come here: {self.missing} new public cards do")
            return self._replace(board=self.board + cards)
        choices = self._choices()
        if move not in choices:
            raise IllegalAction(f"{move[:40]!r} is not an action here; there is {', '.join(choices) or 'none'}")
        return self._replace(betting=self.game.betting.act(self.betting, choices[move]))

    def hands(self) -> PrivateHands:
        """Every hand considered for the seat to act; the same objects at other nodes with this board.

        Raises BadSetting in the betting after a draw, where the discards are private too.
        """
        if self.game.dealing.draws and self.betting.round and not self.betting.drawing:
            raise BadSetting(f"after a draw, {self.game.name} has more private cards than a hand")
        few = self.game.rules.rounds[0].private <= MOST_CARDS_CACHED
        return (_hands if few else _hands.__wrapped__)(self.game, self.board, self.among)

    def view(self, hand: tuple[int, ...]) -> View:
        """What the seat to act sees with a hand."""
        return View(self.game, self.seat, hand, self.board, self.betting, hand, (), ())

    def views(self) -> Iterator[tuple[str, View]]:
        """Every hand considered for the seat to act, by its text, and that seat's view."""
        game, seat, board, betting = self.game, self.seat, self.board, self.betting
        for text, hand in zip(*self.hands(), strict=True):
            yield text, View(game, seat, hand, board, betting, hand, (), ())


@lru_cache(maxsize=8)
def _hands(game: PokerGame, board: tuple[int, ...], among: frozenset[tuple[int, ...]] | None) -> PrivateHands:
    free = [card for card in range(game.deck.size - 1, -1, -1) if card not in board]
    every = combinations(free, game.rules.rounds[0].private)
    hands = tuple(hand for hand in every if among is None or hand in among)
    return PrivateHands(tuple(map(game.text, hands)), hands)


def start_of(game: PokerGame) -> PublicNode:
    """The root of a game; raises BadSetting if private cards are dealt later, so that no node is public."""
    if not game.dealing.at_once:
        raise BadSetting(f"{game.name} has no public nodes: private cards are dealt in later rounds, too")
    return PublicNode(game, game.betting.start(), ())
