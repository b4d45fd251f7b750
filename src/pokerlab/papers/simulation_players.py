"""The players of formulas and simulation that Rubin and Watson review (2011, sections 2.3 and 3.3), measured.

What the review reports in numbers or in words: simulation won Loki-2 0.05 small bets a hand more than the formulas of
Loki-1; income rates by roll-out agree with Sklansky's groups; a simulating player that learns a model of itself folds
more and more heads-up. And one experiment of later years: the average strategy of Smooth UCT approaches an equilibrium
of a small game, that of UCT does not (Heinrich and Silver, "Smooth UCT search in computer poker", 2015).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.agents.library.ismcts import InformationSetSearch
from pokerlab.agents.library.selective_sampling import SelectiveSampling
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.search_convergence import search_convergence
from pokerlab.agents.parts.self_play import play
from pokerlab.agents.parts.situations import NOTHING, situation
from pokerlab.cards.starting_hands import correlation_with_groups, simulate_income
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, decided, rerunnable

GAME = "holdem-limit"
SMALL_BET = 10
PRINTED_GAIN = 0.05  # small bets a hand
SIMULATION, MODEL, PLAIN, ROLL_OUT = "selective-sampling", "formula(model=frequency)", "formula", "rollout"
MATCHES = (
    ("simulation over formulas with an opponent model", SIMULATION, MODEL),
    ("formulas with an opponent model over plain ones", MODEL, PLAIN),
    ("simulation with likely hands over roll-outs with random ones", SIMULATION, ROLL_OUT),
)
PARTS = 4  # of the hands in which folds are counted
SELF_MODELS = ("frequencies", "learned", "fixed")
RAISER = "always-raise"  # every decision is one about folding
TABLES = (2, 6, 10)  # numbers of players


class Gain(NamedTuple):
    """What one player wins from another, in small bets a hand."""

    mean: float
    half_width: float  # of the 95 % interval


class Folds(NamedTuple):
    """How often a player folded to bets."""

    folds: float
    bets: float

    @property
    def rate(self) -> float:
        """The share of bets."""
        return self.folds / max(self.bets, 1)

    @property
    def variance(self) -> float:
        """Of the rate."""
        return self.rate * (1 - self.rate) / max(self.bets, 1)


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Matches of 1,000 hands; with `full`, 10,000."""
    hands = rerun.choose(quick=8, usual=1000, full=10_000)
    folded_hands = rerun.choose(quick=8, usual=400, full=4000)
    deals = rerun.choose(quick=2000, usual=100_000, full=1_000_000)
    checkpoints = rerun.choose(
        quick=(100, 1000), usual=(1000, 10_000, 100_000), full=(1000, 10_000, 100_000, 1_000_000, 3_000_000)
    )
    gains = []
    for number, (what, first, second) in enumerate(MATCHES):
        rerun.watch.at(what, 0.15 * number)
        gains.append(_gain(first, second, hands=hands, seed=rerun.seed))
    folds = {}
    for number, kind in enumerate(SELF_MODELS):
        rerun.watch.at(f"folds with a {kind} model of itself", 0.5 + 0.07 * number)
        folds[kind] = folds_of(kind, hands=folded_hands, seed=rerun.seed)
    rerun.watch.at("income rates", 0.7)
    income = {players: _correlation(players, deals=deals, seed=rerun.seed) for players in TABLES}
    searches = {}
    for number, (game, smooth) in enumerate((game, smooth) for game in ("kuhn", "leduc") for smooth in (True, False)):
        rerun.watch.at(f"search in {game}", 0.8 + 0.05 * number)
        agent = InformationSetSearch(smooth=smooth, exploration=EXPLORATION[game])
        points = search_convergence(_poker(game), checkpoints, agent, seed=rerun.seed)
        searches[game, smooth] = [point.exploitability for point in points]
    return rerun.result(
        title="Players of formulas and simulation",
        source="J. Rubin and I. Watson, Computer poker: a review, Artificial Intelligence 175 (2011), 2.3 and 3.3; "
        "J. Heinrich and D. Silver, Smooth UCT search in computer poker, IJCAI 2015",
        tables=(_gains(gains), _folds(folds), _incomes(income), _searches(searches, checkpoints)),
        findings=_findings(gains, folds, income, searches),
        notes=(
            f"Matches are of limit hold'em for two players, {hands:,} hands, every deal from both seats.",
            "The printed gain of Loki-2 is from tables with many players.",
            *rerun.quick_notes(),
        ),
    )


EXPLORATION = {"kuhn": 0.3, "leduc": 4.0}  # in pots


def _poker(name: str) -> PokerGame:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    return game


