"""Numbers printed in Goykhman, "On self-play computation of equilibrium in poker", and their exact corrections."""

from fractions import Fraction

# Captions of figures 1 to 3 (hundredths) and formulas (19) to (23), by (ante, bet): x1, x2, c, y0, value to Player.
CONTINUOUS = {
    (1, 2): (Fraction(1, 9), Fraction(7, 9), Fraction(2, 9), Fraction(5, 9), Fraction(1, 9)),
    (1, 4): (Fraction(1, 10), Fraction(17, 20), Fraction(3, 20), Fraction(7, 10), Fraction(1, 10)),
    (8, 1): (Fraction(8, 297), Fraction(161, 297), Fraction(136, 297), Fraction(25, 297), Fraction(64, 297)),
}
PRINTED_HUNDREDTHS = {(1, 2): (11, 78, 22, 56), (1, 4): (10, 85, 15, 70), (8, 1): (3, 54, 46, 8)}

# Discrete game on 100 cards: exact LP of an independent program, dealt with and without replacement; low cards that
# bluff and cards that bet for value, with replacement.
DISCRETE_VALUE = {(1, 2): 0.11110000, (1, 4): 0.10000000, (8, 1): 0.21531765}
DISCRETE_VALUE_WITHOUT_REPLACEMENT = {(1, 2): 0.11111111, (1, 4): 0.10000000, (8, 1): 0.21530600}
DISCRETE_BETS = {(1, 2): (11.0, 22.0), (1, 4): (10.0, 15.0), (8, 1): (2.7059, 46.0)}
CFR_C = {(1, 2): 22.9, (1, 4): 15.3, (8, 1): 46.2}  # figures 7 to 9

# Flop poker, (49) to (51), and the exact values of an independent LP over all 28,094,757,600 ordered deals.
FLOP_PRINTED = {(1, 2): 0.15, (1, 4): 0.14, (8, 1): 0.11}  # 0.11 is a misprint or an error of the paper: exact is 0.13
FLOP_VALUE = {(1, 2): 0.148622118, (1, 4): 0.138892304, (8, 1): 0.131138529}
FLOP_FREQUENCIES = {(1, 2): (0.46943, 0.54028), (1, 4): (0.37203, 0.37109), (8, 1): (0.50528, 1.0)}
FLOP_MIXED = {
    (1, 2): ({"63s": 0.340, "JTo": 0.592}, {"T7o": 0.056, "Q4s": 0.433}),
    (1, 4): ({"64o": 0.705, "QJo": 0.571}, {"J9o": 0.337, "K5s": 0.503}),
    (8, 1): ({}, {}),
}
