"""Exploits a known policy: plays the best of fold, call and a few bets, assuming no betting afterwards.

Local best response (Lisy and Bowling, "Equilibrium Approximation Quality of Current No-Limit Poker Bots", 2017, arXiv
1612.07547). It tracks the opponent's range and at each turn computes what each action wins if the hand is then checked
down: a call wins its equity against the range; a bet wins the pot when the opponent folds, and its equity against the
continuing range otherwise. Its winnings are measured against the opponent's actual play, so they are a lower bound on
what a best response wins, however crude these assumptions.

`menu` lists its bets: sizes as in games/poker/menu.py, or one of the paper's sets. "c" only checks and calls, "fc" (or
"none") folds or calls, "fcpa" also bets the pot and all-in, and "56bets" has 56 bets, as "8bets" has 8: all-in, and the
others in equal ratios from a tenth of the pot to ten times it. A menu for each round, as in "c/c/56bets/fc", bets in
chosen rounds only. `from_round` is the first round, counted from 0, in which it acts on values; before that it checks
and calls, which may win more: with cards to come, checking down is a poor model of future play.

Differences from the paper: win probabilities are exact in hold'em in every round (sampled in other games with many
run-outs), and all-ins for less count only for what can be won. We did not have the paper's list of 56 sizes; ours are
those above.
"""

from __future__ import annotations

import re
from typing import Annotated

import numpy as np

from pokerlab.agents.agent import ReportingPolicyPlayer
from pokerlab.agents.opening import open_policy
from pokerlab.agents.parts.opponent_range import OpponentRange
from pokerlab.agents.parts.roll_out import win_shares
from pokerlab.errors import BadSetting
from pokerlab.games.poker.action import CALL, FOLD, Action, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.menu import BetSize, Menu, menus_from
from pokerlab.games.poker.menu_betting import offered
from pokerlab.games.poker.public_node import PublicNode, start_of
from pokerlab.games.poker.state import View
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.settings import Text, declared, named, whole
from pokerlab.strategy.policy import Policy

FCPA = "100%,allin"
CALLS_ONLY = "c"
MOST_BETS = 200  # of a set
LEAST_FRACTION, MOST_FRACTION = 0.1, 10.0  # of the pot, in a set
_MANY = re.compile(r"(\d{1,4})bets", re.ASCII)
ASTRAY = "the opponent did what its policy never does: it was assumed to hold any hand"


