"""Published numbers about hand strength."""

# Rubin and Watson, section 2.2.1: TcJc on 2d Ts Kh, of the 1,081 hands an opponent may hold
EXAMPLE = {"hole": "TcJc", "board": "2dTsKh", "wins": 899, "ties": 6, "losses": 176, "immediate": 0.834413}

# the same section: hands an opponent may hold on the flop, the turn and the river
HOLDINGS = {3: 1081, 4: 1035, 5: 990}

# equity in per cent of hole cards against a random hand, over all boards
AGAINST_RANDOM = {
    "AA": 85.2037,
    "KK": 82.3957,
    "QQ": 79.9252,
    "JJ": 77.4695,
    "TT": 75.0118,
    "99": 72.0573,
    "88": 69.1630,
    "AKs": 67.0446,
    "77": 66.2360,
    "AQs": 66.2089,
    "AJs": 65.3927,
    "AKo": 65.3201,
    "43o": 35.1459,
    "72o": 34.5836,
    "52o": 34.2846,
    "62o": 34.0751,
    "42o": 33.1998,
    "32o": 32.3032,
}
