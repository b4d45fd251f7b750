"""Saved solutions at the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pokerlab.agents.library.strategy import SolutionAgent, StrategyAgent
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadFile, BadSetting, UnknownName
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.public_node import start_of
from pokerlab.lab.solve.solving import solve
from pokerlab.match.hands.history import History
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.saved import save_match
from pokerlab.match.run.tables import play_table_match
from pokerlab.registry import load
from pokerlab.strategy.forms.sequence import Strategy
from pokerlab.strategy.profile import profile_of
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return solve("kuhn", algorithm="lp").save(tmp_path_factory.mktemp("solutions") / "kuhn.safetensors")


@pytest.fixture(scope="module")
def small_leduc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Leduc with one raise a round: it has no entries after a second raise."""
    solution = solve("leduc(raises=1)", algorithm="dcfr", target=0.02)
    return solution.save(tmp_path_factory.mktemp("solutions") / "leduc.safetensors")


def test_plays_its_probabilities(kuhn: Path) -> None:
    player = open_agent(f"strategy:{kuhn}")
    assert isinstance(player, SolutionAgent)
    game = load("games", "kuhn")
    rng = np.random.default_rng(1)
    for infoset, entry in player.solution.strategy.of(1).items():
        cards, history = infoset.split(":")
        state = game.start((*[card for card in range(3) if game.deck.name(card) != cards][:1], game.deck.card(cards)))
        for action in history:
            state = game.child(state, Action(action))
        drawn = [str(player.act(game.view(state, 1), rng)) for _ in range(1500)]
        for action, chance in entry.items():
            assert abs(drawn.count(action) / 1500 - chance) <= 4 * np.sqrt(chance * (1 - chance) / 1500) + 1e-9


def test_equilibrium_against_itself_and_against_others(kuhn: Path) -> None:
    """The first seat of Kuhn poker is worth -1/18; nobody wins from an equilibrium in the long run."""
    spec = f"strategy:{kuhn}"
    result = play_match(MatchSettings.of("kuhn", [spec, spec], hands=6000, seed=2))
    first = result.positions[0][0]
    assert first is not None
    assert abs(first.mean + 1 / 18) < 4 * first.standard_error
    for other in ("formula", "random", "always-raise"):
        against = play_match(MatchSettings.of("kuhn", [spec, other], hands=3000, duplicate=True, seed=3))
        assert against.summaries[0].mean > -4 * against.summaries[0].standard_error
        assert against.remarks == ()


def test_referee_and_compiled_play_agree(kuhn: Path) -> None:
    player = open_agent(f"strategy:{kuhn}")
    pure = open_agent(f"strategy:{kuhn}(purify=true)")
    assert isinstance(player, StrategyAgent)
    assert isinstance(pure, StrategyAgent)
    slow = play_match(MatchSettings.of("kuhn", [player, pure], hands=5000, duplicate=True, seed=4)).summaries[0]
    fast = play_table_match("kuhn", [player, pure], hands=200_000, duplicate=True).summaries[0]
    assert abs(slow.mean - fast.mean) < 4 * np.hypot(slow.standard_error, fast.standard_error)


def _chances(player: StrategyAgent) -> list[float]:
    """Every probability that an agent plays an action of Kuhn poker with."""
    game = load("games", "kuhn")
    return profile_of(player, game, sequence_form(build(game))).tolist()


def test_purified_and_thresholded(kuhn: Path) -> None:
    pure = open_agent(f"strategy:{kuhn}(purify=true)")
    assert isinstance(pure, StrategyAgent)
    assert set(_chances(pure)) == {0.0, 1.0}
    assert pure.name == f"strategy:{kuhn}(purify=True)"
    cut = open_agent(f"strategy:{kuhn}(threshold=0.4)")
    assert isinstance(cut, StrategyAgent)
    plain = f"strategy:{kuhn}"
    assert not any(0 < chance < 0.3 for chance in _chances(cut))
    assert sum(chance > 0 for chance in _chances(cut)) < sum(chance > 0 for chance in _chances(open_agent(plain)))


