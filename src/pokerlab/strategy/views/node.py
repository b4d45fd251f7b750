"""What nodes of solutions of every form share: defaults for what a form may not know, and pandas tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

from pokerlab.errors import BadSetting, IllegalAction
from pokerlab.notebook_display import NotebookDisplay
from pokerlab.strategy.files.table import place_columns
from pokerlab.tables import frame

GRIDS = ("strategy", "ev", "equity", "reach")  # what a grid of starting hands can show


class SolutionNode(NotebookDisplay, ABC):
    """A node of a solution."""

    moves: tuple[str, ...]
    has_hand_classes: ClassVar[bool] = False  # whether rows are classes of hands instead of hands

    @property
    @abstractmethod
    def seats(self) -> tuple[str, ...]:
        """The names of the players."""

    @property
    @abstractmethod
    def player(self) -> int | None:
        """The player to act; None at a deal or when the hand is over."""

    @property
    @abstractmethod
    def actions(self) -> tuple[str, ...]:
        """The legal actions."""

    @property
    def acting(self) -> int:
        """The player to act; IllegalAction if there is none."""
        if self.player is None:
            raise IllegalAction("nobody acts here: " + ("a card comes" if self.is_deal else "the hand is over"))
        return self.player

    @property
    def is_deal(self) -> bool:
        """Whether cards are dealt next, or chance makes another public move."""
        return False

    @property
    def is_over(self) -> bool:
        """Whether the hand is over here."""
        return self.player is None and not self.is_deal

    @property
    def has_starting_hands(self) -> bool:
        """Whether hands are starting hands of hold'em, which are shown as grids."""
        return False

    @property
    def grids(self) -> tuple[str, ...]:
        """Which of GRIDS are known for the hands here."""
        return GRIDS

    @property
    def pot(self) -> float | None:
        """The chips in the pot; None in games without one."""
        return None

    @property
    def board_text(self) -> str:
        """The public cards."""
        return ""

    @property
    def money(self) -> str:
        """The unit of EV, if it is not that of the payoffs; otherwise ""."""
        return ""

    @property
    def note(self) -> str:
        """How the rows are to be read."""
        return ""

    def at(self, *moves: str) -> Self:
        """The node after some moves: actions ("bet 75", "call", "allin"), cards ("Td") and draws ("d3")."""
        view = self
        for move in moves:
            view = view._after(move)
        return view

    def _after(self, move: str) -> Self:
        """The node after one move."""
        raise NotImplementedError

    def hand_details(self, hand: str, player: int) -> dict[str, Any]:
        """What is known about a hand of a player; BadSetting if rows are infosets."""
        raise BadSetting("--hand asks for one hand at a public place; here --csv and --by-hand list all of them")

    @abstractmethod
    def strategy(self) -> dict[str, float]:
        """How often each action is taken here."""

    def summary(self) -> dict[str, Any]:
        """The totals of this node, for JSON."""
        totals: dict[str, Any] = {"moves": list(self.moves)} | ({} if self.pot is None else {"pot": self.pot})
        totals |= {"player": self.player, "actions": list(self.actions)}
        return totals | ({} if self.player is None else {"frequencies": self.strategy()})

    def values_for(self, view: Any) -> dict[str, float]:
        """EV of each action for the hand of a table view, at a decision below this node; empty if unknown.

        Actions are named as the rule engine writes them. EV is in the game's payoffs, from any fixed origin: only
        differences between actions have a meaning.
        """
        return {}

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each action of each hand, or infoset, of the player to act."""
        return frame(place_columns(self))
