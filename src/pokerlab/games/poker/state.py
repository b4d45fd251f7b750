"""A poker hand at one moment, and what one seat may see of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pokerlab.games.poker.betting import Action, Betting, Legal

if TYPE_CHECKING:
    from pokerlab.games.poker.engine import PokerGame


class Draw(NamedTuple):
    """One exchange of cards; `received` is shorter than `discarded` until chance has dealt."""

    seat: int
    place: int  # its offset in the betting history
    discarded: tuple[int, ...]
    received: tuple[int, ...]


class State(NamedTuple):
    """A poker hand at one moment, immutable and hashable."""

    betting: Betting
    cards: tuple[int, ...]  # in dealing order: each round's private cards seat by seat, then its public cards
    draws: tuple[Draw, ...] = ()


class View(NamedTuple):
    """What one seat may see: its own cards, the public cards and the betting. Agents receive this, never the state."""

    game: PokerGame
    seat: int
    cards: tuple[int, ...]  # own cards now
    board: tuple[int, ...]
    betting: Betting
    dealt: tuple[int, ...]  # own cards before any exchange
    draws: tuple[Draw, ...]  # own exchanges
    shown: tuple[tuple[int, ...], ...]  # by seat at a showdown: the cards shown, () for a folded hand; else empty

    def __str__(self) -> str:
        from pokerlab.games.poker.text import view_text

        return view_text(self)

    def __repr__(self) -> str:
        return f"<View: {self}>"

    @property
    def legal(self) -> Legal:
        """The legal actions of the player to act."""
        return self.game.betting.legal(self.betting)

    @property
    def actions(self) -> Sequence[Action]:
        """Every legal action, in the game's order; long in no-limit games, where `legal` gives the bounds."""
        return self.game.seat_actions(self.betting, self.cards)

    @property
    def is_turn(self) -> bool:
        """Whether it is this seat's turn."""
        return self.betting.actor == self.seat

    @property
    def round(self) -> int:
        """The round, from 0."""
        return self.betting.round

    @property
    def button(self) -> int:
        """The seat of the button: the last one."""
        return self.game.players - 1

    @property
    def history(self) -> str:
        """The betting so far, "cr/c"."""
        return self.betting.history

    @property
    def pot(self) -> int:
        """All chips in the pot."""
        return self.game.pot(self.betting)

    @property
    def spent(self) -> tuple[int, ...]:
        """Each seat's chips in the pot over the hand."""
        return self.game.spent(self.betting)

    @property
    def stacks(self) -> tuple[int, ...]:
        """Each seat's remaining chips."""
        return self.game.stacks(self.betting)

    @property
    def to_call(self) -> int:
        """The cost of a call for the player to act, 0 for a check."""
        return max(self.legal.call, 0)

    @property
    def infoset(self) -> str:
        """A text for everything this seat knows; equal to the game's infoset of the state."""
        return self.game.infoset_of(self)
