"""Strategies over buckets of games with one draw.

Infosets are written as in Ee's paper: "56789:r4c/d0b2/" is a straight, dealt or drawn, after a raise to 4 and a call;
its player discarded by option d0, saw the opponent discard two cards, and is to act again. The hand before the draw is
forgotten unless the buckets remember it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from pokerlab.abstraction.exchange_buckets import AFTER, EXCHANGE, ExchangeBuckets
from pokerlab.games.poker.action import discard
from pokerlab.games.poker.place import Place, start_of
from pokerlab.strategy.forms.bucketed import BucketedStrategy
from pokerlab.strategy.policy import PolicyTable, StrategyLine
from pokerlab.strategy.views.exchange_means import HandMeans, PrivateHands
from pokerlab.tree.bucketed.exchange import ExchangeForm

_DRAW = re.compile(r"d(\d)")


@dataclass(frozen=True, eq=False)
class HandTexts(Sequence[str]):
    """Private hands as text, one at a time: "AsKdQhJcTs"; with the player's option and dealt hand if they matter."""

    buckets: ExchangeBuckets
    hands: PrivateHands

    def __len__(self) -> int:
        return len(self.hands.held)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[number] for number in range(*row.indices(len(self)))]
        held, option, dealt, _ = (int(column[row]) for column in self.hands)
        cards, name = self.buckets.cards, self.buckets.options[option].name
        words = [cards.text(held), *([name] if option >= 0 else []), *([cards.text(dealt)] if dealt >= 0 else [])]
        return " ".join(words)


@dataclass(frozen=True, eq=False, repr=False)
class ExchangeStrategy(BucketedStrategy):
    """How all players bet and discard, bucket by bucket."""

    form: ExchangeForm

    @cached_property
    def means(self) -> HandMeans:
        """Average play by hand class."""
        return HandMeans(self)

    def actions_played(self, node: int, view: Any, names: Sequence[str]) -> Mapping[str, float]:
        """Action probabilities at a decision, by action name; at a draw by the cards discarded."""
        row = self.row(node, view).tolist()
        if self.form.betting.arrays.round[node] != EXCHANGE:
            return dict(zip(names, row, strict=True))
        played: dict[str, float] = {}
        for cards, probability in zip(self.form.buckets.thrown(view.dealt), row, strict=True):
            text = view.game.action_text(discard(*cards))
            played[text] = played.get(text, 0.0) + probability
        return played

    def bucket_at(self, node: int, view: Any) -> np.ndarray:
        return np.array([self.form.buckets.at(int(self.form.betting.arrays.round[node]), view)])

    def table(self, place: Place) -> PolicyTable:
        """The strategy of every hand at a public node.

        At a draw the actions are the discard options by name. After it there is a row for each hand and each state that
        the buckets remember of the player's own draw.
        """
        node, buckets = self.node(place.betting.history), self.form.buckets
        asked = None if place.among is None else buckets.cards.number(np.array(sorted(place.among)))
        hands = self.means.private_hands(node, asked)
        return PolicyTable(HandTexts(buckets, hands), self.form.betting.actions[node], self.rows(node, hands.bucket))

    @property
    def root(self) -> Any:
        from pokerlab.strategy.views.exchange import ExchangeView

        return ExchangeView(self, start_of(self.form.game), ())

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        betting, buckets = self.form.betting, self.form.buckets
        counts = np.array([count for count, _ in buckets.remembered])
        named = cache(buckets.name)
        for node in np.flatnonzero(betting.arrays.actor >= 0).tolist():
            stage, actor = int(betting.arrays.round[node]), int(betting.arrays.actor[node])
            every = np.arange(buckets.counts[stage])
            if stage == AFTER:
                every = every[counts[every % buckets.memories] == self.form.drawn[node, actor]]
            written = cache(partial(self.history, node))  # by what is remembered of the player's own draw
            for bucket, row in zip(every.tolist(), self.rows(node, every).tolist(), strict=True):
                moves, name = written(bucket % buckets.memories), named(stage, bucket)
                if match in f"{name}:{moves}":
                    actions = dict(zip(betting.actions[node], row, strict=True))
                    yield StrategyLine(f"{name}:{moves}", actor, None, actions, name, "", moves)

    def infoset(self, view: Any) -> str:
        """The infoset of a view, as in Ee's paper: "56789:r4c/d0b2/"."""
        node = self.node(view.betting.history)
        stage, bucket = int(self.form.betting.arrays.round[node]), int(self.bucket_at(node, view)[0])
        return f"{self.form.buckets.name(stage, bucket)}:{self.history(node, bucket)}"

    def history(self, node: int, bucket: int) -> str:
        """The betting and the draws as the player to act saw them: "r4c/d0b2/"."""
        betting, buckets, drawn = self.form.betting, self.form.buckets, self.form.drawn[node].tolist()
        first, actor = self.form.game.rules.rounds[1].first, int(betting.arrays.actor[node])
        order = [(first + step) % len(drawn) for step in range(len(drawn))]
        seats = iter([seat for seat in order if drawn[seat] >= 0])

        def written(draw: re.Match[str]) -> str:
            if next(seats) != actor:
                return f"b{draw[1]}"
            option = buckets.remembered[bucket % buckets.memories][1]
            return draw[0] if option < 0 else buckets.options[option].name

        text = _DRAW.sub(written, betting.histories[node])
        if betting.arrays.round[node] != AFTER:
            return text
        last = max(draw.end() for draw in re.finditer(r"[bd]\d+\+?", text))
        return f"{text[:last]}/{text[last:]}"
