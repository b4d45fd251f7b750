"""A public node of a solution with numbers for every hand: navigation by typed moves, single hands, and totals.

Frequencies, reach, values and equities are arrays over the hands in their fixed order (for hold'em: cards/combos.py),
NaN where a hand is impossible, and labelled with the hands: `place.values(0)["AhKh"]`. Each form has its own view
class.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.cards.combos import CLASS_COMBOS, CLASS_NAMES
from pokerlab.cards.hand_array import HandArray
from pokerlab.errors import BadCards, BadSetting, IllegalAction, UnknownName
from pokerlab.games.poker.betting_tree import Decision, Node
from pokerlab.strategy.spot_actions import action_number
from pokerlab.strategy.views.node import SolutionNode

_WORD = re.compile(r"[fc]|r\d*")  # in a history of the rule engine
NO_EV = "what hands are worth is not known in a game this large; how often each does what is, and its reach"


@dataclass(frozen=True, eq=False)
class DealtHands:
    """The hands that may be dealt, in a fixed order."""

    deck: Deck
    hands: Sequence[tuple[int, ...]]  # [hand] cards, the lowest first
    players: int

    @property
    def has_starting_hands(self) -> bool:
        """Whether hands are two cards of the full deck, grouped into 169 classes."""
        return self.deck == FULL_DECK and len(self.hands[0]) == 2

    @cached_property
    def weights(self) -> tuple[np.ndarray, ...]:
        """[player] of [hand] Weight 1 for every hand."""
        return (np.ones(len(self.hands)),) * self.players

    @cached_property
    def hand_numbers(self) -> dict[frozenset[int], int]:
        """The number of each hand by its cards."""
        return {frozenset(hand): number for number, hand in enumerate(self.hands)}

    def hand_text(self, hand: int) -> str:
        """The text of a hand, its highest card first."""
        return self.deck.text(self.hands[hand][::-1])

    @cached_property
    def hand_names(self) -> tuple[str, ...]:
        """The text of every hand."""
        return tuple(map(self.hand_text, range(len(self.hands))))


class HandNode(SolutionNode):
    """A node of a solution, hand by hand."""

    source: Any  # the strategy, with its `hands`
    board: tuple[int, ...] = ()
    action_values: Any  # [hand, action] EV to the player to act, if `grids` includes EV

    @property
    def holdings(self) -> Any:
        """The hands: DealtHands, or the public form."""
        return self.source.hands

    def labelled(self, values: np.ndarray) -> HandArray:
        """Numbers [hand] or [hand, action] with the names of hands and actions."""
        return HandArray.of(values, self.holdings.hand_names, self.actions if values.ndim == 2 else ())

    @property
    def coming(self) -> int:
        """How many cards are dealt next."""
        return 0

    @property
    @abstractmethod
    def pot(self) -> float:
        """The chips in the pot."""

    @property
    @abstractmethod
    def frequencies(self) -> HandArray:
        """[hand, action] Action probabilities of the player to act, by hand."""

    @abstractmethod
    def range(self, player: int) -> HandArray:
        """[hand] The fraction of each hand that a player still holds here."""

    @abstractmethod
    def likelihood(self, player: int) -> HandArray:
        """[hand] The probability of each hand of a player here; sums to one, or to zero if not reached."""

    @abstractmethod
    def equities(self, player: int) -> HandArray:
        """[hand] The share of the pot that each hand would win if all cards were dealt without further betting."""

    def values(self, player: int) -> HandArray:
        """[hand] EV of each hand of a player, if `grids` includes it."""
        raise BadSetting(NO_EV)

    def is_present(self, player: int) -> np.ndarray:
        """[hand] Whether a player may hold each hand on this board."""
        return np.ones(len(self.holdings.hands), np.bool_)

    @abstractmethod
    def _after_action(self, number: int) -> Self:
        """The node after an action, by its number."""

    def _after_cards(self, cards: Sequence[int]) -> Self:
        """The node after some cards."""
        raise IllegalAction("the betting is over before cards come")

    def cards(self) -> Sequence[Self]:
        """At a deal, the node after each possible card, if EV is known there; otherwise none."""
        return ()

    def past_empty_deals(self) -> Self:
        """The node after rounds that deal no cards have begun."""
        return self

    @property
    def deck(self) -> Deck:
        """The deck."""
        deck: Deck = self.holdings.deck
        return deck

    @property
    def has_starting_hands(self) -> bool:
        return bool(self.holdings.has_starting_hands)

    @property
    def board_text(self) -> str:
        return self.deck.text(self.board)

    def _after(self, move: str) -> Self:
        view = self._after_cards(self._cards(move)) if self.is_deal else self._after_action(self.action_number(move))
        return view.past_empty_deals()

    def action_number(self, text: str) -> int:
        """The index of the action that a text means: "bet 75", "b75", "bet" if there is only one, "x", "allin"."""
        if not self.actions:
            raise IllegalAction(f"{text[:40]!r} cannot be done: the hand is over")
        return action_number(text, self.actions)

    def _cards(self, text: str) -> tuple[int, ...]:
        """Parse the cards to be dealt here; BadCards if they are impossible."""
        deck, count = self.deck, self.coming
        cards = tuple(deck.cards(text))
        if len(cards) != count:
            come = "one card comes" if count == 1 else f"{count} cards come"
            example = f"; write it as {deck.name(deck.size - 1)}" if count == 1 else ""
            raise BadCards(f"{come} here, and {text[:40]!r} is {len(cards)} cards{example}")
        for card in cards:
            if card in self.board:
                raise BadCards(f"the card {deck.name(card)} is on the board already")
        return cards

    def _reach_after(self, reach: Sequence[np.ndarray], chosen: np.ndarray) -> tuple[np.ndarray, ...]:
        """The reach of every player after the player to act has chosen an action with these probabilities."""
        return tuple(held * chosen if seat == self.player else held for seat, held in enumerate(reach))

    def strategy(self, hand: str | None = None) -> dict[str, float]:
        """How often each action is taken: by one hand ("AhKh"), by the hands of a class ("AKs"), or by all."""
        weight: np.ndarray = self.likelihood(self.acting)
        if hand is not None:
            numbers = self.hands(hand)
            weight = np.bincount(numbers, weight[numbers], len(weight))
            if not weight.sum():
                weight[numbers] = 1.0
        known = np.where(np.isnan(self.frequencies[:, 0]), 0.0, weight)
        total = known.sum() or 1.0
        return {
            action: float(known @ np.nan_to_num(self.frequencies[:, number]) / total)
            for number, action in enumerate(self.actions)
        }

    def hands(self, text: str, player: int | None = None) -> np.ndarray:
        """The hands of a player's range here that a text names, one hand or a class; default: the player to act."""
        word, holdings = text.strip(), self.holdings
        known = {name.lower(): number for number, name in enumerate(CLASS_NAMES)}
        size = len(holdings.hands[0])
        if holdings.has_starting_hands and word.lower() in known:
            numbers = CLASS_COMBOS[known[word.lower()]]
        else:
            cards = holdings.deck.cards(word)
            if len(cards) != size:
                wanted = "two cards as AhKh, or a class as AKs" if size == 2 else f"a card as {holdings.hand_text(0)}"
                raise BadCards(f"{word[:40]!r} is not a hand; write {wanted}")
            numbers = np.array([holdings.hand_numbers[frozenset(cards)]])
        if player is None:
            player = self.player if self.player is not None else 0
        live = np.asarray(numbers[self.is_present(player)[numbers]])
        if not len(live):
            raise BadCards(f"{word[:40]!r} is not in the range {self.seats[player]} on this board")
        return live

    def ev(self, player: int, hand: str | None = None) -> float:
        """EV of a player: of one hand, of a class, or of the whole range."""
        return self._mean(self.values(player), player, hand)

    def equity(self, player: int, hand: str | None = None) -> float:
        """Equity of a player: of one hand, of a class, or of the whole range."""
        return self._mean(self.equities(player), player, hand)

    def _mean(self, values: np.ndarray, player: int, hand: str | None) -> float:
        weight: np.ndarray = self.likelihood(player)
        if hand is not None:
            numbers = self.hands(hand, player)
            weight = np.bincount(numbers, weight[numbers] if weight[numbers].sum() > 0 else None, len(values))
        return weighted_mean(values, weight)

    def hand_details(self, hand: str, player: int) -> dict[str, Any]:
        """EV and equity of a player's hand, and its strategy if the player is to act."""
        has_ev, acts = "ev" in self.grids, self.player == player
        return {
            "ev": self.ev(player, hand) if has_ev else None,
            "equity": self.equity(player, hand) if "equity" in self.grids else None,
            "strategy": self.strategy(hand) if acts else None,
            "action_ev": self.action_ev(hand) if acts and has_ev else {},
        }

    def table(self, player: int) -> list[dict[str, Any]]:
        """One row for each hand of a player here: its numbers, and its strategy if the player is to act."""
        columns = self._columns(player)
        shares = self._shares() if player == self.player else {}
        rows = []
        for hand in np.flatnonzero(self.is_present(player))[::-1].tolist():
            row: dict[str, Any] = {"hand": self.holdings.hand_text(hand)}
            row |= {name: number_or_none(column[hand]) for name, column in columns.items()}
            for name, share in shares.items():
                row[name] = {action: number_or_none(share[hand, k]) for k, action in enumerate(self.actions)}
            rows.append(row)
        return rows

    def _columns(self, player: int) -> dict[str, np.ndarray]:
        """Numbers [hand] of a player's hands, by name."""
        columns: dict[str, np.ndarray] = {"reach": self.range(player), "likelihood": self.likelihood(player)}
        columns |= {"ev": self.values(player)} if "ev" in self.grids else {}
        return columns | ({"equity": self.equities(player)} if "equity" in self.grids else {})

    def _shares(self) -> dict[str, np.ndarray]:
        """Numbers [hand, action] of the player to act, by name."""
        return {"strategy": self.frequencies} | ({"action_ev": self.action_values} if "ev" in self.grids else {})

    def summary(self) -> dict[str, Any]:
        result, players = {"board": self.board_text} | super().summary(), range(len(self.seats))
        if "equity" in self.grids:
            result["equity"] = [number_or_none(self.equity(player)) for player in players]
        if "ev" in self.grids and self.player is not None:
            result["action_ev"] = {action: number_or_none(value) for action, value in self.action_ev().items()}
        return result | ({"ev": [number_or_none(self.ev(player)) for player in players]} if "ev" in self.grids else {})

    def values_for(self, view: Any) -> dict[str, float]:
        """EV of each action for the hand of a table view; NaN if the opponent's strategy never leads there."""
        node = self.decision_for(view)
        number = node.holdings.hand_numbers.get(frozenset(view.cards))
        if number is None:
            return {}
        values = node.action_values[number] * node.payoffs_per_value
        return dict(zip(node.action_codes, values.tolist(), strict=True))

    def decision_for(self, view: Any) -> Self:
        """The decision below this node that a table view shows; UnknownName if the solution does not have it."""
        node, cards = self.past_empty_deals(), view.board[len(self.board) :]
        for word in (*_WORD.findall(view.betting.history), None):
            while node.is_deal and len(cards) >= node.coming:
                dealt, cards = cards[: node.coming], cards[node.coming :]
                node = node.at(self.deck.text(dealt))
            if word is None and node.player is not None:
                return node
            codes = node.action_codes
            if word not in codes:
                raise UnknownName(f"the solution does not know the betting {view.betting.history[:60]!r}")
            node = node._after_action(codes.index(word)).past_empty_deals()
        raise UnknownName(f"nobody decides after {view.betting.history[:60]!r}")

    @property
    def action_codes(self) -> tuple[str, ...]:
        """The legal actions as the rule engine writes them."""
        return tuple(getattr(getattr(self, "node", None), "codes", ()))

    @property
    def payoffs_per_value(self) -> float:
        """The game's payoff units in a unit of EV."""
        return 1.0

    def action_ev(self, hand: str | None = None) -> dict[str, float]:
        """EV of each action to the player to act: of one hand, of a class, or of the hands that take it."""
        if "ev" not in self.grids:
            raise BadSetting(NO_EV)
        player, means = self.acting, {}
        for number, action in enumerate(self.actions):
            values = self.action_values[:, number]
            weight = np.nan_to_num(self.likelihood(player) * self.frequencies[:, number])
            means[action] = weighted_mean(values, weight) if hand is None else self._mean(values, player, hand)
        return means


class TreeNode(HandNode):
    """A node of a betting tree of two players."""

    node: Node
    reach: tuple[np.ndarray, ...]  # [player] of numbers by hand

    @property
    def player(self) -> int | None:
        return self.node.player if isinstance(self.node, Decision) else None

    @property
    def actions(self) -> tuple[str, ...]:
        return self.node.actions if isinstance(self.node, Decision) else ()

    @property
    def pot(self) -> float:
        return sum(self.node.put)


def number_or_none(value: Any) -> float | int | None:
    """A number for JSON: None for NaN."""
    if isinstance(value, (int, np.integer)):
        return int(value)
    return None if np.isnan(value) else float(value)


def weighted_mean(values: np.ndarray, weight: np.ndarray) -> float:
    """The mean of the values that are known; NaN if they have no weight."""
    known = np.where(np.isnan(values), 0.0, weight)
    total = known.sum()
    return float(known @ np.nan_to_num(values) / total) if total > 0 else float("nan")


def normalized(weight: np.ndarray) -> np.ndarray:
    """Weights that sum to one, or all zero."""
    total = weight.sum()
    return np.asarray(weight / total if total > 0 else weight)
