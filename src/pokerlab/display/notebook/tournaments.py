"""How tournaments, freeze-outs and match play look in a notebook."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.display.elements import html as pieces
from pokerlab.display.elements.figure import letters
from pokerlab.display.elements.numbers import counted, game_title
from pokerlab.display.elements.picture import Picture
from pokerlab.display.notebook.dispatch import html, plot
from pokerlab.display.play.contests import unsigned
from pokerlab.display.play.match import interval_text
from pokerlab.match.run.contest_result import ContestResult
from pokerlab.match.run.ring import RingTournament
from pokerlab.match.run.tournament import Tournament


@html.register
def _(result: Tournament) -> str:
    return _tournament_html(result, result.table.agents, result.table.means, result.table.errors, per="pair")


@html.register
def _(result: RingTournament) -> str:
    means, errors = result.scores.cross()
    return _tournament_html(result, result.scores.agents, means, errors, per="table")


def _tournament_html(
    result: Tournament | RingTournament, agents: Sequence[str], means: np.ndarray, errors: np.ndarray, *, per: str
) -> str:
    digits, rows = result.unit.digits, []
    for place, (agent, mean, half) in enumerate(result.ranking, start=1):
        row = agents.index(agent)
        against = [
            "" if np.isnan(won) else f"{won:+,.{digits}f} ± {1.96 * error:,.{digits}f}"
            for won, error in zip(means[row], errors[row], strict=True)
        ]
        rows.append((str(place), agent, f"{mean:+,.{digits}f} ± {half:,.{digits}f}", *against))
    heading = ("", "agent", "all", *(f"v {agent}" for agent in agents))
    return pieces.block(
        pieces.title(game_title(result.game), more=f"{counted(result.hands, 'hand')} a {per}, {result.unit.rate}"),
        pieces.table(heading, rows, left=2),
        pieces.note(f"by instant run-off: {result.runoff.ranking[0]} wins"),
    )


@plot.register(Tournament)
@plot.register(RingTournament)
def _(result: Tournament | RingTournament) -> Picture:
    picture = Picture(figsize=(7, 1.2 + 0.4 * len(result.ranking)), layout="constrained")
    axes = picture.add_subplot()
    agents, means, halves = zip(*result.ranking, strict=True)
    heights = np.arange(len(agents))
    axes.errorbar(means, heights, xerr=np.nan_to_num(halves), fmt="o", capsize=4, color="#1f5fa8")
    axes.axvline(0, color="#555555", linewidth=0.9, linestyle=(0, (4, 3)))
    axes.set_yticks(heights, list(map(letters, agents)))
    axes.set(xlabel=f"{result.unit.name}/hand, with 95 % intervals", title=letters(game_title(result.game)))
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    return picture


@html.register
def _(result: ContestResult) -> str:
    what = "freeze-out" if result.is_freezeout else "session"
    rows: list[tuple[str, ...]] = []
    for place, agent in enumerate(result.agents):
        if result.is_freezeout:
            wins, prize, mean = result.wins[place], result.prizes[place], result.places[place]
            shares = f"{100 * wins.share:.1f} ({100 * wins.low:.1f} to {100 * wins.high:.1f})"
            prizes = unsigned(prize.scaled(100), 1)
            chips = f"{100 * result.chip_shares[place]:.1f}"
            rows.append((agent, shares, chips, unsigned(mean, 2), prizes))
        else:
            bought = result.buy_ins[place]
            won = interval_text(result.winnings[place], result.units.usual)
            rows.append((agent, won, unsigned(bought, 2)))
    freezeout = ("agent", "wins, %", "of the chips, %", "place", "prizes, %")
    return pieces.block(
        pieces.title(game_title(result.game), more=counted(result.contests, what)),
        pieces.table(freezeout if result.is_freezeout else ("agent", result.units.usual.rate, "stacks bought"), rows),
        pieces.note(f"95 % intervals; a {what} is one observation"),
    )


@plot.register
def _(result: ContestResult) -> Picture:
    picture = Picture(figsize=(7, 1.2 + 0.4 * len(result.agents)), layout="constrained")
    axes = picture.add_subplot()
    heights = np.arange(len(result.agents))
    if result.is_freezeout:
        shares = np.array([[one.share, one.share - one.low, one.high - one.share] for one in result.wins])
        axes.errorbar(shares[:, 0], heights, xerr=shares[:, 1:].T, fmt="o", capsize=4, color="#1f5fa8")
        axes.plot(result.chip_shares, heights, "|", markersize=16, color="#555555", label="share of the chips")
        axes.legend()
    else:
        won = [result.units.usual.of(one) for one in result.winnings]
        halves = np.nan_to_num([one.half_width for one in won], posinf=0)
        axes.errorbar([one.mean for one in won], heights, xerr=halves, fmt="o", capsize=4, color="#1f5fa8")
    axes.set_yticks(heights, list(map(letters, result.agents)))
    label = "share of wins" if result.is_freezeout else result.units.usual.rate
    axes.set(xlabel=f"{label}, with 95 % intervals", title=letters(game_title(result.game)))
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    return picture
