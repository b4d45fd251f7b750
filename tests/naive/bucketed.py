"""Plain twins of what the bucketed form does: deals, hand by hand, by the rule engine's own words."""

from __future__ import annotations

import numpy as np

from pokerlab.tree.bucketed.form import BucketedForm


def seen(form: BucketedForm, cards: list[int]) -> tuple[list[list[int]], list[int]]:
    """Each round's bucket of each seat, and the strength of each hand.  # [round][player], [player]"""
    rounds, players = form.buckets.cards, form.players
    private = rounds.private
    hands = [cards[seat * private : (seat + 1) * private] for seat in range(players)]
    board = cards[players * private :]
    buckets = [
        [int(form.buckets.of(np.array([hand], np.uint8), board[:lying])[0]) for hand in hands]
        for lying in rounds.boards
    ]
    strengths = [form.game.strength(tuple(hand + board)) for hand in hands]
    return buckets, strengths
