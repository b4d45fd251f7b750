"""Any policy as a profile of the sequence form: queried once per infoset, it can be measured and played compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.game import CHANCE, TERMINAL, Game, decision_of
from pokerlab.strategy.policy import Policy
from pokerlab.tree.sequence import SequenceForm

ROUNDING = 1e-6  # tolerance for the sum of probabilities at a decision


def infoset_numbers(form: SequenceForm) -> dict[tuple[int, str], int]:
    """The number of each infoset by its player and name."""
    keys = zip(form.tree.infoset_player.tolist(), form.tree.infoset_names, strict=True)
    return {(int(player), name): infoset for infoset, (player, name) in enumerate(keys)}


def profile_of(policy: Policy, game: Game, form: SequenceForm, *, player: int | None = None) -> np.ndarray:
    """A policy as a profile by slot; with `player`, only that player's part, the others uniform.  # [A]"""
    tree, numbers = form.tree, infoset_numbers(form)
    profile, seen = tree.uniform(), np.zeros(tree.infosets, bool)
    pending: list[Any] = [game.root()]
    while pending:
        state = pending.pop()
        actor = game.player(state)
        if actor == TERMINAL:
            continue
        if actor == CHANCE:
            pending.extend(game.child(state, outcome) for outcome, _ in game.outcomes(state))
            continue
        if player is None or actor == player:
            infoset = numbers[actor, game.infoset(state, actor)]
            if not seen[infoset]:
                seen[infoset] = True
                slots = slice(int(tree.start[infoset]), int(tree.start[infoset + 1]))
                profile[slots] = _query(policy, game, state, tree.action_names[infoset])
        pending.extend(game.child(state, action) for action in game.actions(state))
    return profile


def _query(policy: Policy, game: Game, state: Any, actions: tuple[str, ...]) -> np.ndarray:
    """The action probabilities at a decision; BadSetting if they do not sum to one."""
    decision = decision_of(game, state)
    played = policy.probabilities(decision)
    chances = np.array([float(played.get(action, 0.0)) for action in actions])
    if not (chances >= 0).all() or abs(chances.sum() - 1) > ROUNDING or set(played) - set(actions):
        raise BadSetting(
            f"at {decision.infoset[:60]!r} a policy must give probabilities of {', '.join(actions)} that sum to 1, "
            f"not {dict(played)}"
        )
    return np.asarray(chances / chances.sum())
