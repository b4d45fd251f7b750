"""Programs of the competition of 2012: what makes each of them what it is, and a match that it wins."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from pokerlab.agents.library import azure_sky, dcubot, lucky7
from pokerlab.agents.library.azure_sky import AzureSky, Step, sarsa_step
from pokerlab.agents.library.dcubot import ALL_IN, RANGES, DcuBot, legal_outputs
from pokerlab.agents.library.hugh import Hugh, minimax
from pokerlab.agents.library.hyperborean import Hyperborean, LearnedSizes
from pokerlab.agents.library.lucky7 import MEMBERS, Lucky7
from pokerlab.agents.library.spewie_louie import SIZES, SpewieLouie
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.equities import equities_against, equity_matrix
from pokerlab.agents.parts.group_solver import GroupGame, solve_groups
from pokerlab.agents.parts.hand_hmm import FACING, STATES, SYMBOLS, HandModel, beaten, symbol
from pokerlab.agents.parts.learning_inputs import WIDTH, own_strength
from pokerlab.agents.parts.network import Network, Trainer
from pokerlab.agents.parts.roll_out import hands_of, win_shares
from pokerlab.agents.parts.search_tree import Extent, back_up, leaf_values, search_tree
from pokerlab.agents.parts.self_play import play
from pokerlab.agents.parts.situations import past_actions
from pokerlab.agents.parts.triple import Triple
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, RAISE, raise_to
from pokerlab.match.run.match import MatchSettings, play_match

SHORT = "holdem-nolimit(stack=2000)"


@pytest.mark.parametrize(
    ("agent", "game", "opponent", "hands"),
    [
        ("dcubot", SHORT, "random(sizes=least)", 500),
        ("lucky7", SHORT, "random", 500),
        pytest.param("hugh", "leduc", "always-call", 1000, marks=pytest.mark.slow),
        pytest.param("hyperborean", "holdem-nolimit", "always-call", 2000, marks=pytest.mark.slow),
        pytest.param("hugh", "holdem-nolimit", "always-call", 500, marks=pytest.mark.slow),
        pytest.param("spewie-louie", "leduc", "random", 1000, marks=pytest.mark.slow),
        pytest.param("azure-sky", SHORT, "random(sizes=least)", 2000, marks=pytest.mark.slow),
    ],
)
def test_matches_that_they_win(agent: str, game: str, opponent: str, hands: int) -> None:
    settings = MatchSettings.of(game, [agent, opponent], hands=hands, seed=1, keep_memory=True)
    assert play_match(settings).summaries[0].low > 0


def test_sarsa_moves_values_to_their_targets() -> None:
    """The last decision to what was won, the one before to the value of the next action, less what was paid."""
    rng = np.random.default_rng(0)
    trainer = Trainer(Network.random(WIDTH, 16, azure_sky.OUTPUTS, rng), rate=0.01)
    first, last = rng.random(WIDTH), rng.random(WIDTH)
    hand = [Step(first, 1, 100, 50), Step(last, 2, 300, 150)]
    for _ in range(3000):
        sarsa_step(trainer, [(hand, 250.0)])
    outputs = trainer.network.outputs(np.array([first, last]))
    assert outputs[1, 2] == pytest.approx((250 + 150) / 300, abs=0.02)
    assert outputs[0, 1] == pytest.approx((outputs[1, 2] * 300 - 100) / 100, abs=0.05)


@pytest.mark.slow
def test_the_bandit_of_azure_sky_finds_the_network_that_wins() -> None:
    """Beside three that always fold, the one that was trained against always-call plays most."""
    player = open_agent("azure-sky")
    assert isinstance(player, AzureSky)
    for number in (0, 2, 3):
        player.players[number].network = Network(np.zeros((WIDTH + 1, 1)), np.full((2, azure_sky.OUTPUTS), -1.0))
    rng, game, other = np.random.default_rng(3), open_game(SHORT), open_agent("random(sizes=least)")
    for cards in game.deals(rng, 1500):
        play(game, (player, other), cards, rng, lambda *_: None)
    assert int(np.argmax(player.coach.trials)) == 1
    assert player.coach.trials[1] > 2 * min(player.coach.trials)
    assert min(player.coach.trials) > 0
    player.reset()
    assert player.coach.trials == [0, 0, 0, 0]


def test_hidden_hands_are_read_by_the_forward_algorithm() -> None:
    """Against the sum over all paths of states."""
    rng, game = np.random.default_rng(1), open_game(SHORT)
    model = HandModel(rng.dirichlet(np.ones(STATES), (3, STATES)), rng.random((FACING, STATES, SYMBOLS)) * 50)
    state = game.start(tuple(range(9)))
    for action in (raise_to(300), CALL, CALL, raise_to(400), CALL, raise_to(1300)):
        state = game.child(state, action)
    past = past_actions(game, state.betting.history)
    chance = (model.emissions + 1) / (model.emissions + 1).sum(axis=2, keepdims=True)
    wanted = np.zeros(STATES)
    for path in itertools.product(range(STATES), repeat=3):
        weight = model.moves[0][path[0], path[1]] * model.moves[1][path[1], path[2]]
        for one in past:
            if one.seat == 0:
                weight *= chance[one.situation.facing, path[one.before.round], symbol(game, one)]
        wanted[path[2]] += weight
    assert model.read(game, past, 0, 2) == pytest.approx(wanted / wanted.sum())
    assert beaten(np.eye(STATES)[3], 0.35) == pytest.approx(0.5)


def test_dcubot_reads_raises_as_strength_and_bets_in_ranges() -> None:
    game, player = open_game("holdem-nolimit"), open_agent("dcubot")
    assert isinstance(player, DcuBot)
    start = game.start(tuple(range(0, 27, 3)))
    views = [game.view(game.child(start, action), 0) for action in (raise_to(20_000), CALL)]
    before = beaten(player.reading(game.view(start, 1)), 0.8)
    for view in views:  # either action is more likely with a strong hand
        assert beaten(player.reading(view), 0.8) < before - 0.02
        assert player.inputs(view)[WIDTH] == pytest.approx(beaten(player.reading(view), own_strength(view)))
    view = game.view(game.start(tuple(range(9))), 1)
    assert legal_outputs(view).all()
    assert len(player.edges) == RANGES + 1
    assert (np.diff(player.edges) > 0).all()
    for part in range(RANGES):
        low, high = (player.action(view, ALL_IN + 1 + part, end).amount for end in (0.0, 1.0))
        assert view.legal.least <= low < high <= view.legal.most
        assert low < player.action(view, ALL_IN + 1 + part, 0.5).amount < high
    assert not np.allclose(player.edges, np.linspace(0, 1, RANGES + 1), atol=0.01)  # they were learned


def test_minimax_is_that_of_recursion() -> None:
    """With one group of hands, against a search node by node."""
    game, rng = open_game("holdem-nolimit(stack=1000)"), np.random.default_rng(2)
    tree = search_tree(game, game.betting.start(), Extent(raises=3, sizes=(0.5, 1.0), whole_hand=False))
    seat = game.betting.start().actor
    mine, other = (leaf_values(tree, one, rng.random((len(tree.leaves), 1))) for one in (seat, 1 - seat))
    leaves = mine.copy(), other.copy()

    def visit(node: int) -> tuple[float, float]:
        children = tree.children(node).tolist()
        if not children:
            return float(leaves[0][node, 0]), float(leaves[1][node, 0])
        ends = [visit(child) for child in children]
        return max(ends, key=lambda pair: pair[0 if tree.actor[node] == seat else 1])

    found = minimax(tree, seat, mine, other, np.ones(1))
    assert found[0] == pytest.approx(visit(0)[0])


def test_hugh_is_pure_and_respects_a_raise() -> None:
    game, player = open_game("leduc"), open_agent("hugh")
    assert isinstance(player, Hugh)
    state = game.child(game.start((4, 2, 0)), CALL)
    view = game.view(state, 1)
    assert len({player.act(view, np.random.default_rng(seed)) for seed in range(20)}) == 1
    raised = game.view(game.child(game.start((4, 2, 0)), RAISE), 1)
    from pokerlab.agents.parts.beliefs import possible

    [weights] = player.beliefs.weights(raised).values()
    shares = win_shares(game, raised.cards, ())
    assert weights @ shares < possible(game, np.ones(6), raised.cards) @ shares


@pytest.mark.parametrize("board", ["", "Qb"])
def test_equities_of_ranges(board: str) -> None:
    """Against a count of pairs of hands and run-outs, where hands may share a card."""
    game = open_game("leduc(suits=3)")
    shown, rng = tuple(game.deck.cards(board)), np.random.default_rng(7)
    size, free = game.deck.size, hands_of(game).without(shown)
    first, second = rng.random((2, size)) * free, rng.random((3, size)) * free
    wanted = np.zeros((2, 3))
    ends = [(card,) for card in range(size)] if not shown else [()]
    for later in ends:
        there = (*shown, *later)
        strength = {hand: game.strength((hand, *there)) for hand in range(size) if hand not in there}
        for row, column in itertools.product(range(2), range(3)):
            pairs = [(one, other) for one in strength for other in strength]
            weights = [first[row, one] * second[column, other] for one, other in pairs]
            shares = [
                1.0 if strength[one] < strength[other] else 0.5 if strength[one] == strength[other] else 0.0
                for one, other in pairs
            ]
            wanted[row, column] += np.dot(weights, shares) / sum(weights) / len(ends)
    assert equity_matrix(game, shown, first, second) == pytest.approx(wanted)
    alone = np.eye(size)[free]
    assert equities_against(game, shown, first[0])[free] == pytest.approx(
        equity_matrix(game, shown, alone, first[:1])[:, 0], abs=1e-9 if shown else 0.1
    )


def test_sampled_equities_are_near_the_exact_ones() -> None:
    """Of all hands against any, before the flop, where 48 boards stand for all."""
    game, hands = open_game("holdem-nolimit"), [("AcAs"), ("7c2d"), ("JhTh")]
    found = equities_against(game, (), np.ones(1326))
    for hand in hands:
        cards = tuple(game.deck.cards(hand))
        others = hands_of(game).without(cards)
        exact = win_shares(game, tuple(sorted(cards)), ())[others].mean()
        assert found[hands_of(game).number(cards)] == pytest.approx(exact, abs=0.1)


def test_group_strategies_approach_an_equilibrium() -> None:
    """What best responses of both seats win, with unequal ranges, goes to zero."""
    game, rng = open_game("holdem-nolimit(stack=1000)"), np.random.default_rng(4)
    tree = search_tree(game, game.betting.start(), Extent(whole_hand=False, raises=2, sizes=(0.5, 1.0)))
    ranges = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(5))
    equity = rng.random((5, 5))
    problem = GroupGame(tree, ranges, (equity, 1 - equity.T))
    gains = []
    for iterations in (3, 600):
        strategy, gain = solve_groups(problem, iterations), 0.0
        for seat in (0, 1):
            for group, weight in enumerate(ranges[seat]):
                values = leaf_values(tree, seat, problem.equity[seat][group])
                chance = strategy.copy()
                gain += weight * back_up(tree, values, chance, seat=seat, weights=ranges[1 - seat])[0]
        gains.append(gain)
    assert -1e-6 < gains[1] < 5  # chips, in a pot of 150
    assert gains[1] < gains[0] / 10


def test_spewie_louie_knows_its_sizes_and_gains_from_iterations() -> None:
    game, player = open_game("holdem-nolimit"), open_agent("spewie-louie")
    assert isinstance(player, SpewieLouie)
    state = game.start(tuple(range(9)))
    for action in (raise_to(1000), CALL):  # so that the smallest size is a legal bet
        state = game.child(state, action)
    seat = state.betting.actor
    actions, chances = player.strategy(game.view(state, seat))
    assert sum(action.kind == "r" for action in actions) == len(SIZES) == 7
    assert chances.sum() == pytest.approx(1)
    fewer = open_agent("spewie-louie(iterations=1)").strategy(game.view(state, seat))[1]  # type: ignore[attr-defined]
    assert np.abs(fewer - chances).max() > 0.05


def test_lucky7_averages_those_that_fit_the_state() -> None:
    game, player = open_game("holdem-nolimit"), open_agent("lucky7")
    assert isinstance(player, Lucky7)
    rng, sets = np.random.default_rng(6), set()
    for cards in game.deals(rng, 10):
        state = game.start(cards)
        for action in (raise_to(300), CALL, CALL, raise_to(600), CALL, CALL):
            view = game.view(state, state.betting.actor)
            members = player.members(view)
            triples = [MEMBERS[number].triple_at(view, rng) for number in members]
            assert player.triple_at(view, rng) == pytest.approx(Triple(*np.mean(triples, axis=0)))
            sets.add(tuple(members))
            state = game.child(state, action)
    assert len(sets) > 2
    assert len(MEMBERS) == 8
    worth = lucky7.profits(0)[0, 1]
    chosen = Lucky7(chosen=2).members(game.view(game.start(tuple(range(9))), 1))
    assert set(chosen) == set(np.argsort(-worth)[:2].tolist())


def test_hyperborean_bets_one_size_at_each_sequence() -> None:
    game = open_game("holdem-nolimit")
    player, blueprint = open_agent("hyperborean"), open_agent("blueprint")
    assert isinstance(player, Hyperborean)
    strategy, plain = player.playing(game).strategy, blueprint.playing(game).strategy  # type: ignore[attr-defined]
    assert isinstance(strategy, LearnedSizes)
    betting, chosen = strategy.form.betting, set()
    nodes = [node for node in range(len(betting.arrays.actor)) if betting.arrays.actor[node] >= 0]
    for node in nodes[:60]:
        buckets = np.arange(strategy.form.buckets.counts[int(betting.arrays.round[node])])
        found, wanted, raises = strategy.rows(node, buckets), plain.rows(node, buckets), strategy.raises(node)
        assert found.sum(axis=1) == pytest.approx(1)
        if raises:
            assert (found[:, raises] > 0).any(axis=0).sum() <= 1
            assert found[:, raises].sum(axis=1) == pytest.approx(wanted[:, raises].sum(axis=1))
            assert strategy.shares(node)[strategy.size(node)] == strategy.shares(node)[raises].max()
            chosen.add(betting.actions[node][strategy.size(node)])
    assert len(chosen) > 5


@pytest.mark.slow
def test_dcubot_is_trained_by_the_same_seed_to_the_same_play() -> None:
    one, other = (dcubot.train(3, hands=600) for _ in range(2))
    for name, array in one.items():
        assert other[name] == pytest.approx(array, abs=1e-4)
