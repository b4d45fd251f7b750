"""Published numbers about features of hold'em hands."""

# Fu et al., KrwEmd, tables of winrate isomorphism: how many different win rates the hands of each round have
DIFFERENT_RATES = {0: 169, 1: 1_028_325, 2: 1_850_624, 3: 20_687}

# the same, with the rate of the round before: hands of the flop
DIFFERENT_RATES_RECALLED = 1_123_442
