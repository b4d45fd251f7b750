"""A Bayesian decision network: what the opponent holds is inferred from what they did, and the best bet follows.

BPP, the Bayesian Poker Program (Korb, Nicholson and Jitnah, "Bayesian poker", 1999; Nicholson, Boulton and Korb, "Using
Bayesian decision networks to play Texas hold'em poker", 2006; section 6.3 and figure 11 of Rubin and Watson's review,
2011). The network has a node for each player's current and final type of hand and for the opponent's action:

    final hand -> current hand -> action   (of the opponent)
    both final hands -> who wins

Types of hands are tenths of strength. Two tables are learned: how likely each current type of a round is given the
final one, by dealing at random, and how the opponent's action depends on their current type, from hands that were shown
down in play, with a plain player as prior. One's own current hand is known, the final one by its probability over the
cards to come.

The decision maximizes the expected value, except that betting curves randomize: actions are drawn with probabilities
that grow with their expected value in pots, so that play is harder to read. A raise is expected to be called as often
as the opponent has called. Theirs had categories of made hands as types, and curves that were tuned by hand.

Inference is by pyAgrum where it is installed (the extra `learn`), else by arrays; the two agree to rounding
(agents/parts/decision_network.py).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np

from pokerlab.agents.parts.decision_network import AUTO, INFERENCE, Network, Observed, check_inference, infer
from pokerlab.agents.parts.hand_tables import NOW, percentiles
from pokerlab.agents.parts.opponent_model import FrequencyModel
from pokerlab.agents.parts.roll_out import hands_of, run_outs
from pokerlab.agents.parts.search_tree import check_heads_up
from pokerlab.agents.parts.situations import Situation, past_actions, situation
from pokerlab.agents.parts.triple import PotFraction, Triple, choose, sized
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import declared, number, one_of

TYPES = 10  # of hands, by strength
PRIOR = 12.0  # how many observations of a type the plain player counts as
_DEALS = 400  # boards for the table of current and final types
_MOST_RUN_OUTS = 60  # for one's own final type
_KINDS = "fcr"


class TypeTables(NamedTuple):
    """How likely types of hands are."""

    current: np.ndarray  # [round, final, current] given the final type
    final: np.ndarray  # [final]


class Bpp:
    """The network of one match."""

    def __init__(self, name: str, *, curve: float, fraction: float, inference: str = AUTO) -> None:
        self.name = name
        self._curve, self._fraction, self._inference = curve, fraction, inference
        self.reset()

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting unless two players are dealt all private cards before the betting."""
        check_heads_up(game, self.name)

    def reset(self) -> None:
        """Forget the opponent."""
        self._shown: dict[tuple[int, int], np.ndarray] = {}  # (round, facing): [current type, action] counts
        self._frequencies = FrequencyModel()

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return choose(self.triple(view), view, rng, pot_fraction=self._fraction)

    def triple(self, view: View) -> Triple:
        """The betting curves at the expected values of the actions, in pots."""
        legal = view.legal
        possible = np.array([legal.fold, legal.call >= 0, legal.can_raise])
        values = infer(self.network(view), self.payoffs(view), self._inference).utility
        scaled = np.where(possible, (values - values[possible].max()) / max(view.pot, 1), -np.inf)
        chances = np.exp(scaled * self._curve)
        return Triple(*(chances / chances.sum()).tolist())

    def payoffs(self, view: View) -> np.ndarray:
        """The chips that fold, call and raise win from now on if a showdown is lost or won.  # [3, 2]"""
        now, legal, lost_or_won = situation(view.game, view.betting), view.legal, np.array([0.0, 1.0])
        fold, call = np.zeros(2), lost_or_won * (view.pot + now.to_call) - now.to_call
        if not legal.can_raise:
            return np.stack([fold, call, fold])  # never drawn
        after = view.game.betting.act(view.betting, sized(view, legal, self._fraction))
        added = after.live[view.seat] - view.betting.live[view.seat]
        called = lost_or_won * (view.pot + 2 * added - now.to_call) - added
        if after.actor < 0 or after.actor == view.seat:
            return np.stack([fold, call, called])
        folds = self._frequencies.frequencies(1, situation(view.game, after)).fold
        return np.stack([fold, call, folds * view.pot + (1 - folds) * called])

    def win_probability(self, view: View) -> float:
        """The probability of winning a showdown, by the network."""
        return infer(self.network(view), self.payoffs(view), self._inference).win

    def network(self, view: View) -> Network:
        """The network of a decision, with the evidence of all that the opponent did."""
        tables = type_tables(view.game)
        observed = [
            Observed(
                tables.current[past.before.round], self.action_table(past.situation), _KINDS.index(past.action.kind)
            )
            for past in past_actions(view.game, view.history)
            if past.seat != view.seat
        ]
        return Network(own_final(view.game, view.cards, view.board), tables.final, observed)

    def action_table(self, now: Situation) -> np.ndarray:
        """The probability of each action of the opponent by their current type.  # [type, action]"""
        middle = (np.arange(TYPES) + 0.5) / TYPES
        prior = np.stack(FrequencyModel().triple(middle, now, 1), axis=1) * PRIOR
        counts = prior + self._shown.get(now.key, 0.0)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def observe(self, view: View) -> None:
        """Learn from a finished hand: frequencies from all, the table of actions from those that were shown."""
        self._frequencies.observe(view)
        other = 1 - view.seat
        if not view.shown or not view.shown[other]:
            return
        hand = hands_of(view.game).number(view.shown[other])
        for past in past_actions(view.game, view.history):
            if past.seat == other:
                board = view.board[: view.game.dealing.public(past.before.round)]
                kind = type_of(float(percentiles(view.game, board, measure=NOW)[hand]))
                counts = self._shown.setdefault(past.situation.key, np.zeros((TYPES, 3)))
                counts[kind, _KINDS.index(past.action.kind)] += 1


