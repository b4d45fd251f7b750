"""Plain twins of assessments: beliefs in fractions along trembles, and best continuations by recursion."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np

from naive.solve import Profile
from pokerlab.games.game import CHANCE, TERMINAL, Game

Believed = dict[str, list[tuple[Any, float]]]  # by infoset, its states with their probabilities


def reaches(
    game: Game, profile: Profile, accidents: Profile, tremble: Fraction
) -> dict[str, list[tuple[Any, Fraction]]]:
    """The states of every infoset with their exact probabilities, hands trembling."""
    found: dict[str, list[tuple[Any, Fraction]]] = defaultdict(list)

    def visit(state: Any, reach: Fraction) -> None:
        actor = game.player(state)
        if actor == CHANCE:
            for move, chance in game.outcomes(state):
                visit(game.child(state, move), reach * Fraction(chance))
        elif actor >= 0:
            infoset = game.infoset(state, actor)
            found[infoset].append((state, reach))
            for index, move in enumerate(game.actions(state)):
                played = Fraction(profile[infoset][index]) * (1 - tremble)
                played += Fraction(accidents[infoset][index]) * tremble
                visit(game.child(state, move), reach * played)

    visit(game.root(), Fraction(1))
    return found


def beliefs(game: Game, profile: Profile, accidents: Profile, tremble: Fraction) -> Believed:
    """Bayes' rule at every infoset, hands trembling."""
    return {
        infoset: [(state, float(reach / sum(one for _, one in states))) for state, reach in states]
        for infoset, states in reaches(game, profile, accidents, tremble).items()
    }


def gains(game: Game, profile: Profile, believed: Believed, infoset: str, player: int) -> tuple[float, float]:
    """What a player gains at an infoset by another action there alone, and by any other play from there on."""
    begun = believed[infoset]
    actions = game.actions(begun[0][0])
    later: dict[str, list[tuple[Any, float]]] = defaultdict(list)

    def visit(state: Any, reach: float) -> None:
        actor = game.player(state)
        if actor == TERMINAL:
            return
        if actor == player:
            later[game.infoset(state, actor)].append((state, reach))
        for index, move in enumerate(game.actions(state)):
            chance = dict(game.outcomes(state))[move] if actor == CHANCE else profile[game.infoset(state, actor)][index]
            visit(game.child(state, move), reach if actor == player else reach * chance)

    for state, reach in begun:
        visit(state, reach)

    def worth(state: Any, plan: Profile) -> float:
        actor = game.player(state)
        if actor == TERMINAL:
            return float(game.returns(state)[player])
        if actor == CHANCE:
            return sum(chance * worth(game.child(state, move), plan) for move, chance in game.outcomes(state))
        shares = plan[game.infoset(state, actor)]
        return sum(
            share * worth(game.child(state, move), plan)
            for share, move in zip(shares, game.actions(state), strict=True)
        )

    def values(states: list[tuple[Any, float]], plan: Profile) -> list[float]:
        return [
            sum(reach * worth(game.child(state, move), plan) for state, reach in states) for move in actions_of(states)
        ]

    def actions_of(states: list[tuple[Any, float]]) -> Any:
        return game.actions(states[0][0])

    best = dict(profile)
    for name in sorted(later, key=lambda name: -len(later[name][0][0])):  # the last first
        best[name] = np.eye(len(actions_of(later[name])))[int(np.argmax(values(later[name], best)))]
    now = float(profile[infoset] @ np.array(values(begun, profile)))
    assert len(actions) == len(profile[infoset])
    return max(values(begun, profile)) - now, max(values(begun, best)) - now
