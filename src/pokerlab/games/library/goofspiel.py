"""Goofspiel: players bid their cards 1 to N in secret for prizes; the highest bid wins the prize, a tie wins nothing.

Bids of one turn are made in turn and hidden. With hidden bids (the default, as in M. Lanctot and others 2009) players
learn only who won each prize, and never the bids of others. The last bid is forced and is made for the players;
`play_last` gives it nodes of its own, which is how that paper counts its 98,309,835 histories of seven cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import perm
from typing import Annotated, NamedTuple

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.sizes import Size
from pokerlab.settings import Flag, Settings, one_of, whole

TIE = -1  # nobody won the prize


class State(NamedTuple):
    """Prizes that have been shown, the finished turns' bids, and the bids of this turn so far."""

    prizes: tuple[int, ...]
    bids: tuple[tuple[int, ...], ...]  # [turn, player]
    pending: tuple[int, ...]  # [player]


@dataclass(frozen=True)
class Goofspiel(Settings):
    """N cards a player, N prizes."""

    label = "goofspiel"
    always_told = ("cards",)
    cards: Annotated[int, whole(1, 100)] = 4
    players: Annotated[int, whole(2, 10)] = 2
    points: Annotated[str, one_of("descending", "ascending", "random")] = "descending"  # the order of the prizes
    hidden: Flag = True  # whether bids stay hidden
    score: Annotated[str, one_of("win_loss", "point_difference", "total_points")] = "win_loss"  # what counts at the end
    play_last: Flag = False  # whether the last bids, which are forced, have nodes of their own

    def root(self) -> State:
        return self._settle(State((), (), ()))

    def player(self, state: State) -> int:
        if len(state.bids) == self.cards:
            return TERMINAL
        return CHANCE if len(state.prizes) == len(state.bids) else len(state.pending)

    def actions(self, state: State) -> list[int]:
        player = len(state.pending)
        used = {turn[player] for turn in state.bids}
        return [card for card in range(1, self.cards + 1) if card not in used]

    def outcomes(self, state: State) -> list[tuple[int, float]]:
        left = [prize for prize in range(1, self.cards + 1) if prize not in state.prizes]
        return [(prize, 1 / len(left)) for prize in left]

    def child(self, state: State, action: int) -> State:
        if self.player(state) == CHANCE:
            return self._settle(state._replace(prizes=(*state.prizes, action)))
        pending = (*state.pending, action)
        if len(pending) < self.players:
            return state._replace(pending=pending)
        return self._settle(State(state.prizes, (*state.bids, pending), ()))

    def _settle(self, state: State) -> State:
        """Show the next prize where the order decides it, and make the last bids."""
        shown, turn = len(state.prizes), len(state.bids)
        if shown == turn < self.cards:
            if self.points == "descending":
                state = state._replace(prizes=(*state.prizes, self.cards - shown))
            elif self.points == "ascending":
                state = state._replace(prizes=(*state.prizes, shown + 1))
            elif shown == self.cards - 1:
                state = state._replace(prizes=(*state.prizes, *({*range(1, self.cards + 1)} - {*state.prizes})))
        if turn == self.cards - 1 and len(state.prizes) == self.cards and not self.play_last:
            everything = self.cards * (self.cards + 1) // 2
            last = tuple(everything - sum(bid[player] for bid in state.bids) for player in range(self.players))
            state = State(state.prizes, (*state.bids, last), ())
        return state

    def winners(self, state: State) -> list[int]:
        """Who won the prize of each finished turn."""
        return [bid.index(max(bid)) if bid.count(max(bid)) == 1 else TIE for bid in state.bids]

    def returns(self, state: State) -> tuple[float, ...]:
        points = [0] * self.players
        for prize, winner in zip(state.prizes, self.winners(state), strict=True):
            if winner != TIE:
                points[winner] += prize
        if self.score == "total_points":
            return tuple(float(own) for own in points)
        if self.score == "point_difference":
            mean = sum(points) / self.players
            return tuple(own - mean for own in points)
        best = points.count(max(points))
        if best == self.players:
            return (0.0,) * self.players
        return tuple(1 / best if own == max(points) else -1 / (self.players - best) for own in points)

    def infoset(self, state: State, player: int) -> str:
        """Turn by turn, "3:1-" for a bid of 1 that lost the prize 3 (+ won, = tied), then the prize on the table."""
        turns = []
        for prize, bids, winner in zip(state.prizes, state.bids, self.winners(state), strict=False):
            if not self.hidden:
                turns.append(f"{prize}:{','.join(map(str, bids))}")
            elif winner == TIE or self.players == 2:
                turns.append(f"{prize}:{bids[player]}{'=' if winner == TIE else '+' if winner == player else '-'}")
            else:
                turns.append(f"{prize}:{bids[player]}>{winner}")
        return " ".join((*turns, *map(str, state.prizes[len(state.bids) :])))

    def view(self, state: State, player: int) -> str:
        own = state.pending[player] if player < len(state.pending) else ""
        return f"{self.infoset(state, player)} {own}".strip()

    def size(self, *, effort: float = 1.0) -> Size | None:
        """Two players: hands of distinct cards in order, a turn at a time. Infosets only where bids are seen."""
        if self.players != 2:
            return None
        cards, last = self.cards, self.cards if self.play_last else self.cards - 1
        played = [perm(cards, turn) for turn in range(cards + 1)]
        # in how many orders the prizes that are on the table may have come
        shown = [perm(cards, turn) if self.points == "random" else 1 for turn in range(cards + 1)]
        whole = [played[turn] ** 2 for turn in range(cards + 1)]
        states = sum(shown[t + 1] * (whole[t] + played[t] * played[t + 1]) for t in range(last))
        terminals = shown[cards] * whole[last]
        chance = sum(shown[turn] * whole[turn] for turn in range(cards - 1)) if self.points == "random" else 0
        infosets = None if self.hidden else 2 * sum(shown[t + 1] * whole[t] for t in range(last))
        pairs = None if self.hidden else 2 * sum(shown[t + 1] * whole[t] * (cards - t) for t in range(last))
        return Size(
            name=self.name,
            how="counted",
            states=states,
            infosets=infosets,
            infoset_actions=pairs,
            terminals=terminals,
            nodes=states + terminals + chance,
            by_player=() if infosets is None or pairs is None else ((infosets // 2, pairs // 2 + 1),) * 2,
        )


game = Goofspiel
