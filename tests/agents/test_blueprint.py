"""A blueprint at tables of its own game, of games with other stacks and bets, and of games that it cannot play."""

from __future__ import annotations

import inspect
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from pokerlab.agents.library import blueprint, draw_blueprint
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import start_of
from pokerlab.lab.analyse.measuring import measure_agents
from pokerlab.lab.solve import training
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.strategy.files.shipped import shipped
from pokerlab.strategy.translating import OFF_MENU


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("blueprint") / "leduc.blueprint"
    training.train("leduc", iterations=200_000, seed=1, save=path)
    return path


@pytest.fixture(scope="module")
def menu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A blueprint of no-limit Leduc with one bet size and short stacks."""
    path = tmp_path_factory.mktemp("blueprint") / "menu.blueprint"
    training.train("leduc-nolimit(stack=10, menu='100%,allin')", iterations=50_000, seed=1, save=path)
    return path


def test_a_files_name_is_enough(leduc: Path) -> None:
    agent = open_agent(str(leduc))
    assert agent.name.startswith("blueprint")
    result = play_match(
        MatchSettings.of("leduc", [str(leduc), "always_fold"], hands=400, seed=1, duplicate=True), workers=1
    )
    assert result.as_dict()["agents"][0]["chips"]["low"] > 0


def test_it_tells_what_it_plays(leduc: Path) -> None:
    measured = measure_agents("leduc", [str(leduc)])
    assert measured.measure.exploitability < 0.06
    pure = measure_agents("leduc", [f"{leduc}(purify=true)"])
    assert pure.measure.exploitability != measured.measure.exploitability


@pytest.mark.parametrize("translation", ["pseudo-harmonic", "nearest", "arithmetic", "geometric"])
def test_tables_with_other_bets_and_stacks(menu: Path, translation: str) -> None:
    for stack in (6, 10, 37):
        game = f"leduc-nolimit(stack={stack})"
        spec = f"{menu}(translation='{translation}')"
        result = play_match(
            MatchSettings.of(game, [spec, "random"], hands=100, seed=2, duplicate=True), workers=1
        ).as_dict()
        assert result["faults"] == []
        if stack == 37:
            assert any("was read as one that it does" in remark["remark"] for remark in result["remarks"])


def test_reading_is_one_strategy(menu: Path) -> None:
    """What it tells of its play is what it plays, also where bets are read."""
    game = open_game("leduc-nolimit(stack=8)")
    assert isinstance(game, PokerGame)
    agent, rng = open_agent(str(menu)), np.random.default_rng(3)
    table = open_policy(str(menu), game).table(start_of(game))
    assert np.allclose(table.probability.sum(axis=1), 1)
    draws, distance, freedom, were_read = 100, 0.0, 0, 0
    for _ in range(15):
        state = game.start(game.deal(rng))
        while game.player(state) != TERMINAL:
            view = game.view(state, game.player(state))
            told = agent.probabilities(view)  # type: ignore[attr-defined]
            agent.remarks()  # type: ignore[attr-defined]
            counts = Counter(game.action_text(agent.act(view, rng)) for _ in range(draws))
            were_read += agent.remarks()[OFF_MENU] == draws  # type: ignore[attr-defined]
            assert set(counts) <= {action for action, chance in told.items() if chance > 0}
            likely = [action for action, chance in told.items() if chance * draws > 5]
            distance += sum((counts[one] - draws * told[one]) ** 2 / (draws * told[one]) for one in likely)
            freedom += len(likely) - 1
            state = game.child(state, game.actions(state)[rng.integers(len(game.actions(state)))])
    assert were_read > 10
    assert chi2.ppf(0.0005, freedom) < distance < chi2.ppf(0.9995, freedom)
    assert measure_agents("leduc-nolimit(stack=4)", [str(menu)]).measure.exploitability > 0


def test_other_cards_are_refused(leduc: Path) -> None:
    with pytest.raises(BadSetting, match="whose cards are dealt differently"):
        open_agent(str(leduc)).check_game(open_game("kuhn"))  # type: ignore[attr-defined]
    with pytest.raises(BadSetting, match="no blueprint of leduc comes with the package"):
        open_agent("blueprint").check_game(open_game("leduc"))  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", ["holdem-limit", "holdem-nolimit", "holdem-nolimit(stack=1500)"])
def test_those_of_the_package_play_at_once(game: str) -> None:
    """Hold'em as it is, and with short stacks; the file says how it was made."""
    table = open_game(game)
    assert isinstance(table, PokerGame)
    found = shipped(table)
    assert found.iterations > 10**7
    assert found.seed == 1
    assert found.algorithm.startswith("pure")
    result = play_match(
        MatchSettings.of(game, ["blueprint", "always-raise"], hands=200, seed=1, duplicate=True), workers=1
    ).as_dict()
    assert result["faults"] == []
    assert result["agents"][0]["chips"]["high"] > 0


