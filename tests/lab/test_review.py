"""Reviews of played hands: EV lost is what a worse strategy loses, and nothing is claimed where it is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import pokerlab
from command_line import CommandLine
from pokerlab.formats.opening import open_game
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.lab.play.review import NEVER_REACHED, UNKNOWN_CARDS, review_hands
from pokerlab.lab.play.reviewers import NOT_PUSH_OR_FOLD, ChartReviewer, SolutionReviewer, open_reviewer
from pokerlab.lab.play.spot_reviewer import SpotReviewer
from pokerlab.match.hands.exchange import PlayedHand
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.forms.sequence import Strategy


def _uneven(infoset: str, actions: list[str]) -> dict[str, float]:
    """Some strategy that differs by infoset and reaches everything."""
    weights = [1 + (sum(map(ord, infoset)) * (k + 3)) % 7 for k in range(len(actions))]
    return {action: weight / sum(weights) for action, weight in zip(actions, weights, strict=True)}


class _Walk:
    """Everything that can happen when one player leaves a solution: payoffs, and the EV that its decisions lose."""

    def __init__(self, game: Any, solution: Solution, player: int) -> None:
        self.game, self.solution, self.player = game, solution, player
        self.known: dict[str, tuple[Mapping[str, float], Mapping[str, float]]] = {}

    def totals(self, state: Any, chance: float = 1.0) -> tuple[float, float]:
        """The expected payoff, and the expected sum of EV lost against the solution's own play."""
        game, actor = self.game, self.game.player(state)
        if actor == TERMINAL:
            return game.returns(state)[self.player], 0.0
        if actor == CHANCE:
            parts = [(share, self.totals(game.child(state, cards))) for cards, share in game.outcomes(state)]
            return sum(share * won for share, (won, _) in parts), sum(share * lost for share, (_, lost) in parts)
        view = game.view(state, actor)
        key = f"{actor}{view.infoset}"
        if key not in self.known:
            self.known[key] = self.solution.strategy.probabilities(view), self.solution.action_values(view)
        solved, values = self.known[key]
        played = _uneven(view.infoset, list(solved)) if actor == self.player else solved
        own = sum(solved[action] * values[action] for action in solved)
        won = lost = 0.0
        for action in game.actions(state):
            text = game.action_text(action)
            below = self.totals(game.child(state, action))
            won += played[text] * below[0]
            lost += played[text] * (below[1] + (own - values[text] if actor == self.player else 0.0))
        return won, lost


@pytest.mark.parametrize(("game", "form"), [("kuhn", "sequence"), ("leduc", "sequence"), ("leduc", "public")])
@pytest.mark.parametrize("player", [0, 1])
def test_what_decisions_lose_adds_up_to_what_a_worse_strategy_loses(game: str, form: str, player: int) -> None:
    """The EV lost at each decision of a hand, over all hands, is the difference of the two strategies' values."""
    solution = pokerlab.solve(game, algorithm="dcfr", iterations=60, form=form)
    table = open_game(game)
    won, lost = _Walk(table, solution, player).totals(table.root())
    assert lost > 0.05
    assert won + lost == pytest.approx(solution.values[player], abs=2e-6)


def _hands(game: str, *told: tuple[str, str], names: tuple[str, ...] = ("you", "bot")) -> list[PlayedHand]:
    table, numbers = open_game(game), count()
    return [PlayedHand(table, cards, betting, (0.0, 0.0), names, next(numbers)) for cards, betting in told]  # type: ignore[arg-type]


def test_known_losses_of_kuhn_poker() -> None:
    solution = pokerlab.solve("kuhn", algorithm="dcfr", iterations=500)
    hands = _hands("kuhn", ("Q|K", "rf"), ("K|J", "crf"), ("Q|J", "cc"), ("K|??", "cc"))
    review = review_hands(hands, lambda _: SolutionReviewer("kuhn", solution))
    lost = {(one.hand, one.agent, one.action): one.ev_lost for one in review.decisions}
    assert lost[0, "bot", "fold"] == pytest.approx(3)  # a king folds to a bet: -1 instead of +2
    assert lost[1, "you", "fold"] == pytest.approx(3)
    assert lost[1, "bot", "bet"] == pytest.approx(0, abs=0.01)  # bluffing with the jack is part of equilibrium
    assert [one.note for one in review.decisions if one.hand == 3 and one.agent == "bot"] == [UNKNOWN_CARDS]
    you = review.total("you")
    assert (you.decisions, you.reviewed, you.valued) == (5, 5, 5)
    assert you.ev_lost == pytest.approx(sum(one.ev_lost or 0.0 for one in review.decisions if one.agent == "you"))
    assert [total.street for total in review.totals("you")] == ["round 1", ""]
    assert review.worst("you")[0].hand == 1


