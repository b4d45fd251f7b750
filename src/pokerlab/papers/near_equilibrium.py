"""Near-equilibrium players before regret minimisation (Rubin and Watson 2011, sections 4.4 and 4.5), measured exactly.

Shi and Littman put hands of Rhode Island hold'em into buckets by strength. PsOpti, and GS1 and GS2, solve models of
some rounds and join them; Waugh and others graft finer strategies onto a coarse one of the whole game. The review
prints sizes and who won; here best responses in the real game measure what each abstraction, seam and graft costs.
"""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.agents.opening import open_policy
from pokerlab.agents.parts.models import truncated_betting
from pokerlab.games.poker.betting_tree import Deal, Decision, Node, walk
from pokerlab.match.statistics import Summary
from pokerlab.papers._abstraction_runs import LINEAR, round_methods
from pokerlab.papers._bucketed_runs import advance_to, poker_game, start_solver, table_winnings
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, decided, rerunnable
from pokerlab.papers.subgame_solving import exploitability
from pokerlab.strategy.forms.kinds import StrategyNames, strategy_of
from pokerlab.tree.bucketed.form import bucketed_form
from pokerlab.tree.bucketed.real_game import measurer
from pokerlab.tree.public.form import public_form
from pokerlab.tree.public.poker import betting_of, public_tree

ROWS = 91_224_226  # of the linear program of Rhode Island, as printed
OPPONENTS = ("rules", "formula", "always-raise")
AT_ONCE = 200_000  # iterations between checks of the cancel token
BASE, GRAFTED = "the whole game in coarse buckets", "with grafts in finer buckets"
PSOPTI, UNTIED, GS, NO_BELIEFS = "psopti", "psopti, not tied", "gs", "gs without beliefs"


