"""The worked examples of a review: one step of counterfactual regret, and a miximax search (Rubin and Watson).

J. Rubin and I. Watson, "Computer poker: A review", 2011, sections 4.6.5 and 5.1.1. Both examples are small games here,
solved by the same code as every other game: the first by one step of CFR from the example's strategies, the second by a
best response to the example's model of the opponent.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pokerlab.games.explicit import ExplicitGame, Infoset, Node
from pokerlab.games.game import CHANCE
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, rerunnable
from pokerlab.solvers.library.cfr import algorithm as cfr
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

A, B = 0, 1
STRATEGY = {"fold": 0.2, "call": 0.4, "raise": 0.4}  # of A, in the first example
PAYOFFS = {"fold": -4, "call": 1, "raise": 6}  # to A
RAISES = 0.4  # how often B raises


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Both examples, number by number; they have no scale and no randomness."""
    rerun.watch.at("counterfactual regret", 0.0)
    first, next_strategy = regret_table()
    rerun.watch.at("miximax", 0.5)
    second, choice = miximax_table()
    rows = [*first.rows, *second.rows]
    exact = all(row.error is not None and row.error < 1e-12 for row in rows)
    raises = next_strategy == (0.0, 0.0, 1.0)
    return rerun.result(
        title="Computer poker: a review; its worked examples",
        source="J. Rubin and I. Watson, Artificial Intelligence 175 (2011), sections 4.6.5 and 5.1.1",
        tables=(first, second),
        findings=(
            Finding("every number of both examples is right", exact, f"{len(rows)} numbers, all to 12 digits"),
            Finding("after one step A raises always", raises, f"fold, call, raise: {next_strategy}"),
            Finding("against this opponent A should call", choice == "call", f"the best response is to {choice}"),
        ),
        notes=(
            "In the second example folding costs the chips already put in; elsewhere the review counts a fold as 0.",
        ),
    )


def regret_game() -> ExplicitGame:
    """B raises or not; A, who has not seen B's cards, folds, calls or raises. The payoffs summarise later play."""
    choices = Infoset(A, "after a raise", tuple(PAYOFFS))
    first = Infoset(B, "first", ("raise", "other"))
    nodes = (Node(first, (1, 5)), Node(choices, (2, 3, 4)), *map(_end, PAYOFFS.values()), _end(0))
    return ExplicitGame("cfr-example", ("A", "B"), nodes)


def profile_of(form: SequenceForm, strategies: dict[str, dict[str, float]]) -> np.ndarray:
    """A profile by slot from probabilities by infoset and action."""
    tree = form.tree
    return np.array(
        [
            strategies[name][action]
            for name, actions in zip(tree.infoset_names, tree.action_names, strict=True)
            for action in actions
        ]
    )


def regret_table() -> tuple[Table, tuple[float, ...]]:
    """One step of CFR from the example's strategies, and A's strategy after it."""
    form = sequence_form(build(regret_game()))
    profile = profile_of(form, {"after a raise": STRATEGY, "first": {"raise": RAISES, "other": 1 - RAISES}})
    mine = form.sequences_of(A)
    weighted = form.regrets(profile)[form.slots_of(A)]
    value = form.expected_values(profile)[A] / RAISES  # at A's node rather than at the root
    solver = cfr(alternating=False).start(form)
    start = solver.arrays()
    start["current"][form.players :] = profile
    solver.restore(start)
    solver.advance(1)
    after = solver.arrays()
    following = tuple(float(chance) for chance in after["current"][mine])
    columns = {
        "regret": ((-6.0, -1.0, 4.0), weighted / RAISES),
        "counterfactual regret": ((-2.4, -0.4, 1.6), after["regret"][mine]),
        "next probability": ((0.0, 0.0, 1.0), following),
    }
    rows = [_row("expected value at A's node", 2.0, value)]
    for name, (printed, ours) in columns.items():
        rows += [_row(f"{name} of {action}", *pair) for action, *pair in zip(PAYOFFS, printed, ours, strict=True)]
    return Table("One step of counterfactual regret minimisation", rows, digits=4), following


def miximax_game() -> ExplicitGame:
    """The river with 10 chips in the pot: B bets 2; A folds, calls or raises; after a raise B folds or calls.

    A has put in half of the pot. At showdowns chance decides according to A's model of B: A beats 2 of the 5 hands that
    B has shown after betting, and 1 of the 4 after calling a raise.
    """

    def showdown(wins: Fraction, text: str) -> Infoset:
        return Infoset(CHANCE, text, ("A wins", "B wins"), (wins, 1 - wins))

    nodes = (
        Node(Infoset(A, "1", ("fold", "call", "raise")), (1, 2, 5)),
        _end(-5),
        Node(showdown(Fraction(2, 5), "3"), (3, 4)),
        _end(7),
        _end(-7),
        Node(Infoset(B, "4", ("fold", "call")), (6, 7)),
        _end(7),
        Node(showdown(Fraction(1, 4), "6"), (8, 9)),
        _end(9),
        _end(-9),
    )
    return ExplicitGame("miximax-example", ("A", "B"), nodes)


def miximax_table() -> tuple[Table, str]:
    """The value of every node of the example, and A's best action."""
    form = sequence_form(build(miximax_game()))
    model = {"fold": 0.1, "call": 0.9}  # B's response to a raise

    def value(mine: str, theirs: dict[str, float]) -> float:
        plays = {action: float(action == mine) for action in ("fold", "call", "raise")}
        return form.expected_values(profile_of(form, {"1": plays, "4": theirs}))[A]

    uniform = {"fold": 1 / 3, "call": 1 / 3, "raise": 1 / 3}
    best = form.best_response(profile_of(form, {"1": uniform, "4": model}), player=A)
    first = form.slots_of(A).start
    choice = ("fold", "call", "raise")[int(np.argmax(best.profile[first : first + 3]))]
    rows = (
        _row("EV(2), A folds", -5.0, value("fold", model)),
        _row("EV(3), A calls", -1.4, value("call", model)),
        _row("EV(5), A raises and B folds", 7.0, value("raise", {"fold": 1.0, "call": 0.0})),
        _row("EV(6), A raises and B calls", -4.5, value("raise", {"fold": 0.0, "call": 1.0})),
        _row("EV(4), A raises", -3.35, value("raise", model)),
        _row("EV(1), the best", -1.4, best.value),
    )
    return Table("A miximax search against a model of the opponent", rows, digits=4), choice


def _end(payoff: int) -> Node:
    return Node(None, (), (Fraction(payoff), Fraction(-payoff)))


def _row(what: str, printed: float, ours: float) -> Row:
    return Row(what, printed=printed, ours={"ours": float(ours)}, error=abs(float(ours) - printed))
