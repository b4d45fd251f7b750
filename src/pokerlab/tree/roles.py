"""Games of two roles and one yes-or-no decision each, as arrays: von Neumann poker, flop poker, push or fold.

The first role is dealt hand i and acts or not; the second is dealt j and acts or not (where the first has not acted
the payoffs say that the second does not matter). What is paid depends on the two decisions and on who would win a
showdown. A strategy is the probability to act with each hand: p over the hands of the first role, q over those of the
second.

In von Neumann poker and flop poker the roles are Player, who bets or checks, and Dealer, who calls or folds. Numbers of
equations are those of Goykhman, "On self-play computation of equilibrium in poker".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import CLASS_NAMES, COMBO_COUNT, combo_name
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.game import start_pot
from pokerlab.games.poker.betting_tree import Deal, Decision, Node, Settled, Showdown, betting_tree
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.spot.spot import Spot
from pokerlab.registry import load
from pokerlab.tree.form import SPOT_IS_PUBLIC, FormKind, FormSize, Problem

BOARD_SIZES = (3, 5)  # whose chances of winning are tabulated
BYTES_A_PAIR = 80  # chances, showdowns, payoffs of four outcomes and room to work in
WIN, TIE, LOSE = range(3)  # of the first role, at a showdown


@dataclass(frozen=True)
class NumberDeal:
    """Each role gets one of `count` numbers, the higher wins; with `replacement` both may get the same and tie."""

    count: int
    replacement: bool = True


@dataclass(frozen=True)
class CardDeal:
    """Each role gets two cards of the full deck, and the best five-card hand with a board of this size wins."""

    board_size: int


@dataclass(frozen=True, eq=False)
class RoleForm:
    """The game as arrays, and how its real deals are made."""

    name: str
    roles: tuple[str, str]
    acts: tuple[str, str]  # what acting is called: ("bets", "calls")
    hands: tuple[Sequence[str], Sequence[str]]
    chance: np.ndarray  # [i, j] probability of the two hands
    win: np.ndarray  # [i, j] probability that the first role wins the showdown, given the hands
    tie: np.ndarray  # [i, j]
    payoffs: np.ndarray  # [3, 2, 2] money to the first role by WIN, TIE, LOSE, first acts, second acts
    deal: NumberDeal | CardDeal
    pot: float  # at the start, in chips
    money: str = "chips"  # what payoffs are counted in
    chips: float = 1.0  # of the game in one unit of that
    seats: tuple[int, int] = (0, 1)  # of the roles at the table

    @property
    def kind(self) -> str:
        """Which form this is."""
        return "roles"

    @property
    def players(self) -> int:
        """Two."""
        return 2

    @property
    def max_abs_payoff(self) -> float:
        """The largest payoff of anyone, won or lost, in chips."""
        return float(np.abs(self.payoffs).max()) * self.chips

    def role_of(self, seat: int) -> int:
        """Who sits in a seat."""
        return self.seats.index(seat)

    def by_seat(self, one: float, other: float) -> tuple[float, float]:
        """Two numbers of the roles, in units of payoffs, as chips of the seats."""
        found = one * self.chips, other * self.chips
        return found if self.seats == (0, 1) else (found[1], found[0])

    @cached_property
    def second_decides(self) -> bool:
        """Whether the second role has a decision; one that is all-in with its blind has none."""
        return bool((self.payoffs[..., 0] != self.payoffs[..., 1]).any())

    @property
    def is_zero_sum(self) -> bool:
        """What one role wins the other loses."""
        return True

    @property
    def size(self) -> FormSize:
        """How large it is."""
        pairs = self.chance.size
        return FormSize(4 * pairs, sum(self.chance.shape), BYTES_A_PAIR * pairs)

    def small(self) -> RoleForm:
        """A deal of few numbers for a deal of numbers; of cards, whose tables are as large for every game, itself."""
        if not isinstance(self.deal, NumberDeal):
            return self
        return role_form(load("games", "von-neumann", cards=3, replacement=self.deal.replacement))

    @cached_property
    def utilities(self) -> np.ndarray:
        """Chips to the first role weighted by the chance of the hands: [2, 2, i, j] by first acts, second acts."""
        return self.weighted(self.payoffs)

    def weighted(self, payoffs: np.ndarray) -> np.ndarray:
        """Expectation of any payoffs [3, 2, 2], weighted by the chance of the hands: [2, 2, i, j]."""
        outcomes = np.stack([self.win, self.tie, 1 - self.win - self.tie]) * self.chance
        return np.asarray(np.einsum("oij,oab->abij", outcomes, payoffs))

    @cached_property
    def hand_chances(self) -> tuple[np.ndarray, np.ndarray]:
        """How likely each hand of each role is: [i], [j]."""
        return self.chance.sum(1), self.chance.sum(0)

    def counterfactual(self, role: int, other: np.ndarray) -> np.ndarray:
        """What a role wins by not acting and by acting with each hand against the other's strategy: [2, hand].

        Weighted by the chance of the hand, so that the value of a strategy is a sum over hands.
        """
        if role == 0:
            return np.asarray(self.utilities[:, 0] @ (1 - other) + self.utilities[:, 1] @ other)
        return -np.asarray((1 - other) @ self.utilities[0] + other @ self.utilities[1])

    def value(self, first: np.ndarray, second: np.ndarray) -> float:
        """Chips to the first role."""
        passive, active = self.counterfactual(0, second)
        return float((1 - first) @ passive + first @ active)

    def margins(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What acting wins more than not acting with each hand, given the hand: e_P(i) of (43), e_D(j) of (45)."""
        chances = self.hand_chances
        gains = [self.counterfactual(role, other) for role, other in ((0, second), (1, first))]
        own, others = ((gain[1] - gain[0]) / chance for gain, chance in zip(gains, chances, strict=True))
        return np.asarray(own), np.asarray(others)

    def frequencies(self, first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
        """How often each role acts."""
        chances = self.hand_chances
        return float(chances[0] @ first), float(chances[1] @ second)


def role_form(game: PokerGame) -> RoleForm:
    """A game of one decision each by its hands, from its rules.

    >>> from pokerlab.registry import load
    >>> role_form(load("games", "von-neumann(cards=3)")).hands[0]
    ('1', '2', '3')
    """
    first, second = _decisions(game)
    quiet, answer = _ends(game)
    unit, money = _unit(game)
    payoffs = np.empty((3, 2, 2))
    payoffs[:, 0, :] = _paid(quiet, first)[:, None]
    payoffs[:, 1, 0], payoffs[:, 1, 1] = (_paid(end, first) for end in answer)
    blinds = game.rules.blinds[first] < game.rules.blinds[second]
    return RoleForm(
        name=game.name,
        roles=("small blind", "big blind") if blinds else ("Player", "Dealer"),
        acts=("pushes" if game.rules.limit == "push" else "bets", "calls"),
        payoffs=payoffs * unit,
        money=money,
        chips=1 / unit,
        seats=(first, second),
        pot=start_pot(game),
        **(number_arrays(game) if game.rules.rounds[0].private == 1 else card_arrays(board_size(game))),
    )


def by_combos(form: RoleForm) -> RoleForm:
    """The same game with every one of the 1,326 hands told apart, where `form` has classes of two cards.

    Classes lose nothing in equilibrium, since the rules do not know suits; strategies that do are met here.
    """
    from pokerlab.cards.preflop import fits, preflop_table

    assert isinstance(form.deal, CardDeal)
    table, possible = preflop_table(form.deal.board_size), fits()
    names = tuple(map(combo_name, range(COMBO_COUNT)))
    return replace(
        form,
        hands=(names, names),
        chance=possible / possible.sum(),
        win=table.wins / table.boards,
        tie=table.ties / table.boards,
    )


def why_not(problem: Problem) -> str:
    """Why a problem is no game of two roles and one decision each; "" where it is one."""
    if not isinstance(problem, PokerGame):
        if isinstance(problem, Spot):
            return SPOT_IS_PUBLIC
        return f"{problem.name} has no roles form: that is for poker games in which two players each decide once"
    rules, name = problem.rules, problem.name
    decides_once = f"{name} has no roles form: that is for two players who each decide once, yes or no"
    if rules.players != 2 or any(round_.draw or round_.private for round_ in rules.rounds[1:]):
        return decides_once
    if any(round_.betting for round_ in rules.rounds[1:]) or rules.limit not in ("fixed", "push"):
        return decides_once  # before a betting tree is made, which may be large
    try:
        _ends(problem)
    except (BadSetting, TooLarge):
        return decides_once
    if not problem.payoffs.splits_in_half:
        return f"{name} has no roles form: an odd chip of its antes goes to one seat where hands tie"
    if rules.rounds[0].private == 1:
        return "" if not board_size(problem) and is_ordered(problem) else f"{name} has no roles form: cards may tie"
    full = rules.deck == FULL_DECK and rules.showdown == "high" and rules.rounds[0].private == 2
    if not full or rules.replacement or board_size(problem) not in BOARD_SIZES:
        return f"{name} has no roles form: that is for one card, or two of the full deck and a board of three or five"
    return ""


def _ends(game: PokerGame) -> tuple[Node, tuple[Node, Node]]:
    """How a hand ends where the first role does not act, and by the second role's answer where it does.

    Where the second is all-in already, both of its answers end alike.
    """
    first = betting_of(game)
    if isinstance(first, Decision) and len(first.actions) == 2:
        folded, called = map(_end, first.children)
        if game.rules.limit == "push" and isinstance(folded, Settled) and isinstance(called, Showdown):
            return folded, (called, called)
        for acting, child in enumerate(first.children):
            quiet = _end(first.children[1 - acting])
            if isinstance(child, Decision) and child.player != first.player and len(child.actions) == 2:
                ends = [_end(node) for node in child.children]
                if quiet is not None and isinstance(ends[0], Settled) and isinstance(ends[1], Showdown):
                    return quiet, (ends[0], ends[1])
    raise BadSetting(f"{game.name} is no game in which each of two players decides once, yes or no")


def _decisions(game: PokerGame) -> tuple[int, int]:
    """The seats of the two roles, in the order in which they decide."""
    first = betting_of(game)
    assert isinstance(first, Decision)
    return first.player, 1 - first.player


def betting_of(game: PokerGame) -> Node:
    """The betting of a two-player game, whatever the cards are."""
    return betting_tree(
        game.betting,
        lambda state, _: [(game.action_text(action), action) for action in game.betting.actions(state)],
        game.payoffs,
    )


def _end(node: Node) -> Settled | Showdown | None:
    """How a hand ends, cards that still come left aside; None where somebody decides."""
    while isinstance(node, Deal):
        node = node.child
    return None if isinstance(node, Decision) else node


def _paid(end: Node, seat: int) -> np.ndarray:
    """Chips to a seat by WIN, TIE and LOSE of the first role."""
    if isinstance(end, Settled):
        return np.full(3, end.returns[seat])
    assert isinstance(end, Showdown)
    return np.array([end.win[seat], (end.win[seat] + end.lose[seat]) / 2, end.lose[seat]])


def _unit(game: PokerGame) -> tuple[float, str]:
    """What a chip counts as, and the word for it: games with blinds are told in big blinds."""
    blind = max(game.rules.blinds)
    return (1 / blind, "big blinds") if blind else (1.0, "chips")


def board_size(game: PokerGame) -> int:
    """How many public cards come in all."""
    return sum(round_.public for round_ in game.rules.rounds)


def is_ordered(game: PokerGame) -> bool:
    """Whether each card beats every card of a lower number."""
    powers = [game.strength((card,)) for card in range(game.deck.size)]  # smaller is stronger
    return all(one > other for one, other in pairwise(powers))


def number_arrays(game: PokerGame) -> dict[str, Any]:
    """Hands of one card each: names, chances, who wins, and the deal."""
    cards, replacement = game.deck.size, game.rules.replacement
    names = tuple(game.deck.name(card) for card in range(cards))
    order = np.arange(cards)
    tie = np.eye(cards)
    pairs = np.ones((cards, cards)) if replacement else 1 - tie
    return {
        "hands": (names, names),
        "chance": pairs / pairs.sum(),
        "win": (order[:, None] > order).astype(float),
        "tie": tie,
        "deal": NumberDeal(cards, replacement),
    }


def card_arrays(board_size: int) -> dict[str, Any]:
    """The 169 classes of two cards with a board: names, chances, who wins, and the deal."""
    from pokerlab.cards.preflop import preflop_table

    table = preflop_table(board_size)
    return {
        "hands": (CLASS_NAMES, CLASS_NAMES),
        "chance": table.class_pairs / table.class_pairs.sum(),
        "win": table.class_win,
        "tie": table.class_tie,
        "deal": CardDeal(board_size),
    }


def _forecast(problem: Problem) -> FormSize:
    assert isinstance(problem, PokerGame)
    hands = problem.deck.size if problem.rules.rounds[0].private == 1 else len(CLASS_NAMES)
    return FormSize(4 * hands * hands, 2 * hands, BYTES_A_PAIR * hands * hands)


def _lay_out(problem: Problem, **_: Any) -> RoleForm:
    assert isinstance(problem, PokerGame)
    return role_form(problem)


FORM = FormKind(why_not, _forecast, _lay_out, default_algorithm="lp")
