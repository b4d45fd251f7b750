"""GameShrink: published sizes by counting, nothing lost of what is lossless, and laws of its classes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import perm
from pathlib import Path

import numpy as np
import pytest

from pokerlab.abstraction import bucket_file, making
from pokerlab.abstraction.buckets import Buckets, RoundBuckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.gameshrink import LOST, Classes, SignalTree, by_outcomes, signal_tree
from pokerlab.abstraction.gameshrink import lossless as lossless_classes
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.abstraction.method import open_method
from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.games.poker.showdown import strength_of
from pokerlab.registry import load
from pokerlab.solvers.bucketed.exact import ExactBuckets
from pokerlab.solvers.convex.program.linear_program import program_size, undominated_size
from pokerlab.tree.bucketed.betting import FOLDED, SHOWN, betting_form
from pokerlab.tree.bucketed.form import bucketed_form
from pokerlab.tree.bucketed.real_game import measurer
from pokerlab.tree.form import build_form
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form

TWO_CARDS = PokerGame(
    Rules(  # hands of two cards, two public ones at once
        players=2,
        deck=Deck.of("JQKA", "ab"),
        rounds=(Round(private=2, bet=1), Round(public=2, bet=1)),
        antes=(1, 1),
        stacks=(2, 2),
        odd_chips="split",
    ),
    "two-cards",
)
SHORT = "rhode-island(ranks=2, suits=3, raises=1)"
GAMES = ["kuhn", "leduc", "leduc(ranks=4, suits=3, raises=1)", SHORT, "two-cards"]


def game_of(name: str) -> PokerGame:
    game = TWO_CARDS if name == "two-cards" else open_game(name)
    assert isinstance(game, PokerGame)
    return game


def cards_of(name: str) -> CardRounds:
    return CardRounds.of(game_of(name), ordered=True)


def counts(classes: Classes) -> tuple[int, ...]:
    return tuple(int(one.max()) + 1 for one in classes)


@pytest.fixture(scope="module")
def rhode_island() -> SignalTree:
    return signal_tree(cards_of("rhode-island"))


def test_rhode_island_has_the_published_sizes(rhode_island: SignalTree) -> None:
    """Gilpin and Sandholm, JACM 2007: 91,224,226 rows and columns, after GameShrink 1,237,238.

    Without what hands that cannot be beaten never need to do in the last round: 1,190,443 rows, 1,181,084 columns.
    """
    betting = betting_form(game_of("rhode-island"))
    assert program_size(betting, [perm(52, turn) for turn in (1, 2, 3)]) == (91_224_226, 91_224_226)
    found = counts(by_outcomes(rhode_island))
    assert found == (13, 205, 1774)
    assert program_size(betting, found) == (1_237_238, 1_237_238)
    classes, met = by_outcomes(rhode_island)[2], rhode_island.opponents[2]
    beaten = np.unique(classes[met.hand[rhode_island.outcome == LOST]])
    assert undominated_size(betting, found, found[2] - len(beaten)) == (1_190_443, 1_181_084)


def test_rhode_island_has_the_published_number_of_non_zeros(rhode_island: SignalTree) -> None:
    """50,428,638 (the same paper): payoffs of classes that may meet at each end of betting, and equations of plans.

    Whoever is at an end has acted in its round, so that an end and a pair of classes are one entry.
    """
    classes, betting = by_outcomes(rhode_island), betting_form(game_of("rhode-island"))
    arrays, entries = betting.arrays, 0
    dealt = cards_of("rhode-island").indexer(2).counts(np.arange(rhode_island.hands[2]))
    for turn, own in enumerate(classes):
        met = rhode_island.opponents[turn]
        pairs, which = np.unique(own[met.hand] * (own.max() + 1) + own[met.to], return_inverse=True)
        entries += len(pairs) * int(((arrays.actor == FOLDED) & (arrays.round == turn)).sum())
        if turn == 2:  # who wins as often as he loses has no entry at a showdown
            won = np.bincount(which, (rhode_island.outcome - 1) * dealt[met.hand])
            entries += int(np.count_nonzero(won)) * int((arrays.actor == SHOWN).sum())
    rows, columns = program_size(betting, counts(classes))
    plans = rows + columns - 2  # a sequence is in the equation of its infoset, an infoset's in that of the one before
    assert entries + plans == 50_428_638


def test_rhode_island_without_loss_and_up_to_names_of_suits(rhode_island: SignalTree) -> None:
    """Where board cards are of two suits there are no flushes, and the suit of the hand no longer matters."""
    assert rhode_island.hands == (13, 325, 9997)
    assert counts(lossless_classes(rhode_island)) == (13, 13 + 2 * 156, 13 * 25 + 156 * 24 + 156 * 25)


@pytest.mark.parametrize("name", GAMES[:-1])
def test_programs_are_counted_as_they_are_made(name: str) -> None:
    form = sequence_form(build(game_of(name)))
    deck, boards = cards_of(name).deck.size, cards_of(name).boards
    found = program_size(betting_form(game_of(name)), [perm(deck, 1 + size) for size in boards])
    low, high = form.tree.first_infoset[:-1], form.tree.first_infoset[1:]
    infosets = high - low
    sequences = [form.sequences_of(player).stop - form.sequences_of(player).start + 1 for player in (0, 1)]
    assert found == (sequences[0] + infosets[1] + 1, sequences[1] + infosets[0] + 1)


def with_buckets(name: str, classes: Classes) -> Buckets:
    rounds = tuple(RoundBuckets("classes", int(one.max()) + 1, one.astype(np.uint32)) for one in classes)
    return Buckets(cards_of(name), rounds)


@pytest.mark.parametrize("name", ["leduc", "leduc(ranks=4, suits=3, raises=1)", SHORT])
def test_a_strategy_of_what_is_lossless_loses_nothing_in_the_real_game(name: str) -> None:
    """The same value, and nothing to gain for a best response that sees its cards."""
    game = game_of(name)
    program = load("algorithms", "lp").start(build_form(game, "sequence"))
    program.advance(1)
    classes = lossless_classes(signal_tree(cards_of(name)))
    assert sum(counts(classes)) < sum(lossless(cards_of(name)).counts)
    form = bucketed_form(game, with_buckets(name, classes))
    exact, measured = ExactBuckets(form), measurer(form)
    assert measured is not None
    assert exact.value == pytest.approx(program.measure().values[0], abs=1e-9)
    found = measured(exact.equilibrium())
    assert found.exploitability == pytest.approx(0, abs=1e-9)
    assert found.values[0] == pytest.approx(exact.value, abs=1e-9)


def test_classes_by_outcomes_alone_lose() -> None:
    """A king on a jack and on a queen is beaten by as many cards, but not by the same: 3/7 classes, not 3/9."""
    tree = signal_tree(cards_of("leduc"))
    assert counts(lossless_classes(tree)) == (3, 9)
    classes = by_outcomes(tree)
    assert counts(classes) == (3, 7)
    form = bucketed_form(game_of("leduc"), with_buckets("leduc", classes))
    exact, measured = ExactBuckets(form), measurer(form)
    assert measured is not None
    assert measured(exact.least_exploitable(among_equilibria=True)).exploitability > 0.3
    assert exact.value != pytest.approx(-0.0856064, abs=1e-3)


def all_hands(cards: CardRounds, turn: int) -> np.ndarray:
    """Private cards, then the board, dealt in every way.  # [hand, cards]"""
    steps = [cards.private, *np.diff([0, *cards.boards[: turn + 1]]).tolist()]
    found: list[tuple[int, ...]] = [()]
    for step in steps:
        found = [
            (*hand, *more)
            for hand in found
            for more in combinations([card for card in range(cards.deck.size) if card not in hand], step)
        ]
    return np.array(found, np.uint8)


