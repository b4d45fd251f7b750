"""A review of played hands: decisions beside what the reviewer does, then totals by street."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rich.markup import escape

from pokerlab.display.elements.numbers import counted, game_title, gap_text
from pokerlab.display.elements.table import plain_table
from pokerlab.lab.play.review import CLEAR_LOSS, RARE, Review, ReviewedDecision, ReviewTotal

LISTED_CHANCE = 0.005  # smaller probabilities are not listed, except for the action taken
LISTED_LOSS = 0.005  # chips; smaller differences in EV are not listed
NO_EV = "it does not know what actions are worth, so decisions are compared by frequency alone"


def print_review(review: Review, console: Any, *, most: int) -> None:
    """Print the decisions, the worst ones if there are more than `most`, and the totals of each agent."""
    games = ", ".join(game_title(name) for name in review.games[:3]) + (", ..." if len(review.games) > 3 else "")
    console.print(f"\n[bold]{escape(games)}[/bold]  reviewed by {escape(review.reviewer)}")
    if not review.knows_ev:
        console.print(f"[dim]{NO_EV}[/dim]")
    for agent in review.agents:
        own = [one for one in review.decisions if one.agent == agent]
        console.print(f"\n[bold]{escape(agent)}[/bold]  {counted(review.hands[agent], 'hand')}")
        chosen = own if len(own) <= most else list(review.worst(agent, most))
        if chosen:
            console.print(_decision_table(review, chosen))
        if len(own) > len(chosen):
            what = "the worst decisions; " if chosen else ""
            console.print(f"[dim]{what}{counted(len(own), 'decision')} in all; --rows shows more[/dim]")
        console.print()
        console.print(_total_table(review, agent))
    _print_notes(review, console)


def print_short_review(review: Review, console: Any, *, agent: str) -> None:
    """Print the totals of one agent by street and the worst decisions."""
    console.print(f"\n[bold]review[/bold]  [dim]by {escape(review.reviewer)}[/dim]")
    if not review.knows_ev:
        console.print(f"[dim]{NO_EV}[/dim]")
    console.print(_total_table(review, agent))
    worst = review.worst(agent, 3)
    if worst:
        console.print(f"[dim]{'costliest' if review.knows_ev else 'rarest'} decisions[/dim]")
        console.print(_decision_table(review, worst))
    _print_notes(review, console)


def _decision_table(review: Review, decisions: Any) -> Any:
    headings = ["hand", "street", "cards", "board", "pot", "did", "the solution does"]
    headings[-1] = "the solution does" if review.knows_ev else "the reviewer does"
    if review.knows_ev:
        headings.append("EV lost")
    rows = []
    for one in decisions:
        row = [str(one.hand), one.street, one.cards, one.board, f"{one.pot:g}", escape(one.action), _does(one)]
        rows.append([*row, _lost(one)] if review.knows_ev else row)
    return plain_table(headings, rows, left=("street", "cards", "board", "did", headings[6]))


def _does(one: ReviewedDecision) -> str:
    """What the reviewer does: each action with its share and EV; or why it is not known."""
    if not one.is_reviewed:
        return f"[dim]{escape(one.note)}[/dim]"
    shown = [a for a, p in one.frequencies.items() if p >= LISTED_CHANCE or a == one.action]
    text = ", ".join(_share(action, one.frequencies[action], one.values) for action in shown)
    return escape(text) + (f" [dim]({escape(one.note)})[/dim]" if one.note else "")


def _share(action: str, chance: float, values: Mapping[str, float]) -> str:
    """An action with its share and, if it is worse than the best one, by how many chips."""
    less = max(values.values()) - values[action] if action in values else 0.0
    return f"{action} {100 * chance:.0f} %" + (f" (-{less:.2f})" if less >= LISTED_LOSS else "")


def _lost(one: ReviewedDecision) -> str:
    if one.ev_lost is None:
        return "[dim]?[/dim]"
    text = f"{one.ev_lost:.2f}"
    return f"[red]{text}[/red]" if one.loss > CLEAR_LOSS else f"[dim]{text}[/dim]"


def _total_table(review: Review, agent: str) -> Any:
    headings = ["street", "decisions", "reviewed", "agrees", "expected", "rare"]
    if review.knows_ev:
        headings += ["mistakes", "EV lost", "per 100"]
    rows = [_total_row(total, review) for total in review.totals(agent)]
    return plain_table(headings, rows)


def _total_row(total: ReviewTotal, review: Review) -> list[str]:
    name = escape(total.street) or "[bold]all[/bold]"
    row = [name, f"{total.decisions:,}", f"{total.reviewed:,}", _percent(total.frequency), _percent(total.expected)]
    row.append(f"{total.rare:,}")
    if review.knows_ev:
        lost = 100 * total.ev_lost / max(review.hands[total.agent], 1)
        row += [f"{total.mistakes:,}", f"{total.ev_lost:.2f}", f"{lost:.1f}"]
    return row


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{100 * share:.0f} %"


def _print_notes(review: Review, console: Any) -> None:
    console.print(
        "[dim]agrees: how often the reviewer takes the actions taken, on average; expected: the same of a player who "
        f"plays like it; rare: actions that it takes in less than {100 * RARE:.0f} %[/dim]"
    )
    if review.knows_ev:
        console.print(f"[dim]EV lost: in {review.unit}, in all and per 100 hands, against the best action[/dim]")
        if review.exploitability is not None:
            gap = gap_text(review.exploitability)
            console.print(
                f"[dim]the solution is exploitable by {gap} chips a hand: its EVs are no more exact than that[/dim]"
            )
        unvalued = sum(one.is_reviewed and one.ev_lost is None for one in review.decisions)
        if unvalued:
            console.print(f"[dim]the EV of {counted(unvalued, 'decision')} is not known, and not in the totals[/dim]")
    for reason, count in list(review.not_reviewed().items())[:4]:
        console.print(f"[yellow]{counted(count, 'decision')} not reviewed: {escape(reason)}[/yellow]")
