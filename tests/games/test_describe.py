"""What games are like, by walking them: against published counts and against counting by hand."""

from __future__ import annotations

import math
from itertools import pairwise, product

import pytest

from pokerlab.errors import BadGame, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.describe import describe
from pokerlab.games.explicit import ExplicitGame, Infoset, Node


def test_ace_king_by_hand():
    """Four deals, and betting of four decisions and five ends (M. Schmid's thesis, figure 2.2)."""
    found = describe(open_game("ace-king"))
    assert (found.nodes, found.chance_nodes, found.terminals, found.depth) == (3 + 4 * 9, 3, 4 * 5, 5)
    assert [own.infosets for own in found.facts] == [4, 4]
    assert [own.sequences for own in found.facts] == [9, 9]
    assert [own.pure_exact() for own in found.facts] == [16, 16]
    # player 0 has three plans a card (bet, check-fold, check-call), player 1 two answers to each of two actions
    assert [own.reduced_exact for own in found.facts] == [3**2, 4**2]
    assert (found.zero_sum, found.perfect_recall) == (True, True)
    assert [(own.smallest_payoff, own.largest_payoff) for own in found.facts] == [(-3, 3), (-3, 3)]


def test_normal_form_of_the_thesis():
    """Figure 2.3: a normal form of 16 by 4 and a sequence form of 9 by 5."""
    first = Infoset(1, "first", ("A", "B", "C", "D"))
    seconds = [Infoset(0, letter, ("L", "R")) for letter in "ABCD"]
    nodes = [Node(first, (1, 2, 3, 4))]
    nodes += [Node(second, (5 + 2 * i, 6 + 2 * i)) for i, second in enumerate(seconds)]
    nodes += [Node(None, (), (i, -i)) for i in range(1, 9)]
    found = describe(ExplicitGame("figure", ("0", "1"), tuple(nodes)))
    assert [own.pure_exact() for own in found.facts] == [16, 4]
    assert [own.sequences for own in found.facts] == [9, 5]


def test_princess_and_monster_counts_walks():
    """Infosets are walks on the grid: 9 cells, 24 steps, 68 of two steps ..."""
    found = describe(open_game("princess-and-monster(steps=6)"))
    assert [own.infosets for own in found.facts] == [9 + 24 + 68, 9 + 24 + 68]
    assert found.constant_sum == 0
    assert (found.facts[0].smallest_payoff, found.facts[0].largest_payoff) == (0, 6)


def test_goofspiel_with_played_last_turn_is_the_count_of_the_paper():
    """Histories of N cards: the sum over turns of (N!/(N-k)!)^2 and of the half turns between."""
    for cards in (2, 3, 4):
        ways = [1]
        for left in range(cards, 0, -1):
            ways.append(ways[-1] * left)
        histories = sum(a * a for a in ways) + sum(a * b for a, b in pairwise(ways))
        assert describe(open_game(f"goofspiel(cards={cards}, play_last=true)")).nodes == histories


def forgetful(shared):
    """A player moves twice; with `shared` the second infoset forgets the first move."""
    first = Infoset(0, "first", ("l", "r"))
    names = ["again", "again"] if shared else ["after l", "after r"]
    seconds = [Infoset(0, name, ("x", "y")) for name in names]
    nodes = [Node(first, (1, 4)), Node(seconds[0], (2, 3)), *[Node(None, (), (1, 2))] * 2]
    nodes += [Node(seconds[1], (5, 6)), *[Node(None, (), (3, 0))] * 2]
    return ExplicitGame("forgetful", ("0", "1"), tuple(nodes))


def test_recall_and_where_it_fails():
    assert describe(forgetful(shared=False)).perfect_recall
    found = describe(forgetful(shared=True))
    assert not found.perfect_recall
    assert str(found.facts[0].forgotten) == "player 0 does not recall at 'again' whether it played l or r"
    assert found.facts[0].reduced_exact is None
    assert found.constant_sum == 3


def test_an_infoset_with_other_actions_is_refused():
    one, other = Infoset(0, "same", ("x", "y")), Infoset(0, "same", ("x",))
    chance = Infoset(-1, "", ("h", "t"), (1, 0))
    nodes = (Node(chance, (1, 4)), Node(one, (2, 3)), Node(None, (), (0,)), Node(None, (), (0,)))
    game = ExplicitGame("wrong", ("0",), (*nodes, Node(other, (5,)), Node(None, (), (0,))))
    with pytest.raises(BadGame, match="must have the same actions; .* has 2 or 1"):
        describe(game)


def test_reduced_strategies_by_listing_them():
    """Pure strategies that differ only where their own actions exclude coming count once."""
    game = open_game("goofspiel(cards=3)")
    infosets, play = {}, {}

    def walk(state, taken):
        player = game.player(state)
        if player < 0:
            return
        text = game.infoset(state, player)
        if player == 0:
            infosets[text] = list(game.actions(state))
            play[text] = taken
        for action in game.actions(state):
            walk(game.child(state, action), (*taken, (text, action)) if player == 0 else taken)

    walk(game.root(), ())
    plans = set()
    for choice in product(*infosets.values()):
        strategy = dict(zip(infosets, choice, strict=True))
        plans.add(frozenset((i, strategy[i]) for i in infosets if all(strategy[t] == a for t, a in play[i])))
    assert describe(game).facts[0].reduced_exact == len(plans)


def test_too_large_says_what_to_do():
    with pytest.raises(TooLarge, match=r"more than 1,000 nodes.*choose smaller settings"):
        describe(open_game("phantom-tictactoe"), limit=1000)


def test_big_numbers_stay_exact():
    own = describe(open_game("liars-dice(sides=3)")).facts[0]
    assert own.pure_text == "2^24 · 3^12 · 4^6 · 5^3 · 6^3"
    assert own.pure_exact() == 2**24 * 3**12 * 4**6 * 5**3 * 6**3
    assert own.pure_log10 == pytest.approx(math.log10(own.pure_exact()))
    assert own.reduced_exact is not None
    assert 10**own.reduced_log10 == pytest.approx(own.reduced_exact)
