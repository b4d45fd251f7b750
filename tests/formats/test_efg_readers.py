"""Every game that fits is written so that OpenSpiel, Gambit and our own reader see the same game: values and gains."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pokerlab import registry
from pokerlab.formats.gambit import parse_efg
from pokerlab.formats.gambit_writing import _texts, efg_text, exact_probabilities, write
from pokerlab.formats.opening import open_game
from pokerlab.games.describe import describe
from pokerlab.games.explicit import ExplicitGame, Infoset, Node
from pokerlab.games.game import CHANCE

pyspiel = pytest.importorskip("pyspiel")
pygambit = pytest.importorskip("pygambit")

SMALL = {  # settings that make a game of the library small; the others are small, or too large to write
    "kuhn": ("kuhn", "kuhn(players=3)"),
    "leduc": ("leduc(ranks=2, suits=2)",),
    "leduc-nolimit": ("leduc-nolimit(stack=4, ranks=2, menu='50%,allin')",),
    "liars-dice": ("liars-dice(sides=2)", "liars-dice(sides=2, players=3)"),
    "goofspiel": ("goofspiel(cards=3)", "goofspiel(cards=3, players=3, points=random)"),
    "princess-and-monster": ("princess-and-monster(rows=2, columns=2, steps=3)",),
    "one-card": ("one-card",),
    "von-neumann": ("von-neumann(cards=4)",),
    "phantom-tictactoe": ("phantom-tictactoe(rows=2, columns=2, line=2)",),
    "latent-tictactoe": ("latent-tictactoe(rows=2, columns=2, line=2)",),
    "prisoners-dilemma": ("prisoners-dilemma",),
    "battle-of-the-sexes": ("battle-of-the-sexes",),
    "small-draw": ("small-draw(cards=1, ranks=2, suits=2)",),
}
TOO_LARGE = {  # to be written, at any setting
    "five-card-draw",
    "flop-poker",
    "holdem-limit",
    "holdem-nolimit",
    "preflop-limit",
    "preflop-nolimit",
    "push-fold",
    "rhode-island",
    "short-deck",
}
ELSEWHERE = {"file", "matrix", "openspiel"}
NAMES = [
    name
    for entry in registry.available("games")
    if entry.name not in TOO_LARGE | ELSEWHERE and registry.find("games", entry.name).module.startswith("pokerlab.")
    for name in SMALL.get(entry.name, (entry.name,))
]


def in_openspiel(game: Any, folder: Path) -> Any:
    write(game, folder / "game.efg")
    return pyspiel.load_game(f"efg_game(filename={folder / 'game.efg'})")


def their_values(state: Any) -> list[float]:
    """What each player wins where everyone plays every action equally often, by OpenSpiel's states."""
    if state.is_terminal():
        return list(state.returns())
    actions = state.legal_actions()
    chances = state.chance_outcomes() if state.is_chance_node() else [(one, 1 / len(actions)) for one in actions]
    below = [(chance, their_values(state.child(action))) for action, chance in chances]
    return [sum(chance * values[player] for chance, values in below) for player in range(len(below[0][1]))]


def our_values(game: Any, state: Any) -> list[float]:
    player = game.player(state)
    if player == -2:
        return [float(payoff) for payoff in game.returns(state)]
    moves = game.actions(state) if player >= 0 else ()
    chances = game.outcomes(state) if player == -1 else [(move, 1 / len(moves)) for move in moves]
    below = [(chance, our_values(game, game.child(state, move))) for move, chance in chances]
    return [sum(chance * values[player] for chance, values in below) for player in range(game.players)]


def gambits_values(text: str) -> list[float]:
    theirs = pygambit.read_efg(io.StringIO(text))
    uniform = theirs.mixed_behavior_profile(rational=True)
    return [float(uniform.payoffs[player]) for player in theirs.players]


@pytest.mark.parametrize("name", NAMES)
def test_openspiel_reads_every_game_that_fits(name: str, tmp_path: Path) -> None:
    game = open_game(name)
    theirs, facts = in_openspiel(game, tmp_path), describe(game)
    assert theirs.num_players() == game.players
    assert (theirs.utility_sum() is not None) == (facts.constant_sum is not None)
    assert theirs.max_utility() == max(own.largest_payoff for own in facts.facts)
    ours = our_values(game, game.root())
    assert their_values(theirs.new_initial_state()) == pytest.approx(ours, abs=1e-9)
    back = parse_efg(efg_text(game))
    assert our_values(back, back.root()) == pytest.approx(ours, abs=1e-12)


