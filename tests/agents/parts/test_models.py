"""Models solved ahead: the signal form against enumeration; what truncated and grafted players owe to their ideas."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from pokerlab.agents.library.gs import TruncatedPlayer
from pokerlab.agents.library.psopti import TiedModels
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.agents.parts.bucket_signals import BucketSignals, bucket_signals
from pokerlab.agents.parts.grafting import Grafted
from pokerlab.agents.parts.models import truncated_betting
from pokerlab.agents.parts.subgames import Effort, SubgameStrategy
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.poker.action import actions_of
from pokerlab.games.poker.betting_tree import Deal, Decision, FoldPayoffs, Showdown, walk
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode, start_of
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.papers.subgame_solving import exploitability
from pokerlab.registry import load
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.strategy.forms.kinds import profile_in
from pokerlab.strategy.policy import Policy, PolicyTable
from pokerlab.strategy.public_profile import public_profile_of
from pokerlab.tree.public.poker import betting_of, public_tree
from pokerlab.tree.signals import SignalForm, Signals

DCFR = schedule_of("dcfr", purpose="solve models with")
EFFORT = Effort(DCFR, 300)


def poker(name: str) -> PokerGame:
    game = load("games", name)
    assert isinstance(game, PokerGame)
    return game


def leduc_signals() -> BucketSignals:
    return bucket_signals(poker("leduc"), (3, 6))


def test_values_of_random_signals() -> None:
    """Unequal numbers of hands, random matrices and strategies: the values are those of every pair of hands."""
    rng = np.random.default_rng(5)
    together = rng.random((6, 4))
    together /= together.sum()
    ahead = together * rng.uniform(-1, 1, together.shape)
    labels = (np.arange(6) // 3, np.arange(6)), (np.arange(4) // 2, np.arange(4))
    ends = [Decision(1, ("c", "f"), (Showdown((win, win), (-win, -win)), FoldPayoffs((2, -2)))) for win in (5, 3)]
    tree = Decision(0, ("r", "c"), (Decision(1, ("f", "c"), (FoldPayoffs((1, -1)), Deal(ends[0]))), Deal(ends[1])))
    form = SignalForm("signals", Decision(0, ("go",), (tree,)), Signals(together, ahead, labels))
    profile = form.normalize(rng.random(len(form.uniform())))

    def value(node: object, one: int, other: int) -> float:
        if isinstance(node, Deal):
            return value(node.child, one, other)
        if isinstance(node, FoldPayoffs):
            return node.returns[0]
        if isinstance(node, Showdown):
            share = ahead[one, other] / together[one, other]
            return (node.win[0] + node.lose[0]) / 2 + share * (node.win[0] - node.lose[0]) / 2
        assert isinstance(node, Decision)
        row = form.rows(profile, node)[one if node.player == 0 else other]
        return float(sum(p * value(child, one, other) for p, child in zip(row, node.children, strict=True)))

    expected = sum(together[pair] * value(form.betting, *pair) for pair in np.ndindex(6, 4))
    measure = form.measure(profile)
    assert measure.values == pytest.approx((expected, -expected))
    assert min(measure.gains) >= 0


def test_forgotten_signals_are_refused() -> None:
    labels = ((np.array([0, 1]), np.array([0, 0])),) * 2
    tree = Decision(0, ("a", "b"), (Deal(Decision(0, ("c",), (FoldPayoffs((0, 0)),))), FoldPayoffs((0, 0))))
    form = SignalForm("signals", tree, Signals(np.full((2, 2), 0.25), np.zeros((2, 2)), labels))
    with pytest.raises(BadSetting, match="forget"):
        _ = form.treeplexes


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+", "pcfr+"])
def test_leduc_as_signals(algorithm: str) -> None:
    """A signal for every card, then for every board: nothing is lost, and the value is the published one."""
    game, cards = poker("leduc"), list(permutations(range(6), 2))
    together, ahead = np.zeros((2, 30, 30))
    for (one, (mine, board)), (other, (theirs, shown)) in product(enumerate(cards), repeat=2):
        if board == shown and mine != theirs:
            together[one, other] = 1 / 120
            ahead[one, other] = np.sign(game.strength((theirs, board)) - game.strength((mine, board))) / 120
    labels = (np.array([card for card, _ in cards]), np.arange(30))
    form = SignalForm("leduc", betting_of(game), Signals(together, ahead, (labels, labels)))
    solver = load("algorithms", algorithm).start(form)
    solver.advance(600)
    measure = solver.measure()
    assert measure.exploitability < 5e-3
    assert measure.values[0] == pytest.approx(-0.0856064, abs=5e-3)


def test_buckets() -> None:
    """Equal weights, stronger hands in higher buckets, and a model of later rounds with ranges is Bayes' rule."""
    signals = bucket_signals(poker("rhode-island(ranks=3,suits=2)"), (3, 2, 2))
    np.testing.assert_allclose(signals.together, signals.together.T)
    np.testing.assert_allclose(signals.ahead, -signals.ahead.T)
    shares = signals.together.sum(axis=1).reshape(3, 2, 2)
    np.testing.assert_allclose(shares.sum(axis=(1, 2)), 1 / 3)
    assert np.abs(shares.sum(axis=(0, 2)) - 1 / 2).max() < 0.2  # ties are not divided
    rng = np.random.default_rng(3)
    ranges = np.repeat(rng.random(3), 4), np.repeat(rng.random(3), 4)
    model = signals.model(1, 2, ranges)
    for one, other in np.ndindex(4, 4):
        joint = sum(
            signals.together[4 * a + one, 4 * b + other] * ranges[0][4 * a] * ranges[1][4 * b]
            for a, b in np.ndindex(3, 3)
        )
        total = float(ranges[0] @ signals.together @ ranges[1])
        assert model.together[one, other] == pytest.approx(joint / total)


