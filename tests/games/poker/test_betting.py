"""The betting automaton: the rule books' cases one by one, and the reasons it gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pokerlab.errors import IllegalAction
from pokerlab.games.game import TERMINAL
from pokerlab.games.library._presets import first_after_blinds, holdem_rounds
from pokerlab.games.poker.betting import CALL, FOLD, RAISE, Action, BettingRules, raise_to
from pokerlab.games.poker.rules import Rules
from pokerlab.registry import load


def no_limit(*stacks: int, blinds: tuple[int, ...] | None = None, ante: int = 0, **settings) -> BettingRules:
    """No-limit hold'em with blinds of 50 and 100."""
    players = len(stacks)
    posted = blinds or ((100, 50) if players == 2 else (50, 100) + (0,) * (players - 2))
    rounds = holdem_rounds((100,) * 4, first=first_after_blinds(posted), raises=(None,) * 4)
    antes = (ante,) * players
    rules = {"players": players, "rounds": rounds, "blinds": posted, "stacks": stacks, "antes": antes} | settings
    return BettingRules(Rules(**rules))


def after(rules: BettingRules, text: str):
    """The betting after some actions: "r300 c f"."""
    betting = rules.start()
    for word in text.split():
        betting = rules.act(betting, Action(word[0], int(word[1:] or 0)))
    return betting


def bounds(rules: BettingRules, text: str) -> tuple[int, int]:
    legal = rules.legal(after(rules, text))
    return legal.least, legal.most


def reason(rules: BettingRules, text: str, action: Action) -> str:
    with pytest.raises(IllegalAction) as caught:
        rules.act(after(rules, text), action)
    return str(caught.value)


class TestTurns:
    def test_heads_up_the_button_has_the_small_blind_and_acts_first_before_the_flop_only(self):
        rules = no_limit(20000, 20000)
        assert rules.start().live == (100, 50)
        assert rules.start().actor == 1
        assert after(rules, "c").actor == 0
        assert after(rules, "c c").actor == 0
        assert after(rules, "c c c c").history == "cc/cc/"

    def test_the_big_blind_may_raise_when_all_have_called(self):
        rules = no_limit(1000, 1000, 1000)
        assert after(rules, "c c").actor == 1
        assert bounds(rules, "c c") == (200, 1000)
        assert after(rules, "c c c").history == "ccc/"

    def test_a_straddle_acts_last_and_is_raised_by_its_size(self):
        rules = no_limit(5000, 5000, 5000, 5000, blinds=(50, 100, 200, 0))
        assert rules.start().actor == 3
        assert bounds(rules, "") == (400, 5000)
        assert after(rules, "c c c").actor == 2

    def test_the_hand_ends_when_all_but_one_have_folded(self):
        betting = after(no_limit(1000, 1000, 1000), "f f")
        assert betting.actor == TERMINAL
        assert betting.folded_out
        assert betting.history == "ff"

    def test_rounds_without_betting_are_passed_when_chips_are_in(self):
        betting = after(no_limit(20000, 20000), "r19015 r20000 c")
        assert betting.history == "r19015r20000c///"
        assert betting.actor == TERMINAL
        assert not betting.folded_out

    def test_a_blind_that_takes_all_chips_leaves_nothing_to_do(self):
        assert no_limit(1000, 40).start().history == "///"  # the button has 40 of its 50
        assert no_limit(30, 1000).start().history == "///"  # the big blind has less than the small one


