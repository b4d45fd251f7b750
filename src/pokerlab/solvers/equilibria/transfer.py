"""How much one player can shift between the others without leaving equilibrium, in games of three or more players.

In two-player zero-sum games equilibria are interchangeable. With three players they are not: Szafron, Gibson and
Sturtevant, "A parameterized family of equilibrium profiles for three-player Kuhn poker", 2013, found profiles in which
one player chooses what the others win. If all strategies but one player's are held, the plans of that player that make
an equilibrium satisfy linear constraints: their payoff stays the largest, and what each other player plays stays a best
response. A linear program then maximises any player's payoff.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pokerlab.solvers.convex.program.linear_program import minimise, plan_rows
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def shifted_plan(form: SequenceForm, plan: np.ndarray, *, shifter: int, winner: int, slack: float) -> np.ndarray:
    """The plan of all players in which the shifter's part maximises the winner's payoff.

    Nobody's gain by a best response, nor the shifter's loss, exceeds `slack`, which must be at least what players
    gain by best responses to `plan`.
    """
    from scipy.sparse import csr_matrix, hstack, vstack

    own = plan_rows(form, shifter)
    width = own.shape[1]
    others = [player for player in range(form.players) if player != shifter]
    tables = {player: _payoffs(form, plan, player, shifter) for player in others}  # [own sequence, shifter's sequence]
    parts = {player: np.r_[1.0, plan[form.sequences_of(player)]] for player in others}
    rules = {player: plan_rows(form, player) for player in others}
    widths = [rules[player].shape[0] for player in others]
    start = np.zeros(own.shape[0])
    start[0] = 1.0
    rows, low, high = [hstack([own, csr_matrix((own.shape[0], sum(widths)))])], [start], [start]
    for place, player in enumerate(others):
        before, after = sum(widths[:place]), sum(widths[place + 1 :])
        rule = rules[player]
        # the values of infosets are at least every sequence's payoff and what follows it ...
        blanks = [csr_matrix((rule.shape[1], width_of)) for width_of in (before, after)]
        rows.append(hstack([-tables[player], blanks[0], csr_matrix(rule.T), blanks[1]]))
        low.append(np.zeros(rule.shape[1]))
        high.append(np.full(rule.shape[1], np.inf))
        # ... and the root's no more than what the player's plan wins
        gain = np.zeros(width + sum(widths))
        gain[:width], gain[width + before] = -(tables[player].T @ parts[player]), 1.0
        rows.append(csr_matrix(gain[None, :]))
        low.append(np.array([-np.inf]))
        high.append(np.array([slack]))
    value = np.zeros(form.sequences)
    form.payoffs(shifter, plan, value)
    worth = np.r_[value[shifter], value[form.sequences_of(shifter)]]
    best = form.best_response_to_plan(shifter, plan).value
    rows.append(csr_matrix(np.r_[worth, np.zeros(sum(widths))][None, :]))
    low.append(np.array([best - slack]))
    high.append(np.array([np.inf]))
    cost = np.r_[-(tables[winner].T @ parts[winner]), np.zeros(sum(widths))]
    found = minimise(
        cost,
        csr_matrix(vstack(rows)),
        row_bounds=(np.concatenate(low), np.concatenate(high)),
        column_bounds=(np.r_[np.zeros(width), np.full(sum(widths), -np.inf)], np.full(width + sum(widths), np.inf)),
    ).point[:width]
    shifted = plan.copy()
    shifted[form.sequences_of(shifter)] = np.maximum(found[1:], 0.0)
    return shifted


def _payoffs(form: SequenceForm, plan: np.ndarray, player: int, other: int) -> csr_matrix:
    """The payoffs of a player by their own sequences and those of one other, the rest playing the plan."""
    from scipy.sparse import csr_matrix

    places = {seat: _places(form, seat) for seat in (player, other)}
    sequence = np.repeat(np.arange(form.sequences), np.diff(form.row).astype(np.int64))  # of each leaf
    mine = places[player][sequence] >= 0
    seats = [seat for seat in range(form.players) if seat != player]
    columns = form.other[mine].astype(np.int64)
    reach = np.ones(len(columns))
    for place, seat in enumerate(seats):
        if seat != other:
            reach *= plan[columns[:, place]]
    theirs = places[other][columns[:, seats.index(other)]]
    shape = tuple(form.sequences_of(seat).stop - form.sequences_of(seat).start + 1 for seat in (player, other))
    return csr_matrix((form.value[mine] * reach, (places[player][sequence[mine]], theirs)), shape=shape)


def _places(form: SequenceForm, player: int) -> np.ndarray:
    """The number of each sequence among a player's, the empty one 0; -1 for those of others."""
    own = form.sequences_of(player)
    places = np.full(form.sequences, -1, np.int64)
    places[player] = 0
    places[own] = np.arange(1, own.stop - own.start + 1)
    return places
