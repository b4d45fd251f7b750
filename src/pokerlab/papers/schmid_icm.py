"""Values of tournament chips in a thesis (Schmid): its table 6.1, and the example of section 6.2.

M. Schmid, "Game Theory and Poker", 2013, sections 6.2 and 6.3: the independent chip model for three players. Computed
by three methods: in exact rationals over all orders, by the race integral, and by a simulation of the race with its
standard error.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pokerlab.figure import Figure, Line, Panel
from pokerlab.games.prizes.icm import exact_values, values
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, rerunnable

PRIZES = (Fraction(3, 5), Fraction(2, 5))
TABLE = {
    (100, 100, 100): (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)),
    (10, 1, 289): (Fraction(37, 100), Fraction(4, 100), Fraction(59, 100)),
    (1, 1, 298): (Fraction(2, 10), Fraction(2, 10), Fraction(6, 10)),
}
ROUNDING = Fraction(1, 200)  # of two printed decimals


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """The table and the example; `full` simulates more races."""
    races = rerun.choose(quick=10_000, usual=1_000_000, full=10_000_000)
    rng = np.random.default_rng(rerun.seed)
    rows: list[Row] = []
    worst = 0.0
    for number, (stacks, printed) in enumerate(TABLE.items()):
        rerun.watch.at(f"stacks {stacks}", number / len(TABLE))
        more, far = _rows(stacks, printed, races, rng)
        rows += more
        worst = max(worst, far)
    agree = all(abs(Fraction(row.exact or 0) - Fraction(row.printed or 0)) <= ROUNDING for row in rows)
    short = float(values([10, 1, 289], [0.5, 0.5])[0])
    return rerun.result(
        title="The independent chip model: table 6.1",
        source="M. Schmid, Game Theory and Poker, master thesis, Charles University in Prague 2013, sections 6.2, 6.3",
        tables=(Table("Table 6.1, prizes 0.6 and 0.4", rows, digits=5), _example()),
        figures=(_figure(),),
        findings=(
            Finding("every printed value is right to its digits", agree, f"{len(rows)} values against fractions"),
            Finding(
                "a race of exponential times is the chip model",
                worst < 5,
                f"{races:,} simulated races are at most {worst:.1f} standard errors from the fractions",
            ),
            Finding(
                "with prizes for two, 10 of 300 chips are worth more than 100 of 300",
                short > 1 / 3,
                f"{short:.4f} against 0.3333 with prizes 0.5 and 0.5, where the third player has 1 chip",
            ),
        ),
    )


def _rows(
    stacks: tuple[int, int, int], printed: tuple[Fraction, ...], races: int, rng: np.random.Generator
) -> tuple[list[Row], float]:
    """A row for each player, and the largest error of the simulation in standard errors."""
    exact = exact_values([Fraction(stack) for stack in stacks], PRIZES)
    integral = values(stacks, [float(prize) for prize in PRIZES])
    simulated, errors = _simulated(stacks, races, rng)
    names = f"{stacks[0]}, {stacks[1]}, {stacks[2]}"
    rows = [
        Row(
            f"stacks {names}: player {player + 1}",
            printed=printed[player],
            exact=exact[player],
            ours={"integral": float(integral[player]), "simulated": float(simulated[player])},
            error=abs(float(integral[player]) - float(exact[player])),
        )
        for player in range(3)
    ]
    far = np.abs(simulated - np.array(exact, float)) / errors
    return rows, float(far.max())


def _simulated(stacks: tuple[int, int, int], races: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Mean prizes of simulated races, and their standard errors."""
    prizes = np.array([*map(float, PRIZES), 0.0])
    sums, squares, left = np.zeros(3), np.zeros(3), races
    while left:
        batch = min(left, 100_000)
        times = rng.exponential(1 / np.array(stacks, float), (batch, 3))
        won = prizes[np.argsort(np.argsort(times, axis=1), axis=1)]
        sums += won.sum(0)
        squares += (won**2).sum(0)
        left -= batch
    mean = sums / races
    return mean, np.sqrt(np.maximum(squares / races - mean**2, 1e-12) / races)


def _example() -> Table:
    """Section 6.2: 10 chips beside a player who is nearly out."""
    rows = []
    for stacks in ((100, 100, 100), (10, 1, 289)):
        exact = exact_values([Fraction(stack) for stack in stacks], [Fraction(1, 2)] * 2)[0]
        integral = float(values(stacks, [0.5, 0.5])[0])
        error = abs(integral - float(exact))
        rows.append(Row(f"player A of stacks {stacks}", exact=exact, ours={"integral": integral}, error=error))
    return Table("Section 6.2, prizes 0.5 and 0.5", rows, digits=5)


def _figure() -> Figure:
    """The value of a stack when one other player is nearly out, and when none is."""
    sizes = np.linspace(0.5, 298.5, 150)
    lines = []
    seconds = {"beside a stack of 1": np.ones_like(sizes), "beside two equal stacks": (300 - sizes) * 0.5}
    for label, others in seconds.items():
        stacks = [(size, second, max(300 - size - second, 1e-9)) for size, second in zip(sizes, others, strict=True)]
        lines.append(Line(sizes, [float(values(three, [0.6, 0.4])[0]) for three in stacks], label))
    panel = Panel(tuple(lines), title="Prizes 0.6 and 0.4", x_label="chips of 300", y_label="value")
    return Figure("value", "What a stack is worth, by the chips of the others.", (panel,))
