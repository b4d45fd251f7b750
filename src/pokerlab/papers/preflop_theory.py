"""Hold'em solved before the flop: how near push or fold is to optimal play, and Selby's limit hold'em.

M. Schmid, "Game theory and poker", 2013, section 6.1, lets players with short stacks push or fold, "almost optimally".
J. Rubin and I. Watson, "Computer poker: A review", 2011, report of P. B. Miltersen and T. B. Sorensen, "A near-optimal
strategy for a heads-up no-limit Texas hold'em poker tournament", 2007: with 8,000 chips in play and blinds of 300 and
600, a player who pushes or folds wins within 1.4 percentage points as often as is possible at all. Their bound is
computed here (_push_or_fold_bounds.py), for the tournament and for single hands of 5 to 12 big blinds.

The review also mentions A. Selby, "Optimal heads-up preflop poker", 1999: limit hold'em with betting before the flop
alone. Of Selby's table we know the first row as far as the jacks, and three remarks of P. Hankin, who published it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.figure import Figure, Line, Panel
from pokerlab.games.poker.betting_tree import Decision
from pokerlab.papers._push_or_fold_bounds import HandBounds, TournamentBounds, hand_bounds, tournament_bounds
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, decided, rerunnable
from pokerlab.registry import load
from pokerlab.solvers.core.run import Stop, run
from pokerlab.solvers.stochastic.heads_up import Blinds, HeadsUpSolution, solve_heads_up
from pokerlab.tree.classes import ClassForm, class_form
from pokerlab.tree.measure import Measure

CHIPS, BLINDS, UNIT = 8000, (300, 600), 100
PRINTED_LOSS = 1.4  # percentage points
STACKS = np.arange(10, 25)  # half big blinds: 5 to 12
SHOWN = (4000, 1000, 2000, 3000, 5000, 6000, 7000)  # chips
LIMIT = "preflop-limit(blinds=(1, 2), raises=6)"  # three of each player, as in Selby's table
CHECKED_DOWN = "preflop-nolimit(stack={}, menu='2.5x,allin')"
PRINTED_RAISES = {"AA": 3, "AKs": 2, "AQs": 2, "AJs": 2}  # R3 and R2: so often the small blind raises, then calls
PRINTED_KINGS = 0.40  # how often they call at first
SOLVED = 1e-5  # of a bet
PURE = 0.9  # a hand plays so if it does so at least this often, as in a table of pure strategies


class Selby(NamedTuple):
    """Limit hold'em before the flop, solved."""

    measure: Measure
    small: int  # the player with the small blind
    folds_small: float  # how often the small blind folds at first
    folds_big: float  # how often the big blind folds to a raise
    kings_call: float  # how often the small blind calls with them at first
    raises: dict[str, tuple[int, float]]  # by hand: how often it raises before it calls, and how sure it does


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """The tournament, single hands, and limit hold'em."""
    rounds, iterations = rerun.choose(quick=(1, 40), usual=(6, 100), full=(20, 1000))
    watch = rerun.watch
    watch.at("the tournament by linear programs", 0.0)
    units, blinds = CHIPS // UNIT, Blinds(*(blind // UNIT for blind in BLINDS))
    solution = solve_heads_up(units, blinds, workers=1)
    bounds = tournament_bounds(
        units,
        blinds,
        rounds=rounds,
        iterations=iterations,
        each=lambda number: watch.at("bounds of the tournament", 0.2 + 0.4 * number / rounds),
    )
    watch.at("single hands", 0.6)
    hands = hand_bounds(STACKS, rerun.choose(quick=100, usual=1000, full=10_000))
    checked = {int(stack): checked_down(int(stack)) for stack in hands.stacks if stack == int(stack)}
    watch.at("limit hold'em before the flop", 0.8)
    selby = limit_holdem()
    return rerun.result(
        title="Hold'em before the flop: push or fold against free betting, and limit",
        source="M. Schmid, 2013, section 6.1; P. B. Miltersen and T. B. Sorensen, AAMAS 2007; A. Selby, 1999; as in "
        "J. Rubin and I. Watson, Computer poker: A review, Artificial Intelligence 175, 2011",
        tables=(
            _claim_table(bounds),
            _tournament_table(solution, bounds),
            _hands_table(hands, checked),
            _selby_table(selby),
        ),
        figures=(_figure(hands),),
        findings=(*_tournament_findings(bounds), _hands_finding(hands), *_selby_findings(selby)),
        notes=(
            "Bounds are exact for the strategies found; better strategies would narrow them.",
            "Checked down: raises to 2.5 big blinds or all-in, and no betting after the flop: a model, no bound.",
            *rerun.quick_notes(),
        ),
        chips=CHIPS,
        blinds=list(BLINDS),
    )


