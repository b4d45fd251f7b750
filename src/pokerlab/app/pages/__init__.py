"""The pages, one file each; `ADDRESSES` are those that the header links to."""

from __future__ import annotations

from fastapi import Request
from nicegui import ui

from pokerlab.app.visitor import House, Visitor

ADDRESSES = ("/spots", "/preflop", "/train", "/play", "/laboratory", "/matches", "/papers", "/jobs")


def add_pages(house: House) -> None:
    """Add every page to the application."""
    from pokerlab.app.pages import (
        jobs,
        laboratory,
        matches,
        papers,
        play,
        preflop,
        spot_report,
        spot_view,
        spots,
        start,
        train,
    )

    def visitor(request: Request) -> Visitor:
        return Visitor(str(request.scope["visitor"]), house)

    def start_page(request: Request) -> None:
        start.show(visitor(request))

    def jobs_page(request: Request) -> None:
        jobs.show(visitor(request))

    def spots_page(request: Request, example: str = "") -> None:
        spots.show(visitor(request), example)

    def spot_page(request: Request, job: str = "") -> None:
        spot_view.show(visitor(request), job, dict(request.query_params))

    def report_page(request: Request, job: str = "") -> None:
        spot_report.show(visitor(request), job)

    def preflop_page(request: Request, job: str = "") -> None:
        preflop.show(visitor(request), job)

    def train_page(request: Request, source: str = "") -> None:
        train.show(visitor(request), source)

    def play_page(request: Request, table: str = "") -> None:
        play.show(visitor(request), table)

    def laboratory_page(request: Request, game: str = "", job: str = "") -> None:
        laboratory.show(visitor(request), game, job)

    def matches_page(request: Request, job: str = "") -> None:
        matches.show(visitor(request), job)

    def papers_page(request: Request, job: str = "") -> None:
        papers.show(visitor(request), job)

    pages = {"/": start_page, "/jobs": jobs_page, "/spots": spots_page, "/spots/view": spot_page}
    pages |= {"/spots/report": report_page, "/preflop": preflop_page, "/train": train_page, "/play": play_page}
    pages |= {"/laboratory": laboratory_page, "/matches": matches_page, "/papers": papers_page}
    for address, page in pages.items():
        ui.page(address)(page)