class LocalBestResponse(ReportingPolicyPlayer):
    """The best of a few actions against a policy, looking one step ahead."""

    def __init__(self, against: str | Policy, *, name: str, menu: str = FCPA, from_round: int = 0) -> None:
        super().__init__(name)
        self._against = against
        self._menus = round_menus(menu)
        self._from_round = from_round
        self._reader: OpponentRange | None = None

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting if a game has no public nodes, more than two seats, or hands that are dealt differently."""
        start_of(game)
        if game.dealing.draws:
            raise BadSetting(f"local-best-response needs public nodes, and {game.name} has draws: use --learn")
        if game.players != 2 or game.rules.replacement or isinstance(game, SpotGame):
            raise BadSetting(f"local-best-response plays two-player games of one deck, which {game.name} is not")
        if self._from_round >= len(game.rules.rounds):
            last = len(game.rules.rounds) - 1
            raise BadSetting(f"from_round must be a round of {game.name}, from 0 to {last}; got {self._from_round}")

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return self.best(view)

    def best(self, view: View) -> Action:
        """The action with the highest value; a check or call before `from_round`."""
        if (view.round < self._from_round or self._menu(view.round) is None) and view.legal.call >= 0:
            return CALL
        values = self.action_values(view)
        best = max(values, key=lambda action: values[action])
        return FOLD if view.legal.fold and values[best] <= 0 else best

    def action_values(self, view: View) -> dict[Action, float]:
        """Chips that each action wins on average relative to folding, if the hand is checked down afterwards."""
        reader = self._reader_of(view.game)
        weights = reader.weights(view)
        if not weights.any():
            self._remarks[ASTRAY] += 1
            weights = reader.hands.without((*view.cards, *view.board)).astype(np.float64)
        shares = win_shares(view.game, tuple(sorted(view.cards)), tuple(sorted(view.board)))
        values = {}
        if view.legal.call >= 0:
            mine, theirs = view.betting.live[view.seat], view.betting.live[1 - view.seat]
            live = min(mine + view.legal.call, max(mine, theirs))
            values[CALL] = self._showdown_value(view, weights, shares, live=live)
        return values | {action: self._bet(view, action, weights, shares) for action in self._bets(view)}

    def _menu(self, round_: int) -> Menu | None:
        """The bets of a round; None if it only checks and calls."""
        return self._menus[min(round_, len(self._menus) - 1)]

    def _bets(self, view: View) -> list[Action]:
        """The bets of the menu that are legal."""
        rules, betting, legal = view.game.betting, view.betting, view.legal
        base = rules.level_before(betting.history)
        menu = self._menu(betting.round) or Menu()
        sizes = menu.bet if betting.level == base else menu.raises
        if legal.call < 0:  # only all-in or fold is allowed
            sizes = (BetSize("allin"),)
        if not legal.can_raise or not sizes:
            return []
        streets = len(view.game.rules.rounds) - betting.round
        bets = [action for _, action in offered(rules, betting, base, sizes, streets=streets) if action.kind == "r"]
        if rules.limit == "fixed":
            return bets
        return [raise_to(total) for total in sorted({legal.nearest(action.amount) for action in bets})]

    def _bet(self, view: View, action: Action, weights: np.ndarray, shares: np.ndarray) -> float:
        """The pot if the opponent folds, a showdown for more otherwise."""
        rules, other = view.game.betting, 1 - view.seat
        after = rules.act(view.betting, action)
        live = min(after.live[view.seat], rules.behind[other])
        if after.actor != other:  # all-in, or a call in a game without calls
            live = min(live, max(after.live[other], view.betting.live[other]))
            return self._showdown_value(view, weights, shares, live=live)
        folds = self._reader_of(view.game).likelihood(PublicNode(view.game, after, view.board), FOLD)
        folded = float(weights @ folds) / float(weights.sum())
        staying = weights * (1 - folds)
        called = self._showdown_value(view, staying, shares, live=live) if staying.any() else 0.0
        return folded * view.pot + (1 - folded) * called

    def _showdown_value(self, view: View, weights: np.ndarray, shares: np.ndarray, *, live: int) -> float:
        """The value of a showdown relative to folding when each player has put in `live`, antes excluded."""
        won = float(weights @ shares) / float(weights.sum())
        pot = sum(view.game.betting.antes) + 2 * live
        return won * pot - (live - view.betting.live[view.seat])

    def _reader_of(self, game: PokerGame) -> OpponentRange:
        if self._reader is None or self._reader.game is not game:
            self.check_game(game)
            policy = open_policy(self._against, game) if isinstance(self._against, str) else self._against
            self._reader = OpponentRange(policy, game)
        return self._reader

    def probabilities(self, view: View) -> dict[str, float]:
        return {view.game.action_text(self.best(view)): 1.0}


def round_menus(text: str) -> tuple[Menu | None, ...]:
    """The bets of each round, the last also of later ones; None where it only checks and calls.

    >>> round_menus("c/fc/3bets")[2].bet
    (BetSize(unit='pot', number=0.1), BetSize(unit='pot', number=10.0), BetSize(unit='allin', number=0.0))
    """
    return tuple(_round_menu(part.strip().lower()) for part in text.split("/"))


def _round_menu(text: str) -> Menu | None:
    if text == CALLS_ONLY:
        return None
    if text in ("fc", "none"):
        return Menu()
    many = _MANY.fullmatch(text)
    if many is None:
        return menus_from(FCPA if text == "fcpa" else text)[0]
    if not 3 <= (count := int(many[1])) <= MOST_BETS:
        raise BadSetting(f"a set of bets has 3 to {MOST_BETS} of them, as in 56bets; got {text[:20]!r}")
    fractions = np.geomspace(LEAST_FRACTION, MOST_FRACTION, count - 1).round(4).tolist()
    sizes = (*(BetSize("pot", fraction) for fraction in fractions), BetSize("allin"))
    return Menu(sizes, sizes)


@declared("local-best-response")
def agent(
    name: str,
    *,
    against: Annotated[str, named("name the agent that it plays against: local-best-response:always-call")],
    menu: Text = FCPA,
    from_round: Annotated[int, whole(0)] = 0,
) -> LocalBestResponse:
    """Plays against the named agent, which must provide its action probabilities. `menu` lists the bets: sizes, or c,
    fc, fcpa, 56bets, also one for each round ("c/c/56bets/fc"); before `from_round` it only checks and calls."""
    return LocalBestResponse(against, name=name, menu=menu, from_round=from_round)
