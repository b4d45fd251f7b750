"""The same hand in our engine and in PokerKit, step by step.

Known differences, each kept out by name and not by tolerance:
- PokerKit lets a player who has acted raise again after an all-in that opens the betting for less than the least bet or
  raise; the rule books do not ("short opening"). There we check that only the raise differs, and play on without it.
- Once short all-ins have added up to a full raise, PokerKit lets players who have acted raise again, but forgets it
  when one more short all-in follows ("added up"); we do not forget.
- PokerKit gives all odd chips to one winner, and joins pots that the same hands win before it splits them; the rule
  books split each pot by itself and give odd chips one by one. Hands with odd chips are compared with a count of our
  own pots that is paid PokerKit's way; all others exactly.
- In fixed limit PokerKit raises every all-in by a full bet and counts it against the cap; the rule books complete one
  of less than half a bet and do not count it ("completions"). There we play on without a raise.
- PokerKit knows no raises to at least double the largest bet (`least_raise="double"`). There the least raise is
  compared with twice the largest bet of PokerKit's own count, and must be one that it allows.
- Where the big blind is short PokerKit lets all call what the largest blind came to; the rule books have it called in
  full while two seats can. `compare_hand` deals no such hands. `compare_short_blind` does, with the play on which both
  agree: seats fold until one raises all-in or only all-in seats are left against one; then actors, calls, pots and
  payoffs are the same. PokerKit still asks a seat to check that has matched everybody; we do not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from pokerkit import (
    Automation,
    BettingStructure,
    Card,
    Deck,
    KuhnPokerHand,
    LeducHoldemHand,
    Opening,
    RhodeIslandHoldemHand,
    ShortDeckHoldemHand,
    StandardHighHand,
    State,
    Street,
)

from pokerlab.games.poker.betting import CALL, FOLD, Action, Legal
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
STRUCTURES = {
    "fixed": BettingStructure.FIXED_LIMIT,
    "pot": BettingStructure.POT_LIMIT,
    "no": BettingStructure.NO_LIMIT,
}
DECKS = {13: Deck.STANDARD, 9: Deck.SHORT_DECK_HOLDEM}


def remembered(hand_type):
    """PokerKit's own hand type, which does not work out the same hand again and again."""

    class Remembered(hand_type):
        @classmethod
        def from_game(cls, hole_cards, board_cards=()):
            return cls._from(tuple(hole_cards), tuple(board_cards))

        @classmethod
        @lru_cache(maxsize=1000)
        def _from(cls, hole_cards, board_cards):
            return super().from_game(hole_cards, board_cards)

    return Remembered


HANDS = {
    "high": remembered(StandardHighHand),
    "short_deck": remembered(ShortDeckHoldemHand),
    "three_card": remembered(RhodeIslandHoldemHand),
}


@dataclass
class Tally:
    """What the compared hands contained, so that a test can say that nothing went unexercised."""

    hands: int = 0
    decisions: int = 0
    side_pots: int = 0
    splits: int = 0
    odd_chips: int = 0
    short_all_ins: int = 0
    short_openings: int = 0
    added_up: int = 0
    not_reopened: int = 0
    completions: int = 0
    matched: int = 0
    draws: int = 0
    kinds: set = field(default_factory=set)


def twin(rules: Rules, hand_type=None, blinds=None) -> State:
    """PokerKit's state of the same game; seats are the same, and it reverses blinds heads-up by itself.

    Blinds may be given with the signs that it knows: one with a minus sign does not count for who acts first.
    """
    streets = tuple(
        Street(
            False,
            (False,) * round_.private,
            round_.public,
            bool(round_.draw),
            Opening.POSITION,
            round_.bet,
            round_.raises,
        )
        for round_ in rules.rounds
    )
    order = slice(None, None, -1) if rules.players == 2 else slice(None)
    return State(
        AUTOMATIONS,
        DECKS[len(rules.deck.ranks)]
        if len(rules.deck.ranks) in DECKS
        else tuple(_card(rules, c) for c in range(rules.deck.size)),
        (hand_type or HANDS[rules.showdown],),
        streets,
        STRUCTURES[rules.limit],
        True,
        rules.antes[order],
        (blinds or rules.blinds)[order],
        0,
        rules.stacks or (10**6,) * rules.players,
        rules.players,
    )


def _card(rules: Rules, card: int) -> Card:
    name = rules.deck.name(card)
    return next(Card.parse(name if len(name) == 2 else name + "s"))