class TestSizes:
    def test_a_raise_is_by_the_last_raise_at_least(self):
        rules = no_limit(20000, 20000)
        assert bounds(rules, "") == (200, 20000)
        assert bounds(rules, "r300") == (500, 20000)
        assert bounds(rules, "r300 r500") == (700, 20000)
        assert bounds(rules, "r300 r900") == (1500, 20000)
        assert bounds(rules, "r300 c") == (400, 20000)  # a new round begins with the big blind

    def test_amounts_are_totals_over_the_hand_antes_included(self):
        rules = no_limit(20000, 20000, ante=10)
        assert rules.start().live == (100, 50)
        assert bounds(rules, "") == (210, 20000)
        assert after(rules, "r210").live == (100, 200)

    def test_all_in_for_less_than_the_least_raise(self):
        rules = no_limit(350, 20000)
        assert bounds(rules, "r300") == (350, 350)

    def test_pot_limit(self):
        rules = no_limit(20000, 20000, limit="pot")
        assert bounds(rules, "") == (200, 300)  # call 50, then the pot of 200
        assert bounds(rules, "r300") == (500, 900)
        assert bounds(rules, "r300 c") == (400, 900)
        assert "the pot limit" in reason(rules, "", raise_to(301))

    def test_fixed_limit_sizes_and_cap(self):
        rules = load("games", "holdem-limit").betting
        assert bounds(rules, "") == (20, 20)
        assert bounds(rules, "r r") == (40, 40)
        assert bounds(rules, "r r r") == (0, 0)
        assert bounds(rules, "c c c c r r r") == (90, 90)  # bets of 20 on the turn, after 10 before the flop
        assert "3 bets and raises" in reason(rules, "r r r", RAISE)
        assert "the limit is fixed, so a raise is to 20" in reason(rules, "", raise_to(25))

    def test_double_the_largest_bet(self):
        rules = load("games", "five-card-draw").betting
        assert bounds(rules, "") == (4, 40)
        assert bounds(rules, "r5") == (10, 40)
        assert bounds(rules, "r5 r12") == (24, 40)
        short = load("games", "five-card-draw(players=3, stack=[40, 8, 40])").betting
        assert bounds(short, "r5") == (8, 8)  # all-in for less than double
        assert bounds(short, "r5 r8 f") == (0, 0)  # which does not let the first raise again
        assert bounds(short, "r5 r8 r16") == (32, 40)
        assert bounds(rules, "c c d d") == (4, 40)  # 2 in already, and the least bet is 2
        assert bounds(rules, "c c d d r5") == (8, 40)  # a bet of 3, doubled

    def test_push_or_fold(self):
        rules = load("games", "push-fold(stack=10)").betting
        assert rules.legal(rules.start()) == (True, -1, 1000, 1000, -1, ())
        assert rules.legal(after(rules, "r1000")) == (True, 900, 0, 0, -1, ())
        assert "all-in or folds" in reason(rules, "", CALL)


class TestShortAllIns:
    """A bets, B is all-in for less than a full raise: those who have acted may call but not raise."""

    def test_betting_is_not_reopened(self):
        rules = no_limit(5000, 5000, 5000, 400)
        # seat 2 raises to 300 (by 200), the button has 400: a raise by 100 only
        betting = after(rules, "r300 r400 c c")
        assert betting.actor == 2
        assert rules.legal(betting) == (True, 100, 0, 0, -1, ())
        assert "short all-in" in reason(rules, "r300 r400 c c", raise_to(1000))

    def test_those_who_have_not_acted_may_raise_by_a_full_raise(self):
        rules = no_limit(5000, 5000, 5000, 400)
        assert bounds(rules, "r300 r400") == (600, 5000)

    def test_a_full_raise_behind_it_reopens(self):
        rules = no_limit(5000, 5000, 5000, 400)
        assert bounds(rules, "r300 r400 r600 c") == (800, 5000)

    def test_short_all_ins_that_add_up_reopen(self):
        rules = no_limit(510, 5000, 5000, 400)
        # 300, all-in 400, all-in 510: 210 more than the 300, a full raise of 200
        assert rules.legal(after(rules, "r300 r400 r510 c")) == (True, 210, 710, 5000, -1, ())

    def test_a_short_bet_does_not_let_one_who_checked_raise(self):
        rules = no_limit(5000, 5000, 150)
        betting = after(rules, "c c c c c r150")  # on the flop the button bets 50 all-in
        assert rules.legal(betting) == (True, 50, 0, 0, -1, ())

    def test_in_the_competition_any_raise_reopens(self):
        rules = no_limit(5000, 5000, 5000, 400, reopens_at=0.0, least_raise="acpc")
        assert bounds(rules, "r300 r400") == (500, 5000)  # the least raise stays where it was
        assert bounds(rules, "r300 r400 c c") == (500, 5000)

    def test_in_limit_half_a_bet_reopens(self):
        # seat 2 raises to 20, the button is all-in for 4 more, then for 5 more; a full raise is 10
        short = load("games", "holdem-limit(players=4, stack=[200, 200, 200, 24])").betting
        assert not short.legal(after(short, "r r c c")).can_raise
        half = load("games", "holdem-limit(players=4, stack=[200, 200, 200, 25])").betting
        assert half.legal(after(half, "r r c c")).can_raise

    def test_in_limit_less_than_half_a_bet_is_completed(self):
        # before the flop seat 2 raises to 20; the button is all-in for 4 more, which is no raise of its own
        rules = load("games", "holdem-limit(players=4, stack=[200, 200, 200, 24])").betting
        assert bounds(rules, "r r") == (30, 30)
        assert after(rules, "r r").raises == 1
        assert after(rules, "r r r").raises == 2
        assert bounds(rules, "r r r") == (40, 40)
        # the cap is of three raises, and the short one is none of them
        assert rules.legal(after(rules, "r r r r")).least == 0

    def test_in_limit_half_a_bet_counts_as_one(self):
        rules = load("games", "holdem-limit(players=4, stack=[200, 200, 200, 25])").betting
        assert bounds(rules, "r r") == (35, 35)
        assert after(rules, "r r").raises == 2

    def test_in_limit_short_all_ins_add_up_to_a_bet(self):
        rules = load("games", "holdem-limit(players=4, stack=[26, 200, 200, 24])").betting
        assert after(rules, "r r r").raises == 2  # to 24 and to 26: six more than the 20
        assert rules.legal(after(rules, "r r r c")) == (True, 6, 36, 36, -1, ())

    def test_in_the_competition_a_short_raise_in_limit_is_a_raise(self):
        rules = load("games", "holdem-limit(players=4, stack=[200, 200, 200, 24])").rules
        betting = BettingRules(replace(rules, reopens_at=0.0, least_raise="acpc"))
        assert bounds(betting, "r r") == (34, 34)
        assert after(betting, "r r").raises == 2

    def test_no_raise_against_players_without_chips(self):
        rules = no_limit(5000, 300)
        assert "nobody else has chips" in reason(rules, "r300", raise_to(1000))
        three = no_limit(5000, 300, 5000)
        assert "no chips left" in reason(three, "r1000 f", raise_to(300))


