"""A spot at a table: its cards, its choices, what it pays, and that it is the same game as the spot's public form."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.cards.combos import COMBO_COUNT, COMBOS, combo_index
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadCards, BadRange, IllegalAction, TooLarge
from pokerlab.formats.spot_file import spot_from
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.poker.betting import CALL, RAISE, Action
from pokerlab.games.poker.betting_tree import Deal, Decision, FoldPayoffs, Node, Showdown
from pokerlab.games.poker.state import State
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.solvers.cfr.public.solver import PublicSolver
from pokerlab.tree.history.layout import build
from pokerlab.tree.public.spot import spot_tree
from pokerlab.tree.sequence import sequence_form

OUT = {"range": "AA:0.3,KQs,7s6s,4d3d:0.9,JTo:0.25", "bet": "40%,110%", "raise": "2.5x"}
IN = {"range": "QQ,KJs:0.6,76s,9h9d,AhQh:0.05", "bet": "75%,allin", "raise": "60%,allin"}
RIVER = {"board": "Ks7h2d5c9s", "pot": 35, "stack": 101, "out_of_position": OUT, "in_position": IN}
TINY = {
    "board": "Ks7h2d5c",
    "pot": 10,
    "stack": 12.5,
    "out_of_position": {"range": "AsAh:0.2,Th9h", "bet": "50%", "donk": {"river": "none"}},
    "in_position": {"range": "KdQd,8h6h:0.5,AdAc:0.1", "bet": "100%", "raise": "allin"},
}
FLOP = RIVER | {"board": "Ks7h2d", "rake": 0.07, "rake_cap": 9, "raise_cap": 2}
SPOTS = {
    "river": RIVER,
    "raked": RIVER | {"rake": 0.05, "rake_cap": 3},
    "limit": RIVER | {"limit": [5, 5, 10], "raise_cap": 3, "board": "Ks7h2d5c"},
    "short limit": RIVER | {"limit": 30, "stack": 77, "board": "Ks7h2d5c"},
    "tiny": TINY,
    "flop": FLOP,
    "donk": FLOP | {"out_of_position": OUT | {"donk": {"turn": "20%,allin", "river": "none"}}},
    "no chips left": RIVER | {"stack": 0},
    "cents": RIVER | {"pot": 1.75, "stack": 4.31},
}


def game_of(settings: dict[str, Any]) -> SpotGame:
    return SpotGame(spot_from(settings))


# ---- the same game as the public form --------------------------------------------------------------------------------


def public_bounds(game: SpotGame, iterations: int) -> tuple[float, float]:
    """What player 0 can be sure of, and cannot exceed, as measured in the public form."""
    solver = PublicSolver(spot_tree(game.spot), registry.load("algorithms", "dcfr(gamma=4)").schedule)
    solver.advance(iterations)
    return solver.measure().bounds


@pytest.mark.parametrize("name", ["river", "tiny", "limit river"])
def test_the_value_is_that_of_the_public_form(name: str) -> None:
    game = game_of({"limit river": RIVER | {"limit": [5, 5, 10], "raise_cap": 3}, **SPOTS}[name])
    form = sequence_form(build(game))
    program = registry.load("algorithms", "lp").start(form, seed=0)
    program.advance(1)
    exact = program.measure()
    low, high = public_bounds(game, 400)
    assert exact.exploitability < 1e-6 * game.spot.pot
    assert high - low < 0.02 * game.spot.pot  # so that the next line says something
    assert low - exact.exploitability <= exact.values[0] <= high + exact.exploitability


@pytest.mark.parametrize("name", SPOTS)
def test_the_betting_is_that_of_the_tree(name: str) -> None:
    """Labels, codes, who acts and what is paid: at every node, for a win, a loss and a tie."""
    game = game_of(SPOTS[name])

    def same(state: State, node: Node) -> int:
        betting = state.betting
        if isinstance(node, Deal):
            return same(state, node.child)
        if isinstance(node, FoldPayoffs):
            assert game.payoffs.returns(betting, ()) == pytest.approx(node.returns)
            return 1
        if isinstance(node, Showdown):
            (won, also), (lost, too) = node.win, node.lose
            assert game.payoffs.returns(betting, (1, 2)) == pytest.approx((won, too))
            assert game.payoffs.returns(betting, (2, 1)) == pytest.approx((lost, also))
            assert game.payoffs.returns(betting, (7, 7)) == pytest.approx(((won + lost) / 2,) * 2)
            return 1
        assert isinstance(node, Decision)
        assert game.player(state) == node.player
        choices = game.betting.choices(betting)
        assert tuple(label for label, _ in choices) == node.actions
        assert [action for _, action in choices] == game.actions(state) == list(game.view(state, node.player).actions)
        total = 1
        for action, code, child in zip(game.actions(state), node.codes, node.children, strict=True):
            game.verify_action(state, action)
            after = game.child(state, action)
            assert after.betting.history.rstrip("/") == betting.history + code
            total += same(after, child)
        return total

    start = game.start(game.deal(np.random.default_rng(3)))
    nodes = same(start, game.spot.betting)
    assert nodes == 1 if name == "no chips left" else nodes > 10


# ---- choices ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SPOTS)
def test_only_the_choices_of_the_menu_are_allowed(name: str) -> None:
    game = game_of(SPOTS[name])
    rng = np.random.default_rng(5)
    refused = 0
    for cards in game.deals(rng, 20):
        state = game.start(cards)
        while game.player(state) >= 0:
            legal, offered = game.legal(state), game.actions(state)
            spent = game.spent(state.betting)[state.betting.actor]
            for total in {*range(spent, spent + 60), game.rules.stacks[0]} - {action.amount for action in offered}:
                if game.rules.limit == "fixed" and total == legal.least:
                    continue
                with pytest.raises(IllegalAction):
                    game.verify_action(state, Action("r", total))
                with pytest.raises(IllegalAction):
                    game.child(state, Action("r", total))
                refused += 1
            state = game.child(state, offered[rng.integers(len(offered))])
    assert refused or name == "no chips left"


def test_a_refusal_names_the_menu() -> None:
    game = game_of(RIVER)
    state = game.start(game.deal(np.random.default_rng(1)))
    with pytest.raises(IllegalAction, match=r"the choices of this spot here are check, bet 14, bet 39"):
        game.child(state, Action("r", 71))
    behind = game.child(game.child(game.child(state, CALL), game.actions(game.child(state, CALL))[1]), CALL)
    assert game.player(behind) == TERMINAL
    bare = game_of(RIVER | {"out_of_position": OUT | {"bet": "none"}})
    with pytest.raises(IllegalAction, match="the menu of this spot has no bet here, only check"):
        bare.child(bare.start(bare.deal(np.random.default_rng(1))), Action("r", 71))
    limit = game_of(SPOTS["limit"])
    state = limit.start(limit.deal(np.random.default_rng(1)))
    for _ in range(3):
        state = limit.child(state, RAISE)
    with pytest.raises(IllegalAction, match="has had its 3 bets and raises"):
        limit.child(state, RAISE)


@pytest.mark.parametrize("pair", [("formula", "rules"), ("random", "always-raise"), ("probe", "always-fold")])
def test_agents_choose_from_the_menu(pair: tuple[str, str]) -> None:
    for settings in (RIVER, TINY, FLOP, SPOTS["limit"]):
        result = play_match(MatchSettings.of(game_of(settings), list(pair), hands=40, duplicate=True, seed=2))
        assert result.faults == ()


def test_raising_without_end_is_refused() -> None:
    tiny = {"range": "AA", "raise": {"turn": "1", "river": "allin"}, "bet": "1"}
    settings = RIVER | {"board": "Ks7h2d", "stack": 100_000, "out_of_position": tiny, "in_position": tiny}
    with pytest.raises(TooLarge, match="more than 400 raises are possible on the turn of this spot"):
        game_of(settings)
    assert game_of(settings | {"raise_cap": 5}).players == 2


# ---- cards -----------------------------------------------------------------------------------------------------------


def naive_pairs(game: SpotGame) -> dict[tuple[int, int], float]:
    """The chance of each pair of hands, by going through them all."""
    found = {}
    for first, second in product(range(COMBO_COUNT), repeat=2):
        weight = game.spot.ranges[0].weights[first] * game.spot.ranges[1].weights[second]
        if weight and len({*COMBOS[first].tolist(), *COMBOS[second].tolist(), *game.spot.board}) == 4 + len(
            game.spot.board
        ):
            found[first, second] = weight
    total = sum(found.values())
    return {pair: weight / total for pair, weight in found.items()}


def pair_of(cards: tuple[int, ...]) -> tuple[int, int]:
    return combo_index(*cards[:2]), combo_index(*cards[2:4])


@pytest.mark.parametrize("name", ["river", "tiny"])
def test_pairs_of_hands_come_by_their_weights(name: str) -> None:
    game = game_of(SPOTS[name])
    expected = naive_pairs(game)
    outcomes = game.outcomes(game.root())
    assert game.player(game.root()) == CHANCE
    assert {pair_of(cards): chance for cards, chance in outcomes} == pytest.approx(expected)
    assert len(outcomes) == game.outcome_count(game.root()) == len(expected)
    count = 40_000
    met = Counter(pair_of(cards) for cards in game.deals(np.random.default_rng(8), count))
    rng = np.random.default_rng(9)
    one_by_one = Counter(pair_of(game.sample(game.root(), rng)) for _ in range(4_000))
    for pair, chance in expected.items():
        for counter in (met, one_by_one):
            drawn = counter.total()
            assert abs(counter[pair] - drawn * chance) <= 5 * (drawn * chance * (1 - chance)) ** 0.5 + 1, pair
    assert set(met) <= set(expected)


@pytest.mark.parametrize(("board", "coming"), [("Ks7h2d", 2), ("Ks7h2d5c", 1), ("Ks7h2d5c9s", 0)])
def test_deals_have_the_board_and_each_card_once(board: str, coming: int) -> None:
    everyone = {"range": "random", "bet": "50%"}
    game = game_of(RIVER | {"board": board, "out_of_position": everyone, "in_position": everyone})
    count = 5_000
    deals = np.array(game.deals(np.random.default_rng(4), count))
    assert deals.shape == (count, 9)
    assert (deals[:, 4 : 9 - coming] == game.spot.board).all()
    assert (np.diff(np.sort(deals, axis=1), axis=1) > 0).all()
    free = 52 - len(game.spot.board)
    for place in (*range(4), *range(9 - coming, 9)):
        chance = np.bincount(deals[:, place], minlength=52)[[card for card in range(52) if card not in game.spot.board]]
        if place not in (0, 1, 2, 3):  # the two cards of a hand are sorted, those of the board are all alike
            assert np.abs(chance / count - 1 / free).max() < 5 * (1 / free / count) ** 0.5


def test_later_cards_are_those_left() -> None:
    game = game_of(TINY)
    state = game.child(game.root(), game.outcomes(game.root())[0][0])
    while game.player(state) >= 0:
        state = game.child(state, CALL)
    outcomes = game.outcomes(state)
    assert len(outcomes) == 44
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)
    assert not {card for cards, _ in outcomes for card in cards} & set(state.cards)


def test_light_and_impossible_ranges() -> None:
    spot = spot_from(RIVER)
    light = replace(spot, ranges=(Range(spot.ranges[0].weights * 1e-290), Range(spot.ranges[1].weights * 1e-300)))
    expected = dict(SpotGame(spot).outcomes(SpotGame(spot).root()))
    assert dict(SpotGame(light).outcomes(SpotGame(light).root())) == pytest.approx(expected)
    same = game_of(RIVER | {"out_of_position": OUT | {"range": "AsAh"}, "in_position": IN | {"range": "AsKd,AhQh"}})
    with pytest.raises(BadRange, match="shares a card"):
        same.deal(np.random.default_rng(0))
    with pytest.raises(BadCards, match="has the board Ks7h2d5c9s"):
        SpotGame(spot).start(tuple(range(9)))


# ---- a value among others --------------------------------------------------------------------------------------------


def test_chips_and_equality() -> None:
    game = game_of(SPOTS["cents"])
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert hash(again) == hash(game)
    assert again != SpotGame(spot_from(RIVER), game.name)
    assert game.chips(game.pot(game.betting.start())) == 1.75
    assert game.chips(game.stacks(game.betting.start())[0]) == 4.31
    assert str(SpotGame(spot_from(RIVER)).chips(70)) == "35"