def test_where_the_opponent_never_comes_no_ev_is_claimed() -> None:
    solution = pokerlab.solve("kuhn", algorithm="lp")
    passive = {(1, f"{card}:c"): "c" for card in "JQK"}  # never bets after a check
    strategy = Strategy.from_dict(passive, game="kuhn", default=solution.strategy)
    solution = replace(solution, strategy=strategy)
    checked, _, folded = review_hands(
        _hands("kuhn", ("K|Q", "crf")), lambda _: SolutionReviewer("x", solution)
    ).decisions
    assert checked.ev_lost is not None
    assert folded.is_reviewed
    assert (folded.ev_lost, folded.note) == (None, NEVER_REACHED)


def test_a_chart_reviews_push_or_fold_hands_of_hold_em() -> None:
    chart = pokerlab.solve("push-fold(stack=10)")
    game = "holdem-nolimit(stack=2000, blinds=(100, 200))"  # twice the chips of the chart's
    hands = _hands(game, ("7h2c|AsAd", "f"), ("7h2c|7s2d", "r2000c"), ("AhAc|KsKd", "r600f"))
    folded, pushed, called, raised, after = review_hands(
        hands, lambda table: ChartReviewer("c", chart, table)
    ).decisions
    push = chart.at().actions[1]
    for decision, hand in ((folded, "AsAd"), (pushed, "7s2d")):
        worth = {"fold": -0.5, "all-in 2000": chart.at().action_ev(hand)[push]}  # in big blinds
        assert decision.ev_lost == pytest.approx(200 * (max(worth.values()) - worth[decision.action]))
    assert called.frequency == pytest.approx(0, abs=1e-6)  # 72o does not call
    assert (raised.frequency, raised.ev_lost) == (None, None)  # a raise to three big blinds is neither push nor fold
    assert after.note == NOT_PUSH_OR_FOLD


def test_a_chart_of_other_stacks_is_refused(tmp_path: Path) -> None:
    file = pokerlab.solve("push-fold(stack=10)").save(tmp_path / "chart.solution")
    with pytest.raises(pokerlab.errors.BadSetting, match="the chart is for stacks of 10, 10 big blinds"):
        open_reviewer(str(file), open_game("holdem-nolimit"))  # type: ignore[arg-type]


_MENU = {"bet": "50%,allin", "raise": "allin"}
_TURN = {
    "board": "Ks7h2d5c",
    "pot": 20,
    "stack": 30,
    "out_of_position": _MENU | {"range": "66+,A2s+,KTo+"},
    "in_position": _MENU | {"range": "22+,K2s+,QTs+,7c6c"},
}


def test_a_spot_reviews_hands_of_hold_em_that_reach_its_board(tmp_path: Path, cli: CommandLine) -> None:
    """What a spot says about a hand at a table is what it says about that hand in the spot, in chips of the table."""
    solution = pokerlab.solve(_TURN, iterations=40)
    own = SolutionReviewer("turn", solution)

    def reviewed(game: Any, cards: str, betting: str) -> list[Any]:
        names = tuple("abc"[: game.players])
        hand = PlayedHand(game, cards, betting, (0.0,) * game.players, names, 0)
        by = own if isinstance(game, SpotGame) else SpotReviewer("turn", solution, game)
        return [one for one in review_hands([hand], lambda _: by).decisions if one.street in ("turn", "river")]

    spot = reviewed(SpotGame(solution.spot), "AhKh|7c6c/Ks7h2d5c/9s", "cr40c/cr80c")  # type: ignore[arg-type]
    table: Any = open_game("holdem-nolimit(stack=800, blinds=(50, 100))")  # a pot of 400 and 600 behind
    hand = reviewed(table, "AhKh|7c6c/2dKs7h/5c/9s", "r200c/cc/cr400c/cr800c")
    renamed = reviewed(table, "AcKc|7d6d/2hKs7c/5d/9s", "r200c/cc/cr410c/cr800c")  # and not quite half the pot
    multiway: Any = open_game("holdem-nolimit(players=3, stack=800, blinds=(50, 100, 0))")
    uneven = replace(multiway.rules, stacks=(1500, 1475, 2000))  # a pot of 750, 1125 behind the shorter
    folded = reviewed(PokerGame(uneven, "uneven"), "QsQd|AhKh|7c6c/2dKs7h/5c/9s", "r350fc/cc/cr725c/cr2000c")
    assert [len(one) for one in (spot, hand, renamed, folded)] == [6] * 4
    for expected, plain, other, third in zip(spot, hand, renamed, folded, strict=True):
        for one, scale in ((plain, 20), (other, 20), (third, 37.5)):
            assert list(one.frequencies.values()) == list(expected.frequencies.values())
            assert one.ev_lost == pytest.approx(scale * expected.ev_lost, abs=1e-3)
        assert plain.note == ""
        assert "suits renamed: " in other.note
        assert ("210 read as 200" in other.note) == ("cr410" in other.betting)
    assert list(hand[0].frequencies) == ["check", "bet 200", "all-in 600"]
    assert max(one.ev_lost for one in hand) > 1
    reasons = {
        "r200c/cc/cc": ("AhKh|Jh4c/Ks7h2d/5c/9s", "range does not contain"),
        "r200c/cc/cr300c": ("AhKh|7c6c/Ks7h2d/5c/9s", "no bet near"),  # a quarter of the pot
        "r300c/cc/cc": ("AhKh|7c6c/Ks7h2d/5c/9s", "the spot has stacks of 1.5 pots, not 0.833"),
        "cc/r200c/cc": ("AhKh|7c6c/Ks7h2h/5c/9s", "another board"),
    }
    for betting, (cards, reason) in reasons.items():
        last = reviewed(table, cards, betting)[-1]
        assert not last.is_reviewed
        assert reason in last.note
    limit: Any = open_game("holdem-limit")
    with pytest.raises(pokerlab.errors.BadSetting, match="a spot of no-limit hold'em"):
        SpotReviewer("turn", solution, limit)
    file, log = solution.save(tmp_path / "turn.solution"), tmp_path / "hands.log"
    log.write_text(f"# game {table.name}\nSTATE:0:r200c/cc/cr400c/cr800c:AhKh|7c6c/2dKs7h/5c/9s:800|-800:you|bot\n")
    shown = cli(["review", str(log), "--with", str(file)]).printed
    assert "the spot begins on the turn" in shown
    assert "exploitable by" in shown


