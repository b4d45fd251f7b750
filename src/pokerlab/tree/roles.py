"""Games of two roles and one yes-or-no decision each, as arrays: von Neumann poker, flop poker, push or fold.

The first role is dealt hand i and acts or not; the second is dealt j and acts or not (where the first has not acted
the payoffs say that the second does not matter). What is paid depends on the two decisions and on who would win a
showdown. A strategy is the probability to act with each hand: p over the hands of the first role, q over those of the
second.

In von Neumann poker and flop poker the roles are Player, who bets or checks, and Dealer, who calls or folds; equations
(41) to (45) of Goykhman, "On self-play computation of equilibrium in poker", are `pot_values`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting, UnknownName

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
class TwoRoleGame:
    """The game as arrays, and how its real deals are made."""

    name: str
    roles: tuple[str, str]
    acts: tuple[str, str]  # what acting is called: ("bets", "calls")
    hands: tuple[Sequence[str], Sequence[str]]
    chance: np.ndarray  # [i, j] probability of the two hands
    win: np.ndarray  # [i, j] probability that the first role wins the showdown, given the hands
    tie: np.ndarray  # [i, j]
    payoffs: np.ndarray  # [3, 2, 2] chips to the first role by WIN, TIE, LOSE, first acts, second acts
    deal: NumberDeal | CardDeal

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


def bet_payoffs(ante: float, bet: float) -> np.ndarray:
    """Payoffs of check or bet against fold or call: [3, 2, 2]."""
    for what, amount in (("ante", ante), ("bet", bet)):
        if not isinstance(amount, (int, float)) or not 0 < amount < 1e9:
            raise BadSetting(f"the {what} must be a positive number below a billion, not {str(amount)[:40]}")
    showdown = np.array([1.0, 0.0, -1.0])
    payoffs = np.empty((3, 2, 2))
    payoffs[:, 0, :] = (ante * showdown)[:, None]  # check
    payoffs[:, 1, 0] = ante  # bet, fold
    payoffs[:, 1, 1] = (ante + bet) * showdown  # bet, call
    return payoffs


def von_neumann(*, cards: int = 100, ante: float = 1, bet: float = 2, replacement: bool = True) -> TwoRoleGame:
    """Von Neumann poker on so many numbers; without replacement there are no ties.

    >>> von_neumann(cards=3).hands[0]
    ('1', '2', '3')
    """
    if not isinstance(cards, int) or not 2 <= cards <= 2000:
        raise BadSetting(f"von Neumann poker is dealt from 2 to 2000 cards, not {cards}")
    payoffs = bet_payoffs(ante, bet)
    names = tuple(str(card + 1) for card in range(cards))
    order = np.arange(cards)
    win = (order[:, None] > order).astype(float)
    tie = np.eye(cards)
    pairs = np.ones((cards, cards)) if replacement else 1 - tie
    return TwoRoleGame(
        name=f"von-neumann(cards={cards}, ante={ante:g}, bet={bet:g}{'' if replacement else ', replacement=False'})",
        roles=("Player", "Dealer"),
        acts=("bets", "calls"),
        hands=(names, names),
        chance=pairs / pairs.sum(),
        win=win,
        tie=tie,
        payoffs=payoffs,
        deal=NumberDeal(cards, replacement),
    )


def flop_poker(*, ante: float = 1, bet: float = 2) -> TwoRoleGame:
    """Flop poker: two private cards each, one bet, then a flop; the 169 classes of hands, exactly."""
    payoffs = bet_payoffs(ante, bet)
    return TwoRoleGame(
        name=f"flop-poker(ante={ante:g}, bet={bet:g})",
        roles=("Player", "Dealer"),
        acts=("bets", "calls"),
        payoffs=payoffs,
        **_card_arrays(3),
    )


def push_fold(*, stack: float = 10) -> TwoRoleGame:
    """All-in or fold before the flop, heads-up, in big blinds: the small blind pushes or folds, the big blind calls."""
    if not isinstance(stack, (int, float)) or not 1 <= stack < 1e9:
        raise BadSetting(f"the stack must be a number of big blinds from 1 to below a billion, not {str(stack)[:40]}")
    payoffs = np.empty((3, 2, 2))
    payoffs[:, 0, :] = -0.5
    payoffs[:, 1, 0] = 1.0
    payoffs[:, 1, 1] = stack * np.array([1.0, 0.0, -1.0])
    return TwoRoleGame(
        name=f"push-fold(stack={stack:g})",
        roles=("small blind", "big blind"),
        acts=("pushes", "calls"),
        payoffs=payoffs,
        **_card_arrays(5),
    )


def two_role_game(spec: str) -> TwoRoleGame:
    """The game that a text such as "von-neumann(cards=50)", "flop-poker(bet=4)" or "push-fold(stack=8)" names.

    >>> two_role_game("von-neumann(cards=5, bet=3)").name
    'von-neumann(cards=5, ante=1, bet=3)'
    """
    from pokerlab.registry import call, nearest
    from pokerlab.settings import read

    makers: dict[str, Any] = {"von-neumann": von_neumann, "flop-poker": flop_poker, "push-fold": push_fold}
    name, settings = read(spec)
    word = name.strip().lower().replace("_", "-")
    if word not in makers:
        raise UnknownName(f"there is no two-role game called {name[:60]!r}; {nearest(word[:60], list(makers))}")
    return call(word, makers[word], settings)  # type: ignore[no-any-return]


def _card_arrays(board_size: int) -> dict[str, Any]:
    from pokerlab.cards.combos import CLASS_NAMES
    from pokerlab.cards.preflop import preflop_table

    table = preflop_table(board_size)
    return {
        "hands": (CLASS_NAMES, CLASS_NAMES),
        "chance": table.class_pairs / table.class_pairs.sum(),
        "win": table.class_win,
        "tie": table.class_tie,
        "deal": CardDeal(board_size),
    }


@dataclass(frozen=True, eq=False)
class PotValues:
    """Equations (41) to (45): what each hand wins of a pot of two antes, which count as already spent."""

    player_wins: np.ndarray  # [i] E_P(i) of (41)
    win: np.ndarray  # [i] W(i) of (42)
    tie: np.ndarray  # [i] D(i) of (42)
    player_margin: np.ndarray  # [i] e_P(i) of (43)
    dealer_wins: np.ndarray  # [j] E_D(j) of (44)
    dealer_margin: np.ndarray  # [j] e_D(j) of (45)


def pot_values(game: TwoRoleGame, bets: np.ndarray, calls: np.ndarray, *, ante: float, bet: float) -> PotValues:
    """Equations (41) to (45) as they are written, for a game whose two roles are dealt from the same hands."""
    pot = 2 * ante
    win, tie = game.win, game.tie  # w(i|j), d(i|j); w(j|i) is the transpose
    given = game.chance / game.chance.sum(1, keepdims=True)  # [i, j]: h(j|i)
    wins, ties = (given * win).sum(1), (given * tie).sum(1)
    called = given * ((pot + bet) * win - bet * win.T - pot + pot / 2 * tie)
    player_margin = called @ calls + pot * (1 - wins - ties / 2)
    calling = given * ((pot + bet) * win - bet * win.T + pot / 2 * tie)  # [j, i]: by symmetry of the deal
    dealer_margin = calling @ bets
    unbet = wins + ties / 2 - (given * (win + tie / 2)) @ bets
    return PotValues(
        player_wins=bets * player_margin + pot * (wins + ties / 2),
        win=wins,
        tie=ties,
        player_margin=player_margin,
        dealer_wins=calls * dealer_margin + pot * unbet,
        dealer_margin=dealer_margin,
    )
