"""The pages, one file each; `ADDRESSES` are those that the header links to."""

from __future__ import annotations

from fastapi import Request
from nicegui import ui

from pokerlab.app.visitor import Visitor
from pokerlab.lab.jobs.queue import JobQueue
from pokerlab.lab.spots.study import OpenSolutions

ADDRESSES = ("/spots", "/train", "/play", "/jobs")


def add_pages(queue: JobQueue) -> None:
    """Add every page to the application."""
    from pokerlab.app.pages import jobs, play, spot_report, spot_view, spots, start, train

    solutions, tables = OpenSolutions(), play.Tables()

    def visitor(request: Request) -> Visitor:
        return Visitor(str(request.scope["visitor"]), queue)

    def start_page(request: Request) -> None:
        start.show(visitor(request))

    def jobs_page(request: Request) -> None:
        jobs.show(visitor(request))

    def spots_page(request: Request, example: str = "") -> None:
        spots.show(visitor(request), example)

    def spot_page(request: Request, job: str = "") -> None:
        spot_view.show(visitor(request), solutions, job, dict(request.query_params))

    def report_page(request: Request, job: str = "") -> None:
        spot_report.show(visitor(request), job)

    def train_page(request: Request, source: str = "") -> None:
        train.show(visitor(request), solutions, source)

    def play_page(request: Request, table: str = "") -> None:
        play.show(visitor(request), tables, table)

    pages = {"/": start_page, "/jobs": jobs_page, "/spots": spots_page, "/spots/view": spot_page}
    pages |= {"/spots/report": report_page, "/train": train_page, "/play": play_page}
    for address, page in pages.items():
        ui.page(address)(page)
