"""Game definitions, states and log lines of the annual computer poker competition (project_acpc_server: *.game,
docs/protocol.md, lib/game.c, src/dealer.c)."""

from __future__ import annotations

GAME_DEFINITIONS = {
    "holdem.limit.2p.reverse_blinds": """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
""",
    "holdem.limit.3p": """GAMEDEF
limit
numPlayers = 3
numRounds = 4
blind = 5 10 0
raiseSize = 10 10 20 20
firstPlayer = 3 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
""",
    "holdem.nolimit.2p.reverse_blinds": """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
""",
    "holdem.nolimit.3p": """GAMEDEF
nolimit
numPlayers = 3
numRounds = 4
stack = 20000 20000 20000
blind = 50 100 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
""",
    "holdem.nolimit.6p": """GAMEDEF
nolimit
numPlayers = 6
numRounds = 4
stack = 20000 20000 20000 20000 20000 20000
blind = 50 100 0 0 0 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
""",
    "kuhn.limit.3p": """GAMEDEF
limit
numPlayers = 3
numRounds = 1
blind = 1 1 1
raiseSize = 1
maxRaises = 1
numSuits = 1
numRanks = 4
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
""",
}

# MATCHSTATE lines of the protocol's text and of the competition's logs, by the game they belong to
MATCH_STATES = {
    "holdem.nolimit.2p.reverse_blinds": [
        "MATCHSTATE:0:30::9s8h|",
        "MATCHSTATE:1:30:c:|9c6h",
        "MATCHSTATE:0:30:cc/r250c/r500c/r1250c:9s8h|9c6h/8c8d5c/6s/2d",
        "MATCHSTATE:1:31:r300r900c/:|Tc2d/Qs5h3s",
        "MATCHSTATE:0:31:r19015r20000c///:KsJs|Kd9c/Jc8h2d/6h/3s",
    ],
    "holdem.limit.2p.reverse_blinds": [
        "MATCHSTATE:0:0::TdAs|",
        "MATCHSTATE:0:0:crrc/rc/rrc/rrf:TdAs|/2c8c3h/9c/Kh",
        "MATCHSTATE:1:99:rrrc/cc/cc/:|Qd7c/2c8c3h/9c/Kh",
    ],
    "holdem.limit.3p": [
        "MATCHSTATE:2:90:fcc/rf:||9s8h/8c8d5c",
        "MATCHSTATE:0:90:ccc/ccc/ccc/ccc:2s2h|Ts9s|Ac3c/KdQd8d/7h/6h",
    ],
    "kuhn.limit.3p": ["MATCHSTATE:0:0::Ks||", "MATCHSTATE:2:7:ccrc:||As"],
}

LOG_LINE = "STATE:0:cr13024c/r16916f:5d5c|9hQd/8dAs8s:13024|-13024:Alice|Bob"