def checked_down(stack: int) -> float:
    """The small blind's EV in big blinds if nobody bets after the flop."""
    form = class_form(load("games", CHECKED_DOWN.format(100 * stack)))
    done = run(load("algorithms", "dcfr").start(form), Stop(iterations=300)).last.measure
    assert done is not None
    return float(done.values[form.order[0]] / form.chips)


def limit_holdem() -> Selby:
    """The linear program over the 169 classes of hands, as Selby's."""
    form = class_form(load("games", LIMIT))
    solver = load("algorithms", "lp").start(form)
    measure = run(solver, Stop(iterations=1)).last.measure
    assert measure is not None
    behaviours, chances = form.behaviours(solver.result()), form.hand_chances
    small, big = form.order
    first = behaviours[small][form.own[small].of(0)]  # fold, call, raise; by hand
    raised = form.own[big].nodes.index(_after(form.own[small].nodes[0], "r"))
    answered = behaviours[big][form.own[big].of(raised)][0]
    return Selby(
        measure,
        small,
        float(first[0] @ chances),
        float(answered @ chances),
        float(first[1][CLASS_NAMES.index("KK")]),
        {hand: raises_of(form, behaviours[small], small, CLASS_NAMES.index(hand)) for hand in PRINTED_RAISES},
    )


def _after(node: Decision, action: str) -> Decision:
    """The decision after an action."""
    after = node.children[node.actions.index(action)]
    assert isinstance(after, Decision)
    return after


def raises_of(form: ClassForm, behaviour: np.ndarray, player: int, hand: int) -> tuple[int, float]:
    """How often a hand raises before it calls, against a player who always raises, and how likely it does all that."""
    own, node, raises, sure = form.own[player], form.own[player].nodes[0], 0, 1.0
    while True:
        chances = behaviour[own.of(own.nodes.index(node)), hand]
        choice = int(chances.argmax())
        sure *= float(chances[choice])
        if node.actions[choice] != "r":
            return raises, sure
        raises += 1
        node = _after(_after(node, "r"), "r")


# ---- tables ----------------------------------------------------------------------------------------------------------


def _worst(bounds: TournamentBounds) -> float:
    """The largest loss from any state, in percentage points."""
    return 100 * max(float(loss.max()) for loss in bounds.loss)


def _claim_table(bounds: TournamentBounds) -> Table:
    row = Row(
        "pushing or folding loses at most, percentage points", printed=PRINTED_LOSS, ours={"bound": _worst(bounds)}
    )
    return Table("The tournament (Miltersen and Sorensen)", (row,), digits=3)


def _tournament_table(solution: HeadsUpSolution, bounds: TournamentBounds) -> Table:
    rows = []
    for chips in sorted(SHOWN):
        place = chips // UNIT
        sides = (
            ("small blind", solution.values, bounds.small, bounds.free_small),
            ("big blind", solution.big_values, bounds.big, bounds.free_big),
        )
        for name, jam, low, high in sides:
            ours = {
                "at least": float(low[place]),
                "both push or fold": float(jam[place]),
                "at most": float(high[place]),
            }
            rows.append(Row(f"{chips:,} chips, {name}", ours=ours))
    note = "at least: by pushing or folding, against anybody; at most: against a player who pushes or folds"
    return Table("The probability of winning the tournament", rows, note, digits=4)


def _hands_table(hands: HandBounds, checked: dict[int, float]) -> Table:
    rows = []
    for stack, low, high in zip(hands.stacks.tolist(), hands.lower.tolist(), hands.upper.tolist(), strict=True):
        ours = {"push or fold": low, "at most": high, "difference": high - low}
        if stack in checked:
            ours["checked down"] = checked[int(stack)]
        rows.append(Row(f"{stack:g} big blinds", ours=ours))
    return Table("The small blind's EV in one hand, big blinds", rows, digits=4)


