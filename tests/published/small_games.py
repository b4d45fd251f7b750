"""Values of small games: to the player who acts first, in chips, and the equilibria known in closed form."""

from __future__ import annotations

# Kuhn, "A simplified two-person poker", 1950; recomputed by linear programming.
KUHN = -1 / 18
# Kuhn's equilibria: the first player bets the jack with alpha in [0, 1/3], the king with 3 alpha, never the queen, and
# calls with the queen alpha + 1/3; the second player has one optimal strategy.
KUHN_SECOND = {"J:r": 0.0, "Q:r": 1 / 3, "K:r": 1.0, "J:c": 1 / 3, "Q:c": 0.0, "K:c": 1.0}  # probability to bet or call
KUHN_UNIFORM = {"value": 0.125, "best_responses": (0.5, 5 / 12), "nash_conv": 11 / 12}  # OpenSpiel's tests
# One-card poker with four cards, by linear programming.
ONE_CARD_FOUR = -1 / 24
# Leduc: OpenSpiel's test suite prints -0.08560642418; recomputed by linear programming.
LEDUC = -0.0856064241
LEDUC_UNIFORM = {"value": -0.078125, "best_responses": (2.0875, 2.659722), "nash_conv": 4.747222}
# Von Neumann poker on 100 cards, by linear programming: (ante, bet) -> value with ties and without replacement.
VON_NEUMANN = {(1, 2): (0.11110000, 1 / 9), (1, 4): (0.1, 0.1), (8, 1): (0.21531765, 0.215306)}
# Schmid's matrix of the abstraction pathology: columns kept -> (probability of A, value in that game).
PATHOLOGY = {"abcd": (1 / 9, 16 / 3), "abc": (5 / 11, 70 / 11), "c": (1.0, 8.0)}
