"""The pages, one file each; `ADDRESSES` are those that the header links to."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from nicegui import ui

from pokerlab.app.visitor import Visitor
from pokerlab.lab.jobs.queue import JobQueue

ADDRESSES = ("/jobs",)


def add_pages(queue: JobQueue) -> None:
    """Add every page to the application."""
    from pokerlab.app.pages import jobs, start

    def visitor(request: Request) -> Visitor:
        return Visitor(str(request.scope["visitor"]), queue)

    async def start_page(request: Request) -> Any:
        start.show(visitor(request))

    async def jobs_page(request: Request) -> Any:
        jobs.show(visitor(request))

    for address, page in (("/", start_page), ("/jobs", jobs_page)):
        ui.page(address)(page)
