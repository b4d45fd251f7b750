"""A picture of a tournament: its cross table, with the agents in the order of their bankroll."""

from __future__ import annotations

import numpy as np

from pokerlab.display.elements.numbers import game_title
from pokerlab.figure import Figure, Panel
from pokerlab.match.run.ring import RingTournament
from pokerlab.match.run.tournament import Tournament

SURE = 1.96  # standard errors


def tournament_figure(result: Tournament | RingTournament) -> Figure:
    """What each agent wins from each other or where it sits, in standard errors; a star marks 95 % confidence.

    Colours are in standard errors because winnings of different pairs differ by orders of magnitude in no-limit games.
    """
    if isinstance(result, Tournament):
        agents, means, errors = result.table.agents, result.table.means, result.table.errors
        what = "what the row's agent wins from the column's"
    else:
        agents, (means, errors) = result.scores.agents, result.scores.cross()
        what = "what the row's agent wins at tables where the column's agent sits"
    order = [agents.index(agent) for agent, *_ in result.ranking]
    means, errors = means[np.ix_(order, order)], errors[np.ix_(order, order)]
    with np.errstate(divide="ignore", invalid="ignore"):
        sure = np.nan_to_num(means / errors)  # infinite without any variance, as against always-fold
    panel = Panel(
        title=f"{game_title(result.game)}, {result.unit.rate}",
        x_label=what,
        y_label="agent, by bankroll",
        cells=0.5 + np.clip(sure, -4, 4) / 8,
        cell_text=[
            [
                "" if np.isnan(won) else f"{won:+,.0f}{'*' if abs(by) > SURE else ''}"
                for won, by in zip(*row, strict=True)
            ]
            for row in zip(means, sure, strict=True)
        ],
        cell_label="standard errors; * is 95 % confidence",
        cell_ends=("lost 4", "won 4"),
        cell_names=[agents[place] for place in order],
    )
    return Figure("cross-table", f"{what.capitalize()}, in {result.unit.rate}.", (panel,))
