"""Stochastic games of a user: Shapley's recursion against closed forms, and blinds that rise against a plain twin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from pokerlab.errors import BadFile, BadGame, PokerlabError
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.stochastic import StochasticGame
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve.solving import resume, solve

TWO_STATES = """
title = "Shapley's game with two states"
discount = 0.6
[state.play]
payoffs = [[1, 0], [0, 2]]
next = [["play", {}], [{}, { paid = 0.5 }]]
[state.paid]
payoffs = [[1]]
next = "paid"
"""


@pytest.mark.parametrize("algorithm", ["value-iteration", "policy-iteration"])
def test_shapleys_two_states_have_their_exact_values(algorithm: str, tmp_path: Path) -> None:
    """The value v of a diagonal game (a, b) is ab / (a + b): here a = 1 + 0.6 v and b = 2 + 0.3 / (1 - 0.6)."""
    file, saved = tmp_path / "two.toml", tmp_path / "two.solution"
    file.write_text(TWO_STATES)
    found = solve(file, algorithm=algorithm, iterations=500, save=saved)
    b = 2 + 0.3 / (1 - 0.6)
    half = (1 + b - 0.6 * b) / 1.2
    exact = -half + math.sqrt(half**2 + b / 0.6)
    assert found.value == pytest.approx(exact, abs=1e-11)
    assert found.stopped == "solved"
    assert found.root.summary()["states"] == {
        "play": pytest.approx([exact, -exact]),
        "paid": pytest.approx([2.5, -2.5]),
    }
    assert found.at("paid").ev(0) == pytest.approx(2.5)
    assert found.strategy["play: row"]["1"] == pytest.approx(b / (1 + 0.6 * exact + b), abs=1e-9)
    assert found.at("paid", "play", "1").strategy() == pytest.approx(found.strategy["play: column"])
    assert verify(saved, rerun=True).matches


def test_a_game_that_is_played_again_is_worth_its_geometric_series(tmp_path: Path) -> None:
    file = tmp_path / "again.toml"
    file.write_text('discount = 0.5\n[state.hand]\ngame = "kuhn"\nnext = "hand"\n')
    assert solve(file, iterations=50).value == pytest.approx(2 * -1 / 18, abs=1e-12)
    file.write_text('discount = 0.5\n[state.hand]\ngame = "kuhn"\nnext = { 2 = "hand", -2 = "hand" }\n')
    assert abs(solve(file, iterations=50).value + 1 / 9) > 1e-3  # only where a bet was called


def test_runs_are_resumed_to_the_same_state(tmp_path: Path) -> None:
    file, cut = tmp_path / "two.toml", tmp_path / "cut.solution"
    file.write_text(TWO_STATES)
    spec = "value-iteration(stage=fictitious-play, iterations=20, memory=2, step=0.8)"
    whole = solve(file, algorithm=spec, iterations=7)
    solve(file, algorithm=spec, iterations=3, save=cut)
    resumed = resume(cut, iterations=7)
    assert all((resumed.state[name] == array).all() for name, array in whole.state.items())
    assert resumed.measure == whole.measure
    solve(Blinds(4), iterations=1, save=cut)
    with pytest.raises(PokerlabError, match="blinds"):
        resume(cut, iterations=2)  # a game of one's own is not opened by a file


class Blinds(StochasticGame):
    """Two players with few chips, a high or a low card each, and blinds that rise: push or fold, call or fold."""

    def __init__(self, chips: int, levels: Sequence[int] = (1, 2)) -> None:
        self.name = f"blinds-{chips}"
        self.chips, self.levels = chips, levels
        self.states = [f"{own} {level}" for level in range(len(levels)) for own in range(1, chips)]
        self.states.sort(key=lambda state: state != f"{chips // 2} 0")

    def stage(self, state: str) -> Hand:
        own, level = map(int, state.split())
        return Hand(own, self.chips, self.levels[level])

    def successors(self, state: str, terminal: Any) -> Mapping[str, float]:
        after, level = self.game_of(state).chips_after(terminal), int(state.split()[1])  # type: ignore[attr-defined]
        level = min(level + 1, len(self.levels) - 1)
        return {f"{own} {level}": chance for own, chance in after.items() if 0 < own < self.chips}


class Hand:
    """One hand; a state is the cards and the actions. The tournament's winner gets 1 from the loser."""

    name, players = "hand", 2

    def __init__(self, own: int, chips: int, blind: int) -> None:
        self.own, self.chips = own, chips
        self.at_risk = min(own, chips - own)
        self.blind = min(blind, self.at_risk)

    def root(self) -> tuple[str, ...]:
        return ()

    def player(self, state: tuple[str, ...]) -> int:
        if not state:
            return CHANCE
        return TERMINAL if len(state) == 3 or state[-1] == "fold" else len(state) - 1

    def outcomes(self, state: tuple[str, ...]) -> list[tuple[str, float]]:
        return [("hh", 0.2), ("hl", 0.3), ("lh", 0.3), ("ll", 0.2)]

    def actions(self, state: tuple[str, ...]) -> list[str]:
        return ["fold", "push"]

    def child(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*state, action)

    def chips_after(self, state: tuple[str, ...]) -> dict[int, float]:
        """The first player's chips; equal cards draw lots."""
        if state[1] == "fold":
            return {self.own - self.blind: 1.0}
        if state[2] == "fold":
            return {self.own + self.blind: 1.0}
        won, lost = self.own + self.at_risk, self.own - self.at_risk
        return {"hl": {won: 1.0}, "lh": {lost: 1.0}}.get(state[0], {won: 0.5, lost: 0.5})

    def returns(self, state: tuple[str, ...]) -> tuple[float, float]:
        ends = {self.chips: 1.0, 0: -1.0}
        value = sum(ends.get(own, 0.0) * chance for own, chance in self.chips_after(state).items())
        return value, -value

    def infoset(self, state: tuple[str, ...], player: int) -> str:
        return state[0][player] + "".join(state[1:])

    def view(self, state: tuple[str, ...], player: int) -> str:
        return self.infoset(state, player)