def test_short_stacks_have_a_blueprint_of_their_own() -> None:
    """Which beats a player who always raises; the one for deep stacks does not."""
    games = {f"holdem-nolimit(stack={stack})": stack for stack in (500, 1500, 2000, 2100, 20000)}
    opened = {stack: open_game(game) for game, stack in games.items()}
    stacks = {stack: shipped(game).game for stack, game in opened.items() if isinstance(game, PokerGame)}
    assert [("stack=1500" in game) for game in stacks.values()] == [True, True, True, False, False]
    uneven = open_game("holdem-nolimit(stack=(1500, 20000))")
    assert isinstance(uneven, PokerGame)
    assert "stack=1500" in shipped(uneven).game


def test_the_draw_blueprint_has_the_settings_of_blueprints() -> None:
    """All but the file, with the same defaults; and they change its play."""
    own, all_of_them = (dict(inspect.signature(one.agent).parameters) for one in (draw_blueprint, blueprint))
    del all_of_them["file"]
    assert own == all_of_them
    game = open_game("five-card-draw")
    assert isinstance(game, PokerGame)
    plain, pure = (open_agent(f"draw-blueprint{words}") for words in ("", "(purify=true, translation=nearest)"))
    assert pure.name == "draw-blueprint(translation=nearest, purify=True)"
    views = [game.view(game.start(game.deal(np.random.default_rng(seed))), 0) for seed in range(9)]
    played = [(plain.probabilities(view), pure.probabilities(view)) for view in views]  # type: ignore[attr-defined]
    for mixed, one in played:
        best = max(mixed, key=lambda action: mixed[action])
        assert one == {best: 1.0}
    assert any(0.01 < max(mixed.values()) < 0.99 for mixed, _ in played)
    with pytest.raises(BadSetting, match="needs the sums of the training"):
        open_agent("draw-blueprint(fallback=5)").check_game(game)  # type: ignore[attr-defined]


def test_the_best_hand_is_not_folded() -> None:
    """Aces before the flop against a raise: published blueprints of others fold them."""
    for name in ("holdem-limit", "holdem-nolimit"):
        table = open_game(name)
        assert isinstance(table, PokerGame)
        place = start_of(shipped(table).strategy.form.game)
        raised = place.after(next(action for action in place.actions if action.startswith("r")))
        played = shipped(table).strategy.table(raised)
        folds = dict(zip(played.hands, played.probability[:, list(played.actions).index("f")], strict=True))
        assert folds["AsAh"] < 0.02
        assert folds["7d2c"] > 0.5


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"nosuch\.blueprint: there is no such file"):
        open_agent(str(tmp_path / "nosuch.blueprint"))
    (tmp_path / "text.blueprint").write_text("hello")
    with pytest.raises(BadFile, match="not a pokerlab file"):
        open_agent(str(tmp_path / "text.blueprint"))
