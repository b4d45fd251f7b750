"""Games that OpenSpiel has too: the same trees, node for node, or the same play where the trees are too large."""

from __future__ import annotations

import random

import pyspiel
import pytest

from pokerlab.errors import BadSetting, UnknownName
from pokerlab.formats.opening import open_game
from pokerlab.games.describe import describe
from pokerlab.games.game import CHANCE, TERMINAL

WHOLE = [
    ("goofspiel(cards=3)", "goofspiel(num_cards=3,points_order=descending,imp_info=True)"),
    ("goofspiel(cards=4)", "goofspiel(num_cards=4,points_order=descending,imp_info=True)"),
    ("goofspiel(cards=3, points=random)", "goofspiel(num_cards=3,points_order=random,imp_info=True)"),
    ("goofspiel(cards=4, points=ascending)", "goofspiel(num_cards=4,points_order=ascending,imp_info=True)"),
    (
        "goofspiel(cards=3, score=point_difference)",
        "goofspiel(num_cards=3,points_order=descending,imp_info=True,returns_type=point_difference)",
    ),
    ("goofspiel(cards=3, players=3)", "goofspiel(num_cards=3,points_order=descending,imp_info=True,players=3)"),
    ("liars-dice(sides=2)", "liars_dice(dice_sides=2)"),
    ("liars-dice(sides=4)", "liars_dice(dice_sides=4)"),
    ("rock-paper-scissors", "matrix_rps"),
    ("matching-pennies", "matrix_mp"),
]
PLAYED = [
    ("latent-tictactoe", "latent_ttt"),
    ("phantom-tictactoe", "phantom_ttt"),
    ("phantom-tictactoe(abrupt=true)", "phantom_ttt(gameversion=abrupt)"),
    ("goofspiel(cards=8, points=random)", "goofspiel(num_cards=8,points_order=random,imp_info=True)"),
    ("liars-dice(sides=6)", "liars_dice"),
]


class Partition:
    """Checks that two texts name the same infosets: one of ours goes with one of theirs, both ways."""

    def __init__(self):
        self.theirs, self.ours = {}, {}

    def check(self, player, ours, theirs):
        assert self.theirs.setdefault((player, ours), theirs) == theirs
        assert self.ours.setdefault((player, theirs), ours) == ours


def compare(game, theirs, ours_state, their_state, partition):
    """One state of both games; the children of both, in order."""
    player = game.player(ours_state)
    if player == TERMINAL:
        assert their_state.is_terminal()
        assert list(game.returns(ours_state)) == pytest.approx(their_state.returns())
        return []
    if player == CHANCE:
        assert their_state.is_chance_node()
        outcomes = sorted(game.outcomes(ours_state))
        numbers = their_state.chance_outcomes()
        assert [weight for _, weight in outcomes] == pytest.approx([weight for _, weight in numbers])
        pairs = zip([outcome for outcome, _ in outcomes], [number for number, _ in numbers], strict=True)
    else:
        assert their_state.current_player() == player
        partition.check(player, game.infoset(ours_state, player), their_state.information_state_string(player))
        pairs = zip(game.actions(ours_state), their_state.legal_actions(), strict=True)
    return [(game.child(ours_state, action), their_state.child(number)) for action, number in pairs]


def loaded(spec):
    theirs = pyspiel.load_game(spec)
    if theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        theirs = pyspiel.convert_to_turn_based(theirs)
    return theirs


@pytest.mark.parametrize(("ours", "theirs"), WHOLE)
def test_the_whole_tree_is_the_same(ours, theirs):
    game, spiel, partition = open_game(ours), loaded(theirs), Partition()
    waiting = [(game.root(), spiel.new_initial_state())]
    nodes = 0
    while waiting:
        nodes += 1
        waiting.extend(compare(game, spiel, *waiting.pop(), partition))
    assert nodes == describe(game).nodes
    assert len(partition.ours) == sum(own.infosets for own in describe(game).facts)


@pytest.mark.parametrize(("ours", "theirs"), PLAYED)
def test_play_is_the_same(ours, theirs):
    game, spiel, partition = open_game(ours), loaded(theirs), Partition()
    rng = random.Random(1)
    for _ in range(300):
        pair = (game.root(), spiel.new_initial_state())
        while children := compare(game, spiel, *pair, partition):
            pair = rng.choice(children)
    assert partition.ours  # infosets were met, and `compare` found each the same on both sides


def test_two_dice_are_rolled_together_but_known_the_same():
    """OpenSpiel rolls one die after another; we roll a hand at once: other chance nodes, the same infosets."""
    ours = describe(open_game("liars-dice(dice=2, sides=2)"))
    theirs = describe(open_game("openspiel(name='liars_dice(numdice=2,dice_sides=2)')"))
    assert [own.infosets for own in ours.facts] == [own.infosets for own in theirs.facts] == [384, 384]
    assert [own.sequences for own in ours.facts] == [own.sequences for own in theirs.facts]


@pytest.mark.parametrize(
    ("name", "nodes", "infosets"),
    [("kuhn_poker", 58, 6), ("leduc_poker", 9457, 468), ("matrix_pd", 7, 1), ("kuhn_poker(players=3)", 617, 16)],
)
def test_the_adapter_walks_their_games(name, nodes, infosets):
    description = describe(open_game("openspiel", name=name))
    assert description.nodes == nodes
    assert description.facts[0].infosets == infosets
    assert description.perfect_recall
    assert open_game(open_game("openspiel", name=name).name).players == description.players


def test_states_of_the_adapter_are_values():
    game = open_game("openspiel(name=kuhn_poker)")
    once, again = (game.child(game.root(), game.outcomes(game.root())[1][0]) for _ in range(2))
    assert once == again
    assert hash(once) == hash(again)
    assert game.root().history == (), "making a child changes nothing"


@pytest.mark.parametrize(
    ("name", "error", "complaint"),
    [
        ("no_such_game", UnknownName, "OpenSpiel has no game called 'no_such_game'"),
        ("kuhn_pokr", UnknownName, "did you mean kuhn_poker"),
        ("goofspiel(num_cards=3", BadSetting, "bracket"),
        ("kuhn_poker(players=99)", BadSetting, "cannot create"),
        ("mfg_crowd_modelling", BadSetting, "mean-field"),
        ("breakthrough", BadSetting, "information state"),
        ("é" * 5000, UnknownName, "no game"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(name, error, complaint, capfd):
    with pytest.raises(error, match=complaint):
        open_game("openspiel", name=name)
    assert capfd.readouterr().err == ""


def test_without_the_extra(monkeypatch):
    from pokerlab.errors import MissingExtra

    monkeypatch.setitem(__import__("sys").modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r"pokerlab\[openspiel\]"):
        open_game("openspiel(name=kuhn_poker)")
