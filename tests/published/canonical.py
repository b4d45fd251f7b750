"""How many classes of hands there are up to renaming of suits, by rounds of cards in the full deck.

Counted with Burnside's lemma, and the same in the unit tests of public hand-isomorphism programs.
"""

CLASSES = {
    (2,): 169,  # hold'em hole cards
    (2, 3): 1_286_792,  # and the flop
    (2, 3, 1): 55_190_538,  # and the turn
    (2, 3, 1, 1): 2_428_287_420,  # and the river
    (2, 4): 13_960_050,  # order of the board forgotten
    (2, 5): 123_156_254,
    (2, 3, 2): 1_216_698_314,
    (3,): 1_755,  # boards
    (4,): 16_432,  # also Omaha hole cards
    (5,): 134_459,  # also five-card hands
    (3, 1): 63_193,
    (3, 1, 1): 2_554_656,
    (7,): 6_009_159,
    (2, 2): 93_769,  # two players' hole cards (Rubin and Watson's 28,561 = 169 squared ignores shared suits)
    (1, 1): 325,  # Rhode Island
    (1, 1, 1): 9_997,
}
