"""A strategy profile with names: query it by infoset, mix it, purify it.

>>> from pokerlab import solve
>>> strategy = solve("kuhn", algorithm="lp").strategy
>>> strategy["K:r"]
{'f': 0.0, 'c': 1.0}
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.cards.card import RANKS
from pokerlab.errors import BadFile, BadSetting, UnknownName
from pokerlab.notebook_display import NotebookDisplay
from pokerlab.reading import count, text_of
from pokerlab.strategy.files.table import strategy_columns
from pokerlab.strategy.forms.kinds import Arrays, FormStrategy, SlotFinder, StrategyKind
from pokerlab.strategy.policy import StrategyLine
from pokerlab.strategy.profile import infoset_numbers, profile_of
from pokerlab.strategy.views.history import HistoryView, root_of
from pokerlab.tables import frame
from pokerlab.tree.form import Form
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from pokerlab.games.game import Game

SEQUENCE = "sequence"
NO_SEQUENCE = -1  # the parent of an infoset before which its player has not acted

ROUNDING = 1e-6  # tolerance for probabilities in a file

Key = str | tuple[int, str]


_CARDS = re.compile(rf"[{RANKS}][{RANKS}a-z/]*:.*")  # and betting: the name of an infoset of poker


@dataclass(frozen=True, eq=False, repr=False)
class Strategy(FormStrategy, NotebookDisplay, Mapping[Key, dict[str, float]]):
    """How every player plays. I infosets, A slots (infoset, action); names as the game gives them.

    A key is an infoset's text; if two players have infosets with the same text, it is (player, text).
    """

    game: str
    players: int
    infosets: Sequence[str]  # [I]
    actions: Sequence[tuple[str, ...]]  # [I]
    player: np.ndarray  # [I] int8
    start: np.ndarray  # [I + 1] int32: the slots of infoset i are start[i] .. start[i + 1] - 1
    parent: np.ndarray  # [I] int32: the slot of its player's last action before it, or NO_SEQUENCE
    probability: np.ndarray  # [A] float64

    @staticmethod
    def from_dict(
        table: Mapping[Any, Mapping[str, Any] | str],
        *,
        game: str | Game | SequenceForm,
        default: str | Strategy = "uniform",
    ) -> Strategy:
        """Build a strategy by hand: {"K:r": {"c": 1.0}, "Q:r": {"c": 1/3, "f": 2/3}, "J:r": "f"}.

        Unnamed actions are never taken. Unnamed infosets play uniformly, or as `default` does if that is a Strategy. If
        two players have infosets with the same text, keys are (player, text).
        """
        from pokerlab.strategy.written import written

        return written(table, game, default=default)

    def to_pandas(self, *, player: int | None = None) -> Any:
        """A DataFrame with a row for each action of each infoset."""
        return frame(strategy_columns(self, player=player))

    @cached_property
    def _index(self) -> dict[Key, int]:
        numbers: dict[Key, int] = {}
        for index, name in enumerate(self.infosets):
            numbers[int(self.player[index]), name] = index
            numbers[name] = -1 if name in numbers else index
        return numbers

    def index(self, key: Key) -> int:
        """The number of an infoset; UnknownName suggests the nearest names."""
        index = self._index.get(key)
        if index is None:
            text, names, who = str(key), self.infosets, self.game
            if not isinstance(key, str):
                text, who = str(key[-1]), f"player {key[0]} of {self.game}"
                names = [self.infosets[index] for index in np.flatnonzero(self.player == key[0]).tolist()]
            close = difflib.get_close_matches(text, names[:5000], n=3, cutoff=0.5)
            some = " or ".join(map(repr, close or names[:3]))
            raise UnknownName(f"{who} has no infoset {text[:60]!r}; there is {some}")
        if index < 0:
            raise UnknownName(f"two players have an infoset {key!r}: ask for (player, {key!r})")
        return index

    def __getitem__(self, key: Key) -> dict[str, float]:
        index = self.index(key)
        slots = self.probability[self.start[index] : self.start[index + 1]]
        return {action: float(chance) for action, chance in zip(self.actions[index], slots, strict=True)}

    def probabilities(self, view: Any) -> dict[str, float]:
        """Action probabilities at a decision, as a policy (policy.py)."""
        return self[view.seat, view.infoset]

    def root_in(self, form: SequenceForm) -> HistoryView:
        return root_of(form, self.profile(form))

    def file_contents(self) -> tuple[Arrays, dict[str, Any]]:
        """The arrays and manifest entries of a file, which `from_arrays` reads back."""
        texts = [name.encode() for name in self.infosets]
        sets: dict[tuple[str, ...], int] = {}
        kinds = [sets.setdefault(actions, len(sets)) for actions in self.actions]
        arrays = {
            "probability": self.probability,
            "start": self.start.astype(np.int32),
            "parent": self.parent.astype(np.int32),
            "player": self.player.astype(np.int8),
            "names": np.frombuffer(b"".join(texts), np.uint8),
            "name_ends": np.cumsum([len(text) for text in texts], dtype=np.int64),
            "action_set": np.array(kinds, np.int32),
        }
        return arrays, {"game": self.game, "players": self.players, "action_sets": [list(actions) for actions in sets]}

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        reach = self.reach()
        for index in self._in_order():
            name = self.infosets[index]
            if match in name:
                player = int(self.player[index])
                yield StrategyLine(name, player, float(reach[index]), self[player, name])

    def get(self, key: Key, default: Any = None) -> Any:
        """Action probabilities at an infoset, or the default if there is none."""
        return self[key] if self.__contains__(key) else default

    def __contains__(self, key: object) -> bool:
        return self._index.get(key, -1) >= 0  # type: ignore[call-overload, no-any-return]

    def __iter__(self) -> Iterator[Key]:
        for index, name in enumerate(self.infosets):
            yield name if self._index[name] >= 0 else (int(self.player[index]), name)

    def __len__(self) -> int:
        return len(self.infosets)

    def of(self, player: int) -> dict[str, dict[str, float]]:
        """One player's strategy, by infoset."""
        if not 0 <= player < self.players:
            raise BadSetting(f"{self.game} has players 0 to {self.players - 1}, not {player}")
        names = (self.infosets[index] for index in np.flatnonzero(self.player == player).tolist())
        return {name: self[player, name] for name in names}

    def plan(self) -> np.ndarray:
        """The realization plan: each sequence's probability from its player's own choices.  # [A]"""
        plan = self.probability.copy()
        for index in range(len(self.infosets)):
            if self.parent[index] != NO_SEQUENCE:
                plan[self.start[index] : self.start[index + 1]] *= plan[self.parent[index]]
        return plan

    def _in_order(self) -> Sequence[int]:
        """Infosets of poker, cards:betting, by player and from the highest cards down; others as in the tree."""
        cards = [name.partition(":")[0] for name in self.infosets]
        if not all(_CARDS.fullmatch(name) for name in self.infosets):
            return range(len(cards))
        ranks = [[-RANKS.find(letter) for letter in text] for text in cards]
        return sorted(range(len(cards)), key=lambda index: (self.player[index], ranks[index]))

    def reach(self) -> np.ndarray:
        """Each infoset's reach probability from its player's own choices.  # [I]"""
        plan = np.append(self.plan(), 1.0)
        return np.asarray(plan[self.parent])

    def _with(self, probability: np.ndarray) -> Strategy:
        return replace(self, probability=probability)

    def _sums(self, weight: np.ndarray) -> np.ndarray:
        """For each slot, the sum over its infoset.  # [A] -> [A]"""
        counts = np.diff(self.start)
        return np.repeat(np.add.reduceat(weight, self.start[:-1]), counts) if len(counts) else weight

    def mix(self, other: Strategy, weight: float = 0.5) -> Strategy:
        """Play `other` with probability `weight` and this otherwise, chosen once before the game."""
        if not 0 <= weight <= 1:
            raise BadSetting(f"the weight of a mix must be between 0 and 1, not {weight}")
        if list(other.infosets) != list(self.infosets):
            raise BadSetting(f"strategies of different games, {self.game} and {other.game}, cannot be mixed")
        mixed = (1 - weight) * self.plan() + weight * other.plan()
        sums = self._sums(mixed)
        unreached = (1 - weight) * self.probability + weight * other.probability
        return self._with(np.where(sums > 0, mixed / np.where(sums > 0, sums, 1.0), unreached))

    def purify(self) -> Strategy:
        """Play only the most likely action everywhere, the first of equals."""
        pure = np.zeros(len(self.probability))
        for index in range(len(self.infosets)):
            first, last = self.start[index : index + 2]
            pure[first + int(np.argmax(self.probability[first:last]))] = 1.0
        return self._with(pure)

    def threshold(self, least: float) -> Strategy:
        """Drop actions less likely than this (but never the most likely) and renormalize."""
        if not 0 <= least <= 1:
            raise BadSetting(f"the probability threshold must be between 0 and 1, not {least}")
        best = self.purify().probability
        remaining = np.where((self.probability >= least) | (best > 0), self.probability, 0.0)
        return self._with(remaining / self._sums(remaining))

    def fits(self, form: Form) -> bool:
        """Whether a form is the sequence form, of any game."""
        return form.kind == SEQUENCE

    def profile(self, form: SequenceForm) -> np.ndarray:
        """This strategy by the slots of a tree, whatever the order of its infosets.  # [A]"""
        tree = form.tree
        if tree.infosets != len(self.infosets) or tree.slots != len(self.probability):
            raise BadFile(
                f"this strategy of {self.game} has {len(self.infosets)} infosets, and the game has {tree.infosets}: "
                "it was made for another game, or for another version of this one"
            )
        same = list(tree.infoset_names) == list(self.infosets) and list(tree.action_names) == list(self.actions)
        if same and np.array_equal(tree.infoset_player, self.player):
            return self.probability
        parts = []
        for player, name, actions in zip(tree.infoset_player, tree.infoset_names, tree.action_names, strict=True):
            index = self.index((int(player), name))
            if self.actions[index] != actions:
                raise BadFile(f"at infoset {name!r} the actions are not those of {tree.game}: it is of another game")
            parts.append(self.probability[self.start[index] : self.start[index + 1]])
        return np.concatenate(parts)