def test_a_limit_spot_reviews_limit_hands() -> None:
    limit = {name: value for name, value in _TURN.items() if name != "stack"} | {"stack": 300, "limit": [5, 10, 10]}
    solution = pokerlab.solve(limit, iterations=2)
    cards = "AhKh|7c6c/Ks7h2d/5c/9s"
    hands = _hands("holdem-limit", (cards, "rc/cc/crc/rf"), (cards, "rrc/rc/crc/rf"))  # pots of 40 and 80, bets of 20
    decisions = review_hands(hands, lambda game: SpotReviewer("t", solution, game)).decisions
    later = [one for one in decisions if one.street in ("turn", "river")]
    assert [one.note for one in later] == [""] * 5 + ["the spot has bets of 0.5 pots, not 0.25"] * 5
    assert [one.action for one in later[:5]] == ["check", "bet", "call", "bet", "fold"]
    assert all(set(one.frequencies) >= {one.action} for one in later[:5])


def test_hands_of_play_are_reviewed_at_its_end_and_by_command(tmp_path: Path, cli: CommandLine) -> None:
    file, log = tmp_path / "kuhn.solution", tmp_path / "kuhn.log"
    pokerlab.solve("kuhn", algorithm="lp").save(file)
    words = ["play", str(file), "--hands", "6", "--seed", "4", "--log", str(log)]
    played = cli([*words, "--json"], typed="c\n" * 40).json["review"]
    assert cli(["review", str(log), "--with", str(file), "--json"]).json["decisions"] == played["decisions"]
    assert played["totals"][-1]["decisions"] == len(played["decisions"]) > 5
    shown = cli(["review", str(log), "--with", str(file)], width=80).printed
    assert "EV lost" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    csv = tmp_path / "review.csv"
    assert cli(["review", str(log), "--with", str(file), "--csv", str(csv)]).code == 0
    assert csv.read_text().count("\n") == 1 + len(played["decisions"])
    assert "nobody in these hands" in cli(["review", str(log), "--with", str(file), "--agent", "me"]).refusal


def test_without_a_solution_that_is_said(tmp_path: Path, cli: CommandLine) -> None:
    log = tmp_path / "leduc.log"
    out = cli(["play", "leduc", "--hands", "1", "--seed", "1", "--log", str(log)], typed="c\n" * 9).printed
    assert "if you have a solution" in out
    assert "no solution of leduc is at hand" in cli(["review", str(log)]).refusal
    log.write_text(log.read_text().replace("# game leduc", "# game ./own.py"))
    assert "a game of your own: name it with --game" in cli(["review", str(log)]).refusal


def test_a_blueprint_reviews_by_frequency_alone(tmp_path: Path, cli: CommandLine) -> None:
    log = tmp_path / "hands.log"
    words = ["play", "holdem-nolimit", "--against", "always-call", "--hands", "3", "--seed", "3", "--log", str(log)]
    review = cli([*words, "--json"], typed="r 3bb\nc\n" + "c\n" * 40).json["review"]
    assert review["knows_ev"] is False
    assert {one["ev_lost"] for one in review["decisions"]} == {None}
    for one in review["decisions"]:
        assert sum(one["frequencies"].values()) == pytest.approx(1)
    assert "compared by frequency alone" in cli(["review", str(log)]).printed
