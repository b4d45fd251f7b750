"""A review of played hands: totals by street, and every decision beside what the reviewer does."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from pokerlab.app.theme import dim
from pokerlab.app.widgets.node_html import plain_table
from pokerlab.display.browse.node import percent_text
from pokerlab.lab.play.playing import PERSON
from pokerlab.lab.play.review import Review, ReviewedDecision

MOST_ROWS = 60


def show_review(review: Review | None) -> None:
    """A review, or why there is none."""
    if review is None or PERSON not in review.agents:
        dim("There is no solution or blueprint that could review these hands.")
        return
    dim(
        f"Reviewed by {review.reviewer}" + ("" if review.knows_ev else ", which compares frequencies: EV is not known.")
    )
    totals = review.totals(PERSON)
    heads = [
        "street",
        "decisions",
        "reviewed",
        "agrees",
        *(["mistakes", f"EV lost, {review.unit}"] if review.knows_ev else []),
    ]
    rows = []
    for total in totals:
        row: list[Any] = [total.street or "all", total.decisions, total.reviewed, percent_text(total.frequency)]
        rows.append([*row, total.mistakes, f"{total.ev_lost:.2f}"] if review.knows_ev else row)
    ui.html(str(plain_table(heads, rows)), sanitize=False)
    own = [one for one in review.decisions if one.agent == PERSON]
    shown = own if len(own) <= MOST_ROWS else list(review.worst(PERSON, MOST_ROWS))
    heads = ["hand", "street", "cards", "board", "did", "the reviewer does", *(["EV lost"] if review.knows_ev else [])]
    lines = [[*_row(one), *([_lost(one)] if review.knows_ev else [])] for one in shown]
    ui.html(str(plain_table(heads, lines)), sanitize=False)


def _row(one: ReviewedDecision) -> list[Any]:
    shares = sorted(one.frequencies.items(), key=lambda pair: -pair[1])
    does = ", ".join(f"{action} {100 * share:.0f} %" for action, share in shares if share >= 0.005)
    return [one.hand, one.street, one.cards, one.board, one.action, does or one.note]


def _lost(one: ReviewedDecision) -> str:
    return "?" if one.ev_lost is None else f"{one.ev_lost:.2f}"
