"""A poker game whose two players have nothing alike, and buckets of any game that follow no rule."""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.buckets import Buckets, RoundBuckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.cards.card import Deck
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form


def two_cards(suits: str) -> PokerGame:
    """Unequal antes and stacks, hands of two cards, showdowns before the board is complete."""
    rules = Rules(
        players=2,
        deck=Deck.of("QKA", suits),
        rounds=(Round(private=2, bet=2), Round(public=1, bet=2)),
        antes=(2, 0),
        blinds=(0, 1),
        stacks=(5, 6),
        odd_chips="split",
    )
    return PokerGame(rules, "two-cards")


def random_buckets(game: PokerGame, share: int, *, ordered: bool = True) -> BucketedForm:
    """Buckets of about so many hands each, thrown together at random."""
    rng, rounds, cards = np.random.default_rng(share), [], CardRounds.of(game, ordered=ordered)
    for one in lossless(cards).rounds:
        count = -(-one.count // share)
        rounds.append(RoundBuckets("random", count, (rng.permutation(one.count) % count).astype(np.uint16)))
    return bucketed_form(game, Buckets(cards, tuple(rounds)))
