"""Pure strategies where mixing is an artefact of averaging, for push or fold with any number of players.

An average of best responses holds a rest of every early one, and so mixes where no equilibrium does. Frequencies are
rounded to 0 and 1, those that move the fewest hands first, and as many as leave every seat's gain by a best response
within a limit. What is still mixed has to be: were it rounded, somebody would gain more.
"""

from __future__ import annotations

import numpy as np

from pokerlab.tree.pushes.form import PushForm

NEAR = 0.05  # frequencies this near to 0 and 1 are always rounded
MOVED = (1.0, 1e-3, 3e-4, 1e-4, 1e-5)  # a rounding may move this part of all hands; the first rounds everything


def purified(form: PushForm, pushes: np.ndarray, most: float) -> np.ndarray:
    """The purest of some roundings [node, 169] whose epsilon is at most `most`, or at most that of `pushes`."""
    mixed = form.assess(form.profile_of(pushes))
    limit = max(most, mixed.epsilon)
    distance = np.minimum(pushes, 1 - pushes)
    for moved in MOVED:
        rounds = (distance <= NEAR) | (distance * mixed.holds <= moved)
        pure = np.where(rounds, np.round(pushes), pushes)
        if form.assess(form.profile_of(pure)).epsilon <= limit:
            return pure
    return pushes
