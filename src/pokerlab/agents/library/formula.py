"""Effective hand strength against thresholds and pot odds: the formula-based player of the literature.

Section 2.2 of Rubin and Watson, "Computer poker: a review" (2011): numbers that describe the situation go in
(effective hand strength, positive potential, pot odds), a probability triple comes out, and the action is drawn
from it. The review names the inputs; thresholds and rates are ours:

- nothing to call: bet where the strength reaches `bet`; otherwise bet as a semi-bluff as often as the hand
  improves, and as a plain bluff at the rate `bluff`;
- a bet to call: raise where the strength reaches `reraise`, which rises with each raise of the round; call where the
  strength exceeds the pot odds by `caution`, since a player who bets does not hold two random cards, or where the
  potential alone justifies the pot odds; otherwise fold, but raise as a bluff at a quarter of the rate.

With `model=frequency` it has the opponent model of Loki and Poki (sections 2.3 and 3.3 of the review): a weight table
for each opponent, reweighted at every action by the frequencies of their earlier actions (agents/parts/beliefs.py).
Strength and potential are those against the weighted hands; several opponents are read as one with the mean of their
tables, which Papp calls the field array. Before the flop, and in other games than hold'em, strength is the share of the
pot won by a roll-out. Private cards must be dealt once, before the betting. A decision takes about 5 ms.

Against several opponents, thresholds, caution and widths shrink with a fair share of the pot. Thresholds are ramps of
width `mix`, so that play near them is mixed and harder to read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from pokerlab.agents.parts import drawing
from pokerlab.agents.parts.hand_reading import Reading, opponents, read, read_against, read_all
from pokerlab.agents.parts.match_memory import MatchMemory
from pokerlab.agents.parts.situations import check_open_betting
from pokerlab.agents.parts.triple import PotFraction, Triple, TripleAgent, highest, lowest, ramp
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.settings import Share, number, one_of, whole

NONE, FREQUENCY = "none", "frequency"  # opponent models
_RAISE_STEP = 0.04  # extra strength required for each earlier raise of the round


def pot_odds(to_call: float, pot: float) -> float:
    """The cost of a call as a share of the final pot: the break-even win probability.

    >>> pot_odds(20, 60)
    0.25
    """
    return to_call / (pot + to_call) if to_call > 0 else 0.0


@dataclass(frozen=True)
class Formula(TripleAgent):
    """Settings of the formula; strengths and rates are between 0 and 1."""

    label = "formula"
    exchange = staticmethod(drawing.exchange)
    bet: Share = 0.58  # strength that bets
    reraise: Share = 0.78  # strength that raises
    caution: Annotated[float, number(-1, 1)] = 0.05  # strength above the pot odds needed to call
    bluff: Share = 0.06  # rate of bluffs
    mix: Share = 0.08  # width of the ramps
    pot_fraction: PotFraction = 0.75  # raise size outside fixed limit
    lookahead: Annotated[int, whole(0, 2)] = 1  # cards that potential looks ahead; 2 is slow on the flop
    model: Annotated[str, one_of(NONE, FREQUENCY)] = NONE  # of the opponents

    @cached_property
    def memory(self) -> MatchMemory:
        """What it has learned of its opponents."""
        return MatchMemory()

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting for games in which opponents cannot be modelled."""
        if self.model == FREQUENCY:
            check_open_betting(game, self.name)

    @property
    def adapts(self) -> bool:
        """Whether it models its opponents."""
        return self.model != NONE

    def observe(self, view: View) -> None:
        """Count the actions of a finished hand."""
        if self.model == FREQUENCY:
            self.memory.observe(view)

    def reset(self) -> None:
        """Forget the opponents."""
        self.memory.reset()

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        if self.model == FREQUENCY:
            self.check_game(view.game)
            tables = list(self.memory.weights(view).values())
            return self._triple(read_against(view, np.mean(tables, axis=0), lookahead=self.lookahead), view)
        return self._triple(read(view, rng, lookahead=self.lookahead), view)

    def triples_at(self, place: PublicNode) -> Triple:
        if self.model == FREQUENCY:
            return super().triples_at(place)
        return self._triple(read_all(place, lookahead=self.lookahead), place.view(place.hands().cards[0]))

    def _triple(self, reading: Reading, view: View) -> Triple:
        raises = view.betting.raises
        return self.triple(reading, to_call=view.to_call, pot=view.pot, raises=raises, opponents=opponents(view))

    def triple(self, reading: Reading, *, to_call: float, pot: float, raises: int = 0, opponents: int = 1) -> Triple:
        """The probability triple for a hand, the cost of a call, and the pot before the call."""
        reading = reading.against(opponents)
        strength = reading.effective
        fair = 2 / (opponents + 1)  # a fair share of the pot, relative to that against one opponent
        share = strength / fair
        if to_call <= 0:
            value = ramp(share, self.bet, self.mix)
            bluff = lowest(1.0, self.bluff + reading.positive * self.bluff * 4)
            bet = value + (1 - value) * bluff
            return Triple(0.0, 1 - bet, bet)
        odds = pot_odds(to_call, pot)
        value = ramp(share, self.reraise + _RAISE_STEP * max(raises - 1, 0), self.mix)
        made = ramp(strength, odds + self.caution * fair, self.mix * fair)
        drawing = ramp(reading.positive, odds, self.mix)
        stay = highest(value, made, drawing)
        bluff = (1 - stay) * self.bluff / 4
        return Triple(1 - stay - bluff, stay - value, value + bluff)


agent = Formula
