"""All jobs of a visitor: those that run, wait, were interrupted, and are done."""

from __future__ import annotations

from pokerlab.app.theme import dim, frame, heading, panel
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.job_list import job_list


def show(visitor: Visitor) -> None:
    """The list of jobs."""
    with frame(visitor, "Jobs", active="/jobs"):
        heading("Jobs")
        dim("Jobs run in the background, also when this tab is closed. What was interrupted can be resumed.")
        with panel():
            job_list(visitor)
