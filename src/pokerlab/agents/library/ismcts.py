"""Searches its own game tree and those of all opponents at once, each on what it can see: Smooth UCT.

Information-set Monte-Carlo tree search by self-play (Heinrich and Silver, "Smooth UCT search in computer poker", 2015;
agents/parts/smooth_uct.py). No model of the opponents is needed: they search too. The action is drawn from the average
strategy of the search. `smooth=false` is plain UCT, which does not converge in poker.

In games with few cards, such as Kuhn and Leduc, the search is from the deal of the hand on exact information sets, so
more trials come nearer to an equilibrium: `pokerlab paper simulation-players` measures it. In larger games it starts at the
decision, and information sets are the betting and the class of the hand, one of `CLASSES` by strength. Hands at the
start are then sampled from what a plain player would hold after the earlier actions, one's own hand too, since the
opponents do not see it. The paper searches before the match instead, from the deal. With more than two players no such
search is known to converge. A decision takes about 30 ms heads-up and 0.1 s at ten seats.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.agents.parts.beliefs import Beliefs, possible
from pokerlab.agents.parts.betting_graph import Node
from pokerlab.agents.parts.hand_reading import opponents
from pokerlab.agents.parts.hand_tables import NOW
from pokerlab.agents.parts.opponent_model import FrequencyModel
from pokerlab.agents.parts.play_outs import LEVELS, PlayOuts, SampledDeal
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.situations import check_open_betting, past_actions
from pokerlab.agents.parts.smooth_uct import PLAIN, SelfPlaySearch, Smoothing, actions_of, cards_seen
from pokerlab.agents.parts.triple import PotFraction
from pokerlab.games.poker.action import CALL, Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import Flag, Settings, number, whole

CLASSES = 10  # of strength
MOST_EXACT = 1_000  # hands times boards of games that are searched exactly


@dataclass(frozen=True)
class InformationSetSearch(Settings):
    """The player who searches for all seats."""

    label = "ismcts"
    trials: Annotated[int, whole(1, 10_000_000)] = (
        500  # simulated hands per decision, divided by the number of opponents in the hand
    )
    run_outs: Annotated[int, whole(1, 1_000_000)] = 25  # different boards among them
    exploration: Annotated[float, number(0, 1000)] = 2.0  # in pots
    smooth: Flag = True
    pot_fraction: PotFraction = 1.0  # size of raises outside fixed limit

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting for games with draws or later private cards."""
        check_open_betting(game, self.name)

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        self.check_game(view.game)
        chances = self.strategy(view, rng)
        actions = list(chances)
        return actions[int(rng.choice(len(actions), p=list(chances.values())))]

    def strategy(self, view: View, rng: np.random.Generator) -> dict[Action, float]:
        """The average strategy of a search for this decision."""
        exact = is_exact(view.game)
        start = view._replace(betting=view.game.betting.start(), board=()) if exact else view
        plays = PlayOuts(start, FrequencyModel(), rng, pot_fraction=self.pot_fraction)
        trials = max(self.trials // opponents(view), 1)
        deals = plays.deals(start, _ranges(start), trials, rng, run_outs=trials if exact else self.run_outs)
        search = self.search(plays, exact=exact)
        search.run(deals)
        here = plays.graph.start(view.betting)
        own = SampledDeal(view.game, deals[0].state._replace(cards=_own_cards(view, deals[0])))
        chances = search.average(view.history, private(plays, here, own, exact=exact))
        legal = actions_of(here.legal, here.moves)
        return chances or {CALL if CALL in legal else legal[0]: 1.0}

    def search(self, plays: PlayOuts, *, exact: bool) -> SelfPlaySearch:
        """An empty search."""
        scale = self.exploration * plays.game.pot(plays.start.betting)
        return SelfPlaySearch(
            plays,
            lambda node, deal: private(plays, node, deal, exact=exact),
            exploration=scale,
            smoothing=Smoothing() if self.smooth else PLAIN,
        )


def is_exact(game: PokerGame) -> bool:
    """Whether a game has so few hands and boards that each is a node of the search."""
    public = game.dealing.public(len(game.rules.rounds) - 1)
    return len(hands_of(game)) * int(game.deck.size**public) <= MOST_EXACT


def private(plays: PlayOuts, node: Node, deal: SampledDeal, *, exact: bool) -> Hashable:
    """What the seat to act knows besides the betting: its cards and the board, or its class of strength."""
    if exact:
        return cards_seen(node, deal, plays.public)
    level = deal.levels[node.actor][node.round]
    return (level if level >= 0 else plays.level(deal, node.actor, node.round)) * CLASSES // LEVELS


def _ranges(view: View) -> dict[int, np.ndarray]:
    """What each seat may hold after its actions, if it is a plain player; nobody's hand is known.  # [hand]"""
    game, beliefs = view.game, Beliefs(FrequencyModel(), measure=NOW)
    weights = {seat: np.ones(len(hands_of(game))) for seat in range(game.players) if view.betting.alive >> seat & 1}
    for past in past_actions(game, view.history):
        if past.seat in weights:
            weights[past.seat] = weights[past.seat] * beliefs.likelihood(view, past)
    return {seat: possible(game, table, view.board) for seat, table in weights.items()}


def _own_cards(view: View, deal: SampledDeal) -> tuple[int, ...]:
    """A deal with the view's own hand and board; other cards do not matter."""
    held, first = len(view.cards), view.seat * len(view.cards)
    board = len(deal.state.cards) - len(deal.board)
    cards = [*deal.state.cards]
    cards[first : first + held] = view.cards
    cards[board : board + len(view.board)] = view.board
    return tuple(cards)


agent = InformationSetSearch
