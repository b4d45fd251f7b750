"""What a strategy over buckets would win from an opponent, from hands that another player played against it.

Bowling, Johanson, Burch and Szafron, "Strategy evaluation in extensive games with importance sampling", 2008: a hand
counts as many times as the strategy is likelier than that player to act as it did. Three things take luck out of the
sum. Hands that the player could have held instead count too, if its play does not depend on them. Actions of the
strategy that end the hand at once count by their probability, since what they win is known. And the rest, which is
weighted by what was played, is corrected by how far the weights and the cards were above their expectation, as in
AIVAT (match/estimators/walk.py), by least squares.

No model of the opponent is involved. So the mean is that of a match, however coarse the buckets are and however little
was observed, as long as the strategy was made from other hands and the player takes all actions that it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State
from pokerlab.match.hands.hand_text import NOT_KNOWN, HandStep
from pokerlab.match.statistics import Moments, Summary
from pokerlab.strategy.policy import Policy, ignores_cards
from pokerlab.tree.bucketed.betting import SHOWN, BettingForm
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.bucketed.inside import outcomes

IMAGINED = 32  # hands of the player for each deal, the one that it held among them
AT_A_TIME = 4096  # deals
LEAST_HANDS = 50  # for an interval
MOST_MISSED = 1e-3  # of the probability of a strategy's play: actions that the player never takes


class Choice(NamedTuple):
    """A decision of the player whose place the strategy takes."""

    node: int
    action: int  # taken
    chances: tuple[float, ...]  # of each action


class PlayedHand(NamedTuple):
    """A hand between the observed opponent and the player."""

    seat: int  # of the player
    own: tuple[int, ...]
    other: tuple[int, ...]  # the opponent's cards
    board: tuple[int, ...]  # complete
    choices: tuple[Choice, ...]
    end: int  # node


class HeldOutHands:
    """Hands that no model is made of, to predict winnings with."""

    def __init__(self, form: BucketedForm, game: PokerGame, player: Policy, *, seed: int = 0) -> None:
        """`player` is the one that plays against the observed opponent."""
        if form.has_draws or form.players != 2:
            raise BadSetting(f"winnings in {form.name} are predicted from matches, not from hands of other players")
        self.form, self.game, self.player = form, game, player
        self._rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, 1])))
        self._ignores, self._known = ignores_cards(player), dict[int, tuple[float, ...]]()
        self.hands: list[PlayedHand] = []

    def add(self, steps: Iterable[HandStep], end: State, *, opponent: int) -> None:
        """Keep a hand, if all private cards are known; `opponent` is the seat of the one observed."""
        game, betting, seat = self.game, self.form.betting, 1 - opponent
        own, other, board = tuple(game.hand(end, seat)), tuple(game.hand(end, opponent)), tuple(game.board(end))
        if NOT_KNOWN in (*own, *other, *board):
            return
        choices = []
        for state, actor, action in steps:
            if actor == seat:
                node = betting.node_of(state.betting.history)
                names = betting.actions[node] if node >= 0 else ()
                if (word := game.action_text(action)) not in names:
                    raise BadSetting(f"{word!r} after {state.betting.history!r} is not an action of {self.form.name}")
                choices.append(Choice(node, names.index(word), self._chances(node, names, state, seat)))
        node = betting.node_of(end.betting.history)
        self.hands.append(PlayedHand(seat, own, other, self._complete(own, other, board), tuple(choices), node))

    def _chances(self, node: int, names: Sequence[str], state: State, seat: int) -> tuple[float, ...]:
        """The probabilities with which the player acts; asked once at each node if its cards do not matter."""
        if self._ignores and node in self._known:
            return self._known[node]
        played = self.player.probabilities(self.game.view(state, seat))
        self._known[node] = tuple(float(played.get(name, 0.0)) for name in names)
        return self._known[node]

    def _complete(self, own: tuple[int, ...], other: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, ...]:
        """The board with the cards that were not dealt, drawn from the rest of the deck."""
        cards = self.form.buckets.cards
        missing = cards.boards[-1] - len(board)
        if not missing:
            return board
        rest = [card for card in range(cards.deck.size) if card not in (*own, *other, *board)]
        return board + tuple(int(card) for card in self._rng.choice(rest, missing, replace=False))

    # ---- prediction --------------------------------------------------------------------------------------------------

    def winnings(self, profile: np.ndarray, *, seats: Sequence[int] = (0, 1)) -> Summary | None:
        """What a profile would win a hand in these seats; None where the hands cannot tell."""
        held = np.isin(self._arrays.seat, seats)
        if held.sum() < LEAST_HANDS:
            return None
        weighed = self._arrays.winnings(self.form, self.form.normalize(profile))
        return None if weighed.missed[held].mean() > MOST_MISSED else weighed.summary(held)

    @cached_property
    def _arrays(self) -> _Hands:
        """The hands as arrays, those with most choices first."""
        hands = sorted(self.hands, key=lambda hand: -len(hand.choices))
        count, imagined = len(hands), IMAGINED if self._ignores else 1
        longest = max((len(hand.choices) for hand in hands), default=0)
        most = max((len(choice.chances) for hand in hands for choice in hand.choices), default=1)
        node, action = np.zeros((longest, count), np.int32), np.zeros((longest, count), np.int32)
        chance = np.zeros((longest, count, most))
        for number, hand in enumerate(hands):
            for step, choice in enumerate(hand.choices):
                node[step, number], action[step, number] = choice.node, choice.action
                chance[step, number, : len(choice.chances)] = choice.chances
        seat = np.array([hand.seat for hand in hands], np.int64)
        end = np.array([hand.end for hand in hands], np.int64)
        steps = np.array([len(hand.choices) for hand in hands], np.int64)
        bucket, result = self._imagine(hands, imagined)
        return _Hands(seat, steps, end, node, action, chance, bucket, result, _payments(self.form.betting))

    def _imagine(self, hands: Sequence[PlayedHand], imagined: int) -> tuple[np.ndarray, np.ndarray]:
        """Hands that the player could have held: their buckets [deal, hand, round], and who wins [deal, hand].

        0 says that the imagined hand wins the showdown, 1 that it ties, 2 that it loses.
        """
        from pokerlab.tree.bucketed._kernels.deals import number_deals

        form, private = self.form, self.form.buckets.cards.private
        rounds, size = form.buckets.cards.rounds, form.buckets.cards.deck.size
        buckets = np.zeros((len(hands), imagined, rounds), np.int32)
        results = np.zeros((len(hands), imagined), np.int8)
        buffers = form.deal_buffers(AT_A_TIME * imagined)
        for first in range(0, len(hands), AT_A_TIME):
            part = hands[first : first + AT_A_TIME]
            fixed = np.array([(*hand.other, *hand.board) for hand in part], np.int64)
            order = self._rng.random((len(part), imagined, size))
            order[np.arange(len(part))[:, None], :, fixed] = 2.0  # these cards are taken
            own = np.argpartition(order, private, axis=2)[:, :, :private]
            own[:, 0] = [hand.own for hand in part]
            count = len(part) * imagined
            cards = buffers.cards[:count].reshape(len(part), imagined, -1)
            cards[:, :, :private], cards[:, :, private:] = own, fixed[:, None]
            number_deals(count, form.deals, buffers)
            here = slice(first, first + len(part))
            buckets[here] = buffers.bucket[:count, :, 0].reshape(len(part), imagined, rounds)
            own_strength, other = buffers.strength[:count].astype(np.int64).T  # smaller is stronger
            results[here] = (1 + np.sign(own_strength - other)).reshape(len(part), imagined)
        return buckets, results


class _Hands(NamedTuple):
    """Held-out hands as arrays; hands with more choices come first."""

    seat: np.ndarray  # [deal]
    steps: np.ndarray  # [deal]: choices
    end: np.ndarray  # [deal]: node
    node: np.ndarray  # [step, deal]
    action: np.ndarray  # [step, deal]
    chance: np.ndarray  # [step, deal, action]: of the player
    bucket: np.ndarray  # [deal, imagined, round]
    result: np.ndarray  # [deal, imagined]: 0 wins the showdown, 1 ties, 2 loses
    paid: np.ndarray  # [node, seat, result]: chips; 0 at decisions

    def winnings(self, form: BucketedForm, profile: np.ndarray) -> Weighed:
        """What a profile would win in each deal."""
        arrays, shape = form.betting.arrays, self.result.shape
        won, weight, sign = np.zeros(shape), np.ones(shape), 1.0 - self.result
        missed, luck = np.zeros(len(self.seat)), np.zeros((3, len(self.seat)))
        luck[0] = sign.mean(axis=1)
        for step in range(len(self.node)):
            count = int(np.searchsorted(-self.steps, -step, side="left"))  # deals with such a choice
            node, seat, before = self.node[step, :count], self.seat[:count], weight[:count].copy()
            first, follows = self._first(form, step, count), np.zeros((count, shape[1]))
            surprise, staked = np.zeros_like(follows), np.zeros_like(follows)
            for action in range(int(arrays.moves[node].max())):
                there = arrays.moves[node] > action
                played = np.where(there[:, None], profile[np.where(there[:, None], first + action, 0)], 0.0)
                child = np.where(there, arrays.first[node] + action, 0)
                ends = there & (arrays.actor[child] < 0)
                won[:count] += np.where(ends[:, None], before * played * self._paid(child, count), 0.0)
                chance = self.chance[step, :count, action]
                missed[:count] += np.where(there & ~ends & (chance <= 0), (before * played).mean(axis=1), 0.0)
                goes_on = there & ~ends & (self.action[step, :count] == action)
                ratio = np.where(goes_on[:, None], played / np.where(chance > 0, chance, 1.0)[:, None], 0.0)
                follows += ratio
                change = before * (ratio - np.where((there & ~ends & (chance > 0))[:, None], played, 0.0))
                surprise, staked = surprise + change, staked + change * arrays.put[child, seat][:, None]
            luck[1, :count] += (surprise * sign[:count]).mean(axis=1) * arrays.put[node].mean(axis=1)
            luck[2, :count] += staked.mean(axis=1)
            weight[:count] = before * follows
        return Weighed((won + weight * self._paid(self.end, len(self.end))).mean(axis=1), luck, missed)

    def _first(self, form: BucketedForm, step: int, count: int) -> np.ndarray:
        """The offset of the numbers of a choice with each imagined hand.  # [deal, imagined]"""
        arrays, node = form.betting.arrays, self.node[step, :count]
        round = arrays.round[node].astype(np.int64)
        bucket = self.bucket[np.arange(count), :, round]
        rows, slot = np.array(form.betting.rows, np.int64)[round], arrays.slot[node].astype(np.int64)
        return np.asarray(form.base[round][:, None] + bucket * rows[:, None] + slot[:, None])

    def _paid(self, node: np.ndarray, count: int) -> np.ndarray:
        """What each imagined hand wins at an end, one for each of the first deals.  # [deal, imagined]"""
        results = self.result[:count].astype(np.int64)
        return np.take_along_axis(self.paid[node, self.seat[:count]], results, axis=1)


