"""The player of five-card draw who learns: what it counts, what it makes of that, and when it forgets."""

from __future__ import annotations

import numpy as np
import pytest

from naive.draws import class_of, opposing_classes
from pokerlab.agents.library.draw_modelling import LEAST, ModellingPlayer
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.draw_player import facts_of, hand_actions
from pokerlab.cards.draws import draw_measures, hand_indexer
from pokerlab.cards.strength import HIGH
from pokerlab.games.poker.betting import CALL, FOLD, STAND_PAT, Action, raise_to
from pokerlab.games.poker.engine import PokerGame, State
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.table.referee import play_hand, show_end
from pokerlab.registry import load

GAME = load("games", "five-card-draw")
OWN, OTHER = "AsAd7c5h2d", "KsQdJc8h3d"


def after(*actions: Action, own: str = OWN) -> State:
    """A hand in which the small blind holds our cards."""
    cards = GAME.deck.cards(own + OTHER)
    state = GAME.start((*cards, *(card for card in range(52) if card not in cards), *range(52)))
    for action in actions:
        state = GAME.child(state, action)
    return state


def player(**settings: float) -> ModellingPlayer:
    made = open_agent("draw-modelling", **settings)
    assert isinstance(made, ModellingPlayer)
    return made


def taught(model: ModellingPlayer, *, raises: int, calls: int, folds: int = 0) -> ModellingPlayer:
    """Shown hands in which the big blind answers a call or a raise of the small blind; then it folds to us."""
    for count, action in ((raises, raise_to(4)), (calls, CALL)):
        for _ in range(count):
            model.observe(GAME.view(after(CALL, action), 0))
    for _ in range(folds):
        model.observe(GAME.view(after(raise_to(4), FOLD), 0))
    return model


def test_hand_actions_tell_who_did_what() -> None:
    """Against the seat that the rule engine says is to act, on hands with raises and draws."""
    rng, agents = np.random.default_rng(2), [open_agent("random")] * 2
    for cards in GAME.deals(rng, 60):
        state, seen = GAME.start(cards), []
        while GAME.player(state) >= 0:
            seat = GAME.player(state)
            action = agents[seat].act(GAME.view(state, seat), rng)
            seen.append((state.betting.round, seat, action.kind, len(action.cards)))
            state = GAME.child(state, action)
        found = list(hand_actions(GAME.view(state, 0)))
        assert [(turn.round, turn.seat, turn.kind, turn.cards) for turn in found] == seen


def test_mu_of_the_example() -> None:
    """Appendix C: who raises 20 % of the time after a call and raises again holds the best 20 %: mu = 0.8."""
    model = taught(player(), raises=4, calls=16)
    assert model.threshold((0, "c", 0), "r") == pytest.approx(0.8)
    assert model.threshold((0, "c", 0), "c") == 0  # whoever checks has folded nothing
    assert taught(player(), raises=0, calls=0, folds=30).threshold((0, "r", 0), "c") == 1
    assert taught(player(), raises=3, calls=16).threshold((0, "c", 0), "r") == 0  # seen too seldom
    assert taught(player(seen=19), raises=3, calls=16).threshold((0, "c", 0), "r") == pytest.approx(16 / 19)


@pytest.mark.parametrize("spread", [0.05, 0.2])
def test_weighed_strength_over_every_opposing_hand(spread: float) -> None:
    model = taught(player(spread=spread), raises=5, calls=20)
    state = after(CALL, raise_to(4))
    view = GAME.view(state, 0)
    theirs, _ = opposing_classes(GAME.deck.cards(OWN))
    counts = np.bincount(draw_measures().classes, hand_indexer().counts(np.arange(134_459)), minlength=7463)
    share = 1 - (counts.cumsum() - counts / 2) / counts.sum()
    weight = np.minimum(np.maximum((share[theirs] - (0.8 - spread)) / (2 * spread), LEAST), 1)
    best = class_of(GAME.deck.cards(OWN))
    expected = (weight[theirs > best].sum() + weight[theirs == best].sum() / 2) / weight.sum()
    assert model.strength(view) == pytest.approx(expected, rel=1e-9)
    fresh = player().strength(view)
    assert fresh == pytest.approx(draw_measures().strength[hand_indexer().index(view.cards)], rel=1e-12)
    assert expected < 0.85 <= fresh  # what would raise, against what raises no more
    assert model.act(view, np.random.default_rng(0)) == CALL
    assert player().act(view, np.random.default_rng(0)) == raise_to(8)


def test_the_highest_mu_of_a_round_counts_once() -> None:
    model = taught(player(), raises=4, calls=16)
    once = GAME.view(after(CALL, raise_to(4)), 0)
    again = GAME.view(after(CALL, raise_to(4), raise_to(8), raise_to(16)), 0)
    later = GAME.view(after(CALL, raise_to(4), CALL, STAND_PAT, STAND_PAT), 0)
    assert model.thresholds(once) == model.thresholds(again) == model.thresholds(later) == (pytest.approx(0.8), 0)
    assert (model.weights(once) == model.weights(later)).all()
    assert model.weights(once)[HIGH().class_count] == LEAST


def test_draws_of_the_opponent_are_situations_of_their_own() -> None:
    model = player(seen=1)
    for thrown, bet in ((1, CALL), (3, raise_to(4))):
        other = GAME.deck.cards(OTHER)[:thrown]
        state = after(CALL, CALL, STAND_PAT, Action("d", 0, tuple(other)), CALL, bet)
        model.observe(GAME.view(state, 0))
    assert model.threshold((1, "c", 3), "r") == 0  # always
    assert model.threshold((1, "c", 1), "r") == 1  # never
    assert model.threshold((1, "c", 2), "r") == 0  # not seen


def test_it_learns_over_a_match_and_forgets_after_it() -> None:
    model, other = player(), open_agent("draw-basic")
    rngs = [np.random.default_rng(seat) for seat in range(2)]
    for cards in GAME.deals(np.random.default_rng(5), 150):
        over = play_hand(GAME, cards, [model, other], rngs)
        show_end(GAME, over.state, [model, other])
    assert model.threshold((0, "c", 0), "r") > 0.7  # Basic raises with 15 % of its hands
    model.reset()
    assert model.threshold((0, "c", 0), "r") == 0


def test_a_match_is_repeatable() -> None:
    """Both passes of a duplicate match start without memory, so that a second match is the same."""
    settings = MatchSettings.of("five-card-draw", ["draw-modelling", "draw-basic"], hands=120, duplicate=True, seed=3)
    first, second = (play_match(settings).summaries[0] for _ in range(2))
    assert first == second


def test_facts_of_a_view() -> None:
    view = GAME.view(after(raise_to(4), raise_to(8), CALL, STAND_PAT, STAND_PAT, CALL, raise_to(13)), 0)
    assert isinstance(view.game, PokerGame)
    assert facts_of(view) == (1, 1, 5, 21, 5, 0, 1, 0, 1)
