"""The betting tree of a game by its different states.

Many histories lead to the same chips: three-player limit hold'em has 24 million nodes and a few thousand states. Rules
are asked about states; a node stores the number of its state, and nodes are then numbered level by level in NumPy.
Histories are read off when they are asked for, from the words by which states lead to each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.events import SILENT, Watch
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame

_WORD = re.compile(r"(?:f|c|r\d*)/*")
ROOT = 0


@dataclass(frozen=True, eq=False)
class BettingStates:
    """The different states of the betting, and where each leads."""

    states: list[Betting]  # [state], without their histories
    actions: list[tuple[str, ...]]  # [state] in the game's notation
    words: list[tuple[str, ...]]  # [state] what each action adds to the history: "c", "r300", "c/"
    first: np.ndarray  # [state] int64: where its successors begin
    count: np.ndarray  # [state] int64: how many they are
    successors: np.ndarray  # [successor] int32: states, in the order of actions
    start: str  # the history of the root


def betting_states(game: PokerGame, *, watch: Watch = SILENT) -> BettingStates:
    """Every state that can be reached."""
    rules = game.betting
    start = rules.start()
    states, numbers = [rules.forgetting(start)], {rules.forgetting(start): ROOT}
    actions: list[tuple[str, ...]] = []
    words: list[tuple[str, ...]] = []
    successors: list[int] = []
    for state in states:  # grows meanwhile
        options = () if state.actor == TERMINAL else rules.actions(state)
        actions.append(tuple(game.action_text(option) for option in options))
        added = []
        for option in options:
            after = rules.act(state, option)
            added.append(after.history[len(state.history) :])
            key = rules.forgetting(after)
            if key not in numbers:
                numbers[key] = len(states)
                states.append(key)
            successors.append(numbers[key])
        words.append(tuple(added))
        if len(actions) % 65536 == 0:
            watch.at("building", len(actions), None)
    count = np.array([len(own) for own in actions], np.int64)
    first = np.concatenate([[0], np.cumsum(count)[:-1]]).astype(np.int64)
    return BettingStates(states, actions, words, first, count, np.array(successors, np.int32), start.history)


def expanded(states: BettingStates, nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """The tree of this many nodes, level by level: the state of each, and its first child.  # [node] int32 both"""
    state = np.empty(nodes, np.int32)
    state[0] = ROOT
    begin, end = 0, 1
    while begin < end:
        level = state[begin:end]
        children = ragged(states.first[level], states.count[level])
        state[end : end + len(children)] = states.successors[children]
        begin, end = end, end + len(children)
    assert end == nodes, "the nodes were counted wrongly"
    counts = states.count[state]
    return state, (1 + np.cumsum(counts) - counts).astype(np.int32)


def ragged(first: np.ndarray, count: np.ndarray) -> np.ndarray:
    """The positions first, first + 1, ... of several runs, one after the other.  # [run] both -> [position] int64"""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(first - (ends - count), count))


@dataclass(frozen=True, eq=False)
class SharedHistories:
    """The histories of the nodes, and the node of each history."""

    states: BettingStates
    state: np.ndarray  # [node] int32
    first: np.ndarray  # [node] int32: the first child

    def __len__(self) -> int:
        return len(self.state)

    def __iter__(self) -> Iterator[str]:
        return (self[node] for node in range(len(self)))

    def __getitem__(self, node: int) -> str:
        """The history of a node."""
        if not 0 <= node < len(self):
            raise IndexError(node)
        words = []
        while node:
            parent = int(np.searchsorted(self.first, node, side="right")) - 1  # leaves before it share its first child
            words.append(self.states.words[self.state[parent]][node - int(self.first[parent])])
            node = parent
        return self.states.start + "".join(reversed(words))

    def find(self, history: str) -> int:
        """The node of a history; -1 if there is none."""
        node, place = ROOT, len(self.states.start)
        while place < len(history):
            word = _WORD.match(history, place)
            words = self.states.words[self.state[node]]
            if word is None or word.group() not in words:
                return -1
            node, place = int(self.first[node]) + words.index(word.group()), word.end()
        return node if history.startswith(self.states.start) else -1


@dataclass(frozen=True, eq=False)
class Shared(Sequence[Any]):
    """Values of nodes that are those of their states."""

    values: Sequence[Any]  # [state]
    state: np.ndarray  # [node]

    def __len__(self) -> int:
        return len(self.state)

    def __getitem__(self, node: Any) -> Any:
        return self.values[self.state[node]]
