"""Push or fold with any number of players: the order of decisions, the terminals, and their payoffs.

Each seat decides once, all-in or fold, knowing who went all-in before it: with nine players there are 510 decisions and
511 terminals. Betting and pots are the rule engine's (blinds, antes, side pots, stacks below the blind), so a seat that
is all-in with its blind has no decision. *Seats* are numbered in the order of acting, the big blind last; *players* as
the game numbers them.

A terminal pays a function of the stacks after the hand (`Utility`): chips, prizes, or continuation values. Values come
from the evaluator. Two and three players are exact (three.py); with more, card removal is exact between every two
players (chances.py), and all-ins of four and more seats are sampled with fixed random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.multiway import ORDERS
from pokerlab.errors import BadSetting
from pokerlab.games.game import TERMINAL, start_pot
from pokerlab.games.poker.betting import FOLD, Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.prizes.prize_game import PrizeGame, Utility, chip_utility, prize_utility
from pokerlab.games.spot.spot import Spot
from pokerlab.registry import load
from pokerlab.tree.form import SPOT_IS_PUBLIC, Form, FormKind, FormSize, Pace, Problem
from pokerlab.tree.measure import BestResponse, Measure
from pokerlab.tree.pushes.chances import FOLDS, NONE, PRIOR, PUSHES
from pokerlab.tree.pushes.evaluator import Assessment, Evaluator
from pokerlab.tree.pushes.three import JointEvaluator
from pokerlab.tree.resources import Resources
from pokerlab.tree.treeplex import Treeplexes

MOST_PLAYERS = 9
TWO_ORDERS = ((0, 1), (1, 0), (0, 0))  # the first hand wins, the second does, they tie
PUSH = "push"  # the array of a file: probability of going all-in, [decision of a player, class]
FIRST_MEASURE, MEASURE_GROWTH = 6, 1.5
TABLE_BYTES = {2: 0.0, 3: 300e6}  # of orders of three hands, by players; with more:
MORE_BYTES, BYTES_A_TERMINAL, BYTES_A_DECISION = 60e6, 3 * 8 * CLASS_COUNT, 12 * 8 * CLASS_COUNT


@dataclass(frozen=True, eq=False)
class Terminal:
    """How a hand can end: who is in, and the actions that lead there."""

    contenders: tuple[int, ...]  # the seats that are in, in the order of acting
    path: tuple[tuple[int, int], ...]  # decisions and the actions taken there
    behind: np.ndarray  # [seat] chips behind, in big blinds
    pots: tuple[tuple[float, tuple[int, ...]], ...]  # big blinds, and which of `contenders` can win them

    def stacks_after(self, ranks: np.ndarray) -> np.ndarray:
        """The stacks after the hand for each row of ranks [n, contender], 0 the best hand: [n, seat]."""
        after = np.tile(self.behind, (len(ranks), 1))
        for amount, members in self.pots:
            among = ranks[:, list(members)]
            winners = among == among.min(1, keepdims=True)
            shares = amount * winners / winners.sum(1, keepdims=True)
            after[:, [self.contenders[member] for member in members]] += shares
        return after


@dataclass(frozen=True, eq=False)
class PushForm(Form):
    """The decisions and terminals of a push-or-fold game; each decision comes before those below it."""

    name: str
    game: PokerGame
    seats: tuple[int, ...]  # the player in each seat
    node_seat: np.ndarray  # [node] who decides
    child: np.ndarray  # [node, 2] the decision after a fold and after a push; terminals are -1 - number
    parent: np.ndarray  # [node] NONE for the first
    parent_action: np.ndarray  # [node]
    last: np.ndarray  # [node] one past the last decision below it
    histories: tuple[str, ...]  # [node] the betting before it, in the rule engine's notation
    terminals: tuple[Terminal, ...]
    utility: Utility  # of stacks in big blinds
    unit: float = 1.0  # payoffs in a unit of utility
    workers: int | None = None  # threads; None: all cores
    effort: float = 1.0  # scales sampling

    kind = "pushes"
    is_zero_sum = True

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def nodes(self) -> int:
        """The number of decisions."""
        return len(self.node_seat)

    def path_of(self, node: int) -> tuple[tuple[int, int], ...]:
        """The decisions that lead to one, and the actions taken there."""
        path: list[tuple[int, int]] = []
        while self.parent[node] != NONE:
            path.append((int(self.parent[node]), int(self.parent_action[node])))
            node = int(self.parent[node])
        return tuple(reversed(path))

    def pushed_before(self, node: int) -> tuple[int, ...]:
        """The seats that chose to go all-in before a decision."""
        return tuple(int(self.node_seat[before]) for before, action in self.path_of(node) if action == PUSHES)

    @cached_property
    def utilities(self) -> tuple[np.ndarray, ...]:
        """For each terminal of at most three contenders, the utility of each seat: [order, seat]."""
        orders = {1: ((0,),), 2: TWO_ORDERS, 3: ORDERS}
        ranks = [np.array(orders.get(len(terminal.contenders), ())) for terminal in self.terminals]
        none = np.empty((0, self.players))
        return tuple(self.utilities_of(number, rows) if len(rows) else none for number, rows in enumerate(ranks))

    def utilities_of(self, terminal: int, ranks: np.ndarray) -> np.ndarray:
        """The utility of each seat for each row of ranks: [n, seat]."""
        return self.utility(self.terminals[terminal].stacks_after(ranks))

    @cached_property
    def start(self) -> np.ndarray:
        """The stacks before the hand, antes and blinds unpaid, in big blinds: [seat]."""
        assert self.game.rules.stacks is not None
        return np.array([self.game.rules.stacks[seat] for seat in self.seats]) / big_blind(self.game)

    @cached_property
    def before(self) -> np.ndarray:
        """The utility of each seat before the hand; payoffs count from it: [seat]."""
        return np.asarray(self.utility(self.start[None, :])[0])

    # ---- description -------------------------------------------------------------------------------------------------

    @cached_property
    def max_abs_payoff(self) -> float:
        rows = [self._extremes(number) for number in range(len(self.terminals))]
        return float(np.abs(np.concatenate(rows) - self.before).max()) * self.unit

    def _extremes(self, terminal: int) -> np.ndarray:
        """Utilities of a terminal, when the first contender has the best hand and when the last has: [2, seat]."""
        count = len(self.terminals[terminal].contenders)
        return self.utilities_of(terminal, np.array([range(count), range(count)[::-1]]))

    @property
    def pot(self) -> float:
        """The blinds and antes; with prizes, the prize pool."""
        return start_pot(self.game) if self.utility is chip_utility else float(self.before.sum())

    @property
    def size(self) -> FormSize:
        nodes, terminals = self.nodes, len(self.terminals)
        arrays = self.players * (BYTES_A_TERMINAL * terminals + BYTES_A_DECISION * nodes)
        table = TABLE_BYTES.get(self.players, MORE_BYTES)
        return FormSize((nodes + terminals) * CLASS_COUNT, nodes * CLASS_COUNT, table + arrays)

    def small(self) -> PushForm:
        """At most four players, and few samples."""
        return _small(min(self.players, 4))

    def on(self, resources: Resources) -> PushForm:
        return replace(self, workers=resources.threads)

    # ---- profiles: [decision, class, fold or push], the decisions of player 0 first ----------------------------------

    @cached_property
    def order(self) -> np.ndarray:
        """The decisions by player: [node]."""
        return np.argsort(np.array(self.seats)[self.node_seat], kind="stable")

    @cached_property
    def treeplexes(self) -> Treeplexes:
        """Every decision with every class is an infoset after the empty sequence."""
        counts = np.bincount(np.array(self.seats)[self.node_seat], minlength=self.players) * CLASS_COUNT
        return Treeplexes.joined([(1 + 2 * np.arange(count + 1), np.zeros(count, np.int64)) for count in counts])

    def pushes_of(self, profile: np.ndarray) -> np.ndarray:
        """The push probability: [node, class]."""
        pushes = np.empty((self.nodes, CLASS_COUNT))
        pushes[self.order] = np.asarray(profile).reshape(-1, CLASS_COUNT, 2)[:, :, PUSHES]
        return pushes

    def profile_of(self, pushes: np.ndarray) -> np.ndarray:
        """The profile with push probabilities [node, class]."""
        return self._flat(np.stack([1 - pushes, pushes], axis=1))

    def _flat(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers [node, 2, class] in the layout of profiles.  # [A]"""
        return np.ascontiguousarray(numbers[self.order].transpose(0, 2, 1)).reshape(-1)

    def pack(self, profile: np.ndarray) -> dict[str, np.ndarray]:
        return {PUSH: np.ascontiguousarray(np.asarray(profile).reshape(-1, 2)[:, PUSHES], np.float64)}

    def unpack(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        pushes = np.asarray(arrays[PUSH], np.float64)
        return np.stack([1 - pushes, pushes], axis=1).reshape(-1)

    # ---- values ------------------------------------------------------------------------------------------------------

    @cached_property
    def evaluator(self) -> Evaluator | JointEvaluator:
        """The evaluator of strategies, from scratch."""
        return JointEvaluator(self) if self.players == 3 else Evaluator(self, workers=self.workers)

    def assess(self, profile: np.ndarray) -> Assessment:
        """The values of all players' strategies; the last evaluation is cached."""
        memory: list[Any] = self.__dict__.setdefault("_assessed", [None, None])
        if memory[0] is None or not np.array_equal(memory[0], profile):
            memory[:] = np.array(profile), self.evaluator.assess(self.pushes_of(profile), effort=self.effort)
        assessment = memory[1]
        assert isinstance(assessment, Assessment)
        return assessment

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        """The value of each of a player's sequences against the others' plans, weighted by chance and their reach.

        With four and more players their sum differs from the value of the profile by the card removal that is
        neglected: about 1e-4 of a big blind.
        """
        trees, seat = self.treeplexes, self.seats.index(player)
        profile = np.array(plan[trees.players :])
        if self.players == 2:  # rounding must not depend on the player's own plan, which first-order methods change
            profile[trees.slots_of(player)] = 0.5
        assessment = self.assess(profile)
        values = self._flat(assessment.holds[:, None, :] * (assessment.actions - self.before[seat]) * self.unit)
        out[trees.sequences_of(player)] = values[trees.slots_of(player)]
        without = self._without_decision(seat)
        won = assessment.terminal_means[without, seat] - self.before[seat]
        out[player] = self.unit * float(assessment.terminal_chances[without] @ won)

    def _without_decision(self, seat: int) -> list[int]:
        """The terminals that are reached without a decision of a seat."""
        paths = [terminal.path for terminal in self.terminals]
        return [number for number, path in enumerate(paths) if all(self.node_seat[node] != seat for node, _ in path)]

    def largest_payoff_sum(self, player: int) -> float:
        """Of one class at one decision, or of all hands that end without a decision of the player."""
        seat = self.seats.index(player)
        without = [
            self.unit * np.abs(self._extremes(number)[:, seat] - self.before[seat]).max()
            for number in self._without_decision(seat)
        ]
        return float(max([self.max_abs_payoff * PRIOR.max(), *without]))

    def measure(self, profile: np.ndarray) -> Measure:
        assessment, by_player = self.assess(profile), np.argsort(self.seats)
        won = ((assessment.utilities - self.before) * self.unit)[by_player]
        best = won + (assessment.gains * self.unit)[by_player]
        return Measure(tuple(won.tolist()), tuple(best.tolist()), zero_sum=True)

    def best_response(self, profile: np.ndarray, player: int) -> BestResponse:
        response = super().best_response(profile, player)
        return BestResponse(self.measure(profile).best_responses[player], response.profile)


@cache
def _small(players: int) -> PushForm:
    return replace(push_form(load("games", "push-fold", players=players)), effort=0.0)


def big_blind(game: PokerGame) -> int:
    """The chips of a big blind."""
    return max(game.rules.blinds) or 1


def push_form(game: PokerGame | PrizeGame, utility: Utility | None = None, *, folded: int = 0) -> PushForm:
    """Build a push-or-fold game; the first `folded` seats to act have folded already.

    Terminals pay chips, or prizes of a `PrizeGame`; or any other `utility` of stacks in big blinds.
    """
    poker = game.game if isinstance(game, PrizeGame) else game
    if poker.rules.limit != "push":
        raise BadSetting(f"{game.name} is not a game of all-in or fold")
    if not 2 <= poker.players <= MOST_PLAYERS:
        raise BadSetting(f"push or fold is solved for 2 to {MOST_PLAYERS} players, not {poker.players}")
    builder = _Builder(poker)
    builder.visit(builder.after_folds(folded))
    parents = np.array(builder.parent, np.int64).reshape(-1, 2)
    form = PushForm(
        name=game.name,
        game=poker,
        seats=builder.seats,
        node_seat=np.array(builder.node_seat, np.int64),
        child=np.array(builder.child, np.int64).reshape(-1, 2),
        parent=parents[:, 0],
        parent_action=parents[:, 1],
        last=np.array(builder.last, np.int64),
        histories=tuple(builder.histories),
        terminals=tuple(builder.terminals),
        utility=utility or chip_utility,
    )
    if utility is None and isinstance(game, PrizeGame):
        return replace(form, utility=prize_utility(form.start, game.payouts))
    return form if utility is not None else replace(form, unit=float(big_blind(poker) * poker.unit))


class _Builder:
    """Walks the betting once."""

    def __init__(self, game: PokerGame) -> None:
        self.game = game
        first = game.rules.rounds[0].first
        self.seats = tuple((first + offset) % game.players for offset in range(game.players))
        self.node_seat: list[int] = []
        self.child: list[list[int]] = []
        self.parent: list[tuple[int, int]] = []  # and the action taken there
        self.last: list[int] = []
        self.histories: list[str] = []
        self.terminals: list[Terminal] = []

    def after_folds(self, folded: int) -> Betting:
        """The betting when the first seats have folded."""
        betting = self.game.betting.start()
        if not 0 <= folded <= self.game.players - 2:
            raise BadSetting(f"of {self.game.players} seats 0 to {self.game.players - 2} can have folded, not {folded}")
        for seat in self.seats[:folded]:
            if betting.actor != seat:
                raise BadSetting("a seat that is all-in with its ante or blind cannot have folded")
            betting = self.game.betting.act(betting, FOLD)
        return betting

    def visit(self, betting: Betting, path: tuple[tuple[int, int], ...] = ()) -> int:
        """Build what follows; returns the number of the decision, or -1 - the number of the terminal."""
        while betting.actor != TERMINAL and len(actions := self.game.betting.actions(betting)) == 1:
            betting = self.game.betting.act(betting, actions[0])
        if betting.actor == TERMINAL:
            self.terminals.append(self._terminal(betting, path))
            return -len(self.terminals)
        node = len(self.node_seat)
        self.node_seat.append(self.seats.index(betting.actor))
        self.child.append([])
        self.parent.append(path[-1] if path else (NONE, FOLDS))
        self.last.append(0)
        self.histories.append(betting.history)
        assert len(actions) == 2
        assert actions[0] == FOLD
        for taken, action in enumerate(actions):
            after = self.game.betting.act(betting, action)
            self.child[node].append(self.visit(after, (*path, (node, taken))))
        self.last[node] = len(self.node_seat)
        return node

    def _terminal(self, betting: Betting, path: tuple[tuple[int, int], ...]) -> Terminal:
        unit, behind = big_blind(self.game), self.game.stacks(betting)
        contenders = tuple(index for index, seat in enumerate(self.seats) if betting.alive >> seat & 1)
        position = {self.seats[index]: position for position, index in enumerate(contenders)}
        pots = tuple(
            (pot.amount / unit, tuple(sorted(position[seat] for seat in pot.seats)))
            for pot in self.game.payoffs.pots(betting)
        )
        return Terminal(contenders, path, np.array([behind[seat] for seat in self.seats]) / unit, pots)


def seat_names(players: int) -> tuple[str, ...]:
    """What people call the seats, in the order of acting.

    >>> seat_names(3), seat_names(6)
    (('BU', 'SB', 'BB'), ('UTG', 'HJ', 'CO', 'BU', 'SB', 'BB'))
    """
    if players == 2:
        return ("SB", "BB")
    late = ("HJ", "CO", "BU", "SB", "BB")
    early = tuple("UTG" if index == 0 else f"UTG+{index}" for index in range(max(0, players - 5)))
    return (*early, *late[max(0, 5 - players) :])


# ---- the kind --------------------------------------------------------------------------------------------------------


def why_not(problem: Problem) -> str:
    """Why a problem has no pushes form; "" where it has one."""
    if isinstance(problem, Spot):
        return SPOT_IS_PUBLIC
    poker = problem.game if isinstance(problem, PrizeGame) else problem
    none = f"{problem.name} has no pushes form: that is for"
    if not (
        isinstance(problem, PokerGame | PrizeGame) and isinstance(poker, PokerGame) and poker.rules.limit == "push"
    ):
        return f"{none} hold'em in which players go all-in or fold"
    if not 2 <= poker.players <= MOST_PLAYERS:
        return f"{none} 2 to {MOST_PLAYERS} players"
    rules = poker.rules
    board = sum(round_.public for round_ in rules.rounds)
    if rules.deck != FULL_DECK or rules.showdown != "high" or (rules.rounds[0].private, board) != (2, 5):
        return f"{none} two cards of the full deck and a board of five"
    if not poker.payoffs.splits_in_half or any(round_.betting for round_ in rules.rounds[1:]):
        return f"{none} one round of betting, and pots that split evenly"
    return "" if push_form(problem).nodes else f"{problem.name} has no pushes form: nobody has anything to decide"


def _forecast(problem: Problem) -> FormSize:
    return _build(problem).size


def _build(problem: Problem, **_: Any) -> PushForm:
    assert isinstance(problem, PokerGame | PrizeGame)
    return push_form(problem)


FORM = FormKind(
    why_not,
    _forecast,
    _build,
    default_algorithm="fictitious-play(alternating=False)",
    pace=Pace(first=FIRST_MEASURE, growth=MEASURE_GROWTH),
)
