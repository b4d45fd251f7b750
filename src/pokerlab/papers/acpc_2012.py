"""The Annual Computer Poker Competition of 2012: the published rounds through our run-off.

M. Schmid, "Game Theory and Poker", 2013, section 8.4 and figure 8.4: eleven players of heads-up no-limit hold'em, their
winnings in thousandths of a big blind a hand in each round of the instant run-off. The cross table is not printed, but
follows: a player's score in a round is the mean over those left, so that the difference between two rounds is what the
player won against the one eliminated between them. What the eliminated player lost is printed too, which is a check.
"""

from __future__ import annotations

import numpy as np

from pokerlab.match.run.tournament import Crosstable, RunOff, bankroll_ranking, instant_runoff
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, rerunnable

AGENTS = (
    "hyperborean tartanian5 neo.poker.lab little.rock sartre hugh spewy.louie lucky7.12 azure.sky dcubot uni.mb.poker"
).split()
SCORES = (  # by agent and round: the score and the half-width of its interval
    "586±30 527±28 530±31 273±23 223±25 167±27 167±31 181±37 174±24 161±36",
    "597±27 536±27 509±30 159±30 97±27 -7±26 17±29 4±34 -76±27 -161±36",
    "534±23 456±23 424±25 198±23 86±26 16±28 -58±31 -78±32 -97±23",
    "1116±27 929±28 907±30 298±26 128±25 37±27 -24±35 -107±35",
    "112±25 19±25 -21±29 56±22 -57±22 -97±23 -101±27",
    "483±18 459±19 422±22 71±18 -49±17 -117±18",
    "355±28 257±29 204±33 -230±31 -427±31",
    "-809±57 -719±47 -1009±52 -826±45",
    "-196±65 -1209±60 -1966±68",
    "-1097±15 -1254±16",
    "-1681±47",
)
ROUNDING = 0.5  # of a printed score


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """The cross table, then bankroll and run-off."""
    rerun.watch.at("cross table", 0.0)
    scores = printed_scores()
    table, differences = reconstructed(scores)
    resamples = rerun.choose(quick=200, usual=5_000, full=100_000)
    rerun.watch.at("run-off", 0.5)
    runoff = instant_runoff(table, rng=np.random.default_rng(rerun.seed), resamples=resamples)
    return rerun.result(
        title="The computer poker competition of 2012",
        source="M. Schmid, Game Theory and Poker, 2013, figure 8.4",
        tables=(_rounds(scores, runoff), _bankroll(scores, table), _check(scores, differences), _cross_table(table)),
        findings=_findings(scores, table, runoff, differences),
        notes=(
            "The figure's caption calls the scores chips and the intervals variances; they are thousandths of a big "
            "blind a hand, and half-widths of 95 % intervals. It writes deubot for dcubot.",
            "Half-widths of pairs are not printed, and rounded ones do not give them: every pair gets the one that "
            "the first round's mean half-width implies.",
            *rerun.quick_notes(),
        ),
        resamples=resamples,
    )


def printed_scores() -> np.ndarray:
    """The printed scores and half-widths.  # [agent, round, 2]; NaN where the agent was out"""
    scores = np.full((len(AGENTS), len(AGENTS) - 1, 2), np.nan)
    for agent, line in enumerate(SCORES):
        for round_index, cell in enumerate(line.split()):
            scores[agent, round_index] = [float(part) for part in cell.split("±")]
    return scores


def reconstructed(scores: np.ndarray) -> tuple[Crosstable, np.ndarray]:
    """The cross table that the rounds imply, and by how much the printed scores of eliminated players differ from it.

    Agents are in the order of the figure, the last of them out first. Differences are [round].
    """
    count = len(AGENTS)
    results, differences = {}, np.zeros(count - 1)
    error = float(np.nanmean(scores[:, 0, 1])) / 1.96 * np.sqrt(count - 1)
    for round_index in range(count - 1):
        out = count - 1 - round_index
        won = scores[:out, round_index, 0] * out  # the sum over the opponents in this round ...
        if out > 1:
            won = won - scores[:out, round_index + 1, 0] * (out - 1)  # ... less that over those who are left
        for agent in range(out):
            results[AGENTS[agent], AGENTS[out]] = (float(won[agent]), error)
        differences[round_index] = scores[out, round_index, 0] + won.mean() if round_index < count - 1 else 0.0
    return Crosstable.of(results), differences


def _rounds(scores: np.ndarray, runoff: RunOff) -> Table:
    rows = []
    for number, one in enumerate(runoff.rounds):
        out = len(AGENTS) - 1 - number
        printed = f"{AGENTS[out]} {scores[out, number, 0]:.0f}"
        score = one.scores[one.agents.index(one.dropped)]
        ours = {"run-off": f"{one.dropped} {score:.0f}", "how surely": f"{one.confidence:.0%}"}
        rows.append(Row(f"round {number}: out", printed, ours=ours))
    return Table("Instant run-off", tuple(rows), "Thousandths of a big blind a hand.")


def _bankroll(scores: np.ndarray, table: Crosstable) -> Table:
    printed = dict(zip(AGENTS, scores[:, 0, 0].tolist(), strict=True))
    rows = [Row(name, printed[name], ours={"cross table": value}) for name, value, _ in bankroll_ranking(table)]
    return Table("Total bankroll, the scores of round 0", tuple(rows), digits=0)


def _check(scores: np.ndarray, differences: np.ndarray) -> Table:
    rows = []
    for number, difference in enumerate(differences.tolist()):
        out = len(AGENTS) - 1 - number
        printed = float(scores[out, number, 0])
        rows.append(Row(f"round {number}: {AGENTS[out]}", printed, ours={"from the others": printed - difference}))
    note = "What the eliminated player lost, as the others' scores say: winnings of a hand sum to zero."
    return Table("The printed rounds against each other", tuple(rows), note, digits=0)


def _cross_table(table: Crosstable) -> Table:
    place = {name: number for number, name in enumerate(table.agents)}
    rows = []
    for name in AGENTS:
        against = {other: table.means[place[name], place[other]] for other in AGENTS}
        rows.append(Row(name, ours={other: "" if other == name else f"{won:+.0f}" for other, won in against.items()}))
    return Table("The cross table that follows", tuple(rows), "Rounded scores leave errors of up to ten.", digits=0)


def _findings(scores: np.ndarray, table: Crosstable, runoff: RunOff, differences: np.ndarray) -> tuple[Finding, ...]:
    order = [one.dropped for one in runoff.rounds]
    bankroll = [name for name, *_ in bankroll_ranking(table)]
    worst = float(np.abs(differences).max())
    allowed = 2 * ROUNDING * len(AGENTS)
    return (
        Finding(
            "hyperborean wins the run-off, and players leave in the printed order",
            runoff.ranking[0] == AGENTS[0] and order == AGENTS[:0:-1],
            f"winner {runoff.ranking[0]}; out: {', '.join(order)}",
        ),
        Finding(
            "little.rock has the largest bankroll: methods of ranking disagree",
            bankroll[0] == "little.rock" and runoff.ranking[0] != "little.rock",
            f"bankroll: {', '.join(bankroll[:4])}; run-off: {', '.join(runoff.ranking[:4])}",
        ),
        Finding(
            "the printed rounds agree with each other",
            worst <= allowed,
            f"eliminated players lost what others won within {worst:.0f} thousandths; rounding allows {allowed:.0f}",
        ),
    )
