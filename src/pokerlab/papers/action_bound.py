"""The action bound: how many of many bet sizes are really needed (Schmid; Schmid, Moravcik and Hladik).

M. Schmid, "Game Theory and Poker", 2013, chapter 9, has no numbers: it proves that a player needs no more actions at a
public state than they have infosets there. Here we test this on one-card no-limit poker. The interior point of all
equilibria uses every size that some equilibrium uses; it is thinned out by the program of the thesis and by ours, which
also preserves what the opponent wins on the path (solvers/analysis/thinning.py). Best responses measure both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.figure import Figure, Line, Panel
from pokerlab.formats.opening import open_game
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, rerunnable
from pokerlab.solvers.analysis.thinning import ThinnedState, thin
from pokerlab.solvers.library.lp import algorithm as lp
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

SIZES = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
CARDS = 5
MANY_CARDS = 13
EXACT = 1e-6  # antes: what counts as no loss
PROGRAMS = {"thesis": {"keeping": False, "fewest": False}, "ours": {"keeping": True, "fewest": True}}


@dataclass(frozen=True)
class Case:
    """One-card poker with some numbers of cards and bet sizes: the actions used, and best-response gains, in antes."""

    cards: int
    sizes: int
    value: float
    actions: int
    used: dict[str, tuple[int, int]]  # by method: by the first player at the start, by the second after a check
    bounds: tuple[int, int]  # of both
    gaps: dict[str, float]
    values: dict[str, float]


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Five cards and 10 to 100 sizes; with `full` also thirteen cards."""
    wanted = [(CARDS, sizes) for sizes in (SIZES[:2] if rerun.quick else SIZES)]
    wanted += [(MANY_CARDS, sizes) for sizes in SIZES] if rerun.full else []
    cases = []
    for number, (cards, sizes) in enumerate(wanted):
        rerun.watch.at(f"{cards} cards, {sizes} sizes", number / len(wanted))
        cases.append(case(cards, sizes))
    decks = [[one for one in cases if one.cards == cards] for cards in sorted({cards for cards, _ in wanted})]
    return rerun.result(
        title="How many bet sizes are needed: the action bound",
        source="M. Schmid, Game Theory and Poker, master thesis, Charles University in Prague 2013, chapter 9; "
        "M. Schmid, M. Moravcik and M. Hladik, AAAI 2014",
        tables=[table for deck in decks for table in _tables(deck)],
        figures=[_figure(deck) for deck in decks],
        findings=_findings(cases),
        notes=(
            "Bets are whole chips, from 1 to as many as there are sizes, which is the pot: the antes are half of them.",
            "Printed is the bound of the thesis: as many actions as the player has infosets, one for each card. The "
            "paper of 2014 says that its bound depends on the number of players, too.",
            *rerun.quick_notes(),
        ),
    )


def game_of(cards: int, sizes: int) -> str:
    """One-card poker with this many bet sizes up to the pot."""
    return f"one-card(cards={cards}, ante={sizes // 2}, stack={sizes // 2 + sizes})"


def case(cards: int, sizes: int) -> Case:
    """Solve a game by a vertex and by the interior point, and thin the latter out by both programs."""
    form = sequence_form(build(open_game(game_of(cards, sizes))))
    ante = sizes // 2
    profiles = {"simplex": _solved(form, "simplex"), "interior": _solved(form, "interior")}
    done: tuple[ThinnedState, ...] = ()
    for name, options in PROGRAMS.items():
        profiles[name], done = thin(form, profiles["interior"], **options)
    measures = {name: form.measure(profile) for name, profile in profiles.items()}
    first = next(state for state in done if state.player == 0 and state.entered == 1)
    second = next(
        state
        for state in done
        if state.player == 1 and all(form.tree.infoset_names[one].endswith(":c") for one in state.infosets)
    )
    return Case(
        cards=cards,
        sizes=sizes,
        value=measures["interior"].values[0] / ante,
        actions=first.actions,
        used={name: (_used(form, profile, first), _used(form, profile, second)) for name, profile in profiles.items()},
        bounds=(first.bound, second.bound),
        gaps={name: max(measure.exploitability, 0.0) / ante for name, measure in measures.items()},
        values={name: measure.values[0] / ante for name, measure in measures.items()},
    )


def _solved(form: SequenceForm, method: str) -> np.ndarray:
    solver = lp(method=method).start(form)
    solver.advance(1)
    return np.asarray(solver.profile())


