"""Safe and unsafe subgame solving (Brown and Sandholm 2017), in Leduc hold'em, where everything is measured exactly.

A blueprint is discounted CFR, stopped after a few or after many iterations. Its last round is solved again by each
method, for both players and after every course of the first round; best responses measure the whole strategy. The paper
prints the exploitability of blueprints and of solved strategies in two- and three-round hold'em without a limit; what
can be compared is the part of the blueprint's exploitability that is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.library.resolve import SubgameSolver
from pokerlab.agents.parts.subgames import METHODS, REACH, UNSAFE, Effort
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, rerunnable
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.solvers.library.dcfr import algorithm as dcfr
from pokerlab.strategy.forms.kinds import StrategyNames, profile_in, strategy_of
from pokerlab.strategy.policy import Policy
from pokerlab.strategy.public_profile import SuitsMatter
from pokerlab.tree.form import SuitIsomorphism
from pokerlab.tree.public.form import public_form
from pokerlab.tree.public.gadget import MAXMARGIN, RESOLVE
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.poker import public_tree

GAME = "leduc"
PRINTED = {  # mbb per game, by the size of the game: none, unsafe and safe
    "small two-round hold'em": (91.3, 5.51, 22.6),
    "large two-round hold'em": (41.3, 397.0, 9.84),
    "three-round hold'em": (346.0, 79.3, 72.6),
}
SAFE = (RESOLVE, MAXMARGIN, REACH)
NONE = "blueprint"
TOLERANCE = 1e-3  # antes: what iterations leave


@dataclass(frozen=True)
class Case:
    """One blueprint: its exploitability and that of each method, in antes."""

    iterations: int
    exploitability: dict[str, float]

    def left(self, method: str) -> float:
        """The part of the blueprint's exploitability that a method leaves."""
        return self.exploitability[method] / self.exploitability[NONE]


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Leduc hold'em, with blueprints of 3 to 100 iterations; with `full`, up to 300."""
    counts = rerun.choose(quick=(3, 100), usual=(3, 10, 30, 100), full=(3, 10, 30, 100, 300))
    iterations = rerun.choose(quick=100, usual=1000, full=4000)
    game = open_game(GAME)
    assert isinstance(game, PokerGame)
    form = public_tree(game)
    cases = []
    for number, count in enumerate(counts):
        rerun.watch.at(f"a blueprint of {count} iterations", number / len(counts))
        cases.append(case(game, form, count, iterations))
    return rerun.result(
        title="Safe and unsafe subgame solving",
        source="N. Brown and T. Sandholm, Safe and nested subgame solving for imperfect-information games, NIPS 2017; "
        "the printed numbers are those of the supplement of Superhuman AI for heads-up no-limit poker, Science 2018",
        tables=(_exploitabilities(cases), _left(cases)),
        findings=_findings(cases),
        notes=(
            "Exploitability is the mean gain of best responses over seats, in antes; a small bet is 2.",
            f"Each subgame is solved by {iterations} iterations of discounted CFR.",
            *rerun.quick_notes(),
        ),
    )


def case(game: PokerGame, form: PublicTree, count: int, iterations: int) -> Case:
    """Measure a blueprint of some iterations, and each method on it."""
    policy = blueprint(form, count)
    measured = {NONE: exploitability(policy, game, form)}
    effort = Effort(schedule_of("dcfr", purpose="solve subgames with"), iterations)
    for method in METHODS:
        measured[method] = exploitability(SubgameSolver(policy, method=method, effort=effort), game, form)
    return Case(count, measured)


def blueprint(form: PublicTree, iterations: int) -> Policy:
    """The average strategies of discounted CFR after some iterations."""
    solver = dcfr().start(form)
    solver.advance(iterations)
    strategy = strategy_of(form, solver.strategy_arrays(), StrategyNames())
    assert isinstance(strategy, Policy)
    return strategy


def exploitability(policy: Policy, game: PokerGame, form: PublicTree) -> float:
    """The mean gain of best responses to a policy at all decisions of a game.

    Boards that differ by names of suits alone are measured separately if the policy plays them differently, as one that
    solves each of them at the table may by rounding.
    """
    try:
        profile = profile_in(policy, game, form)
    except SuitsMatter:
        form = public_form(game, isomorphism=SuitIsomorphism(False))
        profile = profile_in(policy, game, form)
    return form.measure(np.asarray(profile)).exploitability


def _exploitabilities(cases: list[Case]) -> Table:
    rows = [Row(f"blueprint of {one.iterations} iterations", ours=one.exploitability) for one in cases]
    return Table("Exploitability in Leduc hold'em, antes", tuple(rows), digits=4)


def _left(cases: list[Case]) -> Table:
    rows = []
    for size, (none, unsafe, safe) in PRINTED.items():
        for name, printed, methods in (("unsafe", unsafe, (UNSAFE,)), ("safe", safe, SAFE)):
            ours = {f"Leduc, {one.iterations} iterations": min(map(one.left, methods)) for one in (cases[0], cases[-1])}
            rows.append(Row(f"{size}: {name}", printed=printed / none, ours=ours))
    note = "Printed are other games, with abstractions as blueprints; ours is the best of the safe methods."
    return Table("The part of the blueprint's exploitability that is left", tuple(rows), note, digits=3)


def _findings(cases: list[Case]) -> tuple[Finding, ...]:
    rough, fine = cases[0], cases[-1]
    worst = max(one.exploitability[method] - one.exploitability[NONE] for one in cases for method in SAFE)
    return (
        Finding(
            "unsafe solving wins on a rough blueprint and loses on a fine one",
            rough.left(UNSAFE) < 1 < fine.left(UNSAFE),
            f"{rough.left(UNSAFE):.3g} times the exploitability of the roughest blueprint is left, and "
            f"{fine.left(UNSAFE):.3g} times that of the finest",
        ),
        Finding(
            "safe solving is never more exploitable than the blueprint",
            worst < TOLERANCE,
            f"the smallest gain is {-worst:.2g} antes",
        ),
        Finding(
            "gifts help: reach-maxmargin is the least exploitable of the safe methods, with every blueprint",
            all(one.exploitability[REACH] < one.exploitability[other] + TOLERANCE for one in cases for other in SAFE),
            "; ".join(f"{one.iterations} iterations: {one.exploitability[REACH]:.4f}" for one in cases),
        ),
    )
