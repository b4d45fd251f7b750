"""How large poker is: the counts of Schmid's thesis (chapter 8) and of Rubin and Watson's review (section 4).

M. Schmid, "Game Theory and Poker", 2013, sections 8.1 to 8.3; J. Rubin and I. Watson, "Computer poker: a review", 2011,
sections 4.3 and 4.4. A game state is a decision with the cards of both players, an infoset with those of one. `pokerlab
size GAME` prints them to the last digit.
"""

from __future__ import annotations

from math import comb, log10, perm
from typing import Any

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.gameshrink import LOST, by_outcomes, lossless, signal_tree
from pokerlab.cards.canonical import HandIndexer
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.sizes import Size, size_of
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, rerunnable
from pokerlab.solvers.convex.program.linear_program import program_size, undominated_size
from pokerlab.tree.bucketed.betting import betting_form

STATES_20000 = (  # all digits, as the thesis prints them
    "631143875439997536762421500982349491523134755009560867161754754138543071866492234040692467854187671526019435023"
    "155654264055463548134458792123919483147215176128484600"
)
GAMES: dict[str, tuple[dict[str, Any], str, str]] = {  # settings, printed states and infosets
    "limit hold'em": ({}, "3.162e17", "3.194e14"),
    "no-limit, $1000, blinds 1 and 2": ({"stack": 1000, "blinds": (1, 2)}, "7.16e75", "7.23e72"),
    "no-limit, $20000, blinds 50 and 100": ({"stack": 20000, "blinds": (50, 100)}, "6.31e164", "6.37e161"),
}
NOT_RECOMPUTED = (
    "The thesis' row for $400 repeats that for $1000; ours is exact.",
    "Not recomputed: 10^47 states of chess, which is an estimate; 5.8 billion infosets and 20 GB of Hyperborean's "
    "abstraction of 2011, which is not published; a week of CPLEX on a computer of 2005.",
)


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Games to the last digit, hands up to isomorphism, and Rhode Island's program before and after GameShrink."""
    sizes: dict[str, Size] = {}
    for place, (name, (settings, *_)) in enumerate(GAMES.items()):
        rerun.watch.at(f"counting {name}", place / 6)
        sizes[name] = size_of(open_game("holdem-nolimit" if settings else "holdem-limit", **settings))
    rerun.watch.at("counting no-limit, $400", 0.5)
    small = size_of(open_game("holdem-nolimit", stack=400, blinds=(1, 2)))
    rerun.watch.at("shrinking Rhode Island hold'em", 0.6)
    hands, programs = _hands(), _rhode_island()
    return rerun.result(
        title="The sizes of poker games",
        source="M. Schmid, Game Theory and Poker, 2013, chapter 8; J. Rubin and I. Watson, Artificial Intelligence "
        "175, 2011, sections 4.3 and 4.4",
        tables=(_games(sizes, small), hands, programs),
        findings=_findings(sizes, small),
        notes=(*NOT_RECOMPUTED, *rerun.quick_notes()),
    )


def _games(sizes: dict[str, Size], small: Size) -> Table:
    rows = []
    for name, size in sizes.items():
        _, states, infosets = GAMES[name]
        assert size.infosets is not None
        rows.append(
            Row(f"{name}: states", states, ours={"counted": short(size.states), "digits": len(str(size.states))})
        )
        rows.append(
            Row(
                f"{name}: infosets", infosets, ours={"counted": short(size.infosets), "digits": len(str(size.infosets))}
            )
        )
    assert small.infosets is not None
    rows.append(Row("no-limit, $400, blinds 1 and 2: states", ours={"counted": short(small.states)}))
    rows.append(Row("no-limit, $400, blinds 1 and 2: infosets", ours={"counted": short(small.infosets)}))
    return Table("Heads-up hold'em", tuple(rows), "Our numbers are exact; the table shows their first digits.")


def short(number: int) -> str:
    """The first digits of a whole number of any size.

    >>> short(316207058696146800), short(6375 * 10**158)
    ('3.1621e17', '6.3750e161')
    """
    digits = len(str(number)) - 1
    return f"{number / 10**digits:.4f}e{digits}"


def _hands() -> Table:
    """Hands before and after suit isomorphism."""
    classes = HandIndexer(rounds=(2,)).size()
    deals, canonical = comb(52, 2) * comb(50, 3) * 47 * 46, HandIndexer().size()
    rows = (
        Row("pairs of hands before the flop", 1_624_350, ours={"counted": comb(52, 2) * comb(50, 2)}),
        Row("classes of a hand before the flop", 169, ours={"counted": classes}),
        Row("pairs of classes", 28_561, ours={"counted": classes**2}),
        Row("hands with a flop, turn and river", "5.62e10", ours={"counted": deals}),
        Row("the same up to suit isomorphism", ours={"counted": canonical}),
        Row("the factor between them", 23, ours={"counted": deals / canonical}),
    )
    return Table("Hands", rows, digits=2)


def _rhode_island() -> Table:
    """Gilpin and Sandholm's linear program, as quoted by both documents."""
    game = open_game("rhode-island")
    assert isinstance(game, PokerGame)
    betting, signals = betting_form(game), signal_tree(CardRounds.of(game, ordered=True))
    labels, opponents = by_outcomes(signals), signals.opponents[2]
    counts, exact = ([int(one.max()) + 1 for one in classes] for classes in (labels, lossless(signals)))
    beaten = len(np.unique(labels[2][opponents.hand[signals.outcome == LOST]]))
    whole = program_size(betting, [perm(52, street + 1) for street in range(3)])
    left = undominated_size(betting, counts, counts[2] - beaten)
    rows = (
        Row("rows and columns, hand by hand", 91_224_226, ours={"counted": whole.rows}),
        Row("after GameShrink", 1_237_238, ours={"counted": program_size(betting, counts).rows}),
        Row("without dominated actions: rows", 1_190_443, ours={"counted": left.rows}),
        Row("without dominated actions: columns", 1_181_084, ours={"counted": left.columns}),
        Row("after merging only what is equivalent", ours={"counted": program_size(betting, exact).rows}),
    )
    note = "1,237,238 is in Gilpin and Sandholm's paper of 2007. Its classes lose a little (docs/howto/abstraction.md)."
    return Table("Rhode Island hold'em as a linear program", rows, note)


def _findings(sizes: dict[str, Size], small: Size) -> tuple[Finding, ...]:
    limit, thousand, huge = sizes.values()
    assert huge.infosets is not None
    return (
        Finding(
            "no-limit with $20000 has exactly the 165 digits of states that the thesis prints",
            str(huge.states) == STATES_20000,
            f"{len(str(huge.states))} digits, {str(huge.states)[:12]}...{str(huge.states)[-6:]}",
        ),
        Finding(
            "it has 6.37e161 infosets",
            str(huge.infosets).startswith("637") and len(str(huge.infosets)) == 162,
            f"{short(huge.infosets)}: the thesis cuts off what should be rounded to 6.38",
            words="holds, cut off",
        ),
        Finding(
            "limit hold'em has about 10^18 states (review, and section 8.5 of the thesis)",
            None,
            f"{limit.states:,} decisions, {log10(limit.states):.2f} as a power of ten; the thesis' table has 3.162e17",
            words="an order of magnitude",
        ),
        Finding(
            "no-limit with 1,000 chips has about 10^71 nodes (review)",
            log10(thousand.states) < 72,
            f"{short(thousand.states)} with blinds of 1 and 2, and {short(small.states)} with 400 chips",
        ),
    )
