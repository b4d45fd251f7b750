"""Legal actions of the seat to act: the single source for every limit of a game.

A seat's chips in the pot are `live` (blinds, bets, calls) plus its ante; to stay in, `live` must reach `level`. A raise
must exceed `level` by at least `step`, the last full raise, unless it is all-in. A seat that has acted may raise again
only if the raises since then add up to a full one. betting.py advances the betting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pokerlab.errors import IllegalAction, TooLarge
from pokerlab.games.poker.action import CALL, FOLD, RAISE, Action
from pokerlab.games.poker.rules import UNLIMITED, Rules

ACPC_MOST_ACTIONS = 64  # per round, the capacity of the ACPC server
MOST_LISTED = 100_000  # raises of different sizes
_new = tuple.__new__  # builds a named tuple without the overhead of its constructor


class Legal(NamedTuple):
    """The kinds and amounts of action available to the player to act."""

    fold: bool
    call: int  # cost of a call, 0 for a check; -1 if calling is not allowed
    least: int  # minimum total of a raise, 0 if raising is not allowed
    most: int  # maximum total of a raise
    discards: int = -1  # maximum number of cards to exchange; -1 outside draws
    menu: tuple[int, ...] = ()  # the totals of a raise if only some are allowed, smallest first; else empty

    @property
    def can_raise(self) -> bool:
        """Whether a bet or raise is allowed."""
        return self.most > 0

    def nearest(self, total: int) -> int:
        """The legal raise total nearest to this one, the smaller of two.

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
    live: tuple[int, ...]  # each seat's chips in the pot, without antes
    level: int  # what a seat must have put in to stay in
    step: int  # the minimum full raise
    raises: int  # bets and raises in this round
    alive: int  # seats that have not folded
    able: int  # seats that have not folded and have chips left
    waiting: int  # seats that have yet to act before the round ends
    acted: int  # seats that have acted in this round
    drawing: bool  # whether seats are exchanging cards rather than betting
    history: str  # "cr/cr300": rounds separated by "/", as in the ACPC protocol

    @property
    def folded_out(self) -> bool:
        """Whether all seats but one have folded."""
        return self.alive & (self.alive - 1) == 0


