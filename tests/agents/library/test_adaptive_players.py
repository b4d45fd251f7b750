"""Players that learn an opponent: vexbot, brplayer, brennus and mccurley. Each test fails without the idea it names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pokerlab import best_response
from pokerlab.agents.library.brennus import Brennus
from pokerlab.agents.library.mccurley import McCurley, NetworkStyle, train
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.coach import Coach
from pokerlab.agents.parts.network import Network
from pokerlab.agents.parts.self_play import play
from pokerlab.agents.parts.situations import situation
from pokerlab.agents.parts.styles import STYLES, StyleBeliefs
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, RAISE
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.statistics import Summary


def match(game: str, agent: str, opponent: str, hands: int, *, seed: int = 0) -> Summary:
    settings = MatchSettings.of(game, [agent, opponent], hands=hands, seed=seed, keep_memory=True)
    return play_match(settings).summaries[0]


@pytest.mark.parametrize(
    ("agent", "opponent", "hands"),
    [
        ("vexbot", "always-call", 300),
        ("brennus", "always-call", 300),
        pytest.param("brplayer", "always-call", 500, marks=pytest.mark.slow),
    ],
)
def test_they_beat_a_weak_opponent(agent: str, opponent: str, hands: int) -> None:
    assert match("leduc", agent, opponent, hands).low > 0


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["mccurley", "brennus"])
def test_they_beat_a_weak_opponent_in_holdem(agent: str) -> None:
    assert match("holdem-nolimit", agent, "always-call", 400).low > 0


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["vexbot", "brplayer"])
@pytest.mark.parametrize("opponent", ["always-call", "always-raise"])
def test_searchers_come_close_to_the_most_that_can_be_won(agent: str, opponent: str) -> None:
    """From the 2,000th hand on at least 70 % of what a best response wins; the review has no number for "close"."""
    most = sum(best_response("leduc", opponent, player=seat).value for seat in (0, 1)) / 2
    won = np.array([payoffs(agent, opponent, hands=6000, seed=seed)[2000:] for seed in range(4)])
    half_width = 1.96 * won.std() / np.sqrt(won.size)
    assert 0.7 * most < won.mean() + half_width
    assert won.mean() - half_width <= most


@pytest.mark.slow
def test_the_gain_rises_beyond_a_thousand_hands() -> None:
    """Vexbot against formula in Leduc: it wins, and more after 3,000 hands than in the second 1,000."""
    won = np.array([payoffs("vexbot", "formula", hands=5000, seed=seed) for seed in range(100, 112)])
    early, late = won[:, 1000:2000].ravel(), won[:, 3000:].ravel()
    error = np.sqrt(early.var() / early.size + late.var() / late.size)
    assert late.mean() - early.mean() > 1.645 * error
    assert won.mean() > 1.96 * won.std() / np.sqrt(won.size)


@pytest.mark.slow
def test_vexbot_exploits_models_solved_ahead() -> None:
    """Rubin and Watson, section 5.1.2: it discovers weaknesses of Sparbot, a program like psopti."""
    rules: dict[str, Any] = {"hands": 12_000, "seed": 1, "keep_memory": True, "duplicate": False, "adjust": "aivat"}
    adjusted = play_match(MatchSettings.of("leduc", ["vexbot", "psopti"], **rules)).adjusted
    assert adjusted is not None
    assert adjusted[0].low > 0


def payoffs(agent: str, opponent: str, *, hands: int, seed: int, game: str = "leduc") -> list[float]:
    """What each hand won; the seats change."""
    table, agents, rng = open_game(game), (open_agent(agent), open_agent(opponent)), np.random.default_rng(seed)
    found = []
    for number, cards in enumerate(table.deals(rng, hands)):
        seats = agents[::-1] if number % 2 else agents
        found.append(play(table, seats, cards, rng, lambda *_: None).payoffs[number % 2])
    return found


def test_without_memory_the_histograms_are_those_of_the_default_player() -> None:
    """The same decision before and after many hands against always-call: learning changes what it is worth."""
    game = open_game("leduc")
    view = game.view(game.start((0, 2, 4)), 0)
    player, other, rng = open_agent("vexbot"), open_agent("always-call"), np.random.default_rng(1)
    _, before = player.action_values(view)  # type: ignore[attr-defined]
    for cards in game.deals(rng, 200):
        play(game, (player, other), cards, rng, lambda *_: None)
    _, after = player.action_values(view)  # type: ignore[attr-defined]
    player.reset()
    _, forgotten = player.action_values(view)  # type: ignore[attr-defined]
    assert np.abs(after - before).max() > 0.2
    assert forgotten == pytest.approx(before)


def test_styles_are_recognised() -> None:
    """Hands of always-raise are those of a loose and aggressive player, hands of a caller of a passive one."""
    game, rng = open_game("leduc"), np.random.default_rng(3)
    for opponent, wanted in (("always-raise", "loose-aggressive"), ("always-call", "loose-passive")):
        agents, beliefs = (open_agent("probe"), open_agent(opponent)), StyleBeliefs()
        assert beliefs.weights == pytest.approx(np.full(len(STYLES), 1 / len(STYLES)))
        for cards in game.deals(rng, 30):
            beliefs.observe(game.view(play(game, agents, cards, rng, lambda *_: None).state, 0))
        assert STYLES[int(beliefs.weights.argmax())].name == wanted
        assert beliefs.weights.max() > 0.9


def test_beliefs_of_brennus_follow_the_actions() -> None:
    """After a raise strong hands are more likely than after a call, so that a call is worth less."""
    game, player = open_game("leduc"), open_agent("brennus")
    assert isinstance(player, Brennus)
    start = game.start((4, 2, 0))
    raised = game.view(game.child(start, RAISE), 1)
    called = game.view(game.child(start, CALL), 1)
    for strategy in range(len(player.models)):
        kings = [player.beliefs[strategy].weights(view)[0][4:].sum() for view in (raised, called)]
        assert kings[0] > 1.2 * kings[1], strategy
    uniform = np.where(np.isin(np.arange(6), raised.cards), 0, 0.2)
    from pokerlab.agents.parts.forest import forest_values

    _, believed = player.action_values(raised, 0)
    actions, ignorant = forest_values(raised, uniform, player.models[0], player._extent)
    call = actions.index(CALL)
    assert believed[call] < ignorant[call] - 0.1


def test_brennus_changes_its_strategy() -> None:
    """All five are tried, and UCB1 decides among them: the choices are those of a coach with the same payoffs."""
    game, player, other = open_game("leduc"), open_agent("brennus"), open_agent("always-raise")
    assert isinstance(player, Brennus)
    coach, rng = Coach(len(player.models), exploration=0.2), np.random.default_rng(4)
    for cards in game.deals(rng, 120):
        before = list(player.coach.trials)
        payoff = play(game, (player, other), cards, rng, lambda *_: None).payoffs[0]
        [played] = [number for number, count in enumerate(player.coach.trials) if count != before[number]]
        assert played == coach.choice()
        coach.add(played, (payoff + 13) / 26)
    assert min(player.coach.trials) > 0
    assert len(set(player.coach.trials)) > 1


def test_networks_of_mccurley_are_styles() -> None:
    """They differ, and after hands of always-raise more raises are expected than after hands of always-call."""
    player = open_agent("mccurley")
    assert isinstance(player, McCurley)
    game, rng = open_game("holdem-nolimit(stack=1000)"), np.random.default_rng(5)
    now, grid = situation(game, game.betting.start()), np.linspace(0, 1, 11)
    bets = [style.frequency(now).raise_ for style in player.styles.styles]
    assert max(bets) > 2 * min(bets)
    expected = []
    for opponent in ("always-raise(pot_fraction=0)", "always-call"):
        player.reset()
        agents = open_agent("always-call"), open_agent(opponent)
        for cards in game.deals(rng, 20):
            player.observe(game.view(play(game, agents, cards, rng, lambda *_: None).state, 0))
        expected.append(player.styles.triple(grid, now, 1).raise_)
    assert expected[0].mean() > expected[1].mean() + 0.1
    assert expected[1][-1] > expected[1][0]  # strong hands raise more


@pytest.mark.slow
def test_shipped_networks_can_be_trained_again() -> None:
    """The same seed gives networks that predict what the shipped ones do."""
    player, arrays = open_agent("mccurley"), train(0)
    assert isinstance(player, McCurley)
    game = open_game("holdem-nolimit")
    now, grid = situation(game, game.betting.start()), np.linspace(0, 1, 11)
    for number, style in enumerate(player.styles.styles):
        again = NetworkStyle(Network.of(arrays, f"style{number}"))
        for part, wanted in zip(again.triple(grid, now, 1), style.triple(grid, now, 1), strict=True):
            assert part == pytest.approx(wanted, abs=0.05)