def named(form: SequenceForm, profile: np.ndarray) -> Strategy:
    """A profile by slot with the names of its tree."""
    tree = form.tree
    parent = form.parent.astype(np.int64) - form.players
    return Strategy(
        game=tree.game,
        players=tree.players,
        infosets=tree.infoset_names,
        actions=tree.action_names,
        player=tree.infoset_player,
        start=tree.start,
        parent=np.where(parent < 0, NO_SEQUENCE, parent).astype(np.int32),
        probability=np.asarray(profile, dtype=np.float64),
    )


_KINDS = {
    "probability": np.float64,
    "start": np.int32,
    "parent": np.int32,
    "player": np.int8,
    "names": np.uint8,
    "name_ends": np.int64,
    "action_set": np.int32,
}


def from_arrays(arrays: Mapping[str, np.ndarray], manifest: Mapping[str, Any], *, path: str) -> Strategy:
    """The strategy that `file_contents` wrote; BadFile if the parts are inconsistent."""
    try:
        if any(arrays[name].dtype != kind or arrays[name].ndim != 1 for name, kind in _KINDS.items()):
            raise ValueError
        blob, ends = bytes(arrays["names"]), arrays["name_ends"].tolist()
        sets = [tuple(str(action) for action in actions) for actions in manifest["action_sets"]]
        ordered = [0, *ends] == sorted([0, *ends]) and (ends or [0])[-1] == len(blob)
        if not ordered or min(arrays["action_set"], default=0) < 0:
            raise ValueError
        strategy = Strategy(
            game=text_of(manifest["game"]),
            players=count(manifest["players"]),
            infosets=[blob[first:last].decode() for first, last in zip([0, *ends], ends, strict=False)],
            actions=[sets[kind] for kind in arrays["action_set"].tolist()],
            player=np.array(arrays["player"]),
            start=np.array(arrays["start"]),
            parent=np.array(arrays["parent"]),
            probability=np.array(arrays["probability"], dtype=np.float64),
        )
        if not _is_consistent(strategy):
            raise ValueError
    except (KeyError, IndexError, TypeError, ValueError) as problem:
        raise BadFile(f"{path} is damaged: its strategy cannot be read") from problem
    return strategy