def compare_hand(game: PokerGame, rng: np.random.Generator, tally: Tally, *, hand_type=None, blinds=None) -> None:
    """Play one random hand in both and compare actor, legal actions and amounts, pots, and payoffs."""
    rules = game.rules
    theirs = twin(rules, hand_type, blinds)
    ours = game.start(game.deal(rng))
    tally.hands += 1
    while True:
        _deal(game, ours, theirs)
        betting = ours.betting
        if betting.actor < 0:
            break
        tally.decisions += 1
        if betting.drawing:
            ours = _draw(game, ours, theirs, rng)
            tally.draws += 1
            continue
        action = _compare_decision(game, ours, theirs, rng, tally)
        _act(theirs, action, ours, game)
        ours = game.child(ours, action)
    assert not theirs.status, (ours, rules, theirs.actor_index, theirs.bets, theirs.stacks, theirs.statuses)
    _compare_payoffs(game, ours, theirs, tally)


def compare_short_blind(game: PokerGame, rng: np.random.Generator, tally: Tally) -> None:
    """The same for a hand whose big blind is short, as far as the two agree (see the module's docstring)."""
    theirs = twin(game.rules)
    ours = game.start(game.deal(rng))
    while ours.betting.actor >= 0:
        _deal(game, ours, theirs)
        betting, legal = ours.betting, game.legal(ours)
        seat = betting.actor
        assert theirs.actor_index == seat, f"{game.rules}\n{betting}"
        alone = not betting.able & ~(1 << seat)  # all others in the hand are all-in
        if betting.raises or alone:
            tally.matched += alone and not betting.raises
            assert legal.call == theirs.checking_or_calling_amount, f"{game.rules}\n{betting}"
            action = FOLD if rng.random() < 0.3 else CALL
        else:
            room, ante = game.betting.behind[seat], game.betting.antes[seat]
            full = legal.can_raise and room + ante == legal.most and room - betting.level >= betting.step
            both = full and theirs.can_complete_bet_or_raise_to(room)
            action = Action("r", room + ante) if both and rng.random() < 0.3 else FOLD
            if action is FOLD and theirs.bets[seat] == max(theirs.bets):  # it owes nothing there
                return
        _act(theirs, action, ours, game)
        ours = game.child(ours, action)
    _deal(game, ours, theirs)
    while theirs.actor_index is not None:
        assert theirs.checking_or_calling_amount == 0, f"{game.rules}\n{ours.betting}"
        theirs.check_or_call()
        _deal(game, ours, theirs)
    assert not theirs.status
    tally.hands += 1
    _compare_payoffs(game, ours, theirs, tally)


def _compare_payoffs(game: PokerGame, ours, theirs: State, tally: Tally) -> None:
    won = game.returns(ours)
    assert sum(won) == 0
    if ours.betting.folded_out:
        assert list(won) == list(theirs.payoffs)
        return
    strengths = game.strengths(ours)
    pots = game.pots(ours)
    tally.side_pots += sum(len(pot.seats) > 1 for pot in pots) > 1
    merged: dict[tuple[int, ...], int] = {}
    odd = False
    for pot in pots:
        best = min(strengths[seat] for seat in pot.seats)
        winners = tuple(seat for seat in pot.seats if strengths[seat] == best)
        merged[winners] = merged.get(winners, 0) + pot.amount
        odd |= pot.amount % len(winners) > 0
        tally.splits += len(winners) > 1
    if not odd:
        assert list(won) == list(theirs.payoffs), (won, theirs.payoffs, ours)
        return
    tally.odd_chips += 1
    expected = [-chips for chips in game.spent(ours.betting)]
    for winners, amount in merged.items():
        share, rest = divmod(amount, len(winners))
        for seat in winners:
            expected[seat] += share + (rest if seat == winners[0] else 0)
    assert expected == list(theirs.payoffs), (expected, theirs.payoffs, ours)
    assert max(abs(a - b) for a, b in zip(won, theirs.payoffs, strict=True)) < len(pots) * game.players


def _deal(game: PokerGame, ours, theirs: State) -> None:
    while theirs.status:
        if theirs.can_deal_hole():
            seat = theirs.hole_dealee_index
            if theirs.street_index == 0:
                cards = game.hand(ours, seat)
            else:
                cards = next(draw.received for draw in ours.draws if draw.seat == seat)
            theirs.deal_hole(tuple(_card(game.rules, card) for card in cards))
        elif theirs.can_deal_board():
            before = len(theirs.board_cards)
            count = theirs.street.board_dealing_count
            cards = game.dealing.board(ours._replace(betting=ours.betting._replace(round=len(game.rules.rounds) - 1)))
            theirs.deal_board(tuple(_card(game.rules, card) for card in cards[before : before + count]))
        else:
            return


def _draw(game: PokerGame, ours, theirs: State, rng: np.random.Generator):
    seat = ours.betting.actor
    assert theirs.stand_patter_or_discarder_index == seat
    hand = game.hand(ours, seat)
    count = int(rng.integers(0, min(game.legal(ours).discards, len(hand)) + 1))
    action = Action("d", 0, tuple(int(card) for card in rng.choice(hand, count, replace=False)))
    theirs.stand_pat_or_discard(tuple(_card(game.rules, card) for card in action.cards))
    return game.child(ours, action)


