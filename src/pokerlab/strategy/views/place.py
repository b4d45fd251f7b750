"""What nodes of solutions of every form share: notebook display and pandas tables."""

from __future__ import annotations

from typing import Any

from pokerlab.notebook_display import NotebookDisplay
from pokerlab.strategy.files.table import place_columns
from pokerlab.tables import frame


class ShownPlace(NotebookDisplay):
    """A node of a solution."""

    @property
    def has_starting_hands(self) -> bool:
        """Whether hands are starting hands of hold'em, which are shown as grids."""
        return False

    def values_for(self, view: Any) -> dict[str, float]:
        """EV of each action for the hand of a table view, at a decision below this node; empty if unknown.

        Actions are named as the rule engine writes them. EV is in the game's payoffs, from any fixed origin: only
        differences between actions have a meaning.
        """
        return {}

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each action of each hand, or infoset, of the player to act."""
        return frame(place_columns(self))
