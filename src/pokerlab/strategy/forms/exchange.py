"""Strategies over buckets of games with one draw.

Infosets are written as in Ee's paper: "56789:r4c/d0b2/" is a straight, dealt or drawn, after a raise to 4 and a call;
its player discarded by option d0, saw the opponent discard two cards, and is to act again. The hand before the draw is
forgotten unless the buckets remember it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pokerlab.abstraction.exchange_buckets import AFTER, BEFORE, EXCHANGE, ExchangeBuckets
from pokerlab.abstraction.exchange_cards import made_hands
from pokerlab.games.poker.action import discard
from pokerlab.games.poker.public_node import PublicNode, start_of
from pokerlab.strategy.forms.bucketed import BucketedStrategy
from pokerlab.strategy.policy import PolicyTable, StrategyLine, hand_line
from pokerlab.tree.bucketed.exchange import ExchangeForm

AT_A_TIME = 256  # dealt hands compared with all others
_DRAW = re.compile(r"d(\d)")


class PrivateHands(NamedTuple):
    """The possible private hands at a public node, as far as the buckets distinguish them."""

    held: np.ndarray  # [n] the number of each hand
    option: np.ndarray  # [n] the player's discard option; -1 if it does not matter
    dealt: np.ndarray  # [n] the number of the hand dealt; -1 if it does not matter
    bucket: np.ndarray  # [n]


class HandClasses(NamedTuple):
    """The hands of a stage, grouped into classes."""

    names: tuple[str, ...]
    of: np.ndarray  # [hand] class
    share: np.ndarray  # [class] of all hands
    counts: np.ndarray | None  # [class, bucket] hands in each bucket; None if classes are buckets

    def means(self, rows: np.ndarray) -> np.ndarray:
        """Average the rows of buckets over classes.  # [bucket, action] -> [class, action]"""
        if self.counts is None:
            return rows
        return np.asarray(self.counts @ rows / self.counts.sum(axis=1, keepdims=True))


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

    def table(self, place: PublicNode) -> PolicyTable:
        """The strategy of every hand at a public node.

        At a draw the actions are the discard options by name. After it there is a row for each hand and each state that
        the buckets remember of the player's own draw.
        """
        node, buckets = self.node(place.betting.history), self.form.buckets
        among = None if place.among is None else buckets.cards.number(np.array(sorted(place.among)))
        hands = self.private_hands(node, among)
        return PolicyTable(HandTexts(buckets, hands), self.form.betting.actions[node], self.rows(node, hands.bucket))

    @property
    def root(self) -> Any:
        from pokerlab.strategy.views.exchange import ExchangeView

        return ExchangeView(self, start_of(self.form.game), ())

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        betting, buckets = self.form.betting, self.form.buckets
        counts = np.array([count for count, _ in buckets.remembered])
        name, colon, rest = match.partition(":")  # texts are "name:moves", with one colon
        named = {
            stage: np.array([one.endswith(name) if colon else match in one for one in buckets.names(stage)])
            for stage in (BEFORE, EXCHANGE, AFTER)
        }
        for node in np.flatnonzero(betting.arrays.actor >= 0).tolist():
            stage, actor = int(betting.arrays.round[node]), int(betting.arrays.actor[node])
            is_after, is_draw = stage == AFTER, stage == EXCHANGE
            own = np.flatnonzero(counts == self.form.drawn[node, actor]) if is_after else np.zeros(1, np.int64)
            moves = [self.history(node, memory) for memory in own.tolist()]
            names = buckets.names(stage)
            reached = np.array([one.startswith(rest) if colon else match in one for one in moves])
            pair = np.logical_and if colon else np.logical_or
            classes, memories = np.nonzero(pair.outer(named[stage], reached))
            every = classes * buckets.memories + own[memories] if is_after else classes
            if not len(every):
                continue
            rows, trained = self.rows(node, every).tolist(), self.is_trained(node, every).tolist()
            for bucket, memory, row, known in zip(classes.tolist(), memories.tolist(), rows, trained, strict=True):
                discards = buckets.discard_texts(bucket) if is_draw else {}
                more: dict[str, Any] = {"trained": known, "discards": discards}
                yield hand_line(names[bucket], moves[memory], actor, betting.actions[node], row, **more)

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

    # ---- averages over hands -----------------------------------------------------------------------------------------
    # Every hand has the same weight. If what is remembered of a draw depends only on the discard option, a class is
    # averaged over its buckets; if the dealt hand matters too, each hand is averaged over those that can lead to it.

    @property
    def buckets(self) -> ExchangeBuckets:
        """The buckets of hands and draws."""
        return self.form.buckets

    def classes(self, stage: int) -> HandClasses:
        """The classes of hands at a stage."""
        stage = AFTER if stage == AFTER else BEFORE
        classes: HandClasses = self._cached(("classes", stage), lambda: _classes(self.buckets, stage))
        return classes

    def own_options(self, node: int) -> tuple[int, ...]:
        """The options by which the player to act may have drawn the number of cards that all saw.

        Of those with the same memory, the first.
        """
        form = self.form
        count, memories = form.drawn[node, form.betting.arrays.actor[node]], set()
        options = []
        for option in np.flatnonzero(self.buckets.discards == count).tolist():
            memory = self.memory(option)
            if memory not in memories:
                options.append(option)
                memories |= {memory} - {None}
        return tuple(options)

    def class_rows(self, node: int, option: int = -1) -> np.ndarray:
        """Action probabilities of each class; after the draw by an option, NaN if impossible.  # [class, action]"""
        if option < 0:
            return self.classes(BEFORE).means(self.rows(node, np.arange(self.buckets.counts[BEFORE])))
        memory, classes = self.memory(option), self.classes(AFTER)
        if memory is None:
            return _grouped(classes.of, self._hand_rows(node, option), len(classes.names))
        after = np.arange(self.buckets.counts[AFTER] // self.buckets.memories)
        return classes.means(self.rows(node, after * self.buckets.memories + memory))

    def hand_row(self, node: int, hand: int, option: int = -1) -> np.ndarray:
        """Action probabilities of one hand; after the draw, NaN if the option cannot have led to it.  # [action]"""
        if option < 0:
            return np.asarray(self.rows(node, self.buckets.before[[hand]])[0])
        if self.memory(option) is None:
            return np.asarray(self._hand_rows(node, option)[hand])
        return np.asarray(self.rows(node, self._buckets_after(np.array([hand]), option))[0])

    def memory(self, option: int) -> int | None:
        """What is remembered of a draw by an option; None if that depends on the dealt hand."""
        memories = self.buckets.memory[:, option]
        return int(memories[0]) if (memories == memories[0]).all() else None

    def _buckets_after(self, held: np.ndarray, option: int, dealt: np.ndarray | None = None) -> np.ndarray:
        """Buckets of hands after a draw by an option, from dealt hands if those are remembered.  # [n]"""
        buckets = self.buckets
        memory = self.memory(option) if dealt is None else buckets.memory[buckets.before[dealt], option]
        return np.asarray(buckets.after[held].astype(np.int64) * buckets.memories + memory)

    def private_hands(self, node: int, among: np.ndarray | None = None) -> PrivateHands:
        """Possible hands of the player to act at a node, as far as buckets distinguish them; all, or some [n]."""
        every = np.arange(self.buckets.cards.hands) if among is None else among
        unknown = np.full(len(every), -1)
        if self.form.betting.arrays.round[node] != AFTER:
            return PrivateHands(every, unknown, unknown, self.buckets.before[every])
        options, parts = self.own_options(node), []
        for option in options:
            held, dealt, shown = every, unknown, option if len(options) > 1 else -1
            if self.memory(option) is None:
                held, dealt = self._exchanges(option)
                held, dealt = (column[np.isin(held, every)] for column in (held, dealt))
            buckets = self._buckets_after(held, option, None if dealt is unknown else dealt)
            parts.append((held, np.full(len(held), shown), dealt, buckets))
        return PrivateHands(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def _hand_rows(self, node: int, option: int) -> np.ndarray:
        """Action probabilities of each hand, averaged over possible dealt hands; NaN if none.  # [hand, action]"""
        held, dealt = self._exchanges(option)
        rows = self.rows(node, self._buckets_after(held, option, dealt))
        return _grouped(held, rows, self.buckets.cards.hands)

    def _exchanges(self, option: int) -> tuple[np.ndarray, np.ndarray]:
        """Every hand with each dealt hand that an option can turn into it.  # [n] held, [n] dealt"""
        held, dealt = self._cached(("exchanges", option), lambda: self._compute_exchanges(option))
        return held, dealt

    def _compute_exchanges(self, option: int) -> tuple[np.ndarray, np.ndarray]:
        cards, masks = self.buckets.cards, self.buckets.masks
        card_bits = np.uint64(1) << cards.every.astype(np.uint64)  # [hand, card position]
        places = masks[:, option].astype(np.uint64)[:, None] >> np.arange(cards.held, dtype=np.uint64)
        stays = (places & np.uint64(1)) == 0  # [hand or 1, card position]
        hands, remaining = card_bits.sum(axis=1, dtype=np.uint64), (card_bits * stays).sum(axis=1, dtype=np.uint64)
        pairs = []
        for first in range(0, len(hands), AT_A_TIME):
            some = slice(first, first + AT_A_TIME)
            held, dealt = np.nonzero(hands[:, None] & hands[some] == remaining[some])
            pairs.append((held, dealt + first))
        held, dealt = (np.concatenate(part) for part in zip(*pairs, strict=True))
        return held, dealt


def _classes(buckets: ExchangeBuckets, stage: int) -> HandClasses:
    """Hands by showdown class, or by bucket if hands have no such classes."""
    of, step = (buckets.after, buckets.memories) if stage == AFTER else (buckets.before, 1)
    count, made = int(of.max()) + 1, made_hands(buckets.cards)
    if made is None:
        names = tuple(buckets.name(stage, bucket * step) for bucket in range(count))
        return HandClasses(names, of, np.bincount(of, minlength=count) / buckets.cards.hands, None)
    counts = np.bincount(made.of * count + of, minlength=len(made.names) * count).reshape(-1, count).astype(float)
    return HandClasses(made.names, made.of, counts.sum(axis=1) / buckets.cards.hands, counts)


def _grouped(groups: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """The mean of the known rows of each group; NaN if there are none.  # [n], [n, action] -> [group, action]"""
    known = ~np.isnan(rows[:, 0])
    groups, rows = groups[known], rows[known]
    sizes = np.bincount(groups, minlength=count)
    sums = np.stack([np.bincount(groups, column, count) for column in rows.T], axis=1)
    return np.asarray(np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], np.nan))
