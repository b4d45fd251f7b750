"""Published numbers about hands: Goykhman table 1 and the exhaustive counts of five-, six- and seven-card hands."""

CATEGORIES = (
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pair",
    "pair",
    "high card",
)

# Goykhman, table 1: distinct ranks and degeneracy of each
TABLE_1 = {
    "straight flush": (10, 4),
    "four of a kind": (156, 4),
    "full house": (156, 24),
    "flush": (1277, 4),
    "straight": (10, 1020),
    "three of a kind": (858, 64),
    "two pair": (858, 144),
    "pair": (2860, 384),
    "high card": (1277, 1020),
}

# hands, and distinct strengths, by category in the order above (exhaustive counts; public frequency tables agree)
COUNTS = {
    5: (40, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540),
    6: (1_844, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900),
    7: (41_584, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460),
}
DISTINCT = {
    5: (10, 156, 156, 1277, 10, 858, 858, 2860, 1277),
    6: (10, 156, 156, 1277, 10, 715, 846, 2135, 770),
    7: (10, 156, 156, 1277, 10, 575, 763, 1470, 407),
}

# Rhode Island hold'em, 22,100 three-card hands (Gilpin and Sandholm's game; counted exhaustively)
THREE_CARD = {
    "straight flush": 48,
    "three of a kind": 52,
    "straight": 720,
    "flush": 1_096,
    "pair": 3_744,
    "high card": 16_440,
}
