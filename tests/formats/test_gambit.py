"""Gambit's files: read, written, and the same to pygambit."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.gambit import parse_efg, parse_nfg
from pokerlab.formats.gambit_writing import efg_text, exact_probabilities, nfg_text, write
from pokerlab.formats.opening import open_game
from pokerlab.games.describe import describe
from pokerlab.games.explicit import ExplicitGame

pygambit = pytest.importorskip("pygambit")

SMALL = """EFG 2 R "A bet, \\"quoted\\"" { "Ann" "Bob" }
"a comment"
c "deal" 1 "" { "red" 1/3 "black" 2/3 } 0
p "" 1 1 "holds red" { "bet" "check" } 0
p "" 2 1 "faces a bet" { "call", "fold" } 1 "ante" { 1, -1 }
t "" 2 "" { 2 -2 }
t "" 3 "win" { 0.5, -.5 }
t "" 3
p "" 1 2 "holds black" { "bet" "check" } 0
p "" 2 1 1
t "" 4 "lose" { -2, 2 }
t "" 3
t "" 0
"""


def walk_values(game):
    """Every end with its path of action texts, chance probability and payoffs."""
    found = {}

    def walk(state, path, chance):
        player = game.player(state)
        if player == -2:
            found[path] = (chance, tuple(game.returns(state)))
        elif player == -1:
            for outcome, weight in game.outcomes(state):
                walk(game.child(state, outcome), (*path, str(outcome)), chance * weight)
        else:
            for action in game.actions(state):
                text = f"{player}/{game.infoset(state, player)}/{action}"
                walk(game.child(state, action), (*path, text), chance)

    walk(game.root(), (), 1.0)
    return found


def test_a_file_with_everything():
    game = parse_efg(SMALL)
    assert game.title == 'A bet, "quoted"'
    found = walk_values(game)
    assert len(found) == 6
    # outcomes on the way are added: 1 for the ante, then 2
    assert found["red", "0/holds red/bet", "1/faces a bet/call"][1] == (3, -3)
    assert found["black", "0/holds black/check"][1] == (0, 0)
    assert found["black", "0/holds black/bet", "1/faces a bet/fold"] == (pytest.approx(2 / 3), (1.5, -1.5))
    assert sum(weight for _, weight in game.outcomes(0)) == pytest.approx(1)
    assert describe(game).perfect_recall


@pytest.mark.parametrize(
    ("change", "line", "complaint"),
    [
        (("EFG 2", "EFX 2"), 1, "expected 'EFG'"),
        (("EFG 2", "EFG 3"), 1, "expected '2'"),
        (('"Bob" }', '"Bob"'), 3, "names of the players"),
        (("1/3", "2/3"), 3, "sum to one"),
        (("1/3", "1/0"), 3, "the probability"),
        (("1/3", "1e999999"), 3, "the probability"),
        (("1/3", "-1/3"), 3, "must be at least 0 and sum to one"),
        (('p "" 2 1 "faces', 'p "" 7 1 "faces'), 5, "no player 7"),
        (("{ 1, -1 }", "{ 1 }"), 5, "needs 2 payoffs"),
        (("{ 1, -1 }", "{ 1, cow }"), 5, "'cow'"),
        (('t "" 2 "" { 2 -2 }', 'x "" 2'), 6, "expected a node"),
        (('t "" 3\np', 't "" 9\np'), 9, "outcome 9 is used before"),
        (('p "" 2 1 1', 'p "" 2 8 1'), 10, "information set 8 is used before"),
        (('p "" 2 1 1', 'p "" 2 1 "" { "call" } 1'), 10, "different actions"),
        (('t "" 0\n', ""), 13, "the end of the file"),
        (('t "" 0\n', 't "" 0\nt "" 0'), 14, "the file continues"),
        (('"a comment"', '"a comment'), 3, "expected a node .* found 'deal'"),
        (("{ 2 -2 }", '{ 2 -2 "}'), 6, "a payoff"),
        (("{ 2 -2 }", "{ 1e300 -1e300 }"), 6, r"a payoff is from -10\^100 to 10\^100, and '1e300' is beyond"),
        (("{ 2 -2 }", "{ 1/00 -2 }"), 6, "expected a payoff, a number, found '1/00'"),
        (('t "" 0\n', 't "'), 13, "quotation mark that is never closed"),
    ],
)
def test_a_damaged_file_gets_a_sentence_with_its_line(tmp_path, change, line, complaint):
    path = tmp_path / "damaged.efg"
    assert change[0] in SMALL
    path.write_text(SMALL.replace(*change, 1))
    with pytest.raises(BadFile, match=complaint) as problem:
        open_game(path)
    assert f"line {line}:" in str(problem.value)


@pytest.mark.parametrize("content", ["", "\0" * 1000, "EFG" * 10_000, '"' * 9999, "{" * 100_000, "é" * 1000, "NFG 1 R"])
@pytest.mark.parametrize("suffix", [".efg", ".nfg"])
def test_garbage_is_refused(tmp_path, content, suffix):
    path = tmp_path / f"garbage{suffix}"
    path.write_text(content)
    with pytest.raises(BadFile, match="garbage"):
        open_game(path)


def test_bytes_and_folders_are_refused(tmp_path):
    (tmp_path / "binary.efg").write_bytes(bytes(range(256)))
    (tmp_path / "folder.efg").mkdir()
    with pytest.raises(BadFile, match="not a text file"):
        open_game(tmp_path / "binary.efg")
    with pytest.raises(BadFile, match="cannot read"):
        open_game(tmp_path / "folder.efg")


GAMES = [
    "ace-king",
    "goofspiel(cards=3)",
    "goofspiel(cards=3, points=random)",
    "liars-dice(sides=2)",
    "liars-dice(dice=1, sides=3)",
    "latent-tictactoe(rows=2, columns=2, line=2)",
    "princess-and-monster(rows=2, columns=2, steps=3)",
    "goofspiel(cards=3, players=3)",
    "prisoners-dilemma",
]


@pytest.mark.parametrize("name", GAMES)
def test_written_and_read_back_is_the_same_game(name, tmp_path):
    game, path = open_game(name), tmp_path / "game.efg"
    write(game, path)
    back = open_game(path)
    assert isinstance(back, ExplicitGame)
    ours, theirs = describe(game), describe(back)
    assert (ours.nodes, ours.terminals, ours.facts) == (theirs.nodes, theirs.terminals, theirs.facts)
    assert efg_text(back).splitlines()[1:] == efg_text(game).splitlines()[1:]
    assert open_game(back.name).players == game.players


def uniform_values(game):
    """What each player gets if all play every action equally often."""

    def value(state):
        player = game.player(state)
        if player == -2:
            return list(game.returns(state))
        pairs = (
            game.outcomes(state) if player == -1 else [(a, 1 / len(game.actions(state))) for a in game.actions(state)]
        )
        below = [(weight, value(game.child(state, action))) for action, weight in pairs]
        return [sum(weight * values[p] for weight, values in below) for p in range(game.players)]

    return value(game.root())


@pytest.mark.parametrize("name", GAMES)
def test_pygambit_reads_what_we_write(name):
    game = open_game(name)
    theirs = pygambit.read_efg(io.StringIO(efg_text(game)))
    found = describe(game)
    assert [len(theirs.get_infosets(player)) for player in theirs.players] == [own.infosets for own in found.facts]
    assert theirs.is_const_sum == (found.constant_sum is not None)
    assert theirs.is_perfect_recall
    assert float(theirs.max_payoff) == max(own.largest_payoff for own in found.facts)
    uniform = theirs.mixed_behavior_profile(rational=True)
    payoffs = [float(uniform.payoffs[player]) for player in theirs.players]
    assert payoffs == pytest.approx(uniform_values(game), abs=1e-12)
    again = parse_efg(theirs.to_efg())
    assert list(walk_values(again).values()) == list(walk_values(parse_efg(efg_text(game))).values())


@pytest.mark.parametrize("name", ["prisoners-dilemma", "rps-lizard-spock", "abstraction-pathology"])
def test_tables_round_trip_through_pygambit(name, tmp_path):
    game, path = open_game(name), tmp_path / "game.nfg"
    write(game, path)
    theirs = pygambit.read_nfg(str(path))
    for game_text in (path.read_text(), theirs.to_nfg()):
        back = parse_nfg(game_text)
        assert back.payoffs == game.payoffs
        assert back.action_names == game.action_names


def test_three_players_by_payoffs_and_by_outcomes():
    head = 'NFG 1 R "three" { "a" "b" "c" } '
    by_payoff = head + "{ 2 1 2 } 1 2 3 4 5 6 7 8 9 0 0 0"
    by_outcome = head + '{ { "1" "2" } { "1" } { "1" "2" } } "" { { "x" 1, 2, 3 } { "" 4 5 6 } { "" 7 8 9 } } 1 2 3 0'
    one, other = parse_nfg(by_payoff), parse_nfg(by_outcome)
    assert one.payoffs == other.payoffs
    assert one.payoffs["2", "1", "1"] == (4, 5, 6), "the first player's strategies vary fastest"
    theirs = pygambit.read_nfg(io.StringIO(by_payoff))
    for (i, j, k), ours in {(1, 0, 0): (4, 5, 6), (0, 0, 1): (7, 8, 9)}.items():
        assert (
            tuple(float(table[i, j, k]) for table in theirs.to_arrays())
            == ours
            == one.payoffs[str(i + 1), "1", str(k + 1)]
        )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('NFG 1 R "x" { "a" "b" } { 2 2 } 1 2 3', "a payoff, a number, found the end"),
        ('NFG 1 R "x" { "a" "b" } { 2 2 } 1 2 3 4 5 6 7 8 9', "the file continues with '9'"),
        ('NFG 1 R "x" { "a" "b" } { 2 }', "for 1 players, but the game has 2"),
        ('NFG 1 R "x" { "a" "b" } { 0 2 }', "at least one strategy"),
        ('NFG 1 R "x" { "a" "b" } { 999999999 999999999 }', "strategies are more"),
        ('NFG 1 R "x" { "a" "b" } { 9999 9999 }', "more than the 2,000,000"),
        ('NFG 1 R "x" { "a" "b" } { { "p" "q" } { "r" } } { { "" 1 2 } } 1 7', "no outcome 7"),
    ],
)
def test_bad_tables_get_a_sentence(text, complaint):
    with pytest.raises(BadFile, match=complaint):
        parse_nfg(text)


def test_only_strategic_games_are_tables(tmp_path):
    with pytest.raises(BadSetting, match="not a strategic game"):
        nfg_text(open_game("ace-king"))
    with pytest.raises(BadFile, match=r"as \.efg or \.nfg"):
        write(open_game("ace-king"), tmp_path / "game.txt")
    with pytest.raises(BadFile, match="cannot write"):
        write(open_game("ace-king"), tmp_path / "no" / "game.efg")


def test_probabilities_sum_to_one_exactly():
    for count in range(1, 200):
        assert sum(exact_probabilities([1 / count] * count)) == 1
    assert exact_probabilities([1 / 3, 2 / 3]) == [Fraction(1, 3), Fraction(2, 3)]
    assert sum(exact_probabilities([0.123456789012345, 0.876543210987655])) == 1


@given(
    text=st.text(alphabet='EFGN 12RDcpt"{}\\/.,-\n\0aé', max_size=200), start=st.sampled_from(["", SMALL[:60], SMALL])
)
def test_any_text_is_a_game_or_a_sentence(text, start):
    for read in (parse_efg, parse_nfg):
        try:
            told = f"{read(start + text).players} players"
        except (BadFile, BadSetting) as problem:
            told = str(problem)
        assert told[0] in "123456789" or " " in told
        assert len(told) < 400


@given(cut=st.integers(0, len(SMALL)), junk=st.sampled_from(["", '"', "{", "}", "1/0", "p", "\0"]))
def test_a_damaged_file_is_read_or_refused_by_name(cut, junk):
    damaged = SMALL[:cut] + junk + SMALL[cut + 1 :]
    told = "cut.efg"
    try:
        describe(parse_efg(damaged, source="cut.efg"))
    except BadFile as problem:
        told = str(problem)
    assert "cut.efg" in told


def test_a_large_file_is_read(tmp_path):
    """Every infoset of Leduc keeps its text; reading is linear in the file."""
    path = tmp_path / "leduc.efg"
    write(open_game("leduc"), path)
    assert describe(open_game(path)).facts == describe(open_game("leduc")).facts
