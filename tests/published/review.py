"""Worked examples of Rubin and Watson, "Computer poker: a review", Artificial Intelligence 175 (2011), section 2.2."""

from __future__ import annotations

POT_ODDS = [(20, 60, 0.25)]  # section 2.2.2: to call, pot with the bet in it, pot odds
IMMEDIATE_RANK = [("TcJc", "2dTsKh", (899, 6, 176))]  # section 2.2.1: wins, ties, losses of 1,081; rank 0.834413