@dataclass(frozen=True)
class Abstraction:
    """A strategy of Rhode Island in buckets of strength."""

    count: int  # buckets per round, within each of the round before
    infosets: int
    exploitability: float  # chips
    winnings: dict[str, Summary]


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Rhode Island in buckets; Leduc and a Rhode Island of six cards for joined models and grafts."""
    game = rerun.choose(quick="rhode-island(ranks=4, suits=2)", usual="rhode-island", full="rhode-island")
    counts = rerun.choose(quick=(2,), usual=(2, 3, 5), full=(2, 3, 5, 8))
    iterations = rerun.choose(quick=5_000, usual=3_000_000, full=30_000_000)
    hands = rerun.choose(quick=100, usual=4_000, full=40_000)
    both = ("leduc", "rhode-island(ranks=3, suits=2)")
    small = rerun.choose(quick=both[:1], usual=both, full=(*both, "leduc(ranks=6)"))
    total, strategies = len(counts) + len(small), []
    for number, count in enumerate(counts):
        rerun.watch.at(f"{game} in {count} buckets a round", number / total)
        strategies.append(_abstraction(rerun, game, count, iterations, hands))
    measured = {}
    for number, name in enumerate(small, start=len(counts)):
        rerun.watch.at(f"joined models and grafts in {name}", number / total)
        measured[name] = _players(name, rerun.choose(quick=40, usual=300, full=1000))
    return rerun.result(
        title="Near-equilibrium players: buckets, joined models and grafts",
        source="J. Rubin and I. Watson, Computer poker: a review, Artificial Intelligence 175 (2011), "
        "sections 4.4 and 4.5",
        tables=(_sizes(), _buckets(game, strategies), *(_joined(name, values) for name, values in measured.items())),
        findings=(_beats_rules(strategies), *_findings(measured)),
        notes=(
            "Exploitability is the mean gain of best responses over seats, in chips; antes are 5 in Rhode Island, 1 in "
            "Leduc.",
            *rerun.quick_notes(),
        ),
    )


def _abstraction(rerun: Rerun, name: str, count: int, iterations: int, hands: int) -> Abstraction:
    """Solve a game in buckets of roll-out strength that remember earlier ones, and measure it in the real game."""
    game = poker_game(name)
    cards = CardRounds.of(game, ordered=True)
    form = bucketed_form(game, make(Plan(cards, round_methods("strength", count, 3), PERFECT, rerun.seed)))
    solver = start_solver(LINEAR, form, seed=rerun.seed, threads=1)
    advance_to(solver, iterations, rerun.watch, at_once=AT_ONCE)
    arrays = solver.strategy_arrays()
    measure = measurer(form, tree=public_form(game))
    assert measure is not None
    strategy = strategy_of(form, arrays, StrategyNames())
    won = {other: table_winnings(form, strategy, other, hands=hands, seed=rerun.seed) for other in OPPONENTS}
    return Abstraction(count, form.infosets, measure(arrays["average"]).exploitability, won)


def _players(name: str, iterations: int) -> dict[str, float]:
    """The exploitability of each player in a small game; the later models of all have the same buckets."""
    game = poker_game(name)
    form, first = public_tree(game), len(game.deck.ranks)
    base, fine = f"buckets='{first},2', iterations={iterations}", f"buckets='{first},4', iterations={iterations}"
    specs = {
        BASE: f"graft({base}, grafts=false)",
        GRAFTED: f"graft({base})",
        PSOPTI: f"psopti({fine})",
        UNTIED: f"psopti({fine}, tied=false)",
        GS: f"gs({fine}, model_iterations={iterations})",
        NO_BELIEFS: f"gs({fine}, model_iterations={iterations}, beliefs=false)",
    }
    return {what: exploitability(open_policy(spec, game), game, form) for what, spec in specs.items()}


def _sizes() -> Table:
    tree = truncated_betting(poker_game("holdem-limit"), 1)  # three deals follow each sequence
    deals = len([node for node in walk(tree) if isinstance(node, Deal)])
    rows = (
        Row("rows of the linear program of Rhode Island", printed=ROWS, ours={"counted": _program_rows()}),
        Row("betting sequences of limit hold'em that reach the flop", printed=7, ours={"counted": deals // 3}),
    )
    return Table("Sizes", rows, digits=0)


def _program_rows() -> int:
    """A player's sequences and the other's infosets, the empty sequence and the root included."""
    game = poker_game("rhode-island")
    deals = (52, 52 * 51, 52 * 51 * 50)
    rows, pending = 2, list[tuple[Node, int]]([(betting_of(game), 0)])
    while pending:
        node, number = pending.pop()
        if isinstance(node, Deal):
            pending.append((node.child, number + 1))
        elif isinstance(node, Decision):
            rows += deals[number] * (len(node.children) if node.player == 0 else 1)
            pending.extend((child, number) for child in node.children)
    return rows


def _buckets(game: str, strategies: list[Abstraction]) -> Table:
    pot = 2 * poker_game(game).rules.antes[0]
    rows = [
        Row(
            f"{one.count} buckets a round",
            ours={
                "infosets": one.infosets,
                "exploitability": one.exploitability,
                "% of the pot": 100 * one.exploitability / pot,
                **{f"against {other}": won.mean for other, won in one.winnings.items()},
            },
            note=f"± {max(won.half_width for won in one.winnings.values()):.0f}",
        )
        for one in strategies
    ]
    note = "Winnings are in thousandths of the smallest bet a hand."
    return Table(f"Buckets of strength in {game}, as Shi and Littman", tuple(rows), note, digits=2)


def _joined(name: str, values: dict[str, float]) -> Table:
    return Table(
        f"Joined models and grafts in {name}",
        tuple(Row(what, ours={"exploitability": value}) for what, value in values.items()),
        digits=3,
    )


def _beats_rules(strategies: list[Abstraction]) -> Finding:
    best = strategies[-1]
    scores = ", ".join(f"{other} {won.mean:+.0f} ± {won.half_width:.0f}" for other, won in best.winnings.items())
    holds = all(won.low > 0 for won in best.winnings.values())
    fails = any(won.high < 0 for won in best.winnings.values())
    return Finding(
        "Shi and Littman: an equilibrium in buckets beats players of rules", decided(holds, fails), f"{scores}"
    )


def _findings(measured: dict[str, dict[str, float]]) -> tuple[Finding, ...]:
    grafts = ", ".join(f"{name}: {values[BASE]:.3g} to {values[GRAFTED]:.3g}" for name, values in measured.items())
    joined = ", ".join(
        f"{name}: {values[GRAFTED]:.3g} with grafts, {values[PSOPTI]:.3g} psopti, {values[GS]:.3g} gs"
        for name, values in measured.items()
    )
    ties = {name: values[UNTIED] > values[PSOPTI] for name, values in measured.items()}
    return (
        Finding(
            "grafts make the base less exploitable",
            all(values[GRAFTED] < values[BASE] for values in measured.values()),
            grafts,
        ),
        Finding(
            "separate models joined at a seam are more exploitable than grafts tied to one base",
            all(values[GRAFTED] < min(values[PSOPTI], values[GS]) for values in measured.values()),
            joined,
        ),
        Finding(
            "ranges carried over the seam make PsOpti less exploitable",
            decided(all(ties.values()), not any(ties.values())),
            ", ".join(f"{name}: {values[UNTIED]:.3g} to {values[PSOPTI]:.3g}" for name, values in measured.items()),
        ),
    )
