"""A game of a person's own is tried out where it is opened: each wrong answer is named, with the move it came after."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pokerlab import registry
from pokerlab.errors import BadGame, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.trial import LINES, MOST_MOVES, try_out
from pokerlab.tree.history.layout import build


class Coin:
    """A coin is thrown, one player sees it and says something, the other guesses."""

    name, players = "coin", 2

    def root(self) -> Any:
        return ()

    def player(self, state: Any) -> Any:
        return (CHANCE, 0, 1, TERMINAL)[len(state)]

    def actions(self, state: Any) -> Any:
        return ("heads", "tails")

    def outcomes(self, state: Any) -> Any:
        return [("heads", 0.25), ("tails", 0.75)]

    def child(self, state: Any, action: Any) -> Any:
        return (*state, action)

    def returns(self, state: Any) -> Any:
        won = 1 if state[0] == state[2] else -1
        return (-won, won)

    def infoset(self, state: Any, player: int) -> Any:
        return state[0] if player == 0 else f"told {state[1]}"

    def view(self, state: Any, player: int) -> Any:
        return self.infoset(state, player)


def _appended(state: list[Any], action: Any) -> list[Any]:
    state.append(action)
    return state


WRONG = [
    ("players", "2", r"players is '2', and must be a number from 1 up"),
    ("players", True, "players is True"),
    ("root", lambda self: {}["x"], r"root fails at the start: KeyError: 'x', in line \d+ of test_trial.py"),
    ("player", lambda self, state: None, r"player gives None at the start, and must give a player from 0 to 1, CHANCE"),
    ("player", lambda self, state: (-1, 0, 2, -2)[len(state)], r"player gives 2 after 'heads, heads'"),
    ("player", lambda self, state: -3, "player gives -3 at the start"),
    ("actions", lambda self, state: None, "actions gives None after 'heads'"),
    ("actions", lambda self, state: (), r"actions gives \(\) after 'heads', and must give a sequence of at least one"),
    ("actions", lambda self, state: "ht", "actions gives 'ht' after"),
    ("actions", lambda self, state: ("a", "a"), "actions with different texts"),
    ("outcomes", lambda self, state: ["heads", "tails"], "pairs of an outcome and its probability"),
    ("outcomes", lambda self, state: {"heads": 1.0}, "pairs of an outcome and its probability"),
    ("outcomes", lambda self, state: [], "pairs of an outcome and its probability"),
    ("outcomes", lambda self, state: [("heads", -0.5), ("tails", 1.5)], "pairs of an outcome and its probability"),
    ("outcomes", lambda self, state: [("heads", 0.5), ("tails", 0.4)], "these sum to 0.9$"),
    ("child", lambda self, state: (), r"child fails at the start: TypeError: .*takes 2 positional arguments but 3"),
    ("returns", lambda self, state: 1, "returns gives 1 after 'heads, heads, heads', and must give 2 finite numbers"),
    ("returns", lambda self, state: (1, -1, 0), "2 finite numbers"),
    ("returns", lambda self, state: ("1", "-1"), "2 finite numbers"),
    ("returns", lambda self, state: (float("nan"), 0), "2 finite numbers"),
    ("returns", lambda self, state: (10**400, -(10**400)), "2 finite numbers"),
    ("returns", lambda self, state: (10**5000, 0), "gives a value of type tuple .*2 finite numbers"),
    ("outcomes", lambda self, state: [("heads", 10**400), ("tails", 0.5)], "pairs of an outcome and its probability"),
    ("infoset", lambda self, state, player: 7, "infoset gives 7 after 'heads', and must give a text"),
    ("view", lambda self, state, player: state.hand, "view fails after 'heads': AttributeError: .*, in line"),
]


@pytest.mark.parametrize(("question", "answer", "words"), WRONG)
def test_a_wrong_answer_is_named(question: str, answer: Any, words: str) -> None:
    game = type("Wrong", (Coin,), {question: answer})()
    with pytest.raises(BadGame, match=rf"^Wrong\.{question}.*{words.removeprefix(question)}"):
        open_game(game)


# what is wrong at a node that no line of the trial reaches is found where the tree is built
RARE = [
    ({"returns": lambda self, state: (10**400, -1)}, BadGame, "finite number"),
    ({"infoset": lambda self, state, player: "\udc80"}, BadGame, r"infoset '\\udc80', which cannot be saved"),
    ({"actions": lambda self, state: ("a", "\udc80")}, BadGame, r"action '\\udc80', which cannot be saved"),
    ({"actions": lambda self, state: ([0], [1])}, BadGame, r"the move \[0\], which is not hashable"),
    ({"outcomes": lambda self, state: [("heads", 0.5), (("tails", []), 0.5)]}, BadGame, "which is not hashable"),
    ({"actions": lambda self, state: range(10**9)}, TooLarge, "a node of coin has 1,000,000,000 moves"),
    ({"actions": lambda self, state: range(2**70)}, TooLarge, "a node of coin has .* moves"),
]


@pytest.mark.parametrize(("wrong", "error", "words"), RARE)
@pytest.mark.parametrize("tried", [True, False])
def test_what_no_file_can_hold_is_refused_at_once(wrong: Any, error: Any, words: str, tried: bool) -> None:
    game = type("Wrong", (Coin,), wrong)()
    with pytest.raises(error, match=words):
        open_game(game) if tried else build(game)


def test_a_state_that_is_changed_in_place_is_found() -> None:
    game = type(
        "Changed", (Coin,), {"root": lambda self: [], "child": lambda self, state, move: _appended(state, move)}
    )
    with pytest.raises(BadGame, match=r"^Changed.child changes its argument: it must return a new state$"):
        open_game(game)


class Asked:
    """A game, and how often it is asked each question."""

    def __init__(self, game: Any) -> None:
        self._game, self.asked = game, Counter[str]()

    def __getattr__(self, question: str) -> Any:
        self.asked[question] += 1
        return getattr(self._game, question)


def test_long_games_are_left_alone() -> None:
    endless = type("Endless", (Coin,), {"player": lambda self, state: 0, "infoset": lambda self, state, player: "one"})
    asked = Asked(endless())
    try_out(asked)
    assert asked.asked["child"] == LINES * MOST_MOVES
    assert asked.asked["returns"] == 0
    assert open_game(endless).name == "coin"


def test_what_is_rare_may_be_wrong() -> None:
    """One line in a million is not met, and what every line comes to is."""

    def wrong_after(rare: tuple[str, ...]) -> type:
        def player(self: Any, state: Any) -> int:
            return 0 if len(state) < 20 else TERMINAL

        def returns(self: Any, state: Any) -> Any:
            return "wrong" if state[: len(rare)] == rare else (1, -1)

        infoset = {"infoset": lambda self, state, player: "/".join(state), "player": player, "returns": returns}
        return type("Rare", (Coin,), infoset)

    open_game(wrong_after(("heads", "tails") * 10))
    with pytest.raises(BadGame, match="returns gives 'wrong'"):
        open_game(wrong_after(()))


def test_a_state_may_be_a_list() -> None:
    lists = type("Lists", (Coin,), {"root": lambda self: [], "child": lambda self, state, move: [*state, move]})
    assert open_game(lists).child([], "heads") == ["heads"]


@pytest.mark.parametrize(
    "name", ["kuhn(players=3)", "goofspiel(cards=3)", "rock-paper-scissors", "liars-dice(sides=2)"]
)
def test_ours_pass(name: str) -> None:
    asked = Asked(registry.load("games", name))
    try_out(asked)
    assert asked.asked["root"] == LINES
    assert {"player", "actions", "child", "returns", "infoset", "view"} <= set(asked.asked)
