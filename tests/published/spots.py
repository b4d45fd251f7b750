"""Postflop spots solved by another program: pot 100, every hand of both players with weight 1, no rake.

Source: an independent open solver, solved to 0.001 % of the pot (river) and 0.02 % (turn); EV is what is won from the
pot, the stack put in counted back. On the river a raise of 100 % is of the pot after the call.
"""

FULL_MENU = {"range": "random", "bet": "50%,100%,allin", "raise": "100%,allin"}
ONE_SIZE = {"range": "random", "bet": "66%", "raise": "100%"}
RIVER = {"board": "Ks7h2d5c9s", "pot": 100, "stack": 300, "out_of_position": FULL_MENU, "in_position": FULL_MENU}
TURN = RIVER | {"board": "Ks7h2d5c"}
FLOP = {"board": "Ks7h2d", "pot": 100, "stack": 500, "out_of_position": ONE_SIZE, "in_position": ONE_SIZE}

NODES = {"river": 45, "turn": 8_637, "flop": 391_580}
UNIFORM_EXPLOITABILITY = {"river": 65.715, "turn": 77.617, "flop": 117.75}  # percent of the pot
VALUE = {"river": (46.774, 0.005), "turn": (45.809, 0.01), "flop": (45.1, 0.1)}  # out of position, and tolerance

RIVER_HANDS = {  # EV of hands at the root, out of position
    "KhKd": 157.205,
    "AsAh": 103.616,
    "AhKh": 102.002,
    "7d7s": 157.505,
    "QhJh": 13.319,
    "4h3h": 0.000,
    "AdQd": 24.247,
    "8s6s": 173.160,
    "TsJs": 4.962,
    "Kc2c": 135.219,
    "6h6s": 45.683,
}
RIVER_HANDS_AFTER_CHECK = {  # in position
    "KhKd": 154.905,
    "AsAh": 100.851,
    "7d7s": 151.446,
    "QhJh": 27.513,
    "4h3h": 6.580,
    "8s6s": 162.459,
    "6h6s": 69.414,
}
