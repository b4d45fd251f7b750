"""Lock a node, or a cell of it, and solve again."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from pokerlab.app.theme import action_button, dim
from pokerlab.app.visitor import Visitor
from pokerlab.errors import PokerlabError
from pokerlab.lab.jobs.record import Job
from pokerlab.lab.spots.study import lock_table
from pokerlab.strategy.lock import lock_from


class LockDialog:
    """Frequencies for the player to act, for all hands or one class."""

    def __init__(self, visitor: Visitor, job: Job, view: Any, hand: str) -> None:
        self.visitor, self.job, self.view = visitor, job, view
        shares = view.strategy()
        self.shares = {action: round(100 * share) for action, share in shares.items()}
        self.hands = "random"
        with ui.dialog() as self.dialog, ui.card(), ui.element("div").classes("stack"):
            where = ", ".join(view.moves) or "the start"
            ui.label(f"Lock {view.seats[view.player]} at {where}").classes("heading level-2")
            dim("The rest is solved again around what is locked; frequencies add up to 100 %.")
            with ui.element("div").classes("fields"):
                for action in view.actions:
                    ui.number(
                        f"{action}, %", value=self.shares[action], min=0, max=100, on_change=self._set(action)
                    ).props("outlined dense")
            which = ui.radio({"random": "all hands", hand: f"only {hand}"}, value="random").props("inline")
            which.on_value_change(lambda event: setattr(self, "hands", str(event.value)))
            self.error = ui.label("").classes("problem small").props('role="alert"')
            with ui.element("div").classes("line"):
                action_button("Solve again", self._solve, kind="main-act")
                action_button("Cancel", self.dialog.close)

    def open(self) -> None:
        """Show the dialog."""
        self.dialog.open()

    def _set(self, action: str) -> Any:
        def changed(event: Any) -> None:
            self.shares[action] = float(event.value or 0)

        return changed

    def _solve(self) -> None:
        """Add the lock to the spot, and solve it as a new job."""
        shares = {action: share / 100 for action, share in self.shares.items() if share}
        lock = lock_table(self.view, shares, self.hands)
        try:
            lock_from(lock)
            settings = dict(self.job.settings)
            spot = dict(settings["spot"])
            settings["spot"] = spot | {"lock": [*spot.get("lock", []), lock]}
            settings["unlocked"] = settings.get("unlocked", self.job.id)
            where = ", ".join(self.view.moves) or "start"
            job = self.visitor.submit("spot", f"{self.job.title}, locked at {where}", settings)
        except PokerlabError as problem:
            self.error.set_text(str(problem))
            return
        self.dialog.close()
        ui.navigate.to(f"/spots/view?job={job.id}")
