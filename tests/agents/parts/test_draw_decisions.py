"""The players of five-card draw against plain twins, at decisions of real hands: agents, and what compiled matches use
of them."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

from naive import draw_players as naive
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.draw_decisions import NAMES, article_deal, decisions
from pokerlab.agents.parts.draw_player import DrawPlayer, facts_of, hand_number, thrown_cards
from pokerlab.agents.parts.drawing import keep_made
from pokerlab.cards.canonical import HandIndexer
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.draw_potential import draw_potential
from pokerlab.cards.draws import all_hands, draw_measures
from pokerlab.errors import BadSetting, UnknownName
from pokerlab.games.poker.betting import CALL, FOLD, Action, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.registry import load
from pokerlab.solvers.bucketed._kernels.draw_rules import (
    agent_action,
    agent_discards,
    chances,
    discard_options,
    in_canonical_order,
)

GAMES = ("five-card-draw", "five-card-draw(stack=[13, 60], blinds=[1, 3])", "five-card-draw(limit=fixed, discards=3)")
RULES = {"draw-basic": "", "draw-potential": "p", "draw-semi-bluff": "ps", "draw-pot-odds": "pso"}
WORDS = 4000


@cache
def views(name: str, hands: int = 120) -> list[View]:
    """What seats to act see in hands of random play that folds seldom and deals strong hands often."""
    game, rng = load("games", name), np.random.default_rng(7)
    found = []
    for cards in game.deals(rng, hands):
        state = game.start(_stronger(cards, rng))
        while game.player(state) >= 0:
            view = game.view(state, game.player(state))
            found.append(view)
            state = game.child(state, _random_action(view, rng))
    return found


def _stronger(cards: tuple[int, ...], rng: np.random.Generator) -> tuple[int, ...]:
    """Half of the deals with a hand of the small blind of any kind that the article knows, each as often."""
    if rng.random() < 0.5:
        return cards
    roles, _ = article_deal()
    hand = all_hands()[rng.choice(np.flatnonzero(roles == rng.integers(roles.max() + 1)))]
    names = rng.permutation(4)
    own = [int(card // 4 * 4 + names[card % 4]) for card in hand]
    return (*own, *(card for card in cards[:52] if card not in own), *cards[52:])


def _random_action(view: View, rng: np.random.Generator) -> Action:
    legal = view.legal
    if legal.discards >= 0:
        count = int(rng.integers(legal.discards + 1))
        return Action("d", 0, tuple(rng.permutation(view.cards)[:count].tolist()))
    if legal.fold and rng.random() < 0.1:
        return FOLD
    return raise_to(legal.least) if legal.can_raise and rng.random() < 0.5 else CALL


def told(player: DrawPlayer, view: View) -> dict[str, float]:
    """The probabilities of an agent by kind of action."""
    found: Counter[str] = Counter()
    for text, chance in player.probabilities(view).items():
        found[text[0]] += chance
    return dict(found)


def compiled(name: str, view: View) -> dict[str, float]:
    parts = chances(decisions(name), hand_number(view.dealt), hand_number(view.cards), facts_of(view))
    return {kind: part for kind, part in zip("fcr", parts, strict=True) if part > 0}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", RULES)
def test_thresholds(name: str, game: str) -> None:
    measures, player, seen = draw_measures(), open_agent(name), Counter()
    assert isinstance(player, DrawPlayer)
    potential = draw_potential() if RULES[name] else np.zeros(len(measures.classes))
    effective = measures.strength + (1 - measures.strength) * potential
    for view in views(game):
        if view.betting.drawing:
            continue
        now, dealt = hand_number(view.cards), hand_number(view.dealt)
        expected = naive.threshold_player(
            view,
            strength=measures.strength[now],
            potential=potential[now],
            effective_dealt=effective[dealt],
            rules=RULES[name],
        )
        assert told(player, view) == compiled(name, view) == expected
        seen.update(expected)
    assert set(seen) == {"f", "c", "r"}


@pytest.mark.parametrize("game", GAMES)
def test_the_article(game: str) -> None:
    player, played, seen = open_agent("draw-article"), Counter(), Counter()
    assert isinstance(player, DrawPlayer)
    for view in views(game, 350):
        played[naive.dealt_plan(view.dealt)[0]] += 1
        if view.betting.drawing:
            continue
        expected = naive.article_bets(view)
        assert compiled("draw-article", view) == pytest.approx(expected), (view.infoset, naive.dealt_plan(view.dealt))
        assert told(player, view) == pytest.approx(expected)
        seen.update(expected)
    assert set(seen) == {"f", "c", "r"}
    assert len(played) >= 12


def test_exchanges_of_the_article() -> None:
    player = open_agent("draw-article")
    assert isinstance(player, DrawPlayer)
    several = 0
    for view in views(GAMES[0], 350):
        if not view.betting.drawing:
            continue
        left = dict(player.options(view))
        for ways, chance in naive.article_kept(view):
            kept = {action: set(view.cards) - set(action.cards) for action in left}
            found = [action for action, cards in kept.items() if cards in ways]
            assert [left.pop(action) for action in found] == [pytest.approx(chance)]
        assert not left
        several += len(naive.article_kept(view)) > 1
    assert several > 0


@pytest.mark.parametrize("name", NAMES)
def test_exchanges(name: str) -> None:
    measures, tables = draw_measures(), decisions(name)
    looking_ahead = name in ("draw-potential", "draw-semi-bluff", "draw-pot-odds")
    if name == "draw-article":
        return
    for view in views(GAMES[0]):
        if view.betting.drawing:
            number = hand_number(view.dealt)
            mask, chance = discard_options(tables, number, 0, 0)
            assert chance == 1
            assert mask == (measures.best if looking_ahead else measures.made)[number]
            thrown = set(thrown_cards(view.cards, mask, 5))
            assert len(thrown) == int(mask).bit_count()
            if not looking_ahead:
                assert thrown == set(keep_made(view).cards)


def test_fewer_cards_than_one_would_throw() -> None:
    player = open_agent("draw-basic")
    assert isinstance(player, DrawPlayer)
    for view in views(GAMES[2]):
        if view.betting.drawing:
            (action, _), *more = player.options(view)
            assert not more
            assert action == keep_made(view)
            assert len(action.cards) <= 3


def test_canonical_order() -> None:
    """The cards of a hand in the order of its canonical one, up to a renaming of suits."""
    rng, indexer = np.random.default_rng(2), HandIndexer((5,))
    hands = np.vstack([rng.random((3000, 52)).argsort(axis=1)[:, :5], rng.permutation([0, 1, 2, 3, 50])[None]])
    ordered = np.zeros(5, np.uint8)
    for hand in hands.astype(np.uint8):
        in_canonical_order(hand, ordered)
        canonical = indexer.unindex(indexer.index(hand))
        assert sorted(ordered) == sorted(hand)
        names = dict(zip((ordered % 4).tolist(), (card % 4 for card in canonical), strict=True))
        assert len(set(names.values())) == len(names)
        assert [card // 4 * 4 + names[card % 4] for card in ordered.tolist()] == canonical


@pytest.mark.parametrize("name", ["draw-article", "random", "draw-pot-odds"])
def test_words_draw_from_the_chances(name: str) -> None:
    tables, rng = decisions(name), np.random.default_rng(4)
    mixed = 0
    for view in views(GAMES[0], 350):
        numbers, facts = (hand_number(view.dealt), hand_number(view.cards)), facts_of(view)
        if view.betting.drawing:
            options = [discard_options(tables, numbers[0], facts.raised_before, option) for option in range(3)]
            parts: Counter[int] = Counter()
            for mask, chance in options:
                parts[int(mask)] += chance
        else:
            parts = Counter(dict(enumerate(chances(tables, *numbers, facts))))
        assert sum(parts.values()) == pytest.approx(1)
        if max(parts.values()) == 1 or mixed == 6:
            continue
        mixed += 1
        words = rng.integers(0, 2**64, WORDS, np.uint64)
        if view.betting.drawing:
            drawn = Counter(int(agent_discards(tables, numbers[0], facts.raised_before, word)) for word in words)
        else:
            drawn = Counter(agent_action(tables, *numbers, facts, word) for word in words)
        for outcome, part in parts.items():
            assert abs(drawn[outcome] / WORDS - part) <= 5 * np.sqrt(part * (1 - part) / WORDS)
    assert mixed == (0 if name == "draw-pot-odds" else 6)


def test_tables_of_all_players_are_of_one_type() -> None:
    """So that a kernel that plays two of them is compiled once, whoever they are."""
    import numba

    assert len({numba.typeof(decisions(name)) for name in NAMES}) == 1


def test_a_player_with_memory_has_no_tables() -> None:
    with pytest.raises(
        UnknownName, match=r"'draw-modelling' is not a memoryless five-card draw agent; available: always-call"
    ):
        decisions("draw-modelling")


@pytest.mark.parametrize("game", ["leduc", "five-card-draw(players=3)", "holdem-nolimit"])
@pytest.mark.parametrize("name", ["draw-basic", "draw-article", "draw-modelling"])
def test_other_games_are_refused(name: str, game: str) -> None:
    table = load("games", game)
    assert isinstance(table, PokerGame)
    with pytest.raises(BadSetting, match=f"{name} plays only two-player five-card draw"):
        open_agent(name).check_game(table)  # type: ignore[attr-defined]


def test_examples_of_the_paper() -> None:
    """Appendix C: rule 2 breaks a pair of deuces up for a flush; rule 5 keeps an ace beside a low pair."""
    game = load("games", "five-card-draw")
    player = open_agent("draw-article")
    assert isinstance(player, DrawPlayer)
    for hand, thrown, bet in (
        ("2s2d6d7d8d", "2s", "c"),
        ("2s5d6d7h8h", "2s", "c"),
        ("2s5d6d7d8d", "2s", "r"),
        ("AsQhQd7c3c", "As7c3c", "r"),
        ("As4h4d7c3c", "7c3c", "c"),
        ("Ks4h4d7c3c", "Ks7c3c", "f"),
        ("8s8hAd9c2c", "Ad9c2c", "c"),
        ("8s8hAd7c2c", "7c2c", "c"),
    ):
        own = FULL_DECK.cards(hand)
        rest = [card for card in range(52) if card not in own]
        state = game.start((*own, *rest, *range(52)))
        assert told(player, game.view(state, 0)) == {bet: 1.0}
        drawing = game.child(game.child(state, CALL), CALL)
        ((action, _),) = player.options(game.view(drawing, 0))
        assert set(action.cards) == set(FULL_DECK.cards(thrown))
