"""Laws of every poker preset: what a seat sees, chance and whole deals, and the renderings."""

from __future__ import annotations

import pickle
from dataclasses import replace
from operator import add
from pathlib import Path

import numpy as np
import pytest

from games.playing import poker_names, random_action
from pokerlab.errors import IllegalAction
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame, State
from pokerlab.games.poker.text import one_line, table_text
from pokerlab.registry import load

EXAMPLES = Path(__file__).parents[2] / "examples"
MORE = [
    "kuhn(players=4)",
    "leduc(players=3, ranks=4, suits=3)",
    "holdem-nolimit(players=6, stack=[300, 20000, 900, 150, 5000, 4000], ante=10)",
    "holdem-nolimit(limit=pot, players=3)",
    "holdem-limit(players=10)",
    "five-card-draw(players=6)",
    "short-deck(players=5)",
    "push-fold(players=3, stack=[4.5, 12, 1])",
    "rhode-island(ranks=4, suits=3)",
    "von-neumann(replacement=false)",
    "one-card(cards=30)",
    *(f"file(path={str(path)!r})" for path in sorted(EXAMPLES.glob("*.toml"))),  # spots
]
pytestmark = pytest.mark.parametrize("name", poker_names() + MORE)


def hands(game: PokerGame, count: int, seed: int, *, whole: bool = True):
    """Random hands, each as its states; from a whole deal, or with chance acting."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        states = [game.start(game.deal(rng)) if whole else game.root()]
        while (player := game.player(states[-1])) != TERMINAL:
            state = states[-1]
            action = game.sample(state, rng) if player == CHANCE else random_action(game, state, rng)
            states.append(game.child(state, action))
        yield states


def reshuffled(game: PokerGame, state: State, seat: int, rng: np.random.Generator) -> State:
    """The same state with every card that the seat cannot see dealt anew."""
    dealing, rules = game.dealing, game.rules
    rounds = range(state.betting.round + 1)
    seen_places = {place for r in rounds for place in range(*dealing.hands[seat][r])}
    seen_places |= {place for r in rounds for place in range(*dealing.boards[r])}
    cards = list(state.cards)
    unseen = [place for place in range(dealing.needed[-1]) if place not in seen_places]
    if rules.replacement:
        fresh = rng.integers(0, game.deck.size, len(unseen)).tolist()
    else:
        known = {cards[place] for place in seen_places} | {card for draw in state.draws for card in draw.received}
        known |= {card for draw in state.draws for card in draw.discarded}
        pool = [card for card in range(game.deck.size) if card not in known]
        fresh = rng.permutation(pool)[: len(unseen)].tolist()
    for place, card in zip(unseen, fresh, strict=False):
        cards[place] = card
    return state._replace(cards=tuple(cards))


def test_a_view_tells_nothing_of_other_hands_or_cards_to_come(name):
    """Views and infosets do not change when everything that the seat cannot see is dealt anew."""
    game = load("games", name)
    rng = np.random.default_rng(1)
    for states in hands(game, 10, seed=2):
        for state in states:
            if state.draws or state.betting.actor == TERMINAL:
                continue
            for seat in range(game.players):
                other = reshuffled(game, state, seat, rng)
                assert game.view(other, seat) == game.view(state, seat)
                assert game.infoset(other, seat) == game.infoset(state, seat)


def test_a_view_holds_only_what_is_seen(name):
    game = load("games", name)
    for states in hands(game, 10, seed=3):
        first = game.view(states[0], 0)
        chips = game.rules.stacks or tuple(map(add, first.stacks, first.spent))
        for state in states:
            for seat in range(game.players):
                view = game.view(state, seat)
                assert view.cards == game.hand(state, seat)
                assert all(draw.seat == seat for draw in view.draws)
                over = state.betting.actor == TERMINAL and not state.betting.folded_out
                assert bool(view.shown) == over
                assert all(not cards or state.betting.alive >> other & 1 for other, cards in enumerate(view.shown))
                assert view.infoset == game.infoset(state, seat)
                assert tuple(map(add, view.stacks, view.spent)) == chips
                assert view.pot + sum(view.stacks) == sum(chips)
                cards_part, history = view.infoset.split(":", 1)
                assert cards_part.count("/") == history.count("/") == view.round


def test_different_knowledge_has_different_infosets(name):
    game = load("games", name)
    known = {}
    for states in hands(game, 60, seed=4):
        for state in states:
            if (seat := state.betting.actor) >= 0:
                view = game.view(state, seat)
                boards = tuple(
                    frozenset(state.cards[start:end]) for start, end in game.dealing.boards[: view.round + 1]
                )
                draws = tuple((frozenset(draw.discarded), frozenset(draw.received)) for draw in view.draws)
                knowledge = (seat, frozenset(view.dealt), boards, draws, view.history)
                assert known.setdefault((seat, view.infoset), knowledge) == knowledge


def test_chance_and_a_whole_deal_give_the_same_hand(name):
    """Every state of a hand played from a whole deal is reached with chance dealing the same cards."""
    game = load("games", name)
    for states in hands(game, 10, seed=5):
        state = game.root()
        history = []
        for whole in states:
            while game.player(state) == CHANCE:
                if len(state.cards) < game.dealing.needed[state.betting.round]:
                    end = next(needed for needed in game.dealing.needed if needed > len(state.cards))
                    state = game.child(state, whole.cards[len(state.cards) : end])
                else:
                    state = game.child(state, whole.draws[len(state.draws) - 1].received)
            history.append(state)
            assert state.betting == whole.betting
            assert state.draws == whole.draws
            seat = whole.betting.actor
            if seat < 0:
                break
            assert game.view(state, seat) == game.view(whole, seat)
            following = states[states.index(whole) + 1]
            state = game.child(state, _action_between(game, whole, following))
        assert game.returns(state) == game.returns(states[-1])


def _action_between(game: PokerGame, before: State, after: State) -> Action:
    text = after.betting.history[len(before.betting.history) :].rstrip("/")
    if text.startswith("d"):
        return Action("d", 0, after.draws[-1].discarded)
    return Action(text[0], int(text[1:] or 0))


def test_hands_with_chance_end_and_pay(name):
    game = load("games", name)
    for states in hands(game, 10, seed=6, whole=False):
        assert sum(game.returns(states[-1])) == pytest.approx(0)
        assert len({*states}) == len(states)


def test_illegal_actions_leave_a_reason(name):
    game = load("games", name)
    wrong = [
        Action(""),
        Action("x"),
        Action("r", -5),
        Action("r", 10**12),
        Action("d", 0, (10**6,)),
        Action("d", 0, (0, 0)),
    ]
    for states in hands(game, 5, seed=7):
        for state in states:
            for action in wrong:
                with pytest.raises(IllegalAction, match="not allowed|cannot discard"):
                    game.child(state, action)


def test_legal_bounds_are_the_actions(name):
    game = load("games", name)
    for states in hands(game, 5, seed=8):
        for state in states[:-1]:
            legal = game.legal(state)
            actions = game.actions(state)
            assert len(set(actions)) == len(actions)
            assert [action for action in actions if action.kind == "f"] == ([Action("f")] if legal.fold else [])
            raises = [action for action in actions if action.kind == "r"]
            assert bool(raises) == legal.can_raise
            if raises and game.rules.limit != "fixed":
                assert (raises[0].amount, raises[-1].amount) == (legal.least, legal.most)
            for action in (*actions[:3], *actions[-2:]):
                game.verify_action(state, action)
            if game.rules.limit in ("no", "pot") and raises:
                with pytest.raises(IllegalAction):
                    game.verify_action(state, Action("r", legal.least - 1))
                with pytest.raises(IllegalAction):
                    game.verify_action(state, Action("r", legal.most + 1))


def test_games_are_values(name):
    game = load("games", name)
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert hash(again) == hash(game)
    assert load("games", game.name) == game
    other = {"seat": "split", "split": "seat"}[game.rules.odd_chips]
    assert PokerGame(replace(game.rules, odd_chips=other), game.name) != game
    assert PokerGame(game.rules, f"another {game.name}") != game


def test_renderings(name):
    game = load("games", name)
    for states in hands(game, 3, seed=9):
        for state in states:
            line = one_line(game, state)
            assert "\n" not in line
            assert state.betting.history in line
            table = table_text(game, state)
            assert table.count("\n") >= game.players + 2
            for seat in range(game.players):
                if state.betting.actor == TERMINAL:
                    continue
                seen = one_line(game, game.view(state, seat)).split("  ")[0].split("/")[0].split("|")
                own = game.text(game.hand(state, seat))
                assert seen == [own if other == seat else "" for other in range(game.players)]