def _gain(first: str, second: str, *, hands: int, seed: int) -> Gain:
    summary = play_match(MatchSettings.of(GAME, [first, second], hands=hands, seed=seed, duplicate=True)).summaries[0]
    return Gain(summary.mean / SMALL_BET, summary.half_width / SMALL_BET)


def folds_of(self_model: str, *, hands: int, seed: int) -> list[Folds]:
    """How often selective-sampling folds to a bet of somebody who always raises, in each quarter of the hands."""
    game, rng = _poker(GAME), np.random.default_rng(seed)
    player, opponent = SelectiveSampling(self_model=self_model), open_agent(RAISER)
    counts = np.zeros((PARTS, 2))  # [part]: folds, and decisions that face a bet
    for number, cards in enumerate(game.deals(rng, hands)):
        place = number % 2
        agents = [opponent, opponent]
        agents[place] = player

        def count(seat: int, view: View, action: Action, place: int = place, number: int = number) -> None:
            if seat == place and situation(game, view.betting).facing != NOTHING:
                counts[number * PARTS // hands] += action.kind == "f", 1

        play(game, agents, cards, rng, count)
    return [Folds(*part) for part in counts.tolist()]


def _correlation(players: int, *, deals: int, seed: int) -> float:
    return correlation_with_groups(simulate_income(players, deals=deals, iterations=4, seed=seed))


def _gains(gains: list[Gain]) -> Table:
    rows = [
        Row(what, printed=None if number else PRINTED_GAIN, ours={"gain": gain.mean, "95 % ±": gain.half_width})
        for number, ((what, _, _), gain) in enumerate(zip(MATCHES, gains, strict=True))
    ]
    return Table("What one player wins from another, small bets a hand", tuple(rows), digits=3)


def _folds(folds: dict[str, list[Folds]]) -> Table:
    rows = [
        Row(
            f"quarter {part + 1} of the hands",
            ours={f"{kind} model": parts[part].rate for kind, parts in folds.items()},
        )
        for part in range(PARTS)
    ]
    note = (
        "selective-sampling against always-raise; its model of itself is its own frequencies whatever the hand, "
        "learned as a function of the hand, or fixed."
    )
    return Table("How often it folds to a bet", tuple(rows), note, digits=3)


def _incomes(income: dict[int, float]) -> Table:
    rows = [Row(f"{players} players", ours={"correlation": value}) for players, value in income.items()]
    return Table("Rank correlation of income rates with Sklansky's groups", tuple(rows), digits=3)


def _searches(searches: dict[tuple[str, bool], list[float]], checkpoints: tuple[int, ...]) -> Table:
    rows = [
        Row(
            f"{game}: {count:,} simulations",
            ours={("Smooth UCT" if smooth else "UCT"): searches[game, smooth][number] for smooth in (True, False)},
        )
        for game in ("kuhn", "leduc")
        for number, count in enumerate(checkpoints)
    ]
    return Table("Exploitability of the average strategy, chips a hand", tuple(rows), digits=4)


def _findings(
    gains: list[Gain],
    folds: dict[str, list[Folds]],
    income: dict[int, float],
    searches: dict[tuple[str, bool], list[float]],
) -> tuple[Finding, ...]:
    last, cured = folds["frequencies"][-1], folds["fixed"][-1]
    more, half = last.rate - cured.rate, 1.96 * float(np.sqrt(last.variance + cured.variance))
    gain, leduc = gains[0], {smooth: searches["leduc", smooth] for smooth in (True, False)}
    return (
        Finding(
            "Simulation wins from formulas with the same opponent model",
            decided(gain.mean > gain.half_width, gain.mean < -gain.half_width),
            f"{gain.mean:+.3f} ± {gain.half_width:.3f} small bets a hand; printed: {PRINTED_GAIN}",
        ),
        Finding(
            "A player whose model of itself is its own frequencies folds too much, and a fixed model cures it",
            decided(more > half, more < -half),
            f"in the last quarter it folds to {100 * more:.0f} ± {100 * half:.0f} % more of the bets of always-raise",
        ),
        Finding(
            "Income rates agree with Sklansky's groups",
            income[10] > 0.7,
            f"the rank correlation is {income[10]:.2f} at ten seats and {income[2]:.2f} with two players",
        ),
        Finding(
            "The average strategy of Smooth UCT approaches an equilibrium, and that of UCT stops short",
            decided(leduc[True][-1] < leduc[False][-1] / 2, leduc[True][-1] > 2 * leduc[False][-1]),
            f"in Leduc the last exploitability is {leduc[True][-1]:.3f} with smoothing, {leduc[False][-1]:.3f} without",
        ),
    )
