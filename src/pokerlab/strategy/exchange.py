"""Strategies over buckets of games in which cards are exchanged.

Infosets are written as in Ee's paper: "56789:r4c/d0b2/" is a straight, dealt or drawn, after a raise to 4 and a call;
its player threw cards away by the way d0 and saw the other throw away two, and is to act again. What is held before the
exchange is not remembered but where the buckets say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from pokerlab.abstraction.exchange_buckets import AFTER, EXCHANGE
from pokerlab.errors import BadSetting
from pokerlab.games.poker.action import discard
from pokerlab.games.poker.place import Place
from pokerlab.strategy.bucketed import BucketedStrategy
from pokerlab.strategy.policy import PolicyTable, StrategyLine
from pokerlab.tree.bucketed.exchange import ExchangeForm

_EXCHANGED = re.compile(r"d(\d)")


@dataclass(frozen=True, eq=False, repr=False)
class ExchangeStrategy(BucketedStrategy):
    """How all players bet and exchange cards, bucket by bucket."""

    form: ExchangeForm

    def probabilities(self, view: Any) -> Mapping[str, float]:
        """What is done with the hand of a view; an exchange is told by its cards."""
        node = self.node(view.betting.history)
        return dict(self.played(node, view, self.form.betting.actions[node]))

    def played(self, node: int, view: Any, actions: Any) -> Mapping[str, float]:
        """What is done at a decision, by what each action is called; in an exchange by the cards that go."""
        row = self.row(node, view).tolist()
        if self.form.betting.arrays.round[node] != EXCHANGE:
            return dict(zip(actions, row, strict=True))
        found: dict[str, float] = {}
        for cards, chance in zip(self.form.buckets.thrown(view.dealt), row, strict=True):
            text = view.game.action_text(discard(*cards))
            found[text] = found.get(text, 0.0) + chance
        return found

    def row(self, node: int, view: Any) -> np.ndarray:
        """What is done with the hand of a view at a decision.  # [action]"""
        stage = int(self.form.betting.arrays.round[node])
        return np.asarray(self.rows(node, np.array([self.form.buckets.at(stage, view)]))[0])

    def weight(self, view: Any) -> float:
        """The sum of the averages of an infoset, which tells how often training came there."""
        node = self.node(view.betting.history)
        stage, first = int(self.form.betting.arrays.round[node]), int(self.slot[node])
        row = self.numbers[stage][
            self.form.buckets.at(stage, view), first : first + len(self.form.betting.actions[node])
        ]
        return float(np.asarray(row, float).sum())

    def table(self, place: Place) -> PolicyTable:
        """Not all hands at once: what was held before the exchange matters too."""
        raise BadSetting(f"{self.game} exchanges cards, and what is done there is told hand by hand")

    def root_in(self, form: Any) -> Any:
        """The place where the game starts."""
        from pokerlab.strategy.exchange_view import ExchangeView

        return ExchangeView.start(self)

    def flat(self) -> np.ndarray:
        """The numbers as the form lays them out, however the file has them.  # [number] float32"""
        form, arrays = self.form, self.form.betting.arrays
        found = np.zeros(form.numbers, np.float32)
        for stage, numbers in enumerate(self.numbers):
            nodes = np.flatnonzero((arrays.actor >= 0) & (arrays.round == stage))
            rows = found[int(form.base[stage]) : int(form.base[stage + 1])].reshape(-1, form.betting.rows[stage])
            for node in nodes.tolist():
                to, start, moves = int(arrays.slot[node]), int(self.slot[node]), int(arrays.moves[node])
                rows[:, to : to + moves] = numbers[:, start : start + moves]
        return found

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        """Every infoset whose text contains `match`."""
        betting, buckets = self.form.betting, self.form.buckets
        counts = np.array([count for count, _ in buckets.remembered])
        named = cache(buckets.name)
        for node in np.flatnonzero(betting.arrays.actor >= 0).tolist():
            stage, actor = int(betting.arrays.round[node]), int(betting.arrays.actor[node])
            every = np.arange(buckets.counts[stage])
            if stage == AFTER:
                every = every[counts[every % buckets.memories] == self.exchanged(node)]
            written = cache(partial(self.history, node))  # by what is remembered of the own exchange
            for bucket, row in zip(every.tolist(), self.rows(node, every).tolist(), strict=True):
                moves, name = written(bucket % buckets.memories), named(stage, bucket)
                if match in f"{name}:{moves}":
                    actions = dict(zip(betting.actions[node], row, strict=True))
                    yield StrategyLine(f"{name}:{moves}", actor, None, actions, name, "", moves)

    def _drawers(self, node: int) -> list[tuple[int, int]]:
        """Who exchanged so far on the way to a place, and how many cards."""
        if node not in self._known:
            self._known[node] = self._drew(node)
        return list(self._known[node])

    def _drew(self, node: int) -> list[tuple[int, int]]:
        betting, found, at = self.form.betting, [], 0
        counts = _EXCHANGED.findall(betting.histories[node])
        for count in counts:
            while betting.arrays.round[at] != EXCHANGE:
                at = self._toward(at, node)
            found.append((int(betting.arrays.actor[at]), int(count)))
            at = self._toward(at, node)
        return found

    def _toward(self, at: int, node: int) -> int:
        """The child of a place on the way to another."""
        betting, goal = self.form.betting, self.form.betting.histories[node]
        first = int(betting.arrays.first[at])
        ahead = [
            child
            for child in range(first, first + int(betting.arrays.children[at]))
            if goal.startswith(betting.histories[child])
        ]
        return max(ahead, key=lambda child: len(betting.histories[child]))

    def exchanged(self, node: int) -> int:
        """How many cards the player to act has exchanged."""
        actor = int(self.form.betting.arrays.actor[node])
        return next((count for seat, count in self._drawers(node) if seat == actor), 0)

    def infoset(self, view: Any) -> str:
        """The infoset of a view, as in Ee's paper: "56789:r4c/d0b2/"."""
        node = self.node(view.betting.history)
        stage = int(self.form.betting.arrays.round[node])
        bucket = self.form.buckets.at(stage, view)
        return f"{self.form.buckets.name(stage, bucket)}:{self.history(node, bucket)}"

    def history(self, node: int, bucket: int) -> str:
        """The betting and the exchanges as the player to act saw them: "r4c/d0b2/"."""
        betting, buckets = self.form.betting, self.form.buckets
        actor, text = int(betting.arrays.actor[node]), betting.histories[node]
        seats = iter(self._drawers(node))

        def written(found: re.Match[str]) -> str:
            seat, count = next(seats)
            if seat != actor:
                return f"b{count}"
            way = buckets.remembered[bucket % buckets.memories][1]
            return f"d{count}" if way < 0 else buckets.ways[way].name

        told = _EXCHANGED.sub(written, text)
        if betting.arrays.round[node] != AFTER:
            return told
        last = max(place.end() for place in re.finditer(r"[bd]\d+\+?", told))
        return f"{told[:last]}/{told[last:]}"
