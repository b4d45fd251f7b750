"""BRPlayer: like vexbot, with five finer levels of similarity between betting sequences.

T. Schauenberg's player, "Opponent modelling and search in poker" (2006), as Rubin and Watson describe it ("Computer
poker: a review", 2011, section 5.1.2): "a separate, but similar agent", whose main difference is that it considers five
levels where Vexbot considers three. The review does not list them; here they are the same sequence; the same bets and
raises of each player in each round; as many in each round, whoever made them; as many of each player over the hand; the
same round with or without a bet to call. Everything else is as in vexbot.
"""

from __future__ import annotations

from pokerlab.agents.parts.context_search import Buckets, ContextSearcher, Keep, Raises, Temperature
from pokerlab.agents.parts.context_tree import (
    by_raises_of_each,
    by_raises_of_hand,
    by_raises_of_rounds,
    by_round,
    by_sequence,
)
from pokerlab.agents.parts.triple import PotFraction
from pokerlab.settings import declared

LEVELS = (by_sequence, by_raises_of_each, by_raises_of_rounds, by_raises_of_hand, by_round)


@declared("brplayer")
def agent(
    name: str,
    *,
    buckets: Buckets = 20,
    keep: Keep = 0.9,
    temperature: Temperature = 0.04,
    raises: Raises = 4,
    pot_fraction: PotFraction = 1.0,
) -> ContextSearcher:
    """An adaptive player of heads-up games, with the settings of vexbot."""
    return ContextSearcher(
        name, LEVELS, buckets=buckets, keep=keep, temperature=temperature, raises=raises, pot_fraction=pot_fraction
    )
