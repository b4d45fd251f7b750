"""Buckets made, interrupted, resumed and looked into."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.abstraction.test_buckets import random_buckets

from pokerlab import store
from pokerlab.abstraction import bucket_file, making, unfinished
from pokerlab.abstraction.buckets import Buckets, RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.strength import Strength
from pokerlab.abstraction.forecast import Forecast, RoundForecast, forecast
from pokerlab.abstraction.making import Plan
from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadCards, BadFile, BadSetting, TooLarge
from pokerlab.events import Cancelled, CancelToken, Event
from pokerlab.lab.abstraction import bucket_view, bucketing
from pokerlab.lab.abstraction.bucket_view import hand_buckets, round_view
from pokerlab.lab.solve.training import abstracted

METHODS = ("lossless", "emd:12", "ochs:30")


def plan_of(game: str = "rhode-island", methods: tuple[str, ...] = METHODS, **settings: object) -> Plan:
    return bucketing.planned(bucketing.cards_of(game), methods, **settings)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def rhode_island() -> Buckets:
    return bucketing.make_buckets(plan_of(seed=2), threads=2).buckets


def test_gameshrink_is_lossless_for_two_players_alone() -> None:
    lossy = ("gameshrink(outcomes=true)", "gameshrink(threshold=0.1)", "lossless", "emd:4")
    for methods in (("gameshrink", "lossless"), ("lossless", "gameshrink"), ("lossless", "gameshrink(threshold=0)")):
        bucketing.check_players("leduc", methods)
        assert bucketing.remark(plan_of("leduc", methods)) == ""
        made = bucketing.make_buckets(plan_of("leduc", methods)).buckets
        for players in (3, 4):
            with pytest.raises(BadSetting, match=f"one opponent, .* with the {players} players of leduc"):
                bucketing.check_players(f"leduc(players={players})", methods)
            with pytest.raises(BadSetting, match=f"one opponent, .* with the {players} players of leduc"):
                abstracted(f"leduc(players={players})", made)
    for method in lossy:
        bucketing.check_players("leduc(players=3)", ("lossless", method))
        assert bucketing.remark(plan_of("leduc", ("lossless", method))) == ""  # none is said to lose nothing


@pytest.mark.parametrize("other", ["strength:2", "gameshrink(threshold=0.1)", "gameshrink(outcomes=true)"])
def test_what_is_lossless_beside_what_is_not_is_told(other: str) -> None:
    for methods in (("gameshrink", other), (other, "gameshrink")):
        assert f"with {other} beside it the buckets are lossy" in bucketing.remark(plan_of("leduc", methods))


# ---- what is to be made ----------------------------------------------------------------------------------------------


def test_rounds_have_names() -> None:
    assert bucketing.round_names(bucketing.cards_of("flop-poker")) == ("preflop", "flop")
    assert bucketing.round_names(bucketing.cards_of("rhode-island")) == ("first", "second", "third")
    holdem = bucketing.cards_of(" Holdem")
    assert holdem == bucketing.cards_of("holdem-nolimit(stack=50)") == bucketing.cards_of("holdem-limit")
    words = ("turn", "third", " 3 ", "TURN")
    assert [bucketing.round_number(holdem, word) for word in words] == [2] * 4
    with pytest.raises(BadSetting, match="preflop, flop, turn, river, and 'rivver' is not one"):
        bucketing.round_number(holdem, "rivver")
    with pytest.raises(BadSetting, match="not one of them"):
        bucketing.round_number(bucketing.cards_of("leduc"), "flop")


@pytest.mark.parametrize(
    ("game", "buckets", "expected"),
    [
        ("kuhn", None, ["lossless"]),
        ("leduc", None, ["lossless", "ochs:10"]),
        ("leduc", 2, ["emd:2", "ochs:2"]),
        ("leduc", 15, ["lossless", "lossless"]),
        ("leduc", 14, ["lossless", "ochs:14"]),
        ("rhode-island", None, ["lossless", "emd:32", "ochs:508"]),
        ("holdem", 169, ["lossless", "emd:169", "emd:169", "ochs:169"]),
        ("holdem", 168, ["emd:168", "emd:168", "emd:168", "ochs:168"]),
    ],
)
def test_methods_by_default(game: str, buckets: int | None, expected: list[str]) -> None:
    assert bucketing.default_methods(bucketing.cards_of(game), buckets) == expected


def test_methods_that_are_named() -> None:
    cards = bucketing.cards_of("rhode-island")
    named = [("2", "strength:3"), ("third", "nested:2x3")]
    assert bucketing.chosen_methods(cards, named=named) == ("lossless", "strength:3", "nested:2x3")
    listed = "lossless, emd:4(bins=5, restarts=2),ochs:3 "
    assert bucketing.chosen_methods(cards, listed=listed) == ("lossless", "emd:4(bins=5, restarts=2)", "ochs:3")
    for wrong, why in (
        ({"listed": "lossless,emd:3"}, "names 2 methods, and there are 3"),
        ({"listed": listed, "named": named}, "not both"),
        ({"named": [("second", "emd:3"), ("2", "emd:4")]}, "two methods are named for the second"),
    ):
        with pytest.raises(BadSetting, match=why):
            bucketing.chosen_methods(cards, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("methods", "why"),
    [
        (("lossless", "emdd:3", "ochs:2"), "did you mean emd"),
        (("lossless", "emd:0", "ochs:2"), "at least 1|1 to"),
        (("lossless", "emd:3:4", "ochs:2"), "is written as emd:1000"),
        (("lossless", "lossless:3", "ochs:2"), "count"),
    ],
)
def test_methods_that_are_none(methods: tuple[str, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        plan_of(methods=methods)


def test_games_without_hands_are_refused() -> None:
    with pytest.raises(BadSetting, match="not a game of the poker engine"):
        bucketing.cards_of("matching-pennies")
    with pytest.raises(BadSetting, match="recall is imperfect or perfect"):
        plan_of(recall="total")


def test_forecasts_grow_with_the_work() -> None:
    def seconds(methods: tuple[str, ...], threads: int = 1) -> float:
        return forecast(plan_of("holdem", methods), threads=threads).seconds

    small, usual = ("lossless", "strength:9", "strength:9", "strength:9"), ("lossless", "emd:99", "emd:99", "ochs:99")
    assert seconds(small) < seconds(usual) < seconds(("lossless", "emd:1000", "emd:1000", "ochs:1000"))
    assert seconds(usual, threads=4) == pytest.approx(seconds(usual) / 4)
    done = forecast(plan_of("holdem", usual), done=(1, 2, 3))
    assert done.seconds < 1 < seconds(usual)
    with pytest.raises(TooLarge, match="of memory while they are made"):
        bucketing.check_fits(Forecast((RoundForecast(3, 1.0, 1e18),)))


# ---- made and resumed ------------------------------------------------------------------------------------------------


def cancel_at(round: str) -> dict[str, Any]:
    """Options that cancel at the first stage of a round."""
    token = CancelToken()

    def report(event: Event) -> None:
        if event.message.startswith(round):
            token.cancel()

    return {"on_progress": report, "cancel": token}


@pytest.mark.parametrize("recall", ["imperfect", "perfect"])
@pytest.mark.parametrize("large", [False, True])
def test_interrupted_and_resumed_is_uninterrupted(
    recall: str, large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:  # too many hands to be clustered within buckets
        monkeypatch.setattr(making, "MOST_WITHIN", 0)
    plan = plan_of(methods=("strength:4", "emd:9", "ochs:12"), recall=recall, seed=7)
    whole, out = tmp_path / "whole.buckets", tmp_path / "broken.buckets"
    bucketing.make_buckets(plan, out=whole, threads=2)
    part = unfinished.path_of(out)
    resumed = []
    for stopped in ("third", "second", "first"):
        with pytest.raises(Cancelled):
            bucketing.make_buckets(plan, out=out, **cancel_at(stopped))
        assert not out.exists()
        resumed.append(sorted(unfinished.load(part, plan)))
    assert resumed == ([[], [2], [1, 2]] if not plan.within else [[], [], []])
    made = bucketing.make_buckets(plan, out=out)
    assert made.resumed == (("second", "third") if not plan.within else ())
    assert not part.exists()
    one, other = store.load(whole), store.load(out)
    assert one.manifest == other.manifest
    assert all(np.array_equal(one.arrays[name], other.arrays[name]) for name in one.arrays)


def test_what_is_finished_serves_while_no_later_method_changes(tmp_path: Path) -> None:
    out = tmp_path / "a.buckets"
    with pytest.raises(Cancelled):
        bucketing.make_buckets(plan_of(methods=("strength:3", "emd:9", "ochs:12")), out=out, **cancel_at("first"))
    part = unfinished.path_of(out)

    def kept(methods: tuple[str, ...], **settings: object) -> list[int]:
        return sorted(unfinished.load(part, plan_of(methods=methods, **settings)))

    assert kept(("strength:3", "emd:9", "ochs:12")) == [1, 2]
    assert kept(("lossless", " emd:9 ", "ochs:12(opponents=8)")) == [1, 2]
    assert kept(("strength:3", "emd:8", "ochs:12")) == [2]
    assert kept(("strength:3", "emd:9", "ochs:11")) == []
    assert kept(("strength:3", "emd:9", "ochs:12"), seed=1) == []
    assert sorted(unfinished.load(part, plan_of("leduc", ("emd:9", "ochs:12")))) == []
    assert bucketing.forecast_of(plan_of(methods=("strength:3", "emd:9", "ochs:12")), out=out).rounds[0].round == 0


def test_files_of_other_kinds_stay(tmp_path: Path) -> None:
    plan = plan_of("leduc", ("lossless", "emd:4"))
    text, solution = tmp_path / "notes.txt", tmp_path / "a.solution"
    text.write_text("mine")
    store.save(solution, {}, kind="solution")
    for path in (text, solution):
        before = path.read_bytes()
        with pytest.raises(BadFile, match="would be lost"):
            bucketing.make_buckets(plan, out=path)
        assert path.read_bytes() == before
    Path(f"{tmp_path / 'b.buckets'}.part").write_text("mine too")
    with pytest.raises(BadFile, match="would be lost"):
        bucketing.make_buckets(plan, out=tmp_path / "b.buckets")
    bucketing.make_buckets(plan, out=tmp_path / "c.buckets")
    bucketing.make_buckets(plan, out=tmp_path / "c.buckets")  # its own kind is replaced


def test_damaged_parts_are_refused(tmp_path: Path) -> None:
    out, plan = tmp_path / "a.buckets", plan_of(methods=("strength:3", "emd:9", "ochs:12"))
    store.save(unfinished.path_of(out), {}, kind=unfinished.KIND, cards=repr(plan.cards), seed=0, done=[7])
    with pytest.raises(BadFile, match="delete it to start again"):
        bucketing.make_buckets(plan, out=out)


def test_events_name_the_round_and_bring_those_that_are_finished() -> None:
    events: list[Event] = []
    made = bucketing.make_buckets(plan_of(), on_progress=events.append)
    stages = [event.message for event in events if event.payload is None]
    assert list(dict.fromkeys(stage.partition(":")[0] for stage in stages)) == ["third", "second"]  # lossless has none
    assert all(event.share is not None and 0 <= event.share <= 1 for event in events)
    assert not any("round" in stage for stage in stages)
    finished = [event.payload for event in events if event.payload is not None]
    assert [(one.name, one.buckets) for one in finished] == [("third", 30), ("second", 12), ("first", 13)]
    assert [one.buckets for one in made.rounds] == [13, 12, 30]
    assert all(one.seconds is not None and one.seconds >= 0 for one in made.rounds)


# ---- looked into -----------------------------------------------------------------------------------------------------


def test_sizes_add_up(rhode_island: Buckets) -> None:
    perfect = bucketing.make_buckets(plan_of(methods=("strength:3", "emd:4", "ochs:5"), recall="perfect")).buckets
    for buckets in (rhode_island, perfect):
        for turn in range(3):
            sizes = bucketing.hands_of_buckets(buckets, turn)
            assert sizes is not None
            assert sizes.sum() == buckets.cards.hands(turn)
            assert len(sizes) == buckets.counts[turn]
            assert sizes.min() > 0
            told = bucketing.round_summaries(buckets)[turn]
            assert (told.smallest, told.largest) == (sizes.min(), sizes.max())
    assert bucketing.round_summaries(rhode_island.lean())[1].smallest is None


@pytest.mark.parametrize("recall", ["imperfect", "perfect"])
def test_the_bucket_of_a_hand(recall: str) -> None:
    buckets = bucketing.make_buckets(plan_of(methods=("strength:5", "emd:6", "ochs:9"), recall=recall)).buckets
    cards = buckets.cards
    for hand, board in (("Ah", "Td7s"), ("2c", "2d2h"), ("9s", "8s7s")):
        places = hand_buckets(buckets, hand, board, bins=7)
        assert [place.board for place in places] == ["", board[:2], board]
        for turn, place in enumerate(places):
            lying = FULL_DECK.cards(place.board)
            everyone = np.arange(52, dtype=np.uint8)[:, None]
            free = everyone[~np.isin(everyone[:, 0], lying)]
            like = free[buckets.at(turn, free, lying) == place.bucket][:, 0].tolist()
            assert FULL_DECK.card(hand) in like
            assert place.here_count == len(like) - 1
            assert set(FULL_DECK.cards("".join(place.here))) <= set(like) - {FULL_DECK.card(hand)}
            for other, elsewhere in place.elsewhere:
                found = buckets.at(turn, np.array([FULL_DECK.cards(other)], np.uint8), FULL_DECK.cards(elsewhere))
                assert found[0] == place.bucket
            labels = bucketing.labels_of(buckets, turn)
            assert labels is not None
            members = np.flatnonzero(labels == place.bucket)
            counts = cards.indexer(turn).counts(np.arange(cards.hands(turn)))
            assert place.hands == len(members)
            assert place.share == pytest.approx(counts[members].sum() / counts.sum())
            strengths = Strength().every(cards, turn)[:, 0]
            assert place.sampled is None
            assert place.bucket_strength == pytest.approx(np.average(strengths[members], weights=counts[members]))
            assert place.histogram.sum() == pytest.approx(1, abs=1e-5)
            assert place.bucket_histogram is not None
            assert place.bucket_histogram.sum() == pytest.approx(1, abs=1e-5)
            assert len(place.histogram) == 7


def test_buckets_that_remember_are_not_displayed_as_classes() -> None:
    """The order of the board is forgotten, so that a hand of the last round is in one bucket or another."""
    buckets = random_buckets(bucketing.cards_of("rhode-island"), (3, 4, 5), join=True)
    cards, told = buckets.cards, bucketing.round_summaries(buckets)
    assert [one.buckets for one in told] == [3, 12, 60]
    assert told[1].smallest is not None
    assert told[1].smallest * 12 <= cards.hands(1)  # of classes, three times as many would be in the smallest
    assert (told[2].smallest, told[2].largest) == (None, None)
    remembering = replace(cards, ordered=True)
    deals = remembering.every_hand(2)
    held = np.zeros(len(deals), np.int64)
    for turn, one in enumerate(buckets.rounds):
        assert one.join is not None
        assert one.table is not None
        held = one.join[held, one.table[cards.index(turn, cards.up_to(turn, deals))]].astype(np.int64)
    weights = remembering.indexer(2).counts(np.arange(len(deals)))
    strengths = Strength().of(cards, 2, deals)[:, 0]
    for hand, board in (("Ah", "Td7s"), ("2c", "2d2h")):
        _, second, third = hand_buckets(buckets, hand, board)
        labels = bucketing.labels_of(buckets, 1)
        assert labels is not None
        assert second.hands == (labels == second.bucket).sum() < cards.hands(1) / 6
        assert (third.hands, third.share) == (None, None)
        for turn, place in ((1, second), (2, third)):
            assert place.elsewhere
            for other, shown in place.elsewhere:
                cards_shown = FULL_DECK.cards(shown)
                found = buckets.at(turn, np.array([FULL_DECK.cards(other)], np.uint8), cards_shown)
                assert found[0] == place.bucket
        own = held == third.bucket
        mean = np.average(strengths[own], weights=weights[own])
        error = np.sqrt(np.average((strengths[own] - mean) ** 2, weights=weights[own]))
        assert third.sampled is not None
        assert third.bucket_strength == pytest.approx(mean, abs=4 * error / third.sampled**0.5)


def test_neighbours_are_the_nearest(rhode_island: Buckets) -> None:
    first, second, third = hand_buckets(rhode_island, "Ah", "Td7s")
    assert first.neighbours == ()  # each hand its own: nothing tells how far
    for place in (second, third):
        buckets, distances = zip(*place.neighbours, strict=True)
        assert list(distances) == sorted(distances)
        assert place.bucket not in buckets
        assert len(set(buckets)) == bucket_view.MOST_NEIGHBOURS
    centres = np.asarray(rhode_island.rounds[2].arrays["centres"], float)
    apart = np.linalg.norm(centres - centres[third.bucket], axis=1)
    apart[third.bucket] = np.inf
    assert third.neighbours[0][1] == pytest.approx(apart.min())


def test_means_of_large_buckets_are_over_a_sample(rhode_island: Buckets, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = hand_buckets(rhode_island, "2c", "7d5s")[-1]
    monkeypatch.setattr(bucket_view, "SAMPLED_WORK", 1)
    monkeypatch.setattr(bucket_view, "FEWEST_SAMPLED", 30)
    drawn = hand_buckets(rhode_island, "2c", "7d5s")[-1]
    assert whole.hands is not None
    assert whole.hands > 30
    assert (whole.sampled, drawn.sampled) == (None, 30)
    assert whole.bucket_strength is not None
    assert drawn.bucket_strength == pytest.approx(whole.bucket_strength, abs=0.15)
    view = round_view(rhode_island, 2)
    assert view.sampled == 1
    assert view.share.sum() == pytest.approx(1)


def test_lean_files_tell_what_they_can(rhode_island: Buckets, tmp_path: Path) -> None:
    bucket_file.save(rhode_island.lean(), tmp_path / "lean")
    lean = bucket_file.load(tmp_path / "lean")
    for whole, place in zip(hand_buckets(rhode_island, "Ks", "Td7s"), hand_buckets(lean, "Ks", "Td7s"), strict=True):
        assert (place.bucket, place.here, place.neighbours) == (whole.bucket, whole.here, whole.neighbours)
        assert place.strength == whole.strength
        if place.round:
            assert place.hands is place.bucket_strength is None
    assert round_view(lean, 1).buckets.tolist() == round_view(rhode_island, 1).buckets.tolist()


@pytest.mark.parametrize(
    ("hand", "board", "why"),
    [
        ("Ah", "Td7s2c", "has 0, 1, 2 cards"),
        ("AhKh", "", "is one card"),
        ("", "", "is one card"),
        ("Xx", "", "is not a card"),
        ("Ah", "Td Ah", "comes twice"),
        ("Ah", "TdTd", "comes twice"),
    ],
)
def test_hands_and_boards_that_are_none(rhode_island: Buckets, hand: str, board: str, why: str) -> None:
    with pytest.raises(BadCards, match=why):
        hand_buckets(rhode_island, hand, board)


def test_a_round_from_weak_to_strong(rhode_island: Buckets) -> None:
    cards = rhode_island.cards
    for turn in range(3):
        view = round_view(rhode_island, turn)
        table = rhode_island.rounds[turn].table
        assert table is not None
        counts = cards.indexer(turn).counts(np.arange(cards.hands(turn)))
        share = np.bincount(table, counts) / counts.sum()
        strengths = Strength().every(cards, turn)[:, 0]
        assert view.share == pytest.approx(share[view.buckets])
        assert (np.diff(view.strength) >= 0).all()
        means = np.bincount(table, counts * strengths) / np.bincount(table, counts)
        assert view.strength == pytest.approx(means[view.buckets])


def test_the_grid_of_starting_hands() -> None:
    """Of flop poker, whose two cards are dealt from the whole deck."""
    cards = CardRounds(FULL_DECK, 2, (0,))
    table = np.arange(169, dtype=np.uint16)
    buckets = Buckets(cards, (RoundBuckets("lossless", 169, table),))
    grid = bucket_view._grid(buckets)
    assert len(np.unique(grid)) == 169
    for place, cards_text in (((0, 0), "AhAd"), ((0, 1), "AhKh"), ((1, 0), "AhKd"), ((12, 12), "2c2d")):
        hand = np.array([FULL_DECK.cards(cards_text)], np.uint8)
        assert grid[place] == buckets.at(0, hand, ())[0]
