"""Strategies of draw poker: infosets as Ee writes them, play that is legal, files that come back, the fallback."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from blueprints import made_up_exchange
from pokerlab import registry
from pokerlab.abstraction.exchange_buckets import AFTER, BEFORE, EXCHANGE, exchange_buckets
from pokerlab.agents.library.blueprint import BlueprintAgent
from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadFile, BadSetting, UnknownName
from pokerlab.formats.opening import open_game
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.action import CALL, STAND_PAT, discard, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import start_of
from pokerlab.games.poker.state import State
from pokerlab.lab.solve.training import train
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.forms.exchange import ExchangeStrategy
from pokerlab.strategy.forms.kinds import StrategyNames, strategy_of
from pokerlab.strategy.policy import table_of
from pokerlab.tree.bucketed.exchange import exchange_form

GAME = "five-card-draw(menu='min')"
SMALL = "by-draws(before=20, after=20)"
TABLES = (
    ("five-card-draw(menu='min')", "by-draws(before=20, after=20)"),
    ("five-card-draw(menu='allin', stack=6)", "no-suits"),
    ("small-draw(cards=2, ranks=4, suits=2, discards=2)", "lossless"),
)


@pytest.fixture(scope="module")
def solution() -> Solution:
    return train(GAME, buckets=SMALL, iterations=3_000)


def dealt(game: object, first: str, second: str, stock: str) -> object:
    """A hand that begins with these cards."""
    cards = [*FULL_DECK.cards(first), *FULL_DECK.cards(second), *FULL_DECK.cards(stock)]
    rest = [card for card in range(52) if card not in cards]
    return game.start((*cards, *rest, *range(52)))  # type: ignore[attr-defined]


def test_infosets_are_written_as_in_the_paper() -> None:
    # Ee 2024, section 3.2: the small blind has a straight, raised to 4, was called, threw nothing and saw two go
    game = open_game(GAME)
    form = exchange_form(game, exchange_buckets("no-suits", game))
    found = strategy_of(form, {"average": np.zeros(form.numbers, np.float32)}, StrategyNames())
    assert isinstance(found, ExchangeStrategy)
    state = dealt(game, "5c 6d 7h 8s 9c", "2c 2d 2h Ks Qs", "Ad Jc")
    for action in (raise_to(4), CALL, STAND_PAT, discard(*FULL_DECK.cards("Ks Qs"))):
        state = game.child(state, action)
    assert found.infoset(game.view(state, 0)) == "56789:r4c/d0b2/"
    state = game.child(state, CALL)
    assert found.infoset(game.view(state, 1)) == "222JA:r4c/b0d15/c"
    assert found.infoset(game.view(game.start(state.cards), 0)) == "56789:"


def test_infosets_are_found_by_their_text(solution: Solution) -> None:
    found = [line for line in solution.strategy.lines("/d3b1/") if line.moves == "cc/d3b1/"]
    assert {line.player for line in found} == {0}
    assert len(found) == 20
    assert all(sum(line.actions.values()) == pytest.approx(1) for line in found)


@pytest.mark.parametrize(
    ("name", "buckets"),
    [("five-card-draw(menu='allin', stack=3)", SMALL), ("small-draw(cards=1, ranks=3, suits=2)", "lossless")],
)
def test_a_filter_finds_what_contains_its_text(name: str, buckets: str) -> None:
    strategy = made_up_exchange(name, buckets, seed=6)
    every = list(strategy.lines())
    some = [line.infoset for line in every if "/" in line.moves][:: len(every) // 3]
    for text in ("d1", ":c", "nowhere", *some, *(one[len(one) // 2 - 4 :] for one in some), some[-1][:3]):
        assert list(strategy.lines(text)) == [line for line in every if text in line.infoset]


def test_a_filter_computes_only_what_it_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """One infoset of millions is found without a walk over all of them: that took minutes."""
    strategy = made_up_exchange("five-card-draw(menu='min', stack=6)", "no-suits", seed=6)
    computed, rows = [], ExchangeStrategy.rows

    def counting(self: ExchangeStrategy, node: int, buckets: np.ndarray) -> np.ndarray:
        computed.append(len(buckets))
        return rows(self, node, buckets)

    monkeypatch.setattr(ExchangeStrategy, "rows", counting)
    found = [line.infoset for line in strategy.lines("56789:r4c/d0b2/")]
    assert found == ["56789:r4c/d0b2/", "56789:r4c/d0b2/cr6"]
    assert sum(computed) == len(found)


def test_infosets_that_training_never_visited_are_marked(tmp_path: Path) -> None:
    game = open_game("five-card-draw(menu='min', stack=4)")
    form = exchange_form(game, exchange_buckets(SMALL, game))
    numbers = np.random.default_rng(2).random(form.numbers).astype(np.float32)
    numbers[:: form.betting.rows[0] * 3] = 0  # a part of some infosets only
    start, size = form.first_number(0, 7), len(form.betting.actions[0])
    numbers[start : start + size] = 0
    full = strategy_of(form, {"average": numbers}, StrategyNames())
    for strategy in (full, full.strategy_only(8), full.strategy_only(16)):  # type: ignore[attr-defined]
        assert [line.trained for line in strategy.lines() if not line.moves] == [bucket != 7 for bucket in range(20)]
        assert list(strategy.rows(0, np.array([7]))[0]) == [1 / size] * size


def test_a_blueprint_comes_back_from_its_file(solution: Solution, tmp_path: Path) -> None:
    solution.save(tmp_path / "a.blueprint")
    again = load(tmp_path / "a.blueprint")
    assert np.array_equal(again.strategy.padded(), solution.strategy.padded())
    solution.strategy_only().save(tmp_path / "b.blueprint")
    small = load(tmp_path / "b.blueprint")
    game = open_game(GAME)
    state = dealt(game, "5c 6d 7h 8s 9c", "2c 2d 2h Ks Qs", "Ad Jc")
    for action in (CALL, CALL):
        state = game.child(state, action)
    view = game.view(state, 0)
    one, other = (dict(found.strategy.probabilities(view)) for found in (solution, small))
    assert one.keys() == other.keys()
    assert max(abs(one[key] - other[key]) for key in one) < 0.01


def test_buckets_that_are_no_longer_made_so_are_refused(solution: Solution, tmp_path: Path) -> None:
    solution.save(tmp_path / "a.blueprint")
    data = (tmp_path / "a.blueprint").read_bytes()
    word = solution.strategy.form.buckets.fingerprint.encode()
    assert word in data
    (tmp_path / "b.blueprint").write_bytes(data.replace(word, b"0" * len(word)))
    with pytest.raises(BadFile):
        load(tmp_path / "b.blueprint")


@pytest.mark.parametrize("table", [GAME, "five-card-draw", "five-card-draw(menu='allin', stack=17)"])
def test_it_plays_at_tables_of_other_sizes(solution: Solution, table: str) -> None:
    agent = BlueprintAgent("own", solution)
    settings = MatchSettings.of(table, (agent, "random(discards=made)"), hands=60, seed=5)
    assert play_match(settings, workers=1).hands == 60


def test_probabilities_are_of_legal_actions(solution: Solution) -> None:
    game, rng = open_game(GAME), np.random.default_rng(3)
    for _ in range(20):
        state = game.start(game.deal(rng))
        while game.player(state) != TERMINAL:
            view = game.view(state, game.player(state))
            found = solution.strategy.probabilities(view)
            legal = {game.action_text(action) for action in view.actions}
            assert set(found) <= legal
            assert sum(found.values()) == pytest.approx(1)
            actions = list(view.actions)
            state = game.child(state, actions[int(rng.integers(len(actions)))])


@pytest.mark.parametrize("table", [GAME, "five-card-draw"])  # its own game, and one whose bets are translated
def test_the_fallback_plays_by_strength_where_training_has_not_been(solution: Solution, table: str) -> None:
    game, basic = open_game(table), registry.load("agents", "draw-basic")
    backed, plain = (BlueprintAgent("own", solution, fallback=least) for least in (1e9, 0.0))
    state = dealt(game, "As Ah Ad 5d 2s", "2c 2d 2h Ks Qs", "Kd Jc")
    view = game.view(state, 0)
    assert backed.probabilities(view) == basic.probabilities(view)
    assert plain.probabilities(view) != backed.probabilities(view)
    with pytest.raises(BadSetting, match="needs the sums of the training"):
        BlueprintAgent("own", solution.strategy_only(), fallback=10.0).probabilities(view)


@pytest.mark.parametrize(("name", "buckets"), TABLES)
def test_tables_are_what_each_hand_does(name: str, buckets: str) -> None:
    """At random public nodes of all stages; after the draw with hands that were dealt and drew."""
    strategy, rng, stages = made_up_exchange(name, buckets, seed=6), np.random.default_rng(8), Counter[int]()
    game, known = strategy.form.game, strategy.form.buckets
    while min(stages[stage] for stage in range(3)) < 4:
        state, place = game.start(game.deal(rng)), start_of(game)
        while game.player(state) != TERMINAL:
            view, stage = game.view(state, game.player(state)), known_stage(game, state)
            if stages[stage] < 4:
                stages[stage] += 1
                hand = tuple(sorted(view.cards, reverse=True))
                table = strategy.table(place._replace(among=frozenset([hand])))
                words = [game.deck.text(hand)]
                if stage == AFTER and known.memories > len(set(known.discards.tolist())):
                    count = len(view.draws[0].discarded)
                    if (known.discards == count).sum() > 1:
                        words.append(known.options[known.option(view.dealt, view.draws[0].discarded)].name)
                    if buckets == "lossless":
                        words.append(game.deck.text(sorted(view.dealt, reverse=True)))
                row = dict(zip(table.actions, table.probability[list(table.hands).index(" ".join(words))], strict=True))
                expected = dict(strategy.probabilities(view))
                if stage == EXCHANGE:
                    by_cards: Counter[str] = Counter()
                    for option, cards in zip(known.options, known.thrown(view.dealt), strict=True):
                        by_cards[game.action_text(discard(*cards))] += row[option.name]
                    row = dict(by_cards)
                assert row == pytest.approx(expected)
            options = [discard(*cards) for cards in known.thrown(view.dealt)] if stage == EXCHANGE else view.actions
            action = options[int(rng.integers(len(options)))]
            place = place.after(f"d{len(action.cards)}" if stage == EXCHANGE else game.action_text(action))
            state = game.child(state, action)


def known_stage(game: PokerGame, state: State) -> int:
    return EXCHANGE if state.betting.drawing else AFTER if state.betting.round else BEFORE


def test_a_table_has_every_hand() -> None:
    strategy = made_up_exchange("small-draw(cards=2, ranks=4, suits=2, discards=2)", "lossless", seed=6)
    place = start_of(strategy.form.game)
    table, asked = strategy.table(place), table_of(strategy, place)
    order = [list(table.hands).index(hand) for hand in asked.hands]
    assert sorted(order) == list(range(len(table.hands))) == list(range(28))
    assert np.array_equal(table.probability[order], asked.probability)
    drawing = place.after("c").after("c")
    assert drawing.actions == ("d0", "d1", "d2")
    assert strategy.table(drawing).actions == ("d0", "d1", "d2", "d3")
    after = strategy.table(drawing.after("d1").after("d0"))
    some = strategy.table(drawing.after("d1").after("d0")._replace(among=frozenset([(7, 2), (5, 1)])))
    rows = dict(zip(after.hands, after.probability.tolist(), strict=True))
    assert dict(zip(some.hands, some.probability.tolist(), strict=True)).items() <= rows.items()
    assert len(some.hands) == 2 * 2 * 6
    assert len(after.hands) == 28 * 2 * 6  # either card was drawn, for one of the six cards not held or kept
    with pytest.raises(BadSetting, match="its own actions"):
        table_of(strategy, drawing)
    with pytest.raises(BadSetting, match="after a draw"):
        table_of(strategy, drawing.after("d1").after("d0"))


def test_what_cannot_be_asked_is_told(solution: Solution) -> None:
    with pytest.raises(UnknownName, match="did you mean by-draws"):
        train(GAME, buckets="bydraws", iterations=1)