def test_missing_entries_are_played_by_the_fallback_and_said(small_leduc: Path, tmp_path: Path) -> None:
    for fallback in ("formula", "always-fold"):
        spec = f"strategy:{small_leduc}(other_games=true, fallback='{fallback}')"
        match = MatchSettings.of("leduc", [spec, "always-raise"], hands=60, seed=1, block=20)
        result = play_match(match)
        ((agent, text, count),) = result.remarks
        assert agent == match.names[0]
        assert text == f"no entry in the solution: {fallback} decided"
        assert count > 10
        with History(tmp_path / f"{fallback}.duckdb") as history:
            play_match(match, saved=save_match(history, match.as_dict()))
            again = play_match(match, saved=save_match(history, match.as_dict(), resume=True))
        assert again.remarks == result.remarks


def test_solutions_of_other_games_are_refused(small_leduc: Path, kuhn: Path) -> None:
    with pytest.raises(BadSetting, match=r"solution of leduc\(raises=1\), and this is leduc"):
        MatchSettings.of("leduc", [f"strategy:{small_leduc}", "random"], hands=10)
    MatchSettings.of("leduc(raises=1)", [f"strategy:{small_leduc}", "random"], hands=10)
    with pytest.raises(BadSetting, match="solution of kuhn"):
        MatchSettings.of("leduc", [f"strategy:{kuhn}", "random"], hands=10)


def test_bad_files_get_a_sentence(tmp_path: Path, kuhn: Path) -> None:
    (tmp_path / "x").write_text("hello")
    for spec in (f"strategy:{tmp_path / 'x'}", "strategy:nowhere"):
        with pytest.raises(BadFile):
            open_agent(spec)
    with pytest.raises(BadSetting, match="strategy"):
        open_agent("strategy")
    with pytest.raises(BadSetting, match="threshold"):
        open_agent(f"strategy:{kuhn}(threshold=7)")


def test_an_action_that_the_game_does_not_have_is_named(kuhn: Path) -> None:
    player = open_agent(f"strategy:{kuhn}")
    assert isinstance(player, SolutionAgent)
    strategy = player.solution.strategy
    assert isinstance(strategy, Strategy)
    player.policy = replace(strategy, actions=tuple(tuple(f"{text}!" for text in some) for some in strategy.actions))
    game = load("games", "kuhn")
    view = game.view(game.start(game.deal(np.random.default_rng(1))), 0)
    with pytest.raises(BadFile, match=r"does not fit: '.!' is not an action of kuhn: f, c, or r"):
        player.act(view, np.random.default_rng(1))


def test_it_tells_the_probabilities_of_its_entries_and_else_those_of_its_fallback(small_leduc: Path) -> None:
    game = load("games", "leduc")
    player = open_agent(f"strategy:{small_leduc}(other_games=true, fallback=probe)")
    assert isinstance(player, SolutionAgent)
    strategy = player.solution.strategy
    assert isinstance(strategy, Strategy)
    known, rng = dict.fromkeys((True, False), 0), np.random.default_rng(6)
    for cards in game.deals(rng, 60):
        state = game.start(cards)
        while (seat := game.player(state)) >= 0:
            view = game.view(state, seat)
            chances = player.probabilities(view)
            entry = view.infoset in strategy.of(seat)
            known[entry] += 1
            assert sum(chances.values()) == pytest.approx(1)
            drawn = {game.action_text(player.act(view, rng)) for _ in range(5)}
            assert drawn <= set(chances)
            assert entry or chances == open_agent("probe").probabilities(view)  # type: ignore[attr-defined]
            actions = list(game.actions(state))
            state = game.child(state, actions[int(rng.integers(len(actions)))])
    assert min(known.values()) > 5


def test_where_nothing_is_known_it_says_so(small_leduc: Path) -> None:
    game = load("games", "leduc")
    player = open_agent(f"strategy:{small_leduc}(other_games=true, fallback=human)")
    view = start_of(game).after("r").after("r")
    with pytest.raises(UnknownName, match="has no entry for .*, and human has no known probabilities"):
        player.probabilities(next(view.views())[1])  # type: ignore[attr-defined]
    assert np.isnan(player.table(view).probability).all()  # type: ignore[attr-defined]
