"""All-in or fold with any number of players: who decides when, how hands end, and what every end is worth.

Each seat decides once, all-in or fold, knowing who went all-in before it: with nine players there are 511 decisions and
512 ends. Betting and pots are the rule engine's (blinds, antes, side pots, stacks below the blind), so a seat that is
all-in with its blind has no decision, and the big blind keeps its blind where all fold. Seats are numbered here in
the order in which they act: the big blind is the last.

What an end is worth is a function of the stacks that it leaves: chips, or prizes (`Worth`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.cards.multiway import ORDERS
from pokerlab.errors import BadSetting
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import FOLD, Betting
from pokerlab.games.poker.engine import PokerGame

FOLDS, PUSHES = 0, 1
NONE = -1
MOST_PLAYERS = 9
TWO_ORDERS = ((0, 1), (1, 0), (0, 0))  # the first hand wins, the second does, they tie

Worth = Callable[[np.ndarray], np.ndarray]  # stacks [n, seat] after a hand, in the order of acting, to values [n, seat]


@dataclass(frozen=True, eq=False)
class End:
    """How a hand can end: who is in, and how they came there."""

    inside: tuple[int, ...]  # the seats that are in, in the order of acting
    path: tuple[tuple[int, int], ...]  # decisions and what was done there
    kept: np.ndarray  # [seat] chips behind
    pots: tuple[tuple[float, tuple[int, ...]], ...]  # chips, and who of `inside` can win them (as places in it)

    def stacks_after(self, places: np.ndarray) -> np.ndarray:
        """The stacks after the hand for each row of places [n, len(inside)], 0 being the best: [n, seat]."""
        after = np.tile(self.kept, (len(places), 1))
        for amount, members in self.pots:
            among = places[:, list(members)]
            winners = among == among.min(1, keepdims=True)
            shares = amount * winners / winners.sum(1, keepdims=True)
            after[:, [self.inside[member] for member in members]] += shares
        return after


@dataclass(frozen=True, eq=False)
class PushForm:
    """The decisions and the ends of an all-in-or-fold game; decisions are numbered each before those below it."""

    game: PokerGame
    seats: tuple[int, ...]  # the engine's number of each seat, in the order of acting
    node_seat: np.ndarray  # [node] who decides
    child: np.ndarray  # [node, 2] the decision after a fold and after a push; ends are -1 - number
    parent: np.ndarray  # [node] NONE for the first
    parent_action: np.ndarray  # [node]
    last: np.ndarray  # [node] one past the last decision below it
    ends: tuple[End, ...]
    worth: Worth

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.seats)

    @property
    def nodes(self) -> int:
        """How many decisions there are."""
        return len(self.node_seat)

    def path_of(self, node: int) -> tuple[tuple[int, int], ...]:
        """The decisions that lead to one, and what was done there."""
        path: list[tuple[int, int]] = []
        while self.parent[node] != NONE:
            path.append((int(self.parent[node]), int(self.parent_action[node])))
            node = int(self.parent[node])
        return tuple(reversed(path))

    def pushed_before(self, node: int) -> tuple[int, ...]:
        """The seats that chose to go all-in before a decision."""
        return tuple(int(self.node_seat[before]) for before, action in self.path_of(node) if action == PUSHES)

    @cached_property
    def values(self) -> tuple[np.ndarray, ...]:
        """For each end with at most three seats in, what each seat gets: [order, seat]; one row where one is in."""
        few = {1: ((0,),), 2: TWO_ORDERS, 3: ORDERS}
        empty = np.empty((0, self.players))
        return tuple(
            self.values_of(end, np.array(few[len(end.inside)])) if len(end.inside) in few else empty
            for end in self.ends
        )

    def values_of(self, end: End, places: np.ndarray) -> np.ndarray:
        """What each seat gets for each row of places: [n, seat]."""
        return self.worth(end.stacks_after(places))

    @cached_property
    def start(self) -> np.ndarray:
        """The stacks before the hand, antes and blinds unpaid, in big blinds: [seat]."""
        assert self.game.rules.stacks is not None
        return np.array([self.game.rules.stacks[seat] for seat in self.seats]) / big_blind(self.game)


def big_blind(game: PokerGame) -> int:
    """The chips of a big blind."""
    return max(game.rules.blinds) or 1


def push_form(game: PokerGame, worth: Worth, *, folded: int = 0) -> PushForm:
    """Lay an all-in-or-fold game out; the first `folded` seats to act have folded already."""
    if game.rules.limit != "push":
        raise BadSetting(f"{game.name} is not a game of all-in or fold")
    if not 2 <= game.players <= MOST_PLAYERS:
        raise BadSetting(f"all-in or fold is solved for 2 to {MOST_PLAYERS} players, not {game.players}")
    builder = _Builder(game)
    builder.visit(builder.after_folds(folded), NONE, FOLDS, ())
    rows = builder.rows
    last = np.array([row.last for row in rows], np.int64)
    return PushForm(
        game=game,
        seats=builder.seats,
        node_seat=np.array([row.seat for row in rows], np.int64),
        child=np.array([row.children for row in rows], np.int64).reshape(-1, 2),
        parent=np.array([row.parent for row in rows], np.int64),
        parent_action=np.array([row.action for row in rows], np.int64),
        last=last,
        ends=tuple(builder.ends),
        worth=worth,
    )


@dataclass
class _Row:
    seat: int
    parent: int
    action: int
    children: list[int]
    last: int = 0


class _Builder:
    """Walks the betting once."""

    def __init__(self, game: PokerGame) -> None:
        self.game = game
        first = game.rules.rounds[0].first
        self.seats = tuple((first + turn) % game.players for turn in range(game.players))
        self.number = {seat: turn for turn, seat in enumerate(self.seats)}
        self.unit = big_blind(game)
        self.rows: list[_Row] = []
        self.ends: list[End] = []

    def after_folds(self, folded: int) -> Betting:
        """The betting when the first seats have folded."""
        betting = self.game.betting.start()
        if not 0 <= folded <= self.game.players - 2:
            raise BadSetting(f"of {self.game.players} seats 0 to {self.game.players - 2} can have folded, not {folded}")
        for turn in range(folded):
            if betting.actor != self.seats[turn]:
                raise BadSetting("a seat that is all-in with its ante or blind cannot have folded")
            betting = self.game.betting.act(betting, FOLD)
        return betting

    def visit(self, betting: Betting, parent: int, action: int, path: tuple[tuple[int, int], ...]) -> int:
        """Lay out what follows; gives the number of the decision, or -1 - the number of the end."""
        while betting.actor != TERMINAL and len(actions := self.game.betting.actions(betting)) == 1:
            betting = self.game.betting.act(betting, actions[0])
        if betting.actor == TERMINAL:
            self.ends.append(self._end(betting, path))
            return -len(self.ends)
        number = len(self.rows)
        row = _Row(self.number[betting.actor], parent, action, [0, 0])
        self.rows.append(row)
        assert len(actions) == 2
        assert actions[0] == FOLD
        for does, move in enumerate(actions):
            row.children[does] = self.visit(self.game.betting.act(betting, move), number, does, (*path, (number, does)))
        row.last = len(self.rows)
        return number

    def _end(self, betting: Betting, path: tuple[tuple[int, int], ...]) -> End:
        inside = tuple(turn for turn, seat in enumerate(self.seats) if betting.alive >> seat & 1)
        place = {self.seats[turn]: place for place, turn in enumerate(inside)}
        behind = self.game.stacks(betting)
        pots = tuple(
            (pot.amount / self.unit, tuple(sorted(place[seat] for seat in pot.seats)))
            for pot in self.game.payoffs.pots(betting)
        )
        return End(inside, path, np.array([behind[seat] for seat in self.seats]) / self.unit, pots)


def seat_names(players: int) -> tuple[str, ...]:
    """What people call the seats, in the order of acting.

    >>> seat_names(3), seat_names(6)
    (('BU', 'SB', 'BB'), ('UTG', 'HJ', 'CO', 'BU', 'SB', 'BB'))
    """
    if players == 2:
        return ("SB", "BB")
    late = ("HJ", "CO", "BU", "SB", "BB")
    early = tuple("UTG" if turn == 0 else f"UTG+{turn}" for turn in range(max(0, players - 5)))
    return (*early, *late[max(0, 5 - players) :])
