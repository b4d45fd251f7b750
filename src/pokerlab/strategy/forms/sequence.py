"""A strategy profile with names: query it by infoset, mix it, purify it.

>>> from pokerlab import solve
>>> strategy = solve("kuhn", algorithm="lp").strategy
>>> strategy["K:r"]
{'f': 0.0, 'c': 1.0}
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import BadFile, BadSetting, UnknownName
from pokerlab.games.poker.place import Place
from pokerlab.notebook_display import NotebookDisplay
from pokerlab.reading import count, text_of
from pokerlab.strategy.files.table import strategy_columns
from pokerlab.strategy.forms.kinds import SlotFinder, StrategyKind
from pokerlab.strategy.policy import Policy, PolicyTable, StrategyLine, table_of
from pokerlab.strategy.views.history import HistoryView, root_of
from pokerlab.tables import frame
from pokerlab.tree.form import PACKED, Form
from pokerlab.tree.measure import Measure
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from pokerlab.games.game import Game

NO_SEQUENCE = -1  # the parent of an infoset before which its player has not acted

ROUNDING = 1e-6  # tolerance for probabilities in a file

Key = str | tuple[int, str]


@dataclass(frozen=True, eq=False, repr=False)
class Strategy(NotebookDisplay, Mapping[Key, dict[str, float]]):
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

    def __repr__(self) -> str:
        return f"<Strategy of {self.game}: {len(self.infosets):,} infosets of {self.players} players>"

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
        found: dict[Key, int] = {}
        for index, name in enumerate(self.infosets):
            found[int(self.player[index]), name] = index
            found[name] = -1 if name in found else index
        return found

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

    def table(self, place: Place) -> PolicyTable:
        """The strategy of every hand at a public node of a poker game."""
        return table_of(self, place)

    def root_in(self, form: SequenceForm) -> HistoryView:
        """The root node, to browse from."""
        return root_of(form, self.profile(form))

    def with_best_response(self, player: int, form: SequenceForm) -> Strategy:
        """This strategy with one player replaced by a best response to the others."""
        return named(form, form.best_response(self.profile(form), player).profile)

    def measure_in(self, form: SequenceForm) -> Measure:
        """Value and best response of each player."""
        return form.measure(self.profile(form))

    def solver_arrays(self, form: SequenceForm) -> dict[str, np.ndarray]:
        """The arrays of a solver that computed this strategy."""
        return form.pack(self.profile(form))

    def kept(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The arrays and manifest entries of a file."""
        return to_arrays(self)

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        """Every infoset whose name contains `match`."""
        reach = self.reach()
        for index, name in enumerate(self.infosets):
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

    def reach(self) -> np.ndarray:
        """Each infoset's reach probability from its player's own choices.  # [I]"""
        plan = np.append(self.plan(), 1.0)
        return np.asarray(plan[self.parent])

    def _with(self, probability: np.ndarray) -> Strategy:
        return Strategy(
            self.game,
            self.players,
            self.infosets,
            self.actions,
            self.player,
            self.start,
            self.parent,
            probability,
        )

    def _sums(self, weight: np.ndarray) -> np.ndarray:
        """For each slot, the sum over its infoset.  # [A] -> [A]"""
        counts = np.diff(self.start)
        return np.repeat(np.add.reduceat(weight, self.start[:-1]), counts) if len(counts) else weight

    def mix(self, other: Strategy, weight: float = 0.5) -> Strategy:
        """Play `other` with probability `weight` and this otherwise, chosen once before the game."""
        if not 0 <= weight <= 1:
            raise BadSetting(f"the weight of a mix must be between 0 and 1, not {weight}")
        if list(other.infosets) != list(self.infosets):
            raise BadSetting(
                f"strategies of {self.game} and of {other.game} cannot be mixed: they are of different games"
            )
        mixed = (1 - weight) * self.plan() + weight * other.plan()
        sums = self._sums(mixed)
        unreached = (1 - weight) * self.probability + weight * other.probability
        return self._with(np.where(sums > 0, mixed / np.where(sums > 0, sums, 1.0), unreached))

    def details(self) -> dict[str, Any]:
        """No further summary entries."""
        return {}

    def strategy_only(self) -> Strategy:
        """This strategy: a file stores it in full precision."""
        return self

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
            raise BadSetting(f"the least probability kept must be between 0 and 1, not {least}")
        best = self.purify().probability
        kept = np.where((self.probability >= least) | (best > 0), self.probability, 0.0)
        return self._with(kept / self._sums(kept))

    def profile_in(self, form: Form) -> np.ndarray | None:
        """This strategy as a profile of the sequence form; None in another form.  # [A]"""
        return self.profile(form) if form.kind == "sequence" else None  # type: ignore[arg-type]

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
        profile = np.empty(tree.slots)
        for infoset, name in enumerate(tree.infoset_names):
            index = self.index((int(tree.infoset_player[infoset]), name))
            if self.actions[index] != tree.action_names[infoset]:
                raise BadFile(f"at infoset {name!r} the actions are not those of {tree.game}: it is of another game")
            profile[tree.start[infoset] : tree.start[infoset + 1]] = self.probability[
                self.start[index] : self.start[index + 1]
            ]
        return profile


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