class TestShortBlinds:
    """A big blind that is all-in for less: all call it in full, but never more than another seat can match."""

    def test_nothing_to_decide_for_a_small_blind_that_has_matched_it(self):
        betting = after(no_limit(1000, 40, 1000), "f")
        assert (betting.actor, betting.history, betting.folded_out) == (TERMINAL, "f///", False)

    def test_the_small_blind_calls_what_the_big_blind_has(self):
        rules = no_limit(1000, 60, 1000)
        betting = after(rules, "f")
        assert rules.legal(betting) == (True, 10, 0, 0, -1, ())
        assert rules.act(betting, CALL).live == (60, 60, 0)

    def test_the_blind_is_called_in_full_while_others_can(self):
        rules = no_limit(1000, 40, 1000)
        assert rules.legal(rules.start()) == (True, 100, 200, 1000, -1, ())
        assert rules.legal(after(rules, "c")) == (True, 50, 200, 1000, -1, ())

    def test_an_all_in_call_of_less_is_the_most_to_call(self):
        rules = no_limit(1000, 40, 70, 1000)
        assert rules.legal(after(rules, "c f")) == (True, 20, 0, 0, -1, ())
        assert after(rules, "f f").actor == TERMINAL

    def test_a_short_straddle(self):
        rules = no_limit(1000, 1000, 40, 1000, blinds=(50, 100, 200, 0))
        assert rules.legal(after(rules, "f")) == (True, 150, 400, 1000, -1, ())
        assert after(rules, "f f").actor == TERMINAL
        assert rules.legal(after(rules, "f c")) == (True, 100, 400, 1000, -1, ())

    def test_heads_up(self):
        rules = no_limit(60, 1000)
        assert rules.legal(rules.start()) == (True, 10, 0, 0, -1, ())

    def test_all_in_or_fold(self):
        rules = no_limit(1000, 60, 1000, limit="push")
        assert rules.legal(after(rules, "f")) == (True, 10, 0, 0, -1, ())


class TestReasons:
    @pytest.mark.parametrize(
        ("text", "action", "words"),
        [
            ("", raise_to(150), "at least 200 in total"),
            ("", raise_to(20001), "at most 20000 in total, which is all-in"),
            ("", RAISE, "needs its total over the hand, 200 to 20000"),
            ("c", FOLD, "no bet to fold to; check instead"),
            ("f", CALL, "the hand is over"),
            ("", Action("x"), "an action is f"),
            ("", Action("d"), "only in a draw"),
            ("", Action("r", True), "needs its total"),
        ],
    )
    def test_reasons(self, text, action, words):
        assert words in reason(no_limit(20000, 20000), text, action)

    def test_reasons_in_a_draw(self):
        game = load("games", "five-card-draw(discards=3)")
        assert "this is a draw" in reason(game.betting, "c c", CALL)
        assert "at most 3 cards" in reason(game.betting, "c c", Action("d", 0, (1, 2, 3, 4)))

    def test_a_seat_that_may_not_bet(self):
        betting = load("games", "flop-poker").betting
        assert "has had its 1 bets and raises" in reason(betting, "r", RAISE)
        assert after(betting, "c").history == "c/"  # Dealer is not asked
