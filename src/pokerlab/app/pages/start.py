"""The start page: what was open last, three things to try, and the jobs."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from pokerlab.app.theme import dim, frame, heading, panel
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.job_list import job_list

TRY = (
    ("/spots?example=river", "Solve a river spot", "Two ranges, a board and bet sizes; an equilibrium in seconds."),
    (
        "/play?table=holdem-limit",
        "Play against a blueprint",
        "Limit hold'em against a trained strategy, with a review.",
    ),
    ("/laboratory?game=kuhn", "Watch algorithms converge", "Kuhn poker: four algorithms on one plot, live."),
)


def show(visitor: Visitor) -> None:
    """The start page."""
    with frame(visitor, "Start"), ui.element("div").classes("stack"):
        heading("Study, play and watch")
        dim("Everything runs on this machine: nothing is sent anywhere, and no network is needed.")
        last = visitor.recall("last")
        if last.get("address") and last.get("title"):
            _card(str(last["address"]), f"Continue: {last['title']}", "What you had open last.")
        with ui.element("div").classes("cards-of-start"):
            for address, title, words in TRY:
                if _exists(address):
                    _card(address, title, words)
        with panel("Jobs"):
            job_list(visitor, most=5)


def _exists(address: str) -> bool:
    from pokerlab.app.pages import ADDRESSES

    return address.partition("?")[0] in ADDRESSES


def _card(address: str, title: str, words: str) -> Any:
    with ui.link(target=address).classes("try") as card:
        with ui.element("b"):
            ui.label(title).classes("plain")
        ui.label(words).classes("dim")
    return card