def _is_consistent(strategy: Strategy) -> bool:
    """Whether the arrays of a strategy fit together, and its numbers are probabilities."""
    start, counts, probability = strategy.start, np.diff(strategy.start), strategy.probability
    infosets = len(strategy.infosets)
    if not all(len(array) == infosets for array in (strategy.actions, strategy.player, strategy.parent, counts)):
        return False
    if start[0] != 0 or counts.tolist() != [len(set(actions)) for actions in strategy.actions]:
        return False
    if len(probability) != start[-1] or not (counts > 0).all():
        return False
    sums = np.add.reduceat(probability, start[:-1]) if infosets else np.ones(0)
    return bool(
        ((strategy.player >= 0) & (strategy.player < strategy.players)).all()
        and ((strategy.parent >= NO_SEQUENCE) & (strategy.parent < start[:-1])).all()  # parents come first
        and (np.abs(probability - 0.5) <= 0.5 + ROUNDING).all()
        and (np.abs(sums - 1) <= ROUNDING).all()
    )


def _slot_finder(form: SequenceForm) -> SlotFinder:
    """By the names of infosets."""
    tree, infosets = form.tree, infoset_numbers(form)

    def find(game: Any, state: Any, seat: int, action: str) -> int | None:
        infoset = infosets.get((seat, game.infoset(state, seat)))
        if infoset is None or action not in tree.action_names[infoset]:
            return None
        return int(tree.start[infoset]) + tree.action_names[infoset].index(action)

    return find


KIND = StrategyKind(
    named=lambda form, arrays, naming: named(form, form.unpack(arrays)),
    profile_of=profile_of,
    written=lambda table, form: Strategy.from_dict(table, game=form).probability,
    slot_finder=_slot_finder,
    without_form=lambda arrays, words, path: from_arrays(arrays, words, path=path),
)
