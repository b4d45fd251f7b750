"""One place in a solved spot: who acts, with which ranges, what each hand does and is worth.

Frequencies, values and equities are arrays over the 1,326 hands in their fixed order (cards/combos.py), NaN where a
hand cannot be there. EV is in chips won from the pot as it stands, so that folding is worth 0 and at the root the two
players' EVs add up to the pot (less rake).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import CLASS_COMBOS, CLASS_NAMES, COMBOS, combo_index, combo_name
from pokerlab.errors import BadCards, IllegalAction
from pokerlab.games.poker.betting_tree import Deal, Decision, Node, Settled, Showdown
from pokerlab.strategy.spot_actions import action_number
from pokerlab.tree.public.layout import BLOCK, compatible_weight

if TYPE_CHECKING:
    from pokerlab.strategy.spot_solution import SpotSolution

SEAT_WORDS = ("out of position", "in position")


@dataclass(frozen=True, eq=False)
class SpotView:
    """A node of a solved spot on a board."""

    solution: SpotSolution
    node: Node
    board: tuple[int, ...]
    moves: tuple[str, ...]
    number: int  # round
    place: int  # board of the round that stands for this one
    frame: np.ndarray  # [52] the permutation that maps that board onto this one
    reach: tuple[np.ndarray, np.ndarray]  # [1326] of each player, in the frame of the board that stands for this
    spent: tuple[float, float]  # on earlier streets
    street: tuple[float, float]  # on this one

    # ---- walking ---------------------------------------------------------------------------------------------------

    @property
    def player(self) -> int | None:
        """Who acts; None where cards come or the hand is over."""
        return self.node.player if isinstance(self.node, Decision) else None

    @property
    def actions(self) -> tuple[str, ...]:
        """What the player may do."""
        return self.node.actions if isinstance(self.node, Decision) else ()

    @property
    def is_deal(self) -> bool:
        """Whether the next card comes here."""
        return isinstance(self.node, Deal)

    @property
    def is_over(self) -> bool:
        """Whether the hand is over here."""
        return not isinstance(self.node, (Deal, Decision))

    @property
    def pot(self) -> float:
        """All chips in the middle."""
        return self.solution.spot.pot + sum(self.spent) + sum(self.street)

    def at(self, *moves: str) -> SpotView:
        """The place after some moves: actions ("bet 75", "call", "allin") and cards ("Td")."""
        view = self
        for move in moves:
            view = view._after_card(move) if view.is_deal else view._after_action(move)
        return view

    def action_number(self, text: str) -> int:
        """Which of the actions a text means: "bet 75", "b75", "bet" where there is one, "x", "allin"."""
        if not self.actions:
            raise IllegalAction(f"{text[:40]!r} cannot be done: the hand is over")
        return action_number(text, self.actions)

    def _after_action(self, text: str) -> SpotView:
        number = self.action_number(text)
        assert isinstance(self.node, Decision)
        player, label = self.node.player, self.actions[number]
        street = list(self.street)
        if label == "call":
            street[player] = street[1 - player]
        elif label not in ("fold", "check"):
            street[player] = float(label.split()[1])
        chosen = np.nan_to_num(self._raw_strategy[:, number])
        reach = tuple(held * chosen if seat == player else held for seat, held in enumerate(self.reach))
        return replace(
            self,
            node=self.node.children[number],
            moves=(*self.moves, label),
            reach=(reach[0], reach[1]),
            street=(street[0], street[1]),
        )

    def _after_card(self, text: str) -> SpotView:
        cards = FULL_DECK.cards(text)
        if len(cards) != 1:
            raise BadCards(f"one card comes here, and {text[:40]!r} is {len(cards)} cards; write it as Td")
        if cards[0] in self.board:
            raise BadCards(f"the card {FULL_DECK.name(cards[0])} is on the board already")
        tree = self.solution.tree
        level = tree.rounds[self.number + 1]
        assert isinstance(self.node, Deal)
        inverse = np.argsort(self.frame)
        wanted = {*tree.rounds[self.number].boards[self.place], int(inverse[cards[0]])}
        children = tree.rounds[self.number].children
        for place in range(int(children[self.place]), int(children[self.place + 1])):
            for image in level.images[level.image_start[place] : level.image_start[place + 1]]:
                if {int(card) for card in image[list(level.boards[place])]} != wanted:
                    continue
                hands = _hand_numbers(image)
                live = ~np.isin(COMBOS, level.boards[place]).any(axis=1)
                reach = tuple(np.where(live, held[hands], 0.0) for held in self.reach)
                return replace(
                    self,
                    node=self.node.child,
                    board=(*self.board, cards[0]),
                    moves=(*self.moves, FULL_DECK.name(cards[0])),
                    number=self.number + 1,
                    place=place,
                    frame=self.frame[image],
                    reach=(reach[0], reach[1]),
                    spent=(self.spent[0] + self.street[0], self.spent[1] + self.street[1]),
                    street=(0.0, 0.0),
                )
        raise BadCards(f"the card {FULL_DECK.name(cards[0])} cannot come here")

    # ---- numbers ---------------------------------------------------------------------------------------------------

    def _shown(self, values: np.ndarray) -> np.ndarray:
        """Numbers per hand in the frame of the board that stands for this one, as they are on this board."""
        shown = np.empty_like(values)
        shown[_hand_numbers(self.frame)] = values
        return shown

    @cached_property
    def _raw_strategy(self) -> np.ndarray:
        node = self.node
        assert isinstance(node, Decision)
        tree = self.solution.tree
        place, level = tree.places[node], tree.rounds[self.number]
        hands, plex = level.hands[node.player], level.treeplexes[node.player]
        start = self.place * hands.rows * plex.slots
        sums = self.solution.sums[self.number][node.player][start : start + hands.rows * plex.slots]
        rows = np.asarray(sums, np.float64).reshape(-1, plex.slots, BLOCK).transpose(0, 2, 1).reshape(hands.rows, -1)
        chosen = rows[:, place.slot : place.slot + len(node.actions)]
        total = chosen.sum(axis=1, keepdims=True)
        chosen = np.where(total > 0, chosen / np.where(total > 0, total, 1), 1 / len(node.actions))
        result = np.full((len(COMBOS), len(node.actions)), np.nan)
        count = int(hands.count[self.place])
        result[hands.hand[self.place, :count]] = chosen[:count]
        return result

    @cached_property
    def frequencies(self) -> np.ndarray:
        """[hand, action] How often the player to act does what with each hand."""
        return self._shown(self._raw_strategy)

    @cached_property
    def _weight(self) -> tuple[np.ndarray, np.ndarray]:
        """[hand] Opposing reach that is compatible with each hand of each player."""
        tree = self.solution.tree
        weights = [compatible_weight(tree.hand_cards, self.reach[1 - seat], tree.tokens) for seat in (0, 1)]
        return np.maximum(weights[0], 0.0), np.maximum(weights[1], 0.0)

    def range(self, player: int) -> np.ndarray:
        """[hand] How much of each hand a player still holds here."""
        return self._shown(self.reach[player])

    def likelihood(self, player: int) -> np.ndarray:
        """[hand] How likely each hand of a player is here; sums to one, or to zero where nobody comes."""
        weight = self.reach[player] * self._weight[player]
        total = weight.sum()
        return self._shown(weight / total if total > 0 else weight)

    def _sequence_values(self, player: int) -> np.ndarray:
        return self.solution.sequence_values(self, player)

    def _per_hand(self, values: np.ndarray, player: int) -> np.ndarray:
        """Values that are times the opposing weight as EV in chips won from the pot as it stands."""
        weight, held = self._weight[player], self._valued(player)
        start = self.solution.spot.pot / 2 + self.spent[player] + self.street[player]
        with np.errstate(divide="ignore", invalid="ignore"):
            shape = (-1,) + (1,) * (values.ndim - 1)
            return np.where(held.reshape(shape), values / weight.reshape(shape) + start, np.nan)

    def _valued(self, player: int) -> np.ndarray:
        """[hand] Whether a player can hold each hand here against some opposing hand, in the own frame."""
        live = (self.solution.tree.weights[player] > 0) & ~np.isin(COMBOS, self._own_board).any(axis=1)
        weight = self._weight[player]
        return live & np.asarray(weight > 1e-9 * max(float(weight.max()), 1e-30))

    @cached_property
    def action_values(self) -> np.ndarray:
        """[hand, action] EV of each action to the player to act."""
        node = self.node
        assert isinstance(node, Decision)
        tree = self.solution.tree
        first = tree.rounds[self.number].treeplexes[node.player].roots + tree.places[node].slot
        values = self._sequence_values(node.player)[:, first : first + len(node.actions)]
        return self._shown(self._per_hand(values, node.player))

    def values(self, player: int) -> np.ndarray:
        """[hand] EV of each hand of a player."""
        if player == self.player:
            return np.asarray((self.action_values * self.frequencies).sum(axis=1))
        start, end = self.solution.spot.pot / 2 + self.spent[player] + self.street[player], self._end
        if isinstance(end, Settled):
            return np.where(np.isnan(self.equities(player)), np.nan, end.returns[player] + start)
        if isinstance(end, Showdown):
            return end.lose[player] + self.equities(player) * (end.win[player] - end.lose[player]) + start
        if not isinstance(self.node, Decision):
            return self._deal_values(player)
        sequence = self.solution.tree.places[self.node].sequences[player]
        return self._shown(self._per_hand(self._sequence_values(player)[:, sequence], player))

    @property
    def _end(self) -> Settled | Showdown | None:
        """How the hand ends if nobody has anything more to decide."""
        node = self.node
        while isinstance(node, Deal):
            node = node.child
        return None if isinstance(node, Decision) else node

    def _deal_values(self, player: int) -> np.ndarray:
        """EV before a card comes: the mean over the cards."""
        total, count = np.zeros(len(COMBOS)), np.zeros(len(COMBOS))
        for view in self.cards():
            values, weight = view.values(player), view._shown(view._weight[player])
            total += np.nan_to_num(values) * weight
            count += np.where(np.isnan(values), 0.0, weight)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(count > 0, total / count, np.nan)

    def equities(self, player: int) -> np.ndarray:
        """[hand] The part of the pot that each hand would win if all cards came without another bet."""
        values = self.solution.showdown_values(self, player)
        weight, held = self._weight[player], self._valued(player)
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._shown(np.where(held, values / weight, np.nan))

    # ---- one hand, and totals --------------------------------------------------------------------------------------

    def strategy(self, hand: str | None = None) -> dict[str, float]:
        """How often each action is taken: by one hand ("AhKh"), by the hands of a class ("AKs"), or by all."""
        if not isinstance(self.node, Decision):
            raise IllegalAction("nobody acts here: " + ("a card comes" if self.is_deal else "the hand is over"))
        weight = self.likelihood(self.node.player)
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
        """The hands of a player's range here that a text names, one hand or a class; of the one to act by default."""
        word = text.strip()
        known = {name.lower(): number for number, name in enumerate(CLASS_NAMES)}
        if word.lower() in known:
            numbers = CLASS_COMBOS[known[word.lower()]]
        else:
            cards = FULL_DECK.cards(word)
            if len(cards) != 2:
                raise BadCards(f"{word[:40]!r} is not a hand; write two cards as AhKh, or a class as AKs")
            numbers = np.array([combo_index(cards[0], cards[1])])
        if player is None:
            player = self.player if self.player is not None else 0
        live = np.asarray(numbers[~np.isnan(self._present(player)[numbers])])
        if not len(live):
            raise BadCards(f"{word[:40]!r} is not in the range {SEAT_WORDS[player]} on this board")
        return live

    def _present(self, player: int) -> np.ndarray:
        live = (self.solution.tree.weights[player] > 0) & ~np.isin(COMBOS, self._own_board).any(axis=1)
        return self._shown(np.where(live, 1.0, np.nan))

    @property
    def _own_board(self) -> tuple[int, ...]:
        return self.solution.tree.rounds[self.number].boards[self.place]

    def ev(self, player: int, hand: str | None = None) -> float:
        """EV of a player: of one hand, of a class, or of the whole range."""
        return self._mean(self.values(player), player, hand)

    def equity(self, player: int, hand: str | None = None) -> float:
        """Equity of a player: of one hand, of a class, or of the whole range."""
        return self._mean(self.equities(player), player, hand)

    def action_ev(self, hand: str | None = None) -> dict[str, float]:
        """EV of each action to the player to act: of one hand, of a class, or of the hands that take it."""
        if self.player is None:
            raise IllegalAction("nobody acts here: " + ("a card comes" if self.is_deal else "the hand is over"))
        found = {}
        for number, action in enumerate(self.actions):
            values = self.action_values[:, number]
            if hand is not None:
                found[action] = self._mean(values, self.player, hand)
                continue
            weight = np.nan_to_num(self.likelihood(self.player) * self.frequencies[:, number])
            known = np.where(np.isnan(values), 0.0, weight)
            found[action] = float(known @ np.nan_to_num(values) / known.sum()) if known.sum() > 0 else float("nan")
        return found

    def cards(self) -> list[SpotView]:
        """Where a card comes: the place after each card."""
        if not self.is_deal:
            raise IllegalAction("no card comes here")
        return [self.at(FULL_DECK.name(card)) for card in range(51, -1, -1) if card not in self.board]

    def _mean(self, values: np.ndarray, player: int, hand: str | None) -> float:
        weight = self.likelihood(player)
        if hand is not None:
            numbers = self.hands(hand, player)
            weight = np.bincount(numbers, weight[numbers] if weight[numbers].sum() > 0 else None, len(values))
        known = np.where(np.isnan(values), 0.0, weight)
        total = known.sum()
        return float(known @ np.nan_to_num(values) / total) if total > 0 else float("nan")

    def table(self, player: int) -> list[dict[str, Any]]:
        """One row for each hand of a player here: reach, likelihood, EV, equity, and frequencies of the one to act."""
        likely, held = self.likelihood(player), self.range(player)
        values, equities = self.values(player), self.equities(player)
        present = np.flatnonzero(~np.isnan(self._present(player)))
        rows = []
        for hand in present[::-1]:
            row: dict[str, Any] = {
                "hand": combo_name(int(hand)),
                "reach": float(held[hand]),
                "likelihood": float(likely[hand]),
                "ev": _number(values[hand]),
                "equity": _number(equities[hand]),
            }
            if player == self.player:
                row["strategy"] = {a: float(self.frequencies[hand, k]) for k, a in enumerate(self.actions)}
                row["action_ev"] = {a: _number(self.action_values[hand, k]) for k, a in enumerate(self.actions)}
            rows.append(row)
        return rows

    def summary(self) -> dict[str, Any]:
        """The totals of this place, for JSON."""
        result: dict[str, Any] = {
            "board": FULL_DECK.text(self.board),
            "moves": list(self.moves),
            "pot": self.pot,
            "player": self.player,
            "actions": list(self.actions),
        }
        if self.player is not None:
            result["frequencies"] = self.strategy()
            result["action_ev"] = {action: _number(value) for action, value in self.action_ev().items()}
        result["ev"] = [_number(self.ev(player)) for player in (0, 1)]
        result["equity"] = [_number(self.equity(player)) for player in (0, 1)]
        return result


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _hand_numbers(permutation: np.ndarray) -> np.ndarray:
    """[hand] The hand that a permutation of the cards maps each hand to."""
    pairs = np.sort(np.asarray(permutation)[COMBOS].astype(np.int64), axis=1)
    return np.asarray(pairs[:, 1] * (pairs[:, 1] - 1) // 2 + pairs[:, 0])
