"""The start page: what was open last, three things to try, and the jobs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from pokerlab.app.pages.play import take_seat
from pokerlab.app.pages.spots import example_spot, submit_spot
from pokerlab.app.theme import dim, frame, heading, panel, problem
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.job_list import job_list
from pokerlab.errors import PokerlabError

SECONDS = 3.0  # for each algorithm


def show(visitor: Visitor) -> None:
    """The start page."""
    with frame(visitor, "Start"), ui.element("div").classes("stack"):
        heading("Study, play and watch")
        dim("Everything runs on this machine: nothing is sent anywhere, and no network is needed.")
        last = visitor.recall("last")
        if last.get("address") and last.get("title"):
            with ui.link(target=str(last["address"])).classes("try"):
                _words(f"Continue: {last['title']}", "What you had open last.")
        with ui.element("div").classes("cards-of-start"):
            for title, words, begin in (
                ("Solve a river spot", "Two ranges, a board and bet sizes; an equilibrium in seconds.", solve),
                ("Play against a blueprint", "Limit hold'em against a trained strategy, with a review.", play),
                ("Watch algorithms converge", "Kuhn poker: four algorithms on one plot, live.", compare),
            ):
                _card(visitor, title, words, begin)
        with panel("Jobs"):
            job_list(visitor, most=5)


def _words(title: str, words: str) -> None:
    with ui.element("b"):
        ui.label(title).classes("plain")
    ui.label(words).classes("dim")


def _card(visitor: Visitor, title: str, words: str, begin: Callable[[Visitor], Awaitable[str]]) -> Any:
    """A thing to try, which one click starts."""

    async def clicked() -> None:
        card.props["disabled"] = True
        card.update()
        try:
            ui.navigate.to(await begin(visitor))
        except PokerlabError as trouble:
            card.props["disabled"] = False
            card.update()
            with card:
                problem(str(trouble))

    card = ui.element("button").classes("try").props('type="button"')
    with card:
        _words(title, words)
    card.on("click", clicked)
    return card


async def solve(visitor: Visitor) -> str:
    """Solve the river; the address that shows it."""
    return submit_spot(visitor, example_spot("river"))


async def play(visitor: Visitor) -> str:
    """Take a seat, unless there is a hand to finish."""
    if visitor.house.tables.of(visitor.name) is None:
        message = await visitor.compute(take_seat, visitor, "holdem-limit", "blueprint")
        if message:
            raise PokerlabError(message)
    return "/play"


async def compare(visitor: Visitor) -> str:
    """Compare algorithms on Kuhn poker."""
    from pokerlab.app.pages.laboratory import FIRST

    names = list(FIRST)
    settings = {"game": "kuhn", "algorithms": names, "seconds": SECONDS}
    job = visitor.submit("compare", f"kuhn: {', '.join(names)}", settings)
    visitor.opened(f"/laboratory?job={job.id}", job.title)
    return f"/laboratory?job={job.id}&game=kuhn"
