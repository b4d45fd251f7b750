"""Laws of every game, found and not listed: those that can be made without settings."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import random
from pathlib import Path

import pytest

from pokerlab.errors import BadSetting, PokerlabError, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.game import CHANCE, TERMINAL, Game, action_text, outcome_text
from pokerlab.registry import available, find

GAMES = [entry.name for entry in available("games")]
NEED_SETTINGS = {"file", "matrix", "openspiel"}
MORE = [
    "matrix(payoffs=[[3, 0], [0, 2]])",
    "goofspiel(cards=4, points=random, players=3)",
    "liars-dice(dice=2, sides=3, players=3)",
    "phantom-tictactoe(rows=2, columns=3, line=3, abrupt=true)",
    "princess-and-monster(rows=2, columns=4, steps=5)",
    "abstraction-pathology(rows=A, columns=bd)",
    "openspiel(name=leduc_poker)",
    f"file(path={str(Path(__file__).parents[2] / 'examples' / 'turn.toml')!r})",
]
PLAYS, LONGEST = 20, 500


def opened(name: str) -> Game:
    return open_game(name)


def step(game: Game, state: object, rng: random.Random) -> object:
    """One action or chance outcome, at random."""
    if game.player(state) != CHANCE:
        return rng.choice(list(game.actions(state)))
    if hasattr(game, "sample"):  # too many outcomes to list, in large poker games
        import numpy as np

        return game.sample(state, np.random.default_rng(rng.getrandbits(32)))
    outcomes = list(game.outcomes(state))
    return rng.choices([outcome for outcome, _ in outcomes], [weight for _, weight in outcomes])[0]


def plays(game: Game, count: int, seed: int):
    """Random plays, each as its states."""
    rng = random.Random(seed)
    for _ in range(count):
        states = [game.root()]
        while game.player(states[-1]) != TERMINAL:
            states.append(game.child(states[-1], step(game, states[-1], rng)))
            assert len(states) < LONGEST, "a play must end"
        yield states


@pytest.mark.parametrize("name", [name for name in GAMES if name not in NEED_SETTINGS] + MORE)
class TestEveryGame:
    def test_the_name_reads_back(self, name):
        game = opened(name)
        assert isinstance(game, Game)
        again = opened(game.name)
        assert (again.name, again.players) == (game.name, game.players)

    def test_states_are_values(self, name):
        """The same actions lead to the same state, and no state of a play is another of it."""
        for states, again in zip(plays(opened(name), 3, seed=1), plays(opened(name), 3, seed=1), strict=True):
            assert states == again
            assert [hash(state) for state in states] == [hash(state) for state in again]
            assert len(set(states)) == len(states)

    def test_plays_keep_the_rules_of_a_game(self, name):
        game = opened(name)
        actions_at: dict[tuple[int, str], list[str]] = {}
        for states in plays(game, PLAYS, seed=2):
            if sum(map(len, actions_at.values())) > 200_000:
                break  # no-limit games have tens of thousands of actions; a few plays are many checks
            met: set[tuple[int, str]] = set()
            for state in states[:-1]:
                player = game.player(state)
                assert player == CHANCE or 0 <= player < game.players
                if player == CHANCE:
                    continue
                infoset = game.infoset(state, player)
                assert infoset
                assert infoset == infoset.strip() or "\n" in infoset
                texts = [action_text(game, action) for action in game.actions(state)]
                assert texts
                assert len(set(texts)) == len(texts), "actions must have their own texts"
                assert actions_at.setdefault((player, infoset), texts) == texts
                assert (player, infoset) not in met, "an infoset is met once a play"
                met.add((player, infoset))
                for seat in range(game.players):
                    game.view(state, seat)
            returns = game.returns(states[-1])
            assert len(returns) == game.players
            assert all(isinstance(value, (int, float)) for value in returns)

    def test_chance_sums_to_one(self, name, monkeypatch):
        monkeypatch.setattr(
            "pokerlab.games.poker.engine.MOST_OUTCOMES", 5_000
        )  # the deals of hold'em are tested with poker
        game = opened(name)
        state, rng = game.root(), random.Random(3)
        while (player := game.player(state)) != TERMINAL:
            if player == CHANCE:
                try:
                    outcomes = list(game.outcomes(state))
                except TooLarge:  # the cards that come later are fewer
                    outcomes = []
                assert sum(weight for _, weight in outcomes) == pytest.approx(1 if outcomes else 0)
                assert all(weight > 0 for _, weight in outcomes)
                texts = {outcome_text(game, outcome) for outcome, _ in outcomes}
                assert len(texts) == len(outcomes)
            state = game.child(state, step(game, state, rng))


@pytest.mark.parametrize("name", [name for name in GAMES if name not in NEED_SETTINGS])
def test_unknown_settings_are_named(name):
    with pytest.raises(BadSetting, match="nonsense"):
        open_game(name, nonsense=1)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("value", [-1, 0, 10**9, 1.5, "x" * 1000, "", None, [], {}])
def test_wild_settings_get_a_sentence_or_a_game(name, value):
    """Whatever a setting is given, there is a game or an error of ours; nothing hangs."""
    factory = importlib.import_module(find("games", name).module).game
    for setting in inspect.signature(factory).parameters:
        with contextlib.suppress(PokerlabError):
            assert isinstance(open_game(name, **{setting: value}), Game)
