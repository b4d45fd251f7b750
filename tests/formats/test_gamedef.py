"""Games from files: the published game definitions, TOML, and every kind of mistake in them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from games.playing import poker_names
from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.formats.gamedef import acpc_rules, acpc_text, read, rules_from, toml_rules
from pokerlab.formats.opening import open_game
from pokerlab.registry import load
from published.acpc import GAME_DEFINITIONS

PRESETS = {
    "holdem.limit.2p.reverse_blinds": "holdem-limit",
    "holdem.limit.3p": "holdem-limit(players=3)",
    "holdem.nolimit.2p.reverse_blinds": "holdem-nolimit",
    "holdem.nolimit.3p": "holdem-nolimit(players=3)",
    "holdem.nolimit.6p": "holdem-nolimit(players=6)",
}


@pytest.mark.parametrize("name", GAME_DEFINITIONS)
def test_published_definitions_round_trip(name, tmp_path):
    text = GAME_DEFINITIONS[name]
    rules = acpc_rules(text)
    assert acpc_text(rules) == text
    shouted = "# a comment\n" + text.upper().replace("=", " =  ").replace("\n", "  # more\n")
    assert acpc_rules(shouted) == rules
    path = tmp_path / "some.game"
    path.write_text(text)
    assert open_game(str(path)).rules == rules


@pytest.mark.parametrize(("name", "spec"), PRESETS.items())
def test_presets_have_the_published_sizes(name, spec):
    """The presets differ from the competition only in what rule books have: odd chips and short all-ins."""
    ours = load("games", spec).rules
    theirs = acpc_rules(GAME_DEFINITIONS[name])
    assert replace(theirs, odd_chips="seat", reopens_at=ours.reopens_at, least_raise="last") == ours


def test_kuhn_for_three_is_the_published_game():
    """Written with blinds where we write antes; cards of one suit where ours have none."""
    theirs = acpc_rules(GAME_DEFINITIONS["kuhn.limit.3p"])
    ours = load("games", "kuhn(players=3)").rules
    assert [round_.bet for round_ in theirs.rounds] == [round_.bet for round_ in ours.rounds]
    assert theirs.blinds == ours.antes
    assert theirs.deck.ranks == ours.deck.ranks
    assert acpc_text(ours) == GAME_DEFINITIONS["kuhn.limit.3p"]


@pytest.mark.parametrize("name", poker_names())
def test_every_preset_can_be_written_as_plain_values(name):
    rules = load("games", name).rules
    assert rules_from(rules.as_dict()) == rules


TOML = """
players = 2
limit = "fixed"
antes = 1
ranks = "JQK"
suits = "ab"
odd_chips = "split"

[[rounds]]
private = 1
bet = 2
raises = 2

