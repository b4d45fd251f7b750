"""The betting of a hand, without its cards: a small immutable automaton.

`Betting` is all that the players can see of the chips. It knows no cards, so the public tree of a game can be walked
without dealing any. `BettingRules` moves it: `start`, `legal`, `act`.

What a seat has put in is `live` (blinds, bets, calls) and its ante; to stay in, `live` must reach `level`. A raise
must be at least `step` more than `level`, the last full raise, unless it is all-in. A short all-in makes `level`
higher but not `step`, and a seat that has acted may raise again only when the raises since add up to a full one.

In fixed limit an all-in for less than half a bet is not a bet of its own: the next seat may complete it, `step` being
what is missing. From half a bet on it counts as one, and is raised by a full bet.

Where the largest blind is short, all must still call it in full, but never more than another seat in the hand can
match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import index
from typing import NamedTuple

from pokerlab.errors import IllegalAction, TooLarge
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.rules import UNLIMITED, Rules

ACPC_MOST_ACTIONS = 64  # of one round, as the competition's server has room for
MOST_LISTED = 100_000  # raises of different sizes
_ACTION = re.compile(r"([fcrd])(\d*)")  # of a history
_new = tuple.__new__  # makes a named tuple without the cost of its own constructor


class Action(NamedTuple):
    """What a player does. In fixed limit a raise needs no amount; else it is the total put in over the hand."""

    kind: str  # "f" fold, "c" check or call, "r" bet or raise, "d" discard
    amount: int = 0  # of a raise: the player's chips in the pot afterwards, over the whole hand
    cards: tuple[int, ...] = ()  # of a discard

    def __str__(self) -> str:
        if self.kind == "r" and self.amount:
            return f"r{self.amount}"
        return f"d{len(self.cards)}" if self.kind == "d" else self.kind


FOLD = Action("f")
CALL = Action("c")  # check or call
RAISE = Action("r")  # the one bet or raise of fixed limit
STAND_PAT = Action("d")


def raise_to(total: int) -> Action:
    """A bet or raise to this total over the whole hand."""
    return _new(Action, ("r", index(total), ()))


def discard(*cards: int) -> Action:
    """An exchange of these cards."""
    return Action("d", 0, cards)


class Legal(NamedTuple):
    """What the player to act may do: kinds and amounts."""

    fold: bool
    call: int  # chips that a call costs, 0 for a check; -1 where calling is not allowed
    least: int  # least total of a raise, 0 where raising is not allowed
    most: int  # greatest total of a raise
    discards: int = -1  # most cards that may be exchanged; -1 outside of draws
    menu: tuple[int, ...] = ()  # the totals of a raise where only some are allowed, smallest first; else empty

    @property
    def can_raise(self) -> bool:
        """Whether a bet or raise is allowed."""
        return self.most > 0

    def nearest(self, total: int) -> int:
        """The total of a raise that is allowed and nearest to this one, the smaller of two.

        >>> Legal(True, 10, 20, 90).nearest(120), Legal(True, 10, 20, 90, menu=(20, 50, 90)).nearest(70)
        (90, 50)
        """
        if self.menu:
            return min(self.menu, key=lambda allowed: abs(allowed - total))
        return min(max(total, self.least), self.most)


class Betting(NamedTuple):
    """The public part of a hand: chips and actions. Sets of seats are bit masks, seat s being bit 1 << s."""

    round: int
    actor: int  # the seat to act, or TERMINAL
    live: tuple[int, ...]  # chips each seat has put in, antes apart
    level: int  # what a seat must have put in to stay
    step: int  # the least amount of a full raise
    raises: int  # bets and raises in this round
    alive: int  # seats that have not folded
    able: int  # seats that have not folded and have chips left
    waiting: int  # seats that have yet to act before the round ends
    acted: int  # seats that have acted in this round
    drawing: bool  # the seats are exchanging cards, not betting
    history: str  # "cr/cr300": rounds separated by "/", as the competition protocol writes them

    @property
    def folded_out(self) -> bool:
        """Whether all seats but one have folded."""
        return self.alive & (self.alive - 1) == 0


class BettingRules:
    """How the betting of one game goes."""

    def __init__(self, rules: Rules) -> None:
        stacks = rules.stacks or (UNLIMITED,) * rules.players
        self.players = rules.players
        self.limit = rules.limit
        self.antes = tuple(min(ante, stack) for ante, stack in zip(rules.antes, stacks, strict=True))
        # the most each seat can put in besides its ante
        self.room = tuple(stack - ante for stack, ante in zip(stacks, self.antes, strict=True))
        self._second_room = sorted(self.room)[-2]  # more than the second deepest seat has cannot be called
        self._reopens_at = rules.reopens_at
        self._least_raise = rules.least_raise
        # of one round: from so many actions on nobody raises, for the others must still find room to call
        self._most_actions = ACPC_MOST_ACTIONS - rules.players + 1 if rules.least_raise == "acpc" else 0
        uncapped = any(round_.betting and round_.raises is None for round_ in rules.rounds)
        self.is_endless = rules.stacks is None and uncapped and not self._most_actions  # nothing ends the raising
        self._everyone = (1 << rules.players) - 1
        self._last = len(rules.rounds) - 1
        self._first = [round_.first for round_ in rules.rounds]
        self._bets = [round_.bet for round_ in rules.rounds]
        self._caps = [UNLIMITED if round_.raises is None else round_.raises for round_ in rules.rounds]
        self._draws = [round_.draw for round_ in rules.rounds]
        self._later_draws = [any(self._draws[number + 1 :]) for number in range(len(rules.rounds))]
        self._betting = [round_.betting for round_ in rules.rounds]
        self._bettors = [
            self._everyone if round_.bettors is None else sum(1 << seat for seat in round_.bettors)
            for round_ in rules.rounds
        ]
        # by round and seat: room, ante, cap of raises, whether it may bet, the other seats
        self._seats = [
            [
                (self.room[seat], self.antes[seat], self._caps[number], self._bettors[number] >> seat & 1, ~(1 << seat))
                for seat in range(rules.players)
            ]
            for number in range(len(rules.rounds))
        ]
        self._blinds = rules.blinds
        self._largest_blind = max(rules.blinds)
        posted = max(min(blind, room) for blind, room in zip(rules.blinds, self.room, strict=True))
        self._short_blind = posted < min(self._largest_blind, self._second_room)  # nobody has put in what is to call
        self._recent: tuple[Betting | None, Legal] = (None, Legal(False, -1, 0, 0))

    # ---- moving ----------------------------------------------------------------------------------------------------

    def start(self) -> Betting:
        """The betting when antes and blinds have been posted."""
        live = tuple(min(blind, room) for blind, room in zip(self._blinds, self.room, strict=True))
        able = sum(1 << seat for seat in range(self.players) if live[seat] < self.room[seat])
        level = min(self._largest_blind, self._second_room)
        blinds_count = self.limit != "fixed" and self._least_raise != "bet"
        step = max(self._largest_blind, self._bets[0]) if blinds_count else self._bets[0]
        return self._open(0, live, level, step, self._everyone, able, "")

    def act(self, betting: Betting, action: Action) -> Betting:
        """The betting after an action of the seat to act; IllegalAction says why it cannot be."""
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
            if self.room[actor] <= level:
                mine = self.room[actor]
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
        """The level that two of these seats can reach, and those seats that have yet to act and do not have it in."""
        second = sorted(room for seat, room in enumerate(self.room) if alive >> seat & 1)[-2]
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
            if bet - step + raised < bet * self._reopens_at:  # short, and so are all since the last full one together
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
        if mine == self.room[actor]:
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
        """The start of a round: its exchanges where it has any, else its betting."""
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
                covered = sum(1 << seat for seat in range(self.players) if live[seat] >= self._second_room)
                waiting = able & (self._bettors[0] | behind) & ~covered
            elif able & (able - 1):  # two seats with chips at least
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

    # ---- what is allowed -------------------------------------------------------------------------------------------

    def legal(self, betting: Betting) -> Legal:
        """What the seat to act may do."""
        recent = self._recent
        if recent[0] is betting:
            return recent[1]
        legal = self._legal(betting)
        self._recent = (betting, legal)  # an action is checked against what its player has just been told
        return legal

    def _legal(self, betting: Betting) -> Legal:
        round_, actor, live, level, step, raises, _, able, _, acted, drawing, history = betting
        if actor < 0:
            return Legal(False, -1, 0, 0)
        if drawing:
            return Legal(False, -1, 0, 0, self._draws[round_])
        room, ante, cap, may_bet, others = self._seats[round_][actor]
        mine = live[actor]
        owed = level - mine if level > mine else 0
        cost = room - mine if room < level else owed
        if (
            room <= level
            or raises >= cap
            or not may_bet
            or (acted >> actor & 1 and not self._reopened(round_, step, owed))
            or not self._somebody_can_respond(others & able, level)
            or (self._most_actions and self._is_full(raises, history))
        ):
            return _new(Legal, (owed > 0, cost, 0, 0, -1, ()))
        least = level + step
        if self.limit == "no":
            most = room
        elif self.limit == "fixed":
            most = least
        elif self.limit == "pot":
            most = max(level + owed + sum(live) + sum(self.antes), least)
        else:
            return Legal(owed > 0, -1, room + ante, room + ante)
        if most > room:
            most = room
        if least > most:
            least = most
        return _new(Legal, (owed > 0, cost, least + ante, most + ante, -1, ()))

    def _reopened(self, round_: int, step: int, owed: int) -> bool:
        """Whether a seat that has acted, and owes this much, faces raises that let it raise again."""
        if self._least_raise == "double":  # then the step is the largest bet, of which the seat lacks what it owes
            step = max(step - owed, self._bets[round_])
        elif self.limit == "fixed":
            step = self._bets[round_]
        return owed >= step * self._reopens_at

    def _somebody_can_respond(self, others: int, level: int) -> bool:
        """Whether a raise over this level means anything to one of these seats."""
        if self._least_raise == "acpc":
            return others != 0
        while others:
            seat = others.bit_length() - 1
            if self.room[seat] > level:
                return True
            others ^= 1 << seat
        return False

    def _is_full(self, raises: int, history: str) -> bool:
        """Whether the round has had the actions after which the competition's server takes no more raises."""
        if (raises + 1) * self.players < self._most_actions:  # each raise is followed by fewer actions than seats
            return False
        return _actions_of_round(history) >= self._most_actions

    def level_before(self, history: str) -> int:
        """What a seat had to have put in, antes apart, when the last round of a history began; 0 in the first one."""
        betting = self.start()
        if "/" not in history:
            return 0
        for kind, number in _ACTION.findall(history[: history.rindex("/")]):
            if kind == "d":
                betting = self._exchange(betting, int(number))
            else:
                betting = self.act(betting, Action(kind, int(number or 0)))
        return betting.level

    def forgetting(self, betting: Betting) -> Betting:
        """The same betting with no more of its history than the rules look at."""
        return betting._replace(history="c" * _actions_of_round(betting.history) if self._most_actions else "")

    def actions(self, betting: Betting) -> Sequence[Action]:
        """Every action of the seat to act, betting only: fold, call, then raises from the least to the most."""
        legal = self.legal(betting)
        found = [FOLD] if legal.fold else []
        if legal.call >= 0:
            found.append(CALL)
        if legal.can_raise:
            if self.limit == "fixed":
                found.append(RAISE)
            else:
                if legal.most - legal.least > MOST_LISTED:
                    raise TooLarge(
                        f"{legal.most - legal.least + 1:,} raises are too many to list, {MOST_LISTED:,} at most are; "
                        "choose smaller stacks, or count in larger chips"
                    )
                found += [Action("r", total) for total in range(legal.least, legal.most + 1)]
        return found

    def verify(self, betting: Betting, action: Action) -> None:
        """Raise IllegalAction, with the reason, unless the seat to act may do this."""
        reason = self._objection(betting, action)
        if reason:
            raise IllegalAction(f"{str(action)[:40]!r} is not allowed: {reason}")

    def _objection(self, betting: Betting, action: Action) -> str:
        if betting.actor < 0:
            return "the hand is over"
        legal = self.legal(betting)
        kind, amount, cards = action
        if kind == "d" or legal.discards >= 0:
            if legal.discards < 0:
                return "cards are exchanged only in a draw, and this is betting"
            if kind != "d":
                return f"this is a draw: discard up to {legal.discards} cards, or none to stand pat"
            if len(cards) > legal.discards:
                return f"at most {legal.discards} cards may be exchanged, and these are {len(cards)}"
            return ""
        if kind == "f":
            return "" if legal.fold else "there is no bet to fold to; check instead"
        if kind == "c":
            return "" if legal.call >= 0 else "in this game one goes all-in or folds"
        if kind != "r":
            return "an action is f (fold), c (check or call), r (bet or raise) or d (discard)"
        if not legal.can_raise:
            return self._no_raise(betting)
        if self.limit == "fixed":
            if amount in (0, legal.least):
                return ""
            return f"the limit is fixed, so a raise is to {legal.least}"
        if isinstance(amount, bool) or not isinstance(amount, int) or not amount:
            return f"a raise needs its total over the hand, {legal.least} to {legal.most}"
        if amount < legal.least:
            return f"a raise must be to at least {legal.least} in total"
        if amount > legal.most:
            why = "the pot limit" if legal.most < self.room[betting.actor] + self.antes[betting.actor] else "all-in"
            return f"a raise can be to at most {legal.most} in total, which is {why}"
        return ""

    def _no_raise(self, betting: Betting) -> str:
        actor = betting.actor
        if betting.raises >= self._caps[betting.round]:
            return f"this round has had its {self._caps[betting.round]} bets and raises"
        if not self._bettors[betting.round] >> actor & 1:
            return f"seat {actor} may not bet or raise in this round"
        if self.room[actor] <= betting.level:
            return "there are no chips left to raise with"
        if not self._somebody_can_respond(betting.able & ~(1 << actor), betting.level):
            return "nobody else has chips left to call a raise with"
        if self._most_actions and self._is_full(betting.raises, betting.history):
            return f"a round has at most {ACPC_MOST_ACTIONS} actions, and the others must still find room to call"
        return "a short all-in does not let a player who has already acted raise again"


def _actions_of_round(history: str) -> int:
    """How many actions the last round of a history has."""
    last = history[history.rfind("/") + 1 :]
    return sum(map(last.count, "fcrd"))