@pytest.mark.parametrize("name", GAMES)
def test_hands_of_a_class_cannot_be_told_apart(name: str) -> None:
    """Of all real cards: the same class before, the same classes to come, the same opponents with the same outcomes."""
    cards = cards_of(name)
    classes = lossless_classes(signal_tree(cards))
    strength = strength_of(cards.showdown, cards.deck, cards.private + cards.boards[-1])
    deck = range(cards.deck.size)

    def of(turn: int, hand: tuple[int, ...]) -> int:
        return int(classes[turn][cards.index(turn, np.array([hand], np.uint8))[0]])

    for turn in range(cards.rounds):
        seen: dict[int, tuple[object, ...]] = {}
        rows = all_hands(cards, turn)
        for row in rows[:: max(1, len(rows) // 150)].tolist():
            hand, board = tuple(row[: cards.private]), tuple(row[cards.private :])
            left = [card for card in deck if card not in row]
            met: Counter[tuple[int, int]] = Counter()
            for other in combinations(left, cards.private):
                outcome = 0
                if turn == cards.rounds - 1:
                    outcome = int(np.sign(strength((*other, *board)) - strength((*hand, *board))))
                met[(of(turn, (*other, *board)), outcome)] += 1
            coming: Counter[int] = Counter()
            if turn + 1 < cards.rounds:
                dealt = cards.boards[turn + 1] - cards.boards[turn]
                coming.update(of(turn + 1, (*row, *more)) for more in combinations(left, dealt))
            before = of(turn - 1, tuple(row[: cards.private + cards.boards[turn - 1]])) if turn else 0
            told = (before, tuple(sorted(met.items())), tuple(sorted(coming.items())))
            assert seen.setdefault(of(turn, tuple(row)), told) == told
        assert len(seen) > 1


def test_thresholds_unite_more_and_more() -> None:
    tree = signal_tree(cards_of("rhode-island(ranks=5, suits=2)"))
    found = [by_outcomes(tree, threshold=threshold) for threshold in (0.0, 1e-9, 0.05, 1.0)]
    assert counts(found[0]) == counts(found[1])
    for finer, coarser in pairwise(found):
        for one, other in zip(finer, coarser, strict=True):
            pairs = {*zip(one.tolist(), other.tolist(), strict=True)}
            assert len(pairs) == int(one.max()) + 1  # each class lies in one of the coarser
    assert counts(found[-1]) == (1, 1, 1)
    sizes = [sum(counts(one)) for one in found[1:]]
    assert sizes == sorted(set(sizes), reverse=True)


def test_costs_of_matchings_by_hand() -> None:
    """Kuhn poker: a king beats both others, a queen one of them: they differ by a half; a jack by a whole."""
    tree = signal_tree(cards_of("kuhn"))
    assert counts(by_outcomes(tree, threshold=0.49)) == (3,)
    assert counts(by_outcomes(tree, threshold=0.5)) == (1,)


@pytest.mark.parametrize("text", ["gameshrink", "gameshrink(outcomes=true)", "gameshrink(threshold=0.1)"])
@pytest.mark.parametrize("name", [SHORT, "two-cards"])
def test_buckets_remember_and_are_kept(text: str, name: str, tmp_path: Path) -> None:
    cards = CardRounds.of(game_of(name))
    buckets = make(Plan(cards, (text,) * cards.rounds, PERFECT))
    assert set(buckets.methods) == {open_method(text).spec} == {text}
    assert buckets.remembers
    tree = signal_tree(cards_of(name))
    expected = {"gameshrink": lossless_classes(tree), "gameshrink(outcomes=true)": by_outcomes(tree)}
    classes = expected.get(text, by_outcomes(tree, threshold=0.1))
    assert buckets.counts == counts(classes)
    opened = bucket_file.load(bucket_file.save(buckets, tmp_path / "kept").file)
    for turn, table in enumerate(classes):
        rows = all_hands(buckets.cards, turn)[::7]
        hands, boards = rows[:, : cards.private], rows[:, cards.private :].tolist()
        found = [int(opened.at(turn, hand[None], board)[0]) for hand, board in zip(hands, boards, strict=True)]
        own = table[buckets.cards.index(turn, rows)]
        assert len({*zip(found, own.tolist(), strict=True)}) == len({*found}) == len({*own.tolist()})
    mixed = make(Plan(cards, ("lossless", *(text,) * (cards.rounds - 1)), PERFECT))
    assert mixed.counts[0] == cards.hands(0)


def test_what_it_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = CardRounds.of(game_of("rhode-island"))
    with pytest.raises(BadSetting, match="perfect recall"):
        make(Plan(cards, ("gameshrink",) * 3))
    with pytest.raises(TooLarge, match="too many for"):
        signal_tree(CardRounds.of(game_of("holdem-limit"), ordered=True))
    monkeypatch.setattr(making, "MOST_WITHIN", 10)
    with pytest.raises(BadSetting, match="perfect recall"):
        make(Plan(cards, ("gameshrink",) * 3, PERFECT))
    with pytest.raises(BadSetting, match="need their tables"):
        open_method("gameshrink").place({}, cards, 0, np.zeros((1, 1), np.uint8))
    with pytest.raises(BadSetting):
        open_method("gameshrink(threshold=2)")
    one_deal = CardRounds.of(game_of("leduc"))
    assert make(Plan(one_deal, ("gameshrink",) * 2)).counts == (3, 9)  # one deal has no order
