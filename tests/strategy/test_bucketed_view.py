"""Places of solutions over buckets: the same as in the public form, the same as dealing, and answers to wrong words."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from blueprints import as_solution, few_buckets, made_up
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import COMBOS, combo_index
from pokerlab.cards.measures import board_measures
from pokerlab.cards.strength import strengths
from pokerlab.display.notebook.results import html, plot
from pokerlab.errors import BadCards, BadSetting, IllegalAction
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.lab.analyse.browsing import check_grid, hand_at, place_dict
from pokerlab.lab.solve.solving import solve
from pokerlab.strategy.forms.bucketed import BucketedStrategy
from pokerlab.strategy.views.bucketed import BucketedView
from pokerlab.strategy.views.public import PublicView

HOLDEM = "holdem-nolimit(stack=1000, menu='50%,100%,allin')"


def start(strategy: BucketedStrategy) -> BucketedView:
    view: BucketedView = strategy.root
    return view


@pytest.fixture(scope="module")
def holdem() -> BucketedView:
    return start(made_up(HOLDEM, few_buckets(HOLDEM, (169, 37, 1, 1), seed=3), seed=4))


# ---- the same as in the public form ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def both() -> tuple[BucketedView, PublicView]:
    """Leduc as the public form has it after a few iterations, and the same hand by hand over buckets."""
    public = solve("leduc", form="public", iterations=7)
    strategy = made_up("leduc")
    form = strategy.form
    for node in np.flatnonzero(form.betting.arrays.actor >= 0).tolist():
        betting = form.game.betting.start()
        for word in form.betting.histories[node].replace("/", ""):
            act = next(one for one in form.game.seat_actions(betting, ()) if form.game.action_text(one) == word)
            betting = form.game.betting.act(betting, act)
        first, count = int(strategy.slot[node]), len(form.betting.actions[node])
        for board in [()] if betting.round == 0 else [(card,) for card in range(form.game.deck.size)]:
            place = PublicNode(form.game, betting, board)
            table = public.strategy.table(place)
            hands, buckets = strategy.held(place)
            assert [form.game.text(hand) for hand in hands.tolist()] == list(table.hands)
            strategy.numbers[betting.round][buckets, first : first + count] = 5 * table.probability
    return start(strategy), public.root


def test_leduc_is_as_in_the_public_form(both: tuple[BucketedView, PublicView]) -> None:
    pending, acted = [both], 0
    while pending:
        ours, public = pending.pop()
        assert (ours.player, ours.is_deal, ours.is_over) == (public.player, public.is_deal, public.is_over)
        assert (ours.pot, ours.board, ours.coming) == (public.pot, public.board, public.coming)
        for player in (0, 1):
            np.testing.assert_allclose(ours.range(player), public.range(player), atol=1e-6)
            np.testing.assert_allclose(ours.likelihood(player), public.likelihood(player), atol=1e-6)
            np.testing.assert_array_equal(ours.is_present(player), public.is_present(player))
        if ours.player is not None:
            acted += 1
            np.testing.assert_allclose(ours.frequencies, public.frequencies, atol=1e-6)
            assert list(ours.strategy().values()) == pytest.approx(list(public.strategy().values()), abs=1e-6)
            assert [row["hand"] for row in ours.table(0)] == [row["hand"] for row in public.table(0)]
            pending += [(ours.at(one), public.at(one)) for one in public.actions]
        elif ours.is_deal:
            cards = [ours.deck.name(card) for card in range(ours.deck.size)]
            pending += [(ours.at(card), public.at(card)) for card in cards]
    assert acted > 100


# ---- the same as dealing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("kuhn(players=3)", ["c", "r", "c"]),
        ("kuhn(players=3)", ["c", "c", "r", "f"]),
        ("leduc(players=3)", ["r", "c", "f", "Qb", "c"]),
        ("leduc", ["r", "r", "c", "Jb", "c", "r"]),
    ],
)
def test_likelihoods_are_those_of_all_deals(game: str, moves: list[str]) -> None:
    strategy = made_up(game, seed=5)
    found = start(strategy).at(*moves)
    rules, deck = strategy.form.game, strategy.form.game.deck
    chances: list[Counter[int]] = [Counter() for _ in range(rules.players)]
    for hands in permutations([card for card in range(deck.size) if card not in found.board], rules.players):
        place, chance = PublicNode(rules, rules.betting.start(), ()), 1.0
        for move in moves:
            if not place.missing:
                seat = place.seat
                view = View(rules, seat, (hands[seat],), place.board, place.betting, (hands[seat],), (), ())
                chance *= strategy.probabilities(view)[move]
            place = place.after(move)
        for seat, hand in enumerate(hands):
            chances[seat][hand] += chance
    for seat in range(rules.players):
        dealt = np.array([chances[seat][hand] for hand in range(deck.size)])
        np.testing.assert_allclose(found.likelihood(seat), dealt / dealt.sum(), rtol=1e-9, atol=1e-12)


# ---- hold'em ---------------------------------------------------------------------------------------------------------


def test_equity_on_the_flop_is_that_of_the_measures(holdem: BucketedView) -> None:
    view = holdem.at("raise 200", "call", "Td7s2c", "bet 50%")
    for player in (0, 1):
        weights = view.range(1 - player)
        expected = board_measures(view.board, weights=weights / weights.max(), bins=1).rollout
        np.testing.assert_allclose(view.equities(player), expected, atol=1e-6)
    shares = view.summary()["equity"]
    assert sum(shares) == pytest.approx(1)
    assert shares[0] != pytest.approx(0.5, abs=1e-4)  # the ranges are not alike


def test_equity_on_the_river_is_counted_pair_by_pair(holdem: BucketedView) -> None:
    view = holdem.at("call", "check", "Td7s2c", "check", "check", "7h", "check", "check", "Ah", "check")
    hands = [hand for hand in range(1326) if view.is_present(0)[hand]]
    strong = strengths([[*COMBOS[hand].tolist(), *view.board] for hand in hands])
    place = int(np.flatnonzero(np.array(hands) == combo_index(*FULL_DECK.cards("KhQs")))[0])
    won = met = 0.0
    for other, held in enumerate(hands):
        if not set(COMBOS[held].tolist()) & set(FULL_DECK.cards("KhQs")):
            weight = view.range(1)[held]
            met += weight
            won += weight * (1 + np.sign(int(strong[other]) - int(strong[place]))) / 2  # smaller is stronger
    assert view.equity(0, "KhQs") == pytest.approx(won / met, abs=1e-6)


def test_hands_of_a_bucket_play_alike(holdem: BucketedView) -> None:
    view = holdem.at("call", "check", "Td7s2c")
    rows = view.table(0)
    assert len(rows) == 49 * 48 // 2
    assert not any("ev" in name for row in rows for name in row)
    by_bucket: dict[int, set[tuple[float, ...]]] = {}
    for row in rows:
        by_bucket.setdefault(row["bucket"], set()).add(tuple(row["strategy"].values()))
    assert len(by_bucket) == view.bucket_count == 37
    assert all(len(played) == 1 for played in by_bucket.values())
    found = hand_at(view, "AhKh")
    (share,) = found.buckets
    assert share.hands == sum(row["bucket"] == share.bucket for row in rows)
    assert found.strategy == pytest.approx(next(row["strategy"] for row in rows if row["hand"] == "AhKh"))
    assert (found.ev, found.action_ev) == (None, {})
    assert sum(one.hands for one in hand_at(view, "AKs").buckets) >= len(hand_at(view, "AKs").buckets)


def test_what_people_type(holdem: BucketedView) -> None:
    assert holdem.actions == ("fold", "call", "raise 200", "raise 300", "all-in 1000")
    assert holdem.at("pot").moves == holdem.at("3bb").moves == holdem.at("r300").moves == ("raise 300",)
    assert holdem.at("half").moves == ("raise 200",)
    flop = holdem.at("pot", "c", "Td7s2c")
    assert flop.actions == ("check", "bet 300", "bet 600", "all-in 700")  # amounts on this street
    assert flop.at("c").moves[-1] == flop.at("k").moves[-1] == "check"
    assert flop.at("bet 50%").moves[-1] == flop.at("b 300").moves[-1] == "bet 300"
    assert flop.at("shove").moves[-1] == "all-in 700"
    over = holdem.at("allin", "call")
    assert [over.coming, over.at("Td7s2c").coming, over.at("Td7s2c", "Ah").coming] == [3, 1, 1]
    assert over.at("Td7s2c", "Ah", "2d").is_over
    assert holdem.at("f").is_over


@pytest.mark.parametrize(
    ("moves", "problem", "words"),
    [
        (["nosuch"], IllegalAction, "available: fold, call"),
        (["r 17"], IllegalAction, "'r 17' is not on the menu here, which is 200, 300 or 1000"),
        (["raise"], IllegalAction, "'raise' is not an action here"),
        (["f", "c"], IllegalAction, "the hand is over"),
        (["c", "c", "Td7s"], BadCards, "3 cards come here"),
        (["c", "c", "Td7sTd"], BadCards, "twice"),
        (["c", "c", "check"], BadCards, "not a card"),
        (["c", "c", "Td7s2c", "c", "c", "2c"], BadCards, "on the board already"),
        (["c", "c", "Td7s2c", "fold"], IllegalAction, "available: check"),
    ],
)
def test_what_cannot_be_is_told(holdem: BucketedView, moves: list[str], problem: type[Exception], words: str) -> None:
    with pytest.raises(problem, match=words):
        holdem.at(*moves)


def test_what_is_not_known_is_told(holdem: BucketedView, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.cards.preflop.is_saved", lambda: False)
    with pytest.raises(BadSetting, match="strategy or reach"):
        check_grid(holdem, "ev")
    with pytest.raises(BadSetting, match="pokerlab preflop"):
        check_grid(holdem, "equity")
    assert "equity" not in holdem.summary()
    assert "equity" not in holdem.table(0)[0]
    check_grid(holdem.at("call", "check", "Td7s2c"), "equity")
    with pytest.raises(BadSetting, match="not known"):
        holdem.ev(0)
    with pytest.raises(BadCards, match="range"):
        holdem.at("call", "check", "Td7s2c").strategy("TdTh")
    three = start(made_up("kuhn(players=3)"))
    with pytest.raises(BadSetting, match="starting hands"):
        check_grid(three, "equity")
    with pytest.raises(BadCards, match="not a hand"):
        three.strategy("AK")


def test_notebooks_and_tables(holdem: BucketedView) -> None:
    for view in (holdem, holdem.at("call", "check", "Td7s2c", "bet 50%"), start(made_up("leduc"))):
        told = html(view)
        assert "EV" not in told
        assert "nan" not in told
        assert plot(view).axes
        frame = view.to_pandas()
        assert "bucket" in frame.columns
        assert not any("ev" in name for name in frame.columns)
        assert frame.groupby("hand")["probability"].sum().to_numpy() == pytest.approx(1)
        place_dict(view)
    unmeasured = as_solution(holdem.source, measured=False)
    assert "not measured" in html(unmeasured)
    assert "nan" not in html(unmeasured)