def _used(form: SequenceForm, profile: np.ndarray, state: ThinnedState) -> int:
    """The number of actions used at a state, over all cards."""
    start = form.tree.start
    taken = [profile[start[one] : start[one + 1]] for one in state.infosets]
    return int((np.max(taken, axis=0) > EXACT).sum())


def _tables(cases: list[Case]) -> tuple[Table, ...]:
    deck = f"{cases[0].cards} cards"
    note = "The first player has acted, so our bound counts their infosets too."
    losses = [
        Row(
            f"exploitability with {one.sizes} sizes",
            ours={
                "interior": one.gaps["interior"],
                "after the thesis' program": one.gaps["thesis"],
                "after ours": one.gaps["ours"],
                "value before": one.values["interior"],
                "value after ours": one.values["ours"],
            },
        )
        for one in cases
    ]
    return (
        Table(f"{deck}: actions of the second player after a check", _action_rows(cases, 1), note),
        Table(f"{deck}: actions of the first player", _action_rows(cases, 0)),
        Table(f"{deck}: what is lost, in antes", losses),
    )


def _action_rows(cases: list[Case], player: int) -> list[Row]:
    rows = []
    for one in cases:
        used = {name: counts[player] for name, counts in one.used.items()}
        ours = {
            "in some equilibrium": used["interior"],
            "simplex": used["simplex"],
            "the thesis' program": used["thesis"],
            "ours": used["ours"],
            "our bound": one.bounds[player],
        }
        rows.append(Row(f"{one.sizes} sizes and a check", printed=one.cards, ours=ours))
    return rows


def _findings(cases: list[Case]) -> tuple[Finding, ...]:
    first = max(one.used["ours"][0] - one.cards for one in cases)
    worst = max(cases, key=lambda one: one.gaps["thesis"])
    ours = max(one.gaps["ours"] for one in cases)
    most = cases[-1]
    drift = max(abs(one.values["ours"] - one.values["interior"]) for one in cases)
    return (
        Finding(
            "at the first decision no more actions are needed than there are cards",
            first <= 0,
            f"at most {max(one.used['ours'][0] for one in cases)} of {most.actions} actions in {len(cases)} games",
        ),
        Finding(
            "the thesis' program turns equilibria into equilibria",
            worst.gaps["thesis"] <= EXACT,
            f"with {worst.cards} cards and {worst.sizes} sizes best responses gain {worst.gaps['thesis']:.2g} antes "
            "afterwards, since what the first player wins after a check is another with each card",
        ),
        Finding(
            "if what the opponent wins on the path is preserved, they stay equilibria of the same value",
            ours <= EXACT and drift <= EXACT,
            f"best responses gain at most {ours:.2g} antes, and values differ by at most {drift:.2g}",
        ),
        Finding(
            "then the number of actions is bounded by the infosets of both players",
            all(one.used["ours"][1] <= one.bounds[1] for one in cases),
            f"at most {max(one.used['ours'][1] for one in cases)} actions after a check, where {most.sizes} sizes and "
            f"a check can be in equilibrium and the bound is {most.bounds[1]}",
        ),
    )


def _figure(cases: list[Case]) -> Figure:
    """Actions used by number of sizes, and the loss."""
    sizes = [one.sizes for one in cases]
    used = {
        "in some equilibrium": [one.used["interior"][1] for one in cases],
        "simplex": [one.used["simplex"][1] for one in cases],
        "bound, both players": [one.bounds[1] for one in cases],
        "thinned out": [one.used["ours"][1] for one in cases],
        "bound of the thesis": [one.cards for one in cases],
    }
    styles = {"bound, both players": "steps", "bound of the thesis": "steps"}
    left = tuple(Line(sizes, counts, label, styles.get(label, "line")) for label, counts in used.items())
    right = tuple(
        Line(sizes, [max(one.gaps[name], 1e-17) for one in cases], label, "points")
        for name, label in (("thesis", "the thesis' program"), ("ours", "ours"), ("interior", "before"))
    )
    panels = (
        Panel(left, "Actions after a check", "sizes that can be bet", "actions used"),
        Panel(right, "What is lost", "sizes that can be bet", "exploitability, antes", y_log=True),
    )
    caption = f"One-card poker with {cases[0].cards} cards: how many of many bet sizes the second player needs."
    return Figure(f"sizes_{cases[0].cards}", caption, panels, columns=2)