def plain_values(chips: int, levels: Sequence[int]) -> dict[tuple[int, int], float]:
    """Value iteration over matrices of pure strategies, a hand at a time."""
    values = {(own, level): 0.0 for own in range(1, chips) for level in range(len(levels))}
    pure = list(product((False, True), repeat=2))  # of the high and of the low card: whether all-in

    def worth(own: int, level: int) -> float:
        return 1.0 if own == chips else -1.0 if own == 0 else values[own, min(level + 1, len(levels) - 1)]

    for _ in range(200):
        before = dict(values)
        new = {}
        for (own, level), old in before.items():
            hand, matrix = Hand(own, chips, levels[level]), np.zeros((4, 4))
            for (i, first), (j, second) in product(enumerate(pure), repeat=2):
                for cards, chance in hand.outcomes(()):
                    moves = ("push",) if first[cards[0] == "l"] else ("fold",)
                    moves += () if moves == ("fold",) else ("push",) if second[cards[1] == "l"] else ("fold",)
                    after = hand.chips_after((cards, *moves))
                    matrix[i, j] += chance * sum(part * worth(left, level) for left, part in after.items())
            best = linprog([0, 0, 0, 0, -1], np.c_[-matrix.T, np.ones(4)], np.zeros(4), [[1, 1, 1, 1, 0]], [1],
                           bounds=[(0, 1)] * 4 + [(None, None)])  # fmt: skip
            new[own, level] = -best.fun
            assert old <= 1
        values.update(new)
        if max(abs(values[key] - before[key]) for key in values) < 1e-12:
            break
    return values


@pytest.mark.parametrize("levels", [(1, 2), (1, 1, 3)])
def test_blinds_that_rise_are_those_of_a_plain_twin(levels: tuple[int, ...]) -> None:
    game = Blinds(6, levels)
    found = solve(game, algorithm="policy-iteration", iterations=40)
    exact = plain_values(6, levels)
    assert found.exploitability < 1e-9
    for state, values in found.root.summary()["states"].items():
        own, level = map(int, state.split())
        assert values[0] == pytest.approx(exact[own, level], abs=1e-8), state
    # the first player moves first in every hand, so equal stacks need not be worth 0; higher blinds matter
    assert exact[3, 0] != pytest.approx(exact[3, 1], abs=1e-4)


def test_a_stochastic_game_can_be_played() -> None:
    game, rng = Blinds(4), np.random.default_rng(0)
    for _ in range(20):
        state = game.root()
        while game.player(state) != TERMINAL:
            moves = (
                game.outcomes(state) if game.player(state) == CHANCE else [(one, 0.5) for one in game.actions(state)]
            )
            chances = np.array([chance for _, chance in moves])
            state = game.child(state, moves[rng.choice(len(moves), p=chances / chances.sum())][0])
        assert sum(game.returns(state)) == pytest.approx(0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[state.a]\npayoffs = [[1]]\nnext = 'b'", "must name states"),
        ("[state.a]\npayoffs = [[1, 2]]\nnext = [['a']]", "same shape"),
        ("[state.a]\npayoffs = [[1]]\nnext = [[{ a = 2 }]]", "probability of 'a'"),
        ("[state.a]\nnext = 'a'", "either a game or a table"),
        ("[state.a]\ngame = './mine.py'", "name of one of the library"),
        ("discount = 2\n[state.a]\npayoffs = [[1]]", "discount"),
        ("state = 3", "a table for each state"),
        ("[state.a]\npayoffs = [[1]]\nnow = 1", "'now'"),
        ("[state.a]\npayoffs = [[1]]\n[state.b]\ngame = 'kuhn(players=3)'", "3 players"),
    ],
)
def test_files_that_are_wrong_are_refused(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(text)
    with pytest.raises(BadFile, match=words):
        solve(file, iterations=1)


def test_play_that_may_never_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("[state.a]\npayoffs = [[1]]\nnext = 'a'")
    with pytest.raises(BadGame, match="discount below 1"):
        solve(file, iterations=1)
