"""Whether a kept solution is as good as its file says: its numbers, computed again, beside those stated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.store import manifest_of
from pokerlab.strategy.verification import Verification, verify


@dataclass(frozen=True)
class Verified:
    """What a file states, and what was found."""

    file: Path
    stated: Mapping[str, Any]  # the file's manifest
    checked: Verification

    @property
    def pot(self) -> float | None:
        """The pot of a spot; None for a game."""
        return float(self.stated["spot"]["pot"]) if "spot" in self.stated else None

    @property
    def exploitability_percent(self) -> float:
        """Of the pot of a spot."""
        assert self.pot is not None
        return 100 * self.checked.measure.exploitability / self.pot

    @property
    def ev(self) -> list[float]:
        """Of a spot: each player's share of the pot, in chips."""
        assert self.pot is not None
        return [value + self.pot / 2 for value in self.checked.measure.values]

    def as_dict(self) -> dict[str, Any]:
        """The numbers and the verdict, for JSON."""
        checked = self.checked
        numbers = self._game_numbers() if self.pot is None else self._spot_numbers()
        return {
            "file": str(self.file),
            **numbers,
            "matches": checked.matches,
            "recomputed": [statement.what for statement in checked.statements],
            "wrong": [
                {"what": one.what, "stated": one.stated, "found": one.found}
                for one in checked.statements
                if not one.agrees
            ],
            "not_recomputed": list(checked.not_recomputed),
        }

    def _game_numbers(self) -> dict[str, Any]:
        found = self.checked.measure
        return {
            "game": self.checked.name,
            "exploitability": found.exploitability,
            "nash_conv": found.nash_conv,
            "value": found.values[0],
            "stated_exploitability": self.stated.get("exploitability"),
        }

    def _spot_numbers(self) -> dict[str, Any]:
        return {
            "game": "spot",
            "exploitability": self.checked.measure.exploitability,
            "exploitability_percent": self.exploitability_percent,
            "ev": self.ev,
            "stated_exploitability_percent": self.stated.get("exploitability_percent"),
        }


def verify_file(file: Path, *, rerun: bool = False) -> Verified:
    """Compute again what a file states; with `rerun`, by solving from the start."""
    return Verified(file, manifest_of(file), verify(file, rerun=rerun))
