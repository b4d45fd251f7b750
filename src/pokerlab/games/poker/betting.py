"""The betting of a hand, without its cards: a small immutable automaton.

`Betting` is everything about the chips that players can see. It is independent of the cards, so the public tree of a
game can be traversed without dealing any. `BettingRules` advances it: `start`, `legal`, `act`; legality.py defines what
is allowed.

A short all-in increases `level` but not `step`, the minimum full raise.

In fixed limit an all-in for less than half a bet does not count as a bet: the next seat may complete it, `step` being
the missing amount. From half a bet on it counts as a bet, and a raise of it is a full bet.

If the largest blind is short, all must still call it in full, but never more than another seat in the hand can match.
"""

from __future__ import annotations

from operator import index

from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.action import CALL, FOLD, RAISE, STAND_PAT, Action, actions_of, discard, raise_to
from pokerlab.games.poker.legality import Betting, Legal, Legality

__all__ = ["CALL", "FOLD", "RAISE", "STAND_PAT", "Action", "Betting", "BettingRules", "Legal", "discard", "raise_to"]

_new = tuple.__new__  # builds a named tuple without the overhead of its constructor


class BettingRules(Legality):
    """The betting rules of one game."""

    def start(self) -> Betting:
        """The betting after antes and blinds are posted."""
        live = tuple(min(blind, behind) for blind, behind in zip(self._blinds, self.behind, strict=True))
        able = sum(1 << seat for seat in range(self.players) if live[seat] < self.behind[seat])
        level = min(self._largest_blind, self._second_behind)
        blinds_count = self.limit != "fixed" and self._least_raise != "bet"
        step = max(self._largest_blind, self._bets[0]) if blinds_count else self._bets[0]
        return self._open(0, live, level, step, self._everyone, able, "")

    def act(self, betting: Betting, action: Action) -> Betting:
        """The betting after an action of the seat to act; raises IllegalAction with the reason if it is illegal."""
        kind = action[0]
        if betting[1] < 0 or betting[10] or self.limit == "push":
            self.verify(betting, action)
        if kind == "c":
            return self._call(betting)
        if kind == "r":
            return self._raise(betting, action)
        if kind == "f":
            return self._fold(betting)
        self.verify(betting, action)
        return self._exchange(betting, len(action[2]))

    def _call(self, betting: Betting) -> Betting:
        round_, actor, live, level, step, raises, alive, able, waiting, acted, _, history = betting
        bit = 1 << actor
        if live[actor] < level:
            mine = level
            if self.behind[actor] <= level:
                mine = self.behind[actor]
                able &= ~bit
            live = (*live[:actor], mine, *live[actor + 1 :])
        waiting &= ~bit
        if not waiting:
            return self._close(round_, live, level, alive, able, history + "c")
        actor = self._next(actor, waiting)
        acted |= bit
        return _new(
            Betting,
            (round_, actor, live, level, step, raises, alive, able, waiting, acted, False, history + "c"),
        )

    def _fold(self, betting: Betting) -> Betting:
        round_, actor, live, level, step, raises, alive, able, waiting, acted, _, history = betting
        if live[actor] >= level:
            self.verify(betting, FOLD)
        others = ~(1 << actor)
        alive &= others
        able &= others
        waiting &= others
        if alive & (alive - 1) == 0:
            history += "f"
            return _new(Betting, (round_, TERMINAL, live, level, step, raises, alive, able, 0, acted, False, history))
        if self._short_blind and not round_:
            level, waiting = self._matched(live, level, alive, waiting)
        if not waiting:
            return self._close(round_, live, level, alive, able, history + "f")
        actor = self._next(actor, waiting)
        history += "f"
        return _new(Betting, (round_, actor, live, level, step, raises, alive, able, waiting, acted, False, history))

    def _matched(self, live: tuple[int, ...], level: int, alive: int, waiting: int) -> tuple[int, int]:
        """The level that two of these seats can reach, and the seats yet to act that have not put that in."""
        second = sorted(behind for seat, behind in enumerate(self.behind) if alive >> seat & 1)[-2]
        for seat in range(self.players):
            if live[seat] >= second:
                waiting &= ~(1 << seat)
        return min(level, second), waiting

    def _raise(self, betting: Betting, action: Action) -> Betting:
        round_, actor, live, level, step, raises, alive, able, _, acted, _, history = betting
        legal = self.legal(betting)
        total = action[1] or legal[2]
        if type(total) is not int or not legal[2] <= total <= legal[3] or legal[3] == 0:
            self.verify(betting, action)
            total = index(total)
        if self.limit == "fixed":
            history += "r"
        else:
            if not action[1]:
                self.verify(betting, action)
            history = f"{history}r{total}"
        mine = total - self.antes[actor]
        raised = mine - level
        raises += 1
        if self.limit == "fixed":
            bet = self._bets[round_]
            if bet - step + raised < bet * self._reopens_at:  # short, even with all since the last full one
                step -= raised
                raises -= 1
            else:
                step = bet
        elif self._least_raise == "double":
            step = raised if raises == 1 and (round_ or not self._largest_blind) else step + raised
        elif raised >= step:
            step = raised
        elif self._least_raise == "acpc":
            step = max(raised, step - raised)
        bit = 1 << actor
        if mine == self.behind[actor]:
            able &= ~bit
        waiting = able & ~bit
        live = (*live[:actor], mine, *live[actor + 1 :])
        if not waiting:
            return self._close(round_, live, mine, alive, able, history)
        actor = self._next(actor, waiting)
        acted |= bit
        return _new(
            Betting,
            (round_, actor, live, mine, step, raises, alive, able, waiting, acted, False, history),
        )

    def _next(self, seat: int, waiting: int) -> int:
        """The first waiting seat after this one."""
        later = waiting >> (seat + 1) << (seat + 1)
        chosen = later or waiting
        return (chosen & -chosen).bit_length() - 1

    def _close(self, round_: int, live: tuple[int, ...], level: int, alive: int, able: int, history: str) -> Betting:
        nobody_can_bet = able & (able - 1) == 0
        if round_ == self._last or (nobody_can_bet and not self._later_draws[round_]):
            history += "/" * (self._last - round_)
            return _new(Betting, (self._last, TERMINAL, live, level, 0, 0, alive, able, 0, 0, False, history))
        round_ += 1
        step = self._bets[round_]
        history += "/"
        waiting = able & self._bettors[round_]
        if self._draws[round_] or not self._betting[round_] or not waiting or nobody_can_bet:
            return self._open(round_, live, level, step, alive, able, history)
        actor = self._next(self._first[round_] - 1, waiting)
        return _new(Betting, (round_, actor, live, level, step, 0, alive, able, waiting, 0, False, history))

    def _open(
        self, round_: int, live: tuple[int, ...], level: int, step: int, alive: int, able: int, history: str
    ) -> Betting:
        """The start of a round: its exchanges if it has any, else its betting."""
        if self._draws[round_]:
            actor = self._next(self._first[round_] - 1, alive)
            return Betting(round_, actor, live, level, step, 0, alive, able, alive, 0, True, history)
        return self._open_betting(round_, live, level, step, alive, able, history)

    def _open_betting(
        self, round_: int, live: tuple[int, ...], level: int, step: int, alive: int, able: int, history: str
    ) -> Betting:
        waiting = 0
        if self._betting[round_]:
            if round_ == 0:
                behind = sum(1 << seat for seat in range(self.players) if live[seat] < level)
                covered = sum(1 << seat for seat in range(self.players) if live[seat] >= self._second_behind)
                waiting = able & (self._bettors[0] | behind) & ~covered
            elif able & (able - 1):  # at least two seats with chips
                waiting = able & self._bettors[round_]
        if not waiting:
            return self._close(round_, live, level, alive, able, history)
        actor = self._next(self._first[round_] - 1, waiting)
        return _new(Betting, (round_, actor, live, level, step, 0, alive, able, waiting, 0, False, history))

    def _exchange(self, betting: Betting, count: int) -> Betting:
        waiting = betting.waiting & ~(1 << betting.actor)
        history = f"{betting.history}d{count}"
        if waiting:
            return betting._replace(actor=self._next(betting.actor, waiting), waiting=waiting, history=history)
        round_, _, live, level, step, _, alive, able, _, _, _, _ = betting
        return self._open_betting(round_, live, level, step, alive, able, history)

    def level_before(self, history: str) -> int:
        """The level, antes excluded, at the start of the last round of a history; 0 in the first round."""
        betting = self.start()
        if "/" not in history:
            return 0
        for action in actions_of(history[: history.rindex("/")]):
            betting = self._exchange(betting, len(action.cards)) if action.kind == "d" else self.act(betting, action)
        return betting.level