def _selby_table(selby: Selby) -> Table:
    rows = [
        Row("the small blind calls with KK", printed=PRINTED_KINGS, ours={"ours": selby.kings_call}),
        *(
            Row(f"raises of the small blind with {hand}", printed=raises, ours={"ours": float(selby.raises[hand][0])})
            for hand, raises in PRINTED_RAISES.items()
        ),
        Row("the small blind folds at first", ours={"ours": selby.folds_small}),
        Row("the big blind folds to a raise", ours={"ours": selby.folds_big}),
        Row("the small blind's EV, big blinds", ours={"ours": selby.measure.values[selby.small] / 2}),
    ]
    return Table("Limit hold'em with betting before the flop alone (Selby)", rows, digits=4)


def _figure(hands: HandBounds) -> Figure:
    lines = Line(hands.stacks, hands.upper, "at most"), Line(hands.stacks, hands.lower, "by push or fold")
    panel = Panel(lines, x_label="stack, big blinds", y_label="EV of the small blind, big blinds")
    return Figure("bounds", "What the small blind wins a hand, with any betting.", (panel,))


# ---- verdicts --------------------------------------------------------------------------------------------------------


def _tournament_findings(bounds: TournamentBounds) -> tuple[Finding, ...]:
    worst, share = _worst(bounds), np.arange(len(bounds.small)) / (len(bounds.small) - 1)
    halves = [values[len(values) // 2] for values in (bounds.small, bounds.free_small)]
    skew = max(float(np.abs(values - share).max()) for values in (bounds.small, bounds.free_small))
    return (
        Finding(
            "a player who pushes or folds wins the tournament within 1.4 percentage points as often as possible",
            decided(round(worst, 1) <= PRINTED_LOSS and bounds.is_monotone, False),
            f"at most {worst:.3f} percentage points less; with half of the chips and the small blind "
            f"{100 * halves[0]:.2f} % at least and {100 * halves[1]:.2f} % at most",
        ),
        Finding(
            "two players win about in proportion to their chips, as the independent chip model assumes",
            bool(skew < 0.03),
            f"it differs by at most {100 * skew:.1f} percentage points, whatever the betting",
        ),
    )


def _hands_finding(hands: HandBounds) -> Finding:
    near = hands.stacks[hands.loss <= 0.1]
    largest = f"{near.max():g}" if len(near) else "none"
    return Finding(
        "push or fold is nearly optimal for short stacks",
        None,
        f"it loses at most {hands.loss[0]:.3f} big blinds a hand with {hands.stacks[0]:g}, and no more than 0.1 up to "
        f"{largest}; with {hands.stacks[-1]:g} the bound is {hands.loss[-1]:.2f}, which decides nothing: the big blind "
        "gives up every pot without a push",
        words=f"proved up to {largest} big blinds for a loss of 0.1",
    )


def _selby_findings(selby: Selby) -> tuple[Finding, ...]:
    solved = selby.measure.exploitability < SOLVED
    raises = {hand: number for hand, (number, _) in selby.raises.items()}
    sure = min(chance for _, chance in selby.raises.values())
    texts = ", ".join(f"{hand} {number}" for hand, number in raises.items())
    return (
        Finding(
            "the big blind never folds, and the small blind rarely does",
            decided(solved and selby.folds_big < 1e-3 and selby.folds_small < 0.15, solved and selby.folds_big > 0.01),
            f"the big blind folds {100 * selby.folds_big:.4f} % to a raise, the small blind "
            f"{100 * selby.folds_small:.2f} %; best responses gain {max(selby.measure.exploitability, 0.0):.1g}",
        ),
        Finding(
            "the small blind only calls with KK 40 % of the time",
            decided(solved and abs(selby.kings_call - PRINTED_KINGS) <= 0.005, solved),
            f"{100 * selby.kings_call:.1f} %",
        ),
        Finding(
            "AA is raised three times, AKs, AQs and AJs twice",
            decided(solved and raises == PRINTED_RAISES and sure > PURE, solved and raises != PRINTED_RAISES),
            f"{texts}, at least {100 * sure:.0f} % of the time; nobody raises more than three times here",
        ),
    )