def type_of(strength: float) -> int:
    """The type of a hand by the share of hands that are weaker."""
    return min(int(strength * TYPES), TYPES - 1)


@lru_cache(maxsize=8)
def type_tables(game: PokerGame) -> TypeTables:
    """Learn how types go together from random deals."""
    rng, hands = np.random.default_rng(0), hands_of(game)
    rounds = len(game.rules.rounds)
    counts = np.full((rounds, TYPES, TYPES), 0.05)
    last = game.dealing.public(rounds - 1)
    for _ in range(_DEALS if last else 1):
        board = tuple(rng.choice(game.deck.size, last, replace=False).tolist())
        free = np.flatnonzero(hands.without(board))
        final = _types(percentiles(game, board, measure=NOW)[free])
        for round_ in range(rounds):
            shown = board[: game.dealing.public(round_)]
            np.add.at(counts[round_], (final, _types(percentiles(game, shown, measure=NOW)[free])), 1)
    finals = counts[-1].sum(axis=1)
    return TypeTables(counts / counts.sum(axis=2, keepdims=True), finals / finals.sum())


def _types(strengths: np.ndarray) -> np.ndarray:
    return np.minimum((strengths * TYPES).astype(np.int64), TYPES - 1)


@lru_cache(maxsize=20_000)
def own_final(game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...]) -> np.ndarray:
    """The probability of each final type of one's own hand, over the cards to come or a sample of them.  # [type]"""
    unseen = [card for card in range(game.deck.size) if card not in cards and card not in board]
    coming = game.dealing.public(len(game.rules.rounds) - 1) - len(board)
    hand = hands_of(game).number(cards)
    found = np.zeros(TYPES)
    for later in run_outs(unseen, coming, most=_MOST_RUN_OUTS, seed=(*cards, *board)):
        found[type_of(float(percentiles(game, (*board, *later), measure=NOW)[hand]))] += 1
    return np.asarray(found / found.sum())


@declared("bpp")
def agent(
    name: str,
    *,
    curve: Annotated[float, number(0, 1000)] = 12.0,
    pot_fraction: PotFraction = 1.0,
    inference: Annotated[str, one_of(*INFERENCE)] = AUTO,
) -> Bpp:
    """`curve` is how steep the betting curves are: 0 plays at random, a large number always takes the best action.
    `inference` is by pyagrum, arrays, or auto: by pyAgrum where it is installed."""
    check_inference(inference)
    return Bpp(name, curve=curve, fraction=pot_fraction, inference=inference)