[[rounds]]
public = 1
bet = 4
raises = 2
"""


def test_leduc_can_be_written_in_toml(tmp_path):
    assert toml_rules(TOML) == load("games", "leduc").rules
    path = tmp_path / "mine.toml"
    path.write_text(TOML)
    game = open_game(str(path))
    assert game.rules == load("games", "leduc").rules
    assert load("games", game.name) == game


def test_the_example_in_the_page_on_games_is_leduc():
    page = Path(__file__).parents[2] / "docs" / "reference" / "games.md"
    example = re.search(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL).group(1)
    assert toml_rules(example) == load("games", "leduc").rules


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "enclosed by GAMEDEF and END GAMEDEF"),
        ("GAMEDEF\nlimit\n", "enclosed by GAMEDEF and END GAMEDEF"),
        ("limit\nGAMEDEF\nEND GAMEDEF", "line 1 comes before GAMEDEF"),
        ("GAMEDEF\nEND GAMEDEF", "numPlayers is missing"),
        ("GAMEDEF\nnumPlayer = 2\nEND GAMEDEF", "line 2 is not understood.*did you mean numPlayers"),
        ("GAMEDEF\nnumPlayers 2\nEND GAMEDEF", "line 2 is not understood"),
        ("GAMEDEF\nnumPlayers = 11\nEND GAMEDEF", "from 2 to 10; got '11'"),
        ("GAMEDEF\nnumPlayers = 2 2\nEND GAMEDEF", "needs 1 numbers, and has 2"),
        ("GAMEDEF\nnumPlayers = ²\nEND GAMEDEF", "from 2 to 10"),
        ("GAMEDEF\nnumPlayers = -2\nEND GAMEDEF", "'-2'"),
        ("GAMEDEF\nnumPlayers = " + "9" * 5000 + "\nEND GAMEDEF", "from 2 to 10"),
    ],
)
def test_bad_definitions(text, words):
    with pytest.raises(BadSetting, match=words):
        acpc_rules(text)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("numRounds = 4", "numRounds = 5", "from 1 to 4"),
        ("blind = 100 50", "blind = 100", "blind needs 2 numbers"),
        ("stack = 20000 20000", "stack = 0 0", "stack must be numbers from 1"),
        ("numHoleCards = 2", "numHoleCards = 4", "from 1 to 3"),
        ("numBoardCards = 0 3 1 1", "numBoardCards = 0 7 1 1", "7 in all, and is 9"),
        ("numRanks = 13", "numRanks = 1", "need 9 cards, and the deck has 4"),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 3 1 1 1", "from 1 to 2; got '3'"),
        ("nolimit", "limit", "raiseSize is missing"),
    ],
)
def test_bad_values_in_definitions(old, new, words):
    text = GAME_DEFINITIONS["holdem.nolimit.2p.reverse_blinds"].replace(old, new)
    with pytest.raises(BadSetting, match=words):
        acpc_rules(text)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("players = 2", "", "players = 2"),
        ("players = 2", "players = 1", "from 2 to 10"),
        ("players = 2", "players = 'two'", "players must be a whole number"),
        ('"fixed"', '"none"', "limit must be one of"),
        ('"fixed"', "[1]", "limit must be one of"),
        ("antes = 1", "antes = [1]", "antes must be 2 numbers"),
        ("antes = 1", "antes = 'x'", "antes must be one number"),
        ("antes = 1", "ante = 1", "did you mean antes"),
        ('ranks = "JQK"', 'ranks = "JJ"', "different words"),
        ('ranks = "JQK"', "ranks = 3", "ranks must be"),
        ('suits = "ab"', 'suits = ""', "different words"),
        ("private = 1", "private = 7", "need 15 cards"),
        ("private = 1", "private = 0", "no round deals private cards"),
        ("private = 1", "draw = 1", "cannot have a draw"),
        ("bet = 4", "bet = 0", "bet of round 2"),
        ("bet = 4", "betting = 3", "betting of round 2"),
        ("bet = 4", "bettors = [2]", "bettors of round 2"),
        ("bet = 4", "bettors = 0", "must be a list of seats"),
        ("[[rounds]]", "[rounds]", "TOML|rounds"),
        ("players = 2", "players = ", "not TOML"),
        ('odd_chips = "split"', "reopens_at = 'x'", "reopens_at"),
        ('odd_chips = "split"', "replacement = 1", "replacement must be"),
        ('odd_chips = "split"', "replacement = true", "public cards and draws are impossible"),
    ],
)
def test_bad_toml(old, new, words):
    assert old in TOML
    with pytest.raises(PokerlabError, match=words):
        toml_rules(TOML.replace(old, new, 1))


def test_bad_files(tmp_path):
    with pytest.raises(BadFile, match="there is no such file"):
        read(tmp_path / "missing.game")
    (tmp_path / "binary.game").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="not a text file"):
        read(tmp_path / "binary.game")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BadFile, match="cannot read"):
        read(tmp_path / "folder.toml")
    (tmp_path / "empty.game").write_text("")
    with pytest.raises(BadSetting, match="empty.game: a game definition"):
        read(tmp_path / "empty.game")


@pytest.mark.parametrize("spec", ["rhode-island", "five-card-draw", "flop-poker", "short-deck", "push-fold"])
def test_what_a_definition_has_no_words_for(spec):
    with pytest.raises(BadSetting, match="cannot express"):
        acpc_text(load("games", spec).rules)
