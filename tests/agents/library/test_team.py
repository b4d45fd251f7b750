"""A team and its coach: UCB1 as it is written, the best member found, and the same seed, the same play."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pokerlab import best_response, registry
from pokerlab.agents.agent import Observer, SupportsGame
from pokerlab.agents.library.team import Team
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.coach import most_lost
from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting import CALL, Action
from pokerlab.games.poker.state import View
from pokerlab.lab.analyse.measuring import measure_agents
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.table.referee import play_hand, show_end
from pokerlab.strategy.written import form_of

KUHN = registry.load("games", "kuhn")


def team(*members: str, **settings: float) -> Team:
    made = open_agent("team", members=list(members), **settings)
    assert isinstance(made, Team)
    return made


def played(one: Team, opponent: str, hands: int, *, game: str = "kuhn", seed: int = 0) -> list[tuple[int, float]]:
    """Who played each hand in which the team acted, and what it won in it; the seats change from hand to hand."""
    table, other = registry.load("games", game), open_agent(opponent)
    rngs = [np.random.default_rng([seed, number]) for number in range(3)]
    found = []
    for number, cards in enumerate(table.deals(rngs[2], hands)):
        seats, seat = ([one, other], 0) if number % 2 == 0 else ([other, one], 1)
        before = list(one.hands)
        result = play_hand(table, cards, seats, rngs[:2])
        show_end(table, result.state, seats)
        changed = [member for member, count in enumerate(before) if one.hands[member] != count]
        found += [(changed[0], result.payoffs[seat])] if changed else []
    return found


@pytest.mark.parametrize("exploration", [1.0, 0.2])
def test_the_coach_is_ucb1(exploration: float) -> None:
    """Every choice made again from the payoffs alone; in Leduc at most 13 chips can be lost."""
    one = team("always-call", "always-fold", "random", exploration=exploration)
    payoffs: list[list[float]] = [[], [], []]
    for member, won in played(one, "always-raise", 300, game="leduc"):
        if all(payoffs):
            hands = sum(map(len, payoffs))
            worths = [np.mean(list_) + exploration * math.sqrt(2 * math.log(hands) / len(list_)) for list_ in payoffs]
            assert worths[member] == pytest.approx(max(worths))
        else:
            assert member == [bool(list_) for list_ in payoffs].index(False)
        payoffs[member].append((won + 13) / 26)
    assert [len(list_) for list_ in payoffs] == one.hands
    assert min(one.hands) > 5


def test_a_bad_member_is_sent_in_no_more_often_than_the_theorem_allows() -> None:
    """Against always-raise in Kuhn poker; Auer et al., theorem 1: a member who wins d less, of payoffs in 0 .. 1, is
    sent into at most 8 ln n / d^2 + 1 + pi^2 / 3 hands on average."""
    members = ["always-fold", "always-call", "random"]
    worth = [sum(_won(name, "always-raise")) / 2 for name in members]
    assert int(np.argmax(worth)) == 1
    one, hands = team(*members), 4000
    played(one, "always-raise", hands, seed=7)
    assert int(np.argmax(one.hands)) == 1
    short = (worth[1] - worth[0]) / 4  # the stakes are 2, so payoffs span 4
    most = 8 * math.log(hands) / short**2 + 1 + math.pi**2 / 3
    assert most < hands / 2  # so the theorem says something here
    assert one.hands[0] < most


def test_a_counter_strategy_in_the_team_is_found_and_pays() -> None:
    """A best response beside two who win less: over the last half it is sent in mostly, and wins what it should."""
    form = form_of(KUHN)
    answers = [best_response("kuhn", "random", player=seat) for seat in range(2)]
    exact = sum(answer.value for answer in answers) / 2
    profile = form.tree.uniform()
    for seat, answer in enumerate(answers):
        profile[form.slots_of(seat)] = answer.strategy.probability[form.slots_of(seat)]
    one = team("always-fold", "always-fold", "random")
    one.members[1] = _Answer(profile, form)
    found = played(one, "random", 6000, seed=3)
    late = found[len(found) // 2 :]
    share = np.mean([member == 1 for member, _ in late])
    assert share > 0.75
    won = np.array([won for member, won in found if member == 1])
    assert abs(won.mean() - exact) < 4 * won.std() / math.sqrt(len(won)) + 0.01 * abs(exact)


class _Answer:
    """A profile at the table."""

    def __init__(self, profile: np.ndarray, form: object) -> None:
        from pokerlab.strategy.forms.sequence import named

        self.name, self._strategy = "answer", named(form, profile)  # type: ignore[arg-type]

    def act(self, view: View, rng: np.random.Generator) -> object:
        from pokerlab.games.poker.text import read_action

        chances = self._strategy.probabilities(view)
        return read_action(view.game, max(chances, key=lambda action: chances[action]))

    def reset(self) -> None:
        pass


def _won(agent: str, opponent: str) -> tuple[float, float]:
    first = measure_agents("kuhn", [agent, opponent]).measure.values[0]
    return first, measure_agents("kuhn", [opponent, agent]).measure.values[1]


def test_the_same_seed_gives_the_same_match() -> None:
    spec = "team(members=['random', 'formula', 'probe'], exploration=0.3)"
    results = [
        play_match(MatchSettings.of("leduc", [spec, "random"], hands=400, seed=seed)).summaries[0].mean
        for seed in (5, 5, 6)
    ]
    assert results[0] == results[1] != results[2]


def test_memory_ends_with_reset_and_a_hand_has_one_player() -> None:
    one = team("always-call", "always-raise")
    played(one, "random", 50)
    assert sum(one.hands) > 40
    one.reset()
    assert one.hands == [0, 0]
    assert one.coach.sums == [0.0, 0.0]
    first = played(one, "random", 30, seed=2)
    again = played(team("always-call", "always-raise"), "random", 30, seed=2)
    assert first == again


@pytest.mark.parametrize(("stakes", "most"), [(0.0, 2.0), (5.0, 5.0)])
def test_payoffs_are_scaled_by_who_sits_there_and_by_the_stakes(stakes: float, most: float) -> None:
    """Of three players, two can lose all that they may to the third."""
    table, one = registry.load("games", "kuhn(players=3)"), team("always-call", "random", stakes=stakes)
    rngs = [np.random.default_rng(seat) for seat in range(4)]
    expected = [0.0, 0.0]
    for number, cards in enumerate(table.deals(rngs[3], 60)):
        seats = [open_agent("always-raise"), open_agent("random")]
        seats.insert(number % 3, one)
        before = list(one.hands)
        result = play_hand(table, cards, seats, rngs[:3])
        show_end(table, result.state, seats)
        (member,) = [member for member in (0, 1) if one.hands[member] != before[member]]
        expected[member] += (result.payoffs[number % 3] + most) / (3 * most)
    assert one.coach.sums == pytest.approx(expected)


class _Learner:
    """Counts what it is told."""

    name = "learner"

    def __init__(self) -> None:
        self.seen = self.resets = 0

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return CALL

    def observe(self, view: View) -> None:
        self.seen += 1

    def reset(self) -> None:
        self.resets += 1


def test_members_see_every_hand_and_forget_with_the_team() -> None:
    one, learner = team("always-call", "random", "always-raise"), _Learner()
    one.members[2] = learner
    played(one, "random", 30)
    assert learner.seen == 30 > one.hands[2]
    one.reset()
    assert learner.resets == 1


def test_a_reset_within_a_hand_leaves_nobody_playing() -> None:
    one = team("always-call", "always-raise")
    played(one, "random", 1)
    state = KUHN.start(KUHN.deals(np.random.default_rng(1), 1)[0])
    one.act(KUHN.view(state, 0), np.random.default_rng(2))  # the second member, who has not played yet
    one.reset()
    played(one, "random", 1)
    assert one.hands == [1, 0]


def test_hands_without_a_decision_of_the_team_are_not_counted() -> None:
    one = team("always-call", "always-raise")
    found = played(one, "always-fold", 40, game="push-fold")  # who folds on the button, before the team decides
    assert 0 < len(found) < 40
    assert sum(one.hands) == len(found)
    begun = KUHN.view(KUHN.start((0, 1)), 0)
    one.reset()
    one.act(begun, np.random.default_rng(1))
    one.observe(begun)  # nor is a hand whose end is not seen
    assert one.hands == [0, 0]


def test_what_a_team_says_of_itself() -> None:
    one = team("always-call", "formula(bluff=0.2)")
    assert one.name == "team(members='always-call,formula(bluff=0.2)')"
    assert open_agent("team:always-call,probe").name == team("always-call", "probe").name
    assert open_agent(one.name).name == one.name
    assert isinstance(one, Observer)
    assert isinstance(one, SupportsGame)
    played(one, "random", 20)
    said = one.remarks()
    assert set(said) == {"always-call played the hand", "formula(bluff=0.2) played the hand"}
    assert said.total() == sum(one.hands)
    assert not one.remarks()


@pytest.mark.parametrize(
    ("game", "most"),
    [("kuhn", 2), ("leduc", 13), ("leduc(raises=1, bets=[1, 3], ante=5)", 9), ("holdem-nolimit(stack=500)", 500)],
)
def test_what_can_be_lost(game: str, most: int) -> None:
    assert most_lost(registry.load("games", game)) == most


@pytest.mark.parametrize("game", ["kuhn", "leduc", "leduc(raises=1, ante=3)", "one-card", "holdem-limit", "push-fold"])
def test_nothing_larger_is_lost_in_play(game: str) -> None:
    table = registry.load("games", game)
    rng, agents = np.random.default_rng(1), [open_agent("probe")] * 2
    most = max(max(map(abs, play_hand(table, cards, agents, [rng, rng]).payoffs)) for cards in table.deals(rng, 300))
    assert 0 < most <= most_lost(table)


def test_members_that_cannot_be() -> None:
    with pytest.raises(BadSetting, match="name the members of a team"):
        team()
    with pytest.raises(BadSetting, match="name the members of a team"):
        open_agent("team(members=3)")
    with pytest.raises(BadSetting, match="draw-modelling"):
        team("always-call", "draw-modelling").check_game(KUHN)
    endless = registry.load("games", "one-card(raises=None)")
    with pytest.raises(BadSetting, match="does not know the largest loss in one-card.*: give it with stakes=CHIPS"):
        team("always-call", "random").check_game(endless)
    team("always-call", "random", stakes=8).check_game(endless)
