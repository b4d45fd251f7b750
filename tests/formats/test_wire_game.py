"""The game that is dealt over the protocol: by the rules of the competition's server, and named in a comment."""

from __future__ import annotations

import json

import numpy as np
import pytest

from games.playing import random_action
from naive.acpc_limit import LimitHand
from pokerlab.errors import BadSetting
from pokerlab.formats.acpc import match_state, read_match_state
from pokerlab.formats.gamedef import acpc_rules, acpc_text
from pokerlab.formats.opening import open_game
from pokerlab.formats.wire_game import as_dealt, game_comment, is_same_game, read_game_comment
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from published.acpc import GAME_DEFINITIONS

LIMIT = """GAMEDEF
limit
numPlayers = {players}
numRounds = 2
stack = {stacks}
blind = {blinds}
raiseSize = {sizes}
firstPlayer = {first}
maxRaises = {raises}
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3
END GAMEDEF
"""


def poker(name: str) -> PokerGame:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    return game


def words(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))


def test_limit_with_stacks_that_run_out_goes_as_at_the_server() -> None:
    """Random games: the same actors, actions, chips and texts, also where a player raises with no chips left."""
    rng = np.random.default_rng(5)
    empty_raises = 0
    for _ in range(300):
        players = int(rng.integers(2, 5))
        sizes, raises = (rng.integers(1, 9, 2).tolist() for _ in range(2))
        first = rng.integers(1, players + 1, 2).tolist()
        blinds = [2, 1, *[0] * (players - 2)]
        stack = int(rng.integers(3, 30))
        text = LIMIT.format(
            players=players,
            stacks=words([stack] * players),
            blinds=words(blinds),
            sizes=words(sizes),
            first=words(first),
            raises=words(raises),
        )
        game = PokerGame(acpc_rules(text))
        naive = LimitHand(stack, blinds, sizes, raises, [seat - 1 for seat in first])
        state = game.start(game.deal(rng))
        while not naive.over:
            legal = game.legal(state)
            assert state.betting.actor == naive.actor
            assert "f" * legal.fold + "c" + "r" * legal.can_raise == naive.legal
            action = naive.legal[min(int(rng.integers(4)), len(naive.legal) - 1)]  # often a raise
            empty_raises += action == "r" and naive.bet == stack
            naive.act(action)
            state = game.child(state, Action(action))
            assert (state.betting.history, list(game.spent(state.betting))) == (naive.history, naive.spent)
        assert state.betting.actor < 0
        assert read_match_state(game, match_state(game, state, 0, 1))[0] == game.view(state, 0)
    assert empty_raises > 20


def test_limit_with_different_stacks_that_run_out_is_refused() -> None:
    settings = {"players": 2, "blinds": "10 5", "sizes": "10 10", "first": "2 1", "raises": "3 4"}
    with pytest.raises(BadSetting, match="stack must be the same for all players of a limit game, or enough"):
        acpc_rules(LIMIT.format(**settings, stacks="79 100"))
    assert acpc_rules(LIMIT.format(**settings, stacks="80 100")).stacks == (80, 100)
    with pytest.raises(BadSetting, match="different stacks in limit"):
        acpc_text(poker("holdem-limit(stack=[30, 50])").rules)


@pytest.mark.parametrize(
    "name",
    [
        "kuhn(players=3)",
        "leduc",
        "leduc(players=3, raises=40)",
        "holdem-limit",
        "holdem-limit(players=3)",
        "holdem-limit(players=3, stack=60)",
        "holdem-nolimit(players=3, stack=[900, 250, 2000])",
        "holdem-nolimit(stack=20000)",
    ],
)
def test_presets_are_dealt_by_the_rules_of_their_definition(name: str) -> None:
    """Long raising, all-ins and odd chips included; the smallest raise keeps raising going."""
    game = poker(name)
    dealt, theirs = as_dealt(game), PokerGame(acpc_rules(acpc_text(game.rules)))
    rng = np.random.default_rng(2)
    for hand in range(40):
        cards = game.deal(rng)
        ours, other = dealt.start(cards), theirs.start(cards)
        while dealt.player(ours) >= 0:
            legal = dealt.legal(ours)
            assert legal == theirs.legal(other)
            action = random_action(dealt, ours, rng)
            if hand < 5 and legal.can_raise:
                action = Action("r", 0 if dealt.rules.limit == "fixed" else legal.least)
            ours, other = dealt.child(ours, action), theirs.child(other, action)
            assert ours.betting.history == other.betting.history
        assert dealt.returns(ours) == theirs.returns(other)
        assert max(sum(map(part.count, "fcr")) for part in ours.betting.history.split("/")) <= 64


def test_a_game_stays_itself_where_the_server_plays_it_alike() -> None:
    """So that agents find their own game; a game that definitions cannot express is dealt by its own rules."""
    for name in ("kuhn", "leduc", "holdem-limit", "rhode-island", "holdem-nolimit(ante=1)", "examples/turn.toml"):
        game = poker(name)
        assert as_dealt(game) is game


@pytest.mark.parametrize(
    "name", ["kuhn", "leduc", "holdem-limit", "holdem-nolimit(players=10)", "rhode-island", "examples/turn.toml"]
)
def test_a_dealer_names_its_game_in_a_line_that_others_ignore(name: str) -> None:
    game = poker(name)
    line = game_comment(game)
    assert line.startswith("# game {")
    assert line.isascii()
    assert len(line) < 2000
    named = read_game_comment(line)
    assert named is not None
    assert named.rules == game.rules
    assert is_same_game(named, game)
    assert named.name == game.name or "examples" not in line  # no path is sent


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "1",
        '"kuhn"',
        "{}",
        '{"game":"kuhn"}',
        '{"game":"kuhn","rules":[]}',
        '{"game":"kuhn","rules":{"players":[]}}',
        '{"game":"file(path=\'/etc/passwd\')","rules":{}}',
        '{"game":"x","spot":{}}',
        '{"game":"x","spot":7}',
        "[" * 1000,
        '{"game":"' + "a" * 5000 + '"}',
    ],
)
def test_a_name_that_cannot_be_read_gets_a_sentence(text: str) -> None:
    with pytest.raises(BadSetting, match="cannot be read"):
        read_game_comment(f"# game {text}")


def test_other_comments_are_no_names() -> None:
    assert read_game_comment("# a game") is None
    assert read_game_comment("; game {}") is None


def test_the_same_game_by_other_names() -> None:
    kuhn3 = PokerGame(acpc_rules(GAME_DEFINITIONS["kuhn.limit.3p"]), "mine")
    assert is_same_game(poker("kuhn(players=3)"), kuhn3)
    assert not is_same_game(poker("kuhn"), kuhn3)
    assert not is_same_game(poker("holdem-limit"), poker("holdem-nolimit"))
    assert not is_same_game(poker("holdem-nolimit"), poker("holdem-nolimit(stack=1000)"))
    assert not is_same_game(poker("examples/turn.toml"), poker("holdem-nolimit"))
    assert json.loads(game_comment(kuhn3)[len("# game ") :])["game"] == "mine"