class Weighed(NamedTuple):
    """Held-out hands, weighted for a strategy."""

    won: np.ndarray  # [deal]: chips
    luck: np.ndarray  # [variate, deal], each with mean zero
    missed: np.ndarray  # [deal]: the probability of play that the player never shows

    def summary(self, held: np.ndarray) -> Summary:
        """The mean over some of the deals, with as much luck taken out as least squares find.  # [deal] bool"""
        variates = np.vstack([np.ones(int(held.sum())), self.luck[:, held]]).T
        fitted, *_ = np.linalg.lstsq(variates, self.won[held], rcond=None)
        return Moments.none(1).add((self.won[held] - variates[:, 1:] @ fitted[1:])[:, None]).summary(0)


def _payments(betting: BettingForm) -> np.ndarray:
    """What each end pays a seat whose hand wins, ties or loses.  # [node, seat, result] float64"""
    arrays, paid = betting.arrays, np.zeros((betting.nodes, 2, 3))
    for node in np.flatnonzero(arrays.actor < 0).tolist():
        for seat in (0, 1):
            if arrays.actor[node] == SHOWN:
                paid[node, seat] = outcomes(arrays, node, seat)
            else:
                wins = int(betting.alive[node]) >> seat & 1
                paid[node, seat] = float(arrays.put[node, 1 - seat]) if wins else -float(arrays.put[node, seat])
    return paid