def to_arrays(strategy: Strategy) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """A strategy as arrays and manifest entries, for a file."""
    texts = [name.encode() for name in strategy.infosets]
    sets: dict[tuple[str, ...], int] = {}
    kinds = [sets.setdefault(actions, len(sets)) for actions in strategy.actions]
    arrays = {
        "probability": strategy.probability,
        "start": strategy.start.astype(np.int32),
        "parent": strategy.parent.astype(np.int32),
        "player": strategy.player.astype(np.int8),
        "names": np.frombuffer(b"".join(texts), np.uint8),
        "name_ends": np.cumsum([len(text) for text in texts], dtype=np.int64),
        "action_set": np.array(kinds, np.int32),
    }
    return arrays, {
        "game": strategy.game,
        "players": strategy.players,
        "action_sets": [list(actions) for actions in sets],
    }


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
    """The strategy that `to_arrays` wrote; BadFile if the parts are inconsistent."""
    try:
        for name, kind in _KINDS.items():
            if arrays[name].dtype != kind or arrays[name].ndim != 1:
                raise ValueError
        blob, ends = bytes(arrays["names"]), arrays["name_ends"].tolist()
        if [0, *ends] != sorted([0, *ends]) or (ends or [0])[-1] != len(blob):
            raise ValueError
        sets = [tuple(str(action) for action in actions) for actions in manifest["action_sets"]]
        if min(arrays["action_set"], default=0) < 0:
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
        _check(strategy)
    except (KeyError, IndexError, TypeError, ValueError) as problem:
        raise BadFile(f"{path} is damaged: its strategy cannot be put together") from problem
    return strategy


def _check(strategy: Strategy) -> None:
    """Raise ValueError if the arrays of a strategy are inconsistent, or its numbers are not probabilities."""
    start, counts = strategy.start, np.diff(strategy.start)
    infosets = len(strategy.infosets)
    if not all(len(array) == infosets for array in (strategy.actions, strategy.player, strategy.parent, counts)):
        raise ValueError
    if start[0] != 0 or counts.tolist() != [len(set(actions)) for actions in strategy.actions]:
        raise ValueError
    if len(strategy.probability) != start[-1] or not (counts > 0).all():
        raise ValueError
    if not ((strategy.player >= 0) & (strategy.player < strategy.players)).all():
        raise ValueError
    if not ((strategy.parent >= NO_SEQUENCE) & (strategy.parent < start[:-1])).all():  # parents come first
        raise ValueError
    probability = strategy.probability
    sums = np.add.reduceat(probability, start[:-1]) if infosets else np.ones(0)
    if not (np.abs(probability - 0.5) <= 0.5 + ROUNDING).all() or not (np.abs(sums - 1) <= ROUNDING).all():
        raise ValueError


def _profile_of(policy: Policy, game: Game, form: SequenceForm, player: int | None) -> np.ndarray:
    from pokerlab.strategy.profile import profile_of

    return profile_of(policy, game, form, player=player)


def _slot_finder(form: SequenceForm) -> SlotFinder:
    """By the names of infosets."""
    tree = form.tree
    names = zip(tree.infoset_player.tolist(), tree.infoset_names, strict=True)
    infosets = {(int(player), name): infoset for infoset, (player, name) in enumerate(names)}

    def find(game: Any, state: Any, seat: int, action: str) -> int | None:
        infoset = infosets.get((seat, game.infoset(state, seat)))
        if infoset is None or action not in tree.action_names[infoset]:
            return None
        return int(tree.start[infoset]) + tree.action_names[infoset].index(action)

    return find


KIND = StrategyKind(
    named=lambda form, answer, naming: named(form, form.unpack(answer)),
    wanted=lambda form, storage: {PACKED: (form.tree.slots, np.float64)},
    profile_of=_profile_of,
    slot_finder=_slot_finder,
    unlaid=lambda arrays, words, path: from_arrays(arrays, words, path=path),
)