class Legality:
    """The legal actions in the betting of one game."""

    def __init__(self, rules: Rules) -> None:
        stacks = rules.stacks or (UNLIMITED,) * rules.players
        self.players = rules.players
        self.limit = rules.limit
        self.antes = tuple(min(ante, stack) for ante, stack in zip(rules.antes, stacks, strict=True))
        # the most each seat can put in, not counting its ante
        self.behind = tuple(stack - ante for stack, ante in zip(stacks, self.antes, strict=True))
        self._second_behind = sorted(self.behind)[-2]  # more than the second deepest stack cannot be called
        self._reopens_at = rules.reopens_at
        self._least_raise = rules.least_raise
        # per round: after this many actions nobody may raise, so that all others can still call
        self._most_actions = ACPC_MOST_ACTIONS - rules.players + 1 if rules.least_raise == "acpc" else 0
        # in limit the ACPC server lets a player raise whose last chips only call
        self._raises_last_chips = rules.limit == "fixed" and rules.least_raise == "acpc"
        uncapped = any(round_.betting and round_.raises is None for round_ in rules.rounds)
        self._is_unlimited = rules.stacks is None
        self.is_endless = self._is_unlimited and uncapped and not self._most_actions  # raising has no end
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
        # by round and seat: stack after ante, ante, raise cap, whether it may bet, mask of the other seats
        self._seats = [
            [
                (
                    self.behind[seat],
                    self.antes[seat],
                    self._caps[number],
                    self._bettors[number] >> seat & 1,
                    ~(1 << seat),
                )
                for seat in range(rules.players)
            ]
            for number in range(len(rules.rounds))
        ]
        self._blinds = rules.blinds
        self._largest_blind = max(rules.blinds)
        posted = max(min(blind, behind) for blind, behind in zip(rules.blinds, self.behind, strict=True))
        self._short_blind = posted < min(
            self._largest_blind, self._second_behind
        )  # nobody has put in the amount to call
        self._recent: tuple[Betting | None, Legal] = (None, Legal(False, -1, 0, 0))

    def legal(self, betting: Betting) -> Legal:
        """The legal actions of the seat to act."""
        recent = self._recent
        if recent[0] is betting:
            return recent[1]
        legal = self._legal(betting)
        self._recent = (betting, legal)  # an action is usually checked right after its player was shown the legal ones
        return legal

    def _legal(self, betting: Betting) -> Legal:
        round_, actor, live, level, step, raises, _, able, _, acted, drawing, history = betting
        if actor < 0:
            return Legal(False, -1, 0, 0)
        if drawing:
            return Legal(False, -1, 0, 0, self._draws[round_])
        behind, ante, cap, may_bet, others = self._seats[round_][actor]
        mine = live[actor]
        owed = level - mine if level > mine else 0
        cost = behind - mine if behind < level else owed
        if (
            behind < level
            or (behind == level and not self._raises_last_chips)
            or raises >= cap
            or not may_bet
            or (acted >> actor & 1 and not self._reopened(round_, step, owed))
            or not self._somebody_can_respond(others & able, level)
            or (self._most_actions and self._is_full(raises, history))
        ):
            return _new(Legal, (owed > 0, cost, 0, 0, -1, ()))
        least = level + step
        if self.limit == "no":
            most = behind
        elif self.limit == "fixed":
            most = least
        elif self.limit == "pot":
            most = max(level + owed + sum(live) + sum(self.antes), least)
        else:
            return Legal(owed > 0, -1, behind + ante, behind + ante)
        if most > behind:
            most = behind
        if least > most:
            least = most
        return _new(Legal, (owed > 0, cost, least + ante, most + ante, -1, ()))

    def _reopened(self, round_: int, step: int, owed: int) -> bool:
        """Whether a seat that has acted, and owes this much, may raise again."""
        if self._least_raise == "double":  # the step is the largest bet, of which the seat owes `owed`
            step = max(step - owed, self._bets[round_])
        elif self.limit == "fixed":
            step = self._bets[round_]
        return owed >= step * self._reopens_at

    def _somebody_can_respond(self, others: int, level: int) -> bool:
        """Whether a raise above this level affects at least one of these seats."""
        if self._least_raise == "acpc":
            return others != 0
        while others:
            seat = others.bit_length() - 1
            if self.behind[seat] > level:
                return True
            others ^= 1 << seat
        return False

    def _is_full(self, raises: int, history: str) -> bool:
        """Whether the round has reached the number of actions after which the ACPC server allows no more raises."""
        if (raises + 1) * self.players < self._most_actions:  # a raise is followed by fewer actions than seats
            return False
        return _actions_of_round(history) >= self._most_actions

    def forgetting(self, betting: Betting) -> Betting:
        """The same betting with only as much history as the rules need."""
        return betting._replace(history="c" * _actions_of_round(betting.history) if self._most_actions else "")

    def alike(self, betting: Betting) -> Betting:
        """One and the same for all betting that continues in the same ways.

        Chips of seats that have folded count only for pot limits. Without stacks only the differences of the others do.
        """
        round_, actor, live, level, step, raises, alive, able, waiting, acted, drawing, _ = betting
        if actor < 0:
            return _new(Betting, (round_, actor, (), 0, 0, 0, alive, 0, 0, 0, False, ""))
        if self._caps[round_] == UNLIMITED and not self._most_actions:
            raises = min(raises, 1)  # whether the next one is the first
        if self.limit != "pot":
            spent = min(chips for seat, chips in enumerate(live) if alive >> seat & 1) if self._is_unlimited else 0
            live = tuple([chips - spent if alive >> seat & 1 else 0 for seat, chips in enumerate(live)])
            level -= spent
        history = self.forgetting(betting).history if self._most_actions else ""
        return _new(Betting, (round_, actor, live, level, step, raises, alive, able, waiting, acted, drawing, history))

    def actions(self, betting: Betting) -> Sequence[Action]:
        """Every betting action of the seat to act: fold, call, then raises from smallest to largest."""
        legal = self.legal(betting)
        actions = [FOLD] if legal.fold else []
        if legal.call >= 0:
            actions.append(CALL)
        if not legal.can_raise:
            return actions
        if self.limit == "fixed":
            return [*actions, RAISE]
        if legal.most - legal.least > MOST_LISTED:
            count = f"{legal.most - legal.least + 1:,} raises"
            raise TooLarge(f"{count} are too many to list; choose smaller stacks, or count in larger chips")
        return [*actions, *(Action("r", total) for total in range(legal.least, legal.most + 1))]

    def action_count(self, betting: Betting) -> int:
        """The number of those actions, even if there are too many to list."""
        legal = self.legal(betting)
        raises = 0
        if legal.can_raise:
            raises = 1 if self.limit == "fixed" else legal.most - legal.least + 1
        return legal.fold + (legal.call >= 0) + raises

    def verify(self, betting: Betting, action: Action) -> None:
        """Raise IllegalAction, with the reason, if the seat to act may not do this."""
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
            why = "the pot limit" if legal.most < self.behind[betting.actor] + self.antes[betting.actor] else "all-in"
            return f"a raise can be to at most {legal.most} in total, which is {why}"
        return ""

    def _no_raise(self, betting: Betting) -> str:
        actor = betting.actor
        if betting.raises >= self._caps[betting.round]:
            return f"this round has had its {self._caps[betting.round]} bets and raises"
        if not self._bettors[betting.round] >> actor & 1:
            return f"seat {actor} may not bet or raise in this round"
        if self.behind[actor] < betting.level + (not self._raises_last_chips):
            return "there are no chips left to raise with"
        if not self._somebody_can_respond(betting.able & ~(1 << actor), betting.level):
            return "nobody else has chips left to call a raise with"
        if self._most_actions and self._is_full(betting.raises, betting.history):
            return f"a round has at most {ACPC_MOST_ACTIONS} actions, and the others must still find room to call"
        return "a short all-in does not let a player who has already acted raise again"


def _actions_of_round(history: str) -> int:
    """The number of actions in the last round of a history."""
    last = history[history.rfind("/") + 1 :]
    return sum(map(last.count, "fcrd"))