@pytest.mark.parametrize("name", ["kuhn", "kuhn(players=3)", "goofspiel(cards=3)", "leduc(ranks=2, suits=2)"])
def test_what_best_responses_gain_is_the_same_there(name: str, tmp_path: Path) -> None:
    from pokerlab.tree.history.layout import build
    from pokerlab.tree.sequence import sequence_form

    theirs = in_openspiel(open_game(name), tmp_path)
    tree = build(open_game(name))
    gain = pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs))
    assert sequence_form(tree).measure(tree.uniform()).nash_conv == pytest.approx(gain, abs=1e-9)


# ---- games that nobody has ------------------------------------------------------------------------------------------


def coin(
    *,
    chances: tuple[Fraction, ...] = (Fraction(1, 2), Fraction(1, 2)),
    names: tuple[str, ...] = ("l", "r"),
    payoffs: tuple[float, ...] = (1.0, -1.0),
    labels: tuple[str, ...] = ("first", "second"),
) -> ExplicitGame:
    """Chance moves, one player decides in an infoset of its own for each, and wins one of the payoffs in turn."""
    nodes = [Node(Infoset(CHANCE, "", tuple(f"o{i}" for i in range(len(chances))), chances), ())]
    children = []
    for number in range(len(chances)):
        children.append(len(nodes))
        below = tuple(len(nodes) + 1 + place for place in range(len(names)))
        nodes.append(Node(Infoset(0, labels[number % len(labels)] + str(number) * (number > 1), names, ()), below))
        for place in range(len(names)):
            won = Fraction(payoffs[(number + place) % len(payoffs)])
            nodes.append(Node(None, (), (won, -won)))
    nodes[0] = Node(nodes[0].infoset, tuple(children))
    return ExplicitGame("coin", ("one", "other"), tuple(nodes), 'a "coin" \\')


@pytest.mark.parametrize(
    "made",
    [
        {"names": ('say "yes"', "say 'yes'", "back\\slash", "tail\\", "back/slash")},
        {"names": ("ünïcode ♠", "a\nb", "a b", "", "{ }")},
        {"labels": ('"', "'")},
        {"labels": ("\\", "/")},
        {"payoffs": (0.0, -0.0, 0.0)},
        {"payoffs": (1 / 3, 2**40 + 1 / 3, -1e-7, 1e22)},
        {"payoffs": (0.1, 123456789.123, 2**33)},
        {"chances": tuple(map(Fraction, ("1/1000000000000", "999999999999/1000000000000")))},
        {"chances": (Fraction(1, 3**25), Fraction(1, 7**12), 1 - Fraction(1, 3**25) - Fraction(1, 7**12))},
        {"chances": (Fraction(0), Fraction(1, 3), Fraction(2, 3))},
    ],
    ids=str,
)
def test_odd_names_and_numbers_are_read_by_all_three(made: dict[str, Any], tmp_path: Path) -> None:
    game = coin(**made)
    text = efg_text(game)
    ours = our_values(game, game.root())
    back = parse_efg(text)
    theirs = in_openspiel(game, tmp_path)
    largest = max(1.0, *(abs(value) for value in ours))
    for found in (our_values(back, back.root()), their_values(theirs.new_initial_state()), gambits_values(text)):
        assert found == pytest.approx(ours, abs=1e-14 * largest)
    facts = describe(back)
    assert facts.facts[0].infosets == describe(game).facts[0].infosets
    state = theirs.new_initial_state().child(1)
    assert len({state.action_to_string(action) for action in state.legal_actions()}) == len(game.nodes[1].children)


def test_probabilities_as_decimals_sum_to_one() -> None:
    for weights in ([1 / 3**25, 1 - 1 / 3**25], [1e-12, 0.25, 0.75 - 1e-12], [2**-40] * 3 + [1 - 3 * 2**-40]):
        numbers = exact_probabilities(weights)
        texts = _texts(numbers)
        assert sum(map(Fraction, texts)) == 1
        assert [float(text if "/" not in text else Fraction(text)) for text in texts] == pytest.approx(
            weights, rel=1e-12
        )
        assert not any("/" in text for text in texts)
    assert _texts([Fraction(1, 3), Fraction(2, 3)]) == ["1/3", "2/3"]
    assert _texts([Fraction(1, 10**60), 1 - Fraction(1, 10**60)])[0].startswith("1/1000")  # exact for those who can
