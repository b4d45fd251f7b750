"""Random hands of games from definitions against the competition's own code, which OpenSpiel's universal_poker wraps:
the same actors, legal actions, raise sizes, text of every state, and payoffs."""

from __future__ import annotations

import re

import numpy as np
import pytest

from games.playing import random_action
from pokerlab.formats.acpc import state_line
from pokerlab.formats.gamedef import acpc_rules, acpc_text
from pokerlab.games.poker.betting import CALL, Action
from pokerlab.games.poker.engine import PokerGame

pyspiel = pytest.importorskip("pyspiel")

# public cards by round; a first round that deals some, and later ones that deal none, are written in a way of their own
BOARDS = [[0, 3, 1, 1], [0, 3], [0, 3, 1], [1, 2], [2, 0, 1], [0, 0, 3, 0], [0, 0], [3, 1, 0, 1]]


def definition(rng: np.random.Generator, limit: str) -> str:
    """A game of two to five players of two to four rounds, with all sizes of stacks where they count."""
    players = int(rng.integers(2, 6 if limit == "nolimit" else 4))  # universal_poker breaks down in larger limit games
    small, big = [(1, 2), (5, 10), (50, 100)][int(rng.integers(3))]
    blinds = [big, small] if players == 2 else [small, big] + [0] * (players - 2)
    stacks = [big + int(rng.integers(1, big * int(rng.choice([2, 10, 50])))) for _ in range(players)]
    board = BOARDS[int(rng.integers(len(BOARDS)))]
    first = [2 if players == 2 else 3] + [1] * (len(board) - 1)
    lines = ["GAMEDEF", limit, f"numPlayers = {players}", f"numRounds = {len(board)}"]
    lines.append(f"blind = {' '.join(map(str, blinds))}")
    if limit == "nolimit":
        lines.append(f"stack = {' '.join(map(str, stacks))}")
    else:  # universal_poker gives everybody chips enough in limit games
        lines.append(f"raiseSize = {' '.join(str(big * (1 + (i > 1))) for i in range(len(board)))}")
        lines.append(f"maxRaises = {' '.join(str(int(rng.integers(1, 5))) for _ in board)}")
    lines += [f"firstPlayer = {' '.join(map(str, first))}", "numSuits = 4", "numRanks = 13", "numHoleCards = 2"]
    return "\n".join([*lines, f"numBoardCards = {' '.join(map(str, board))}", "END GAMEDEF", ""])


def their_game(text: str):
    settings = [line for line in acpc_text(acpc_rules(text)).splitlines() if "=" in line]
    fixed = "\nlimit\n" in text
    words = (
        ["betting=limit", "bettingAbstraction=fcpa"] if fixed else ["betting=nolimit", "bettingAbstraction=fullgame"]
    )
    words += [line.replace(" = ", "=") for line in settings]
    if fixed:  # which must have a text for the stacks all the same
        words.append(f"stack={' '.join(['100000'] * acpc_rules(text).players)}")
    return pyspiel.load_game(f"universal_poker({','.join(words)})")


def their_text(state) -> str:
    return re.search(r"ACPC State: (\S*)", str(state)).group(1)


@pytest.mark.parametrize(("limit", "games"), [("nolimit", 500), ("limit", 300)])
def test_random_hands(limit, games):
    rng = np.random.default_rng(12)
    decisions = 0
    for _ in range(games):
        text = definition(rng, limit)
        game = PokerGame(acpc_rules(text))
        peer = their_game(text)
        for _ in range(3):
            decisions += compare_hand(game, peer, rng)
    assert decisions > 1000


def compare_hand(game: PokerGame, peer, rng: np.random.Generator) -> int:
    theirs, ours = peer.new_initial_state(), game.start(game.deal(rng))
    cards = list(ours.cards)
    decisions = 0
    while True:
        while theirs.is_chance_node():
            theirs.apply_action(cards.pop(0))
        seat = game.player(ours)
        if seat < 0:
            break
        decisions += 1
        assert theirs.current_player() == seat, theirs
        legal = game.legal(ours)
        allowed = [0] if legal.fold else []
        allowed.append(1)
        if legal.can_raise:
            allowed += range(legal.least, legal.most + 1) if game.rules.limit == "no" else [2]
        assert theirs.legal_actions() == allowed, f"{theirs}\n{game.rules}"
        action = random_action(game, ours, rng)
        theirs.apply_action({"f": 0, "c": 1}.get(action.kind) if action.kind != "r" else action.amount or 2)
        ours = game.child(ours, action)
        if game.player(ours) >= 0 and not theirs.is_chance_node():
            assert their_text(theirs) == state_line(game, ours, 0, (), ()).rstrip(":")
    assert theirs.is_terminal()
    assert their_text(theirs).split(":")[2] == ours.betting.history
    assert list(game.returns(ours)) == pytest.approx(theirs.returns())
    return decisions


@pytest.mark.parametrize(("limit", "players"), [("limit", 2), ("limit", 3), ("nolimit", 2), ("nolimit", 3)])
@pytest.mark.parametrize("calls", [0, 1, 2])
def test_raising_ends_as_it_does_there(limit, players, calls):
    """Without maxRaises a round ends because the server has no room for more actions; calls go before and between."""
    sizes = ["raiseSize = 2 4"] if limit == "limit" else [f"stack = {' '.join(['2000'] * players)}"]
    words = [limit, f"numPlayers = {players}", "numRounds = 2", f"blind = 2 {' '.join(['1'] * (players - 1))}", *sizes]
    words += [f"firstPlayer = {players} 1", "numSuits = 4", "numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3"]
    text = "\n".join(["GAMEDEF", *words, "END GAMEDEF", ""])
    game, peer = PokerGame(acpc_rules(text)), their_game(text)
    ours, theirs = game.start(game.deal(np.random.default_rng(1))), peer.new_initial_state()
    taken = 0
    while game.player(ours) >= 0:
        while theirs.is_chance_node():
            theirs.apply_action(theirs.legal_actions()[0])
        legal = game.legal(ours)
        assert (theirs.legal_actions()[-1] > 1) == legal.can_raise
        assert legal.can_raise or "at most 64 actions" in game.betting._no_raise(ours.betting)
        raises = legal.can_raise and taken % (calls + 1) == calls
        taken += 1
        theirs.apply_action((legal.least if limit == "nolimit" else 2) if raises else 1)
        ours = game.child(ours, Action("r", legal.least if limit == "nolimit" else 0) if raises else CALL)
    assert theirs.is_terminal()
    assert their_text(theirs).split(":")[2] == ours.betting.history
    if calls < players - 1:  # else everybody calls and a round is soon over
        assert max(map(len, ours.betting.history.replace("r", " ").split("/"))) > 50
