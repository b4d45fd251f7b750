"""Goofspiel: players bid their cards 1 to N in secret for prizes; the highest bid wins the prize, a tie wins nothing.

Bids of one round are made in turn and hidden. With hidden bids (the default, as in M. Lanctot and others 2009) players
learn only who won each prize, and never the bids of others. The last bid is forced and is made automatically;
`play_last` gives it its own nodes, which is how that paper counts its 98,309,835 histories of seven cards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import perm
from typing import Annotated, NamedTuple

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.sizes import Size
from pokerlab.settings import Flag, Settings, one_of, whole

TIE = -1  # nobody won the prize


class State(NamedTuple):
    """The revealed prizes, the bids of finished rounds, and the bids of this round so far.

    Derived values are stored too, since trees of this game are large.
    """

    prizes: tuple[int, ...]
    bids: tuple[tuple[int, ...], ...]  # [round, player]
    pending: tuple[int, ...]  # [player]
    hands: tuple[tuple[int, ...], ...]  # [player] cards left when this round is over
    points: tuple[int, ...]  # [player]
    seen: tuple[str, ...]  # [player] the finished rounds, as they appear in infosets


@dataclass(frozen=True)
class Goofspiel(Settings):
    """N cards a player, N prizes."""

    label = "goofspiel"
    always_named = ("cards",)
    cards: Annotated[int, whole(1, 100)] = 4
    players: Annotated[int, whole(2, 10)] = 2
    points: Annotated[str, one_of("descending", "ascending", "random")] = "descending"  # the order of the prizes
    hidden: Flag = True  # whether bids stay hidden
    score: Annotated[str, one_of("win_loss", "point_difference", "total_points")] = "win_loss"  # what is scored
    play_last: Flag = False  # whether the forced last bids have their own nodes

    def root(self) -> State:
        deck = tuple(range(1, self.cards + 1))
        start = State((), (), (), (deck,) * self.players, (0,) * self.players, ("",) * self.players)
        return self._settle(start)

    def player(self, state: State) -> int:
        if len(state.bids) == self.cards:
            return TERMINAL
        return CHANCE if len(state.prizes) == len(state.bids) else len(state.pending)

    def actions(self, state: State) -> list[int]:
        return list(state.hands[len(state.pending)])

    def outcomes(self, state: State) -> list[tuple[int, float]]:
        left = [prize for prize in range(1, self.cards + 1) if prize not in state.prizes]
        return [(prize, 1 / len(left)) for prize in left]

    def child(self, state: State, action: int) -> State:
        if len(state.prizes) == len(state.bids):
            return self._settle(state._replace(prizes=(*state.prizes, action)))
        player, hands = len(state.pending), state.hands
        hand = hands[player]
        position = hand.index(action)
        hands = (*hands[:player], hand[:position] + hand[position + 1 :], *hands[player + 1 :])
        pending = (*state.pending, action)
        if len(pending) < self.players:
            return State(state.prizes, state.bids, pending, hands, state.points, state.seen)
        return self._settle(self._decided(state, pending, hands))

    def _decided(self, state: State, bids: tuple[int, ...], hands: tuple[tuple[int, ...], ...]) -> State:
        """The state after all bids of a round."""
        prize, most = state.prizes[len(state.bids)], max(bids)
        winner = bids.index(most) if bids.count(most) == 1 else TIE
        points = state.points
        if winner != TIE:
            points = (*points[:winner], points[winner] + prize, *points[winner + 1 :])
        texts = self._texts(prize, bids, winner)
        seen = tuple(before + text for before, text in zip(state.seen, texts, strict=True))
        return State(state.prizes, (*state.bids, bids), (), hands, points, seen)

    def _texts(self, prize: int, bids: tuple[int, ...], winner: int) -> list[str]:
        """A finished round as it appears in each player's infosets, with a trailing space."""
        if not self.hidden:
            return [f"{prize}:{','.join(map(str, bids))} "] * self.players
        if winner == TIE:
            return [f"{prize}:{bid}= " for bid in bids]
        if self.players == 2:
            return [f"{prize}:{bid}{'+' if player == winner else '-'} " for player, bid in enumerate(bids)]
        return [f"{prize}:{bid}>{winner} " for bid in bids]

    def _settle(self, state: State) -> State:
        """Reveal the next prize if its order is fixed, and make the last bids."""
        shown, finished = len(state.prizes), len(state.bids)
        if shown == finished < self.cards:
            if self.points == "descending":
                state = state._replace(prizes=(*state.prizes, self.cards - shown))
            elif self.points == "ascending":
                state = state._replace(prizes=(*state.prizes, shown + 1))
            elif shown == self.cards - 1:
                state = state._replace(prizes=(*state.prizes, *({*range(1, self.cards + 1)} - {*state.prizes})))
        if finished == self.cards - 1 and len(state.prizes) == self.cards and not self.play_last:
            state = self._decided(state, tuple(hand[0] for hand in state.hands), ((),) * self.players)
        return state

    def returns(self, state: State) -> tuple[float, ...]:
        points = state.points
        if self.score == "total_points":
            return tuple(float(own) for own in points)
        if self.score == "point_difference":
            mean = sum(points) / self.players
            return tuple(own - mean for own in points)
        most = max(points)
        best = points.count(most)
        if best == self.players:
            return (0.0,) * self.players
        return tuple(1 / best if own == most else -1 / (self.players - best) for own in points)

    def infoset(self, state: State, player: int) -> str:
        """Round by round, "3:1-" for a bid of 1 that lost the prize 3 (+ won, = tied), then the current prize."""
        on_the_table = " ".join(map(str, state.prizes[len(state.bids) :]))
        return f"{state.seen[player]}{on_the_table}".rstrip()

    def view(self, state: State, player: int) -> str:
        own = state.pending[player] if player < len(state.pending) else ""
        return f"{self.infoset(state, player)} {own}".strip()

    def size(self, *, effort: float = 1.0) -> Size | None:
        """Two players: hands of distinct cards in order, round by round. Infosets only if bids are public."""
        if self.players != 2:
            return None
        cards, last = self.cards, self.cards if self.play_last else self.cards - 1
        played = [perm(cards, t) for t in range(cards + 1)]  # by finished rounds, as below
        # the number of orders in which the revealed prizes may have come
        shown = [perm(cards, t) if self.points == "random" else 1 for t in range(cards + 1)]
        both = [played[t] ** 2 for t in range(cards + 1)]
        states = sum(shown[t + 1] * (both[t] + played[t] * played[t + 1]) for t in range(last))
        terminals = shown[cards] * both[last]
        chance = sum(shown[t] * both[t] for t in range(cards - 1)) if self.points == "random" else 0
        infosets = sum(shown[t + 1] * both[t] for t in range(last))
        pairs = sum(shown[t + 1] * both[t] * (cards - t) for t in range(last))
        size = Size.counted(self.name, ((infosets, pairs + 1),) * 2, states=states, terminals=terminals, chance=chance)
        return replace(size, infosets=None, infoset_actions=None, by_player=()) if self.hidden else size


game = Goofspiel