def test_seven_sequences_reach_the_flop() -> None:
    first = truncated_betting(poker("holdem-limit"), 1)
    assert (
        sum(isinstance(node, Decision) and sum(isinstance(c, Deal) for c in node.children) for node in walk(first)) == 7
    )


def test_models_are_tied_at_the_seam() -> None:
    """The second model begins with the ranges of the first, and is less exploitable for it."""
    game = poker("leduc")
    models = TiedModels(leduc_signals(), EFFORT)
    one, other = models.ranges("rc/")
    start, raised = start_of(game), start_of(game).after("r")
    for ranges, place, move in ((one, start, "r"), (other, raised, "c")):
        for card in range(6):
            played = models.probabilities(place.view((card,)))[move]
            assert ranges[models.buckets.of_hands(())[card]] == pytest.approx(played)
    form = public_tree(game)
    untied = TiedModels(leduc_signals(), EFFORT, tied=False)
    assert exploitability(models, game, form) < 0.8 * exploitability(untied, game, form)
    assert models.model_at(raised.after("c").after("Ka").betting) is not models.model_at(
        start.after("c").after("c").after("Ka").betting
    )


class RolledOut:
    """A truncated model whose later rounds are checked and called."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def probabilities(self, view: object) -> dict[str, float]:
        raise NotImplementedError

    def table(self, place: PublicNode) -> PolicyTable:
        if place.betting.round == 0:
            return self._policy.table(place)
        texts, actions = place.hands().texts, place.actions
        return PolicyTable(texts, actions, np.tile([float(action == "c") for action in actions], (len(texts), 1)))


def test_beliefs_cross_the_seam() -> None:
    """What is solved at the table is an equilibrium between the ranges of the model, and needs them to be."""
    game, gaps = poker("leduc"), {}
    for beliefs in (True, False):
        player = TruncatedPlayer(buckets=(3, 1), model=EFFORT, effort=Effort(DCFR, 200), beliefs=beliefs)
        place = start_of(game)
        for move in ("r", "c", "Ka"):
            place = place.after(move)
        solved = player.resolver(game).at(place)
        assert isinstance(solved, SubgameStrategy)
        right = TruncatedPlayer(buckets=(3, 1), model=EFFORT, effort=Effort(DCFR, 200)).resolver(game).at(place)
        assert isinstance(right, SubgameStrategy)
        gaps[beliefs] = _gap(solved, right)
    assert gaps[True] < 0.01
    assert gaps[False] > 0.1


def test_solving_beats_rolling_out() -> None:
    """The last round solved at the table wins from the model with its own assumption, exactly measured."""
    game = poker("leduc")
    form, player = public_tree(game), TruncatedPlayer(buckets=(3, 1), model=EFFORT, effort=Effort(DCFR, 200))
    mine = np.asarray(profile_in(player, game, form))
    base = np.asarray(profile_in(RolledOut(player.resolver(game).policy), game, form))
    won = 0.0
    for seat in (0, 1):
        both = base.copy()
        both[form.slots_of(seat)] = mine[form.slots_of(seat)]
        won += form.measure(both).values[seat]
    assert won > 0.1


def _gap(solved: SubgameStrategy, right: SubgameStrategy) -> float:
    """The exploitability of a solution between the ranges of another."""
    tree, root = right.tree, right.root
    profile = public_profile_of(solved, root.game, tree, root=(right.betting, root.betting))
    return tree.measure(profile).exploitability


def test_grafts() -> None:
    """Better than the base, which they leave alone in the first round."""
    game = poker("leduc")
    form, finer = public_tree(game), (1, 2)
    grafted, base = (
        Grafted(bucket_signals(game, (3, 4)), betting_of(game), finer, EFFORT, grafts=grafts)
        for grafts in (True, False)
    )
    assert exploitability(grafted, game, form) < 0.75 * exploitability(base, game, form)
    place = start_of(game)
    np.testing.assert_array_equal(grafted.table(place).probability, base.table(place).probability)
    for move in ("r", "c", "Qb"):
        place = place.after(move)
    graft = grafted.model_at(place.betting)
    outside = next(node for node in graft.form.decisions if node.player == place.seat)
    rows = grafted.base.form.rows(grafted.base.profile, outside)
    np.testing.assert_allclose(graft.form.rows(graft.profile, outside), rows, atol=1e-9)


@pytest.mark.slow
def test_grafts_on_rhode_island() -> None:
    """All 52 cards, measured exactly."""
    game = poker("rhode-island")
    form = public_tree(game)
    measured = [
        exploitability(open_policy(f"graft(buckets='3,2', grafts={grafts})", game), game, form)
        for grafts in ("true", "false")
    ]
    assert measured[0] < 0.8 * measured[1]


def test_models_as_linear_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model of PsOpti's line is an exact equilibrium, where CFR is still some way from it."""
    buckets = leduc_signals()
    exact, iterated = TiedModels(buckets, None), TiedModels(buckets, EFFORT)
    for history in ("", "rc/", "cc/"):
        betting = buckets.game.betting.start()
        for action in actions_of(history):
            betting = buckets.game.betting.act(betting, action)
        one, other = exact.model_at(betting), iterated.model_at(betting)
        assert one.form.measure(one.profile).exploitability < 1e-9 * one.form.max_abs_payoff
        assert 1e-6 < other.form.measure(other.profile).exploitability < 0.05
    monkeypatch.setattr("pokerlab.agents.parts.models.MOST_COEFFICIENTS", 10)
    with pytest.raises(TooLarge, match="too many for a linear program"):
        TiedModels(buckets, None)


@pytest.mark.parametrize("name", ["psopti", "gs", "graft"])
def test_at_the_table(name: str) -> None:
    settings = MatchSettings.of(poker("leduc"), (f"{name}(buckets='3,3', iterations=20)", "random"), hands=20, seed=2)
    result = play_match(settings, workers=1)
    assert not result.faults
    with pytest.raises(BadSetting, match=name):
        open_policy(name, poker("kuhn"))
    with pytest.raises(BadSetting, match="public form"):
        open_agent(name).check_game(poker("leduc(players=3)"))  # type: ignore[attr-defined]