def _compare_decision(game: PokerGame, ours, theirs: State, rng, tally: Tally) -> Action:
    betting = ours.betting
    seat = betting.actor
    where = f"{game.rules}\n{betting}"
    assert theirs.actor_index == seat, where
    legal = game.legal(ours)
    assert legal.fold == (theirs.bets[seat] < max(theirs.bets)), where
    assert legal.call == theirs.checking_or_calling_amount, where
    legal = _compare_raises(game, ours, theirs, legal, tally)
    if sum(theirs.bets) == 0:
        assert [(pot.amount, pot.seats) for pot in game.pots(ours)] == [
            (pot.amount, pot.player_indices) for pot in theirs.pots
        ], where
    return _choose(game, betting, legal, rng, tally)


def _compare_raises(game: PokerGame, ours, theirs: State, legal: Legal, tally: Tally) -> Legal:
    """Compare the bounds of a raise; gives back what both engines allow."""
    betting = ours.betting
    seat = betting.actor
    where = f"{game.rules}\n{betting}"
    owed = betting.level - betting.live[seat]
    acted = betting.acted >> seat & 1
    least = theirs.min_completion_betting_or_raising_to_amount
    if game.rules.limit == "fixed" and theirs.completion_betting_or_raising_count != betting.raises:
        tally.completions += 1
        return legal._replace(least=0, most=0)
    if least is None and legal.can_raise:
        assert acted, where
        assert len(theirs.consecutive_short_all_in_amounts) > 0, where
        assert owed >= betting.step, where
        tally.added_up += 1
        return legal._replace(least=0, most=0)
    if least is None:
        tally.not_reopened += acted and game.stacks(betting)[seat] > legal.call
    elif not legal.can_raise:
        opened = theirs.completion_betting_or_raising_amount
        assert 0 < opened < theirs.street.min_completion_betting_or_raising_amount, where
        assert acted, where
        assert owed < betting.step, where
        tally.short_openings += 1
    else:
        most = theirs.max_completion_betting_or_raising_to_amount
        earlier = theirs.starting_stacks[seat] - theirs.stacks[seat] - theirs.bets[seat]  # put in before this round
        if game.rules.least_raise == "double":
            assert least <= legal.least - earlier, where
            least = min(max(2 * max(theirs.bets), game.rules.rounds[betting.round].bet), most)
        assert (legal.least, legal.most) == (least + earlier, most + earlier), where
    return legal


def _choose(game: PokerGame, betting, legal, rng: np.random.Generator, tally: Tally) -> Action:
    """Seldom fold, often raise by the least or all the chips, so that short all-ins and side pots come up."""
    draw = rng.random()
    if legal.fold and draw < 0.15:
        tally.kinds.add("fold")
        return FOLD
    if not legal.can_raise or draw < 0.55:
        tally.kinds.add("call" if legal.call else "check")
        return CALL
    tally.kinds.add("raise")
    size = rng.random()
    if game.rules.limit == "fixed" or size < 0.5:
        total = legal.least
    elif size < 0.75:
        total = legal.most
    else:
        total = int(rng.integers(legal.least, legal.most + 1))
    live = total - game.betting.antes[betting.actor]
    tally.short_all_ins += live - betting.level < betting.step
    return Action("r", total)


def _act(theirs: State, action: Action, ours, game: PokerGame) -> None:
    seat = theirs.actor_index
    if action.kind == "f":
        theirs.fold()
    elif action.kind == "c":
        theirs.check_or_call()
    else:
        earlier = theirs.starting_stacks[seat] - theirs.stacks[seat] - theirs.bets[seat]
        theirs.complete_bet_or_raise_to(action.amount - earlier)


def random_stacks(rules: Rules, rng: np.random.Generator, *, short_blind: bool = False) -> Rules:
    """Stacks of all sizes, many of them short; the largest blind can be posted or not (see the module's docstring)."""
    unit = max(*rules.blinds, *rules.antes)
    largest = rules.blinds.index(max(rules.blinds))
    stacks = [int(rng.integers(1, unit * int(rng.choice([3, 10, 40, 200])))) for _ in range(rules.players)]
    needed = rules.blinds[largest] + rules.antes[largest]
    stacks[largest] = int(rng.integers(1, needed)) if short_blind else max(stacks[largest], needed)
    return replace(rules, stacks=tuple(stacks))


__all__ = ["KuhnPokerHand", "LeducHoldemHand", "Tally", "compare_hand", "compare_short_blind", "random_stacks", "twin"]
