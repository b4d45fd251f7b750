"""The tables of `paper ee`, printed numbers beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import stats

from pokerlab.cards.strength import HIGH
from pokerlab.match.draw import BASIC
from pokerlab.papers._draw_runs import (
    MODELLING,
    RULES,
    DrawMatch,
    Experiment,
    categories,
    one_tailed,
    variance_test,
)
from pokerlab.papers._draw_training import Measured, TrainedPlayer
from pokerlab.papers.result import Row, Table
from pokerlab.solvers.bucketed.playing import Gain

WITHOUT = {"random": 3.371, "draw-article": 0.4124, "always-raise": -3.82807, "always-call": -0.90916}
WITH = {"random": 3.76, "draw-article": 0.67, "always-raise": 2.72, "always-call": 0.118, BASIC: -1.224}
SELF_PLAY = 2.05
SMALL_BLIND = {"plain": 0.71343, "mini": 0.95902}
REACHED = {"plain": 88.3e6, "mini": 116.2e6}
FOLDED, VARIANCES = 8, 0.59
TABLE_1 = {  # hand: win percentage and payoff of the learner, of Basic; None if the paper copied a row
    "high card": (0.437, -1.128, 0.154, -0.96),
    "pair": (0.56, -1.33, 0.629, 0.624),
    "two pair": (0.715, 0.225, 0.826, 3.694),
    "three of a kind": (0.892, 6.268, 0.929, 8.476),
    "straight": (0.977, 10.649, 0.981, 9.931),
    "flush": (0.484, -0.989, 0.519, -2.509),
    "full house": (0.985, 11.01, 0.986, 12.79),
    "four of a kind": (1.0, 10.539, None, None),
    "straight flush": (1.0, 7.0, 0.6, -2.0),
}
NAMES = {"plain": "No Suits", "mini": "Highest Suit Mini", "ours": "ours"}
OTHER_SIGN = "the other sign"
NORMAL_95 = 1.96


@dataclass(frozen=True)
class Hand:
    """What a player wins with the hands of a category that it was dealt."""

    hands: int
    wins: float
    paid: float
    half: float  # half-width of the interval of `paid`


@dataclass(frozen=True, eq=False)
class Tables:
    """The tables of a run."""

    run: Experiment
    blind: DrawMatch  # No Suits with fallback against a Basic that does not see suits
    free: Gain  # No Suits against a random player that folds when checking is free

    def sizes(self) -> Table:
        """Infosets, in all and visited in training."""
        run, rows = self.run, []
        reached = {"plain": run.curve[run.last], **run.like}
        for name, player in (("plain", run.plain), ("mini", run.mini), ("ours", run.ours)):
            averaged, touched = (int(count) for count in reached[name]["reached"])
            ours = {"in all": player.form.infosets, "in the average": averaged, "touched": touched}
            note = f"after {run.last:,} iterations"
            rows.append(Row(f"{NAMES[name]}: infosets", printed=REACHED.get(name), ours=ours, note=note))
        note = "touched: also those at which only the learning player tried its actions; printed: reached"
        return Table("Infosets", rows, note, digits=0)

    def self_play(self) -> Table:
        """Section 4.1."""
        run = self.run
        rows = [_row("No Suits against Highest Suit Mini", run.matches["plain", "mini"], SELF_PLAY)]
        for who, text in NAMES.items():
            won = run.matches[who, who].outcomes.won[:, 0]
            half = NORMAL_95 * float(won.std(ddof=1)) / len(won) ** 0.5
            ours = {"sbb/h": float(won.mean())}
            note = _note(SMALL_BLIND.get(who), float(won.mean()), half)
            rows.append(Row(f"the small blind, {text} against itself", SMALL_BLIND.get(who), ours=ours, note=note))
        ratio, p_value = self.variances
        rows.append(Row("variances, No Suits over Mini: ratio", ours={"sbb/h": ratio}))
        rows.append(Row("... p that it is not the smaller", printed=VARIANCES, ours={"sbb/h": p_value}))
        classes, share = run.curve[run.last]["folding"]
        rows.append(Row("starting hands (of 6,175) that fold more often than not", FOLDED, ours={"sbb/h": classes}))
        rows.append(Row("share of all deals that the small blind folds at once", ours={"sbb/h": share}))
        return Table("Self-play (section 4.1), and folding", rows, digits=4)

    @cached_property
    def variances(self) -> tuple[float, float]:
        """The ratio of the variances of both abstractions in self-play, and the one-tailed F-test."""
        won = [self.run.matches[who, who].outcomes.won.reshape(-1) for who in ("plain", "mini")]
        return variance_test(*won)

    def opponents(self) -> Table:
        """Section 4.2."""
        run = self.run
        rows = []
        for who, words, printed in (("plain", "No Suits", WITHOUT), ("backed", "with fallback", WITH)):
            rows += [_row(f"{words} against {name}", run.matches[who, name], printed.get(name)) for name in RULES]
            mean, half = run.modelling[who]
            rows.append(Row(f"{words} against {MODELLING}", ours={"sbb/h": mean}, note=f"± {half:.3f}"))
        note = f"{run.last:,} iterations; the paper has 10^7, and prints no number for the players below {BASIC}"
        return Table("Against players by rules (section 4.2, figures 4 to 6)", rows, note, digits=3)

    def by_iterations(self) -> Table:
        """Every number of iterations against every opponent."""
        rows = []
        for backed, words in enumerate(("no fallback", "with fallback")):
            for iterations, measured in self.run.curve.items():
                won = measured["won"][backed]
                ours: dict[str, float] = {name: float(won[place, 0]) for place, name in enumerate(RULES)}
                if not backed:
                    ours["small blind in self-play"] = float(measured["small_blind"][0])
                    ours["infosets reached, millions"] = float(measured["reached"][0]) / 1e6
                note = f"± {won[:, 1].max():.2f}, {float(measured['seconds'][0]):.0f} s of CPU"
                rows.append(Row(f"{iterations:,} iterations, {words}", ours=ours, note=note))
            printed = WITH if backed else WITHOUT
            rows.append(Row(f"printed, 10^7 iterations, {words}", ours=dict(printed)))
        return Table("No Suits by iterations, sbb/h", rows, digits=3)

    def one_at_a_time(self) -> Table:
        """Which of the paper's explanations accounts for the loss to Basic: each change with and without fallback."""
        run, rows = self.run, []
        for what, measured in self.changes().items():
            won = measured["won"][:, RULES.index(BASIC)]
            ours = {
                "no fallback": float(won[0, 0]),
                "with fallback": float(won[1, 0]),
                "decisions a hand by the fallback": float(measured["fell"][RULES.index(BASIC)]),
            }
            rows.append(Row(what, ours=ours, note=f"± {won[:, 1].max():.3f}"))
        rows[0] = Row(
            rows[0].what, printed=WITH[BASIC], ours=rows[0].ours, note=f"{rows[0].note}; printed with fallback"
        )
        note = f"All others as in the first row: {run.last:,} iterations, No Suits"
        return Table("Against Basic, one thing changed at a time", rows, note, digits=3)

    def changes(self) -> dict[str, Measured]:
        """The measurements of players that differ in one thing from the paper's."""
        run = self.run
        fewer = {f"iterations: {mark:,}": run.curve[mark] for mark in run.curve if mark != run.last}
        return {
            "No Suits, as in the paper": run.curve[run.last],
            **fewer,
            "flushes known: Highest Suit Mini": run.like["mini"],
            "fewer infosets: ours": run.like["ours"],
        }

    # ---- by the hand dealt ------------------------------------------------------------------------------------------

    @cached_property
    def hands(self) -> dict[str, tuple[Hand, Hand]]:
        """By category, what No Suits with fallback and Basic win in their match."""
        return self._split(self.run.matches["backed", BASIC])

    def _split(self, match: DrawMatch) -> dict[str, tuple[Hand, Hand]]:
        outcomes = match.outcomes
        held = categories(self.run.plain.form, outcomes.held)  # the learner's hand; Basic has that of the other seat
        names, split = HIGH().order.categories, {}
        for name in TABLE_1:
            category = names.index(name)
            mine, basic = outcomes.won[held == category], -outcomes.won[held[:, ::-1] == category]
            split[name] = _hand(mine), _hand(basic)
        return split

    def by_hand(self) -> Table:
        """Tables 1 and 2: the match with Basic by the category of the hand dealt."""
        outcomes = self.run.matches["backed", BASIC].outcomes
        held = categories(self.run.plain.form, outcomes.held)
        names, rows = HIGH().order.categories, []
        for name, printed in TABLE_1.items():
            category = names.index(name)
            mine, basic = outcomes.won[held == category], -outcomes.won[held[:, ::-1] == category]
            rows.append(_hand_row(f"{name}: No Suits with fallback", mine, basic, printed[:2]))
            rows.append(_hand_row(f"{name}: Basic", basic, None, printed[2:]))
        note = "printed: payoff a hand; the win percentage is in the note"
        return Table("By the hand dealt (tables 1 and 2)", rows, note, digits=3)

    def readings(self) -> Table:
        """Other readings of what the paper leaves open."""
        run = self.run
        split = self._split(self.blind)
        rows = []
        for name in ("flush", "straight flush"):
            for place, who in enumerate(("No Suits with fallback", "Basic")):
                printed = TABLE_1[name][2 * place : 2 * place + 2]
                seen, blind = self.hands[name][place], split[name][place]
                if min(seen.hands, blind.hands) < 2:
                    continue
                for what, value, own, other in (
                    ("win percentage", printed[0], seen.wins, blind.wins),
                    ("payoff", printed[1], seen.paid, blind.paid),
                ):
                    ours = {"Basic sees suits": own, "Basic does not": other}
                    note = f"{blind.hands} hands, ± {blind.half:.2f} of the payoff"
                    rows.append(Row(f"{name} dealt to {who}: {what}", value, ours=ours, note=note))
        plain = run.matches["plain", "random"].gain
        ours = {"folds only to a bet": plain.mean, "folds also when checking is free": self.free.mean}
        note = f"± {plain.half:.2f} and {self.free.half:.2f}"
        rows.append(Row("No Suits against random", WITHOUT["random"], ours=ours, note=note))
        unlearned = {name: run.matches["unlearned", name] for name in WITHOUT}
        for name, match in unlearned.items():
            note = f"± {match.gain.half:.3f}; {match.fell:.3f} decisions a hand"
            ours = {"uniform": run.matches["plain", name].gain.mean, "by hand strength": match.gain.mean}
            rows.append(Row(f"where training never came, against {name}", WITHOUT[name], ours=ours, note=note))
        return Table("Other readings of the paper", rows, digits=3)

    def four_straights(self) -> Table:
        """Section 6: what No Suits discards from four to an open straight, and what it does when it misses."""
        shares = straight_draws(self.run.plain)
        rows = [Row(what, ours={"share": share}) for what, share in shares.items()]
        note = "the paper: consistently discards the odd card, and mixes calls and raises when it misses"
        return Table("Four to a straight, open at both ends (section 6)", rows, note, digits=3)

    # ---- our player -------------------------------------------------------------------------------------------------

    def our_matches(self) -> Table:
        """Our player against all others."""
        run = self.run
        mean, half = run.modelling["ours"]
        rows = [
            _row("against No Suits", run.matches["ours", "plain"]),
            _row("against No Suits with fallback", run.matches["ours", "backed"]),
            _row("against Highest Suit Mini", run.matches["ours", "mini"]),
            *(_row(f"against {name}", run.matches["ours", name]) for name in RULES),
            Row(f"against {MODELLING}", ours={"sbb/h": mean}, note=f"± {half:.3f}"),
        ]
        note = f"{run.scale.ours:,} iterations"
        return Table("Our player, without fallback", rows, note, digits=3)

    def distances(self) -> Table:
        """A lower bound on exploitability."""
        rows = []
        for name, (mean, half) in self.run.bounds.items():
            ours = {"best opponent wins": mean, "at least": max(mean - half, 0.0)}
            note = f"± {half:.3f}" + ("" if mean > half else "; nothing found that wins, so no bound above 0")
            rows.append(Row(NAMES[name], ours=ours, note=note))
        return Table(
            "Exploitability, from below: the best of the players by rules and one that learned to beat each",
            rows,
            digits=3,
        )


def _note(printed: float | None, mean: float, half: float) -> str:
    opposite = printed is not None and printed * mean < 0
    return f"± {half:.3f}" + (f"; {OTHER_SIGN}" if opposite and abs(mean) > half else "")


def _row(what: str, match: DrawMatch, printed: float | None = None) -> Row:
    ours = {"sbb/h": match.gain.mean, "p (profitable)": match.p_value}
    return Row(what, printed=printed, ours=ours, note=_note(printed, match.gain.mean, match.gain.half))


def _hand(won: np.ndarray) -> Hand:
    if len(won) < 2:
        return Hand(len(won), float("nan"), float("nan"), float("nan"))
    half = NORMAL_95 * float(won.std(ddof=1)) / len(won) ** 0.5
    return Hand(len(won), float((won > 0).mean()), float(won.mean()), half)


def _hand_row(what: str, own: np.ndarray, other: np.ndarray | None, printed: Sequence[float | None]) -> Row:
    """A row of tables 1 and 2; printed are the win percentage and the payoff."""
    if not len(own):
        return Row(what, printed=printed[1], ours={"hands": 0}, note="never dealt")
    hand = _hand(own)
    ours: dict[str, float | int] = {
        "hands": len(own),
        "win percentage": float((own > 0).mean()),
        "payoff": float(own.mean()),
        "p (profitable)": one_tailed(own),
    }
    if other is not None and len(own) > 1 and len(other) > 1 and min(own.std(), other.std()) > 0:
        ours["p (greater)"] = float(stats.ttest_ind(own, other, equal_var=False, alternative="greater").pvalue)
    note = "" if printed[0] is None else f"printed win percentage {printed[0]}"
    if printed[1] is not None and printed[1] * hand.paid < 0 and abs(hand.paid) > hand.half:
        note += f"; {OTHER_SIGN}"
    return Row(what, printed=printed[1], ours=ours, note=note)


def straight_draws(player: TrainedPlayer) -> dict[str, float]:
    """How often No Suits discards the odd card of four to a straight, weighted by visits, and its play after a miss."""
    form, average = player.form, player.average
    arrays, buckets = form.betting.arrays, form.buckets
    ranks = np.sort(buckets.cards.every // 4, axis=1).astype(int)
    examples = np.unique(buckets.before, return_index=True)[1]
    good = total = 0.0
    distinct = [(bucket, _odd_card(ranks[hand])) for bucket, hand in enumerate(examples.tolist())]
    draws = [(bucket, odd) for bucket, odd in distinct if odd >= 0]
    masks = buckets.masks
    for node in np.flatnonzero((arrays.actor >= 0) & (arrays.round == 1)).tolist():
        first = np.array([form.first_number(node, bucket) for bucket, _ in draws])
        weights = np.maximum(average[first[:, None] + np.arange(int(arrays.moves[node]))], 0).astype(float)
        for row, (bucket, odd) in enumerate(draws):
            kinds = masks[int(examples[bucket]) % len(masks)]
            good += weights[row, kinds == 1 << odd].sum()
            total += weights[row].sum()
    missed = _missed(player, draws)
    return {
        "discards the odd card": float(good / total) if total else float("nan"),
        "a discard at random": 1 / len(buckets.options),
        "missed, facing no bet: bets": missed[0],
        "missed, facing a bet: calls": missed[1],
        "missed, facing a bet: raises": missed[2],
    }


def _odd_card(ranks: np.ndarray) -> int:
    """The place of the card outside four ranks in a row that are open at both ends; -1 if there is none.  [5] sorted"""
    if len(set(ranks.tolist())) < 5 or ranks[4] - ranks[0] == 4:
        return -1
    for odd in (0, 4):
        row = np.delete(ranks, odd)
        if row[3] - row[0] == 3 and row[3] < 12:
            return odd
    return -1


def _missed(player: TrainedPlayer, draws: Sequence[tuple[int, int]]) -> tuple[float, float, float]:
    """After one card that missed, weighted by visits: how often it bets, and calls and raises when there is a bet."""
    form, average = player.form, player.average
    arrays, buckets = form.betting.arrays, form.buckets
    one = [option for option in range(len(buckets.options)) if buckets.options[option].cards == 1]
    memories = np.unique(buckets.memory[[bucket for bucket, _ in draws]][:, one])
    example = np.unique(buckets.after, return_index=True)[1]
    weakest = np.zeros(len(example), np.int64)  # of a class: hands of one class may be flushes
    np.maximum.at(weakest, buckets.after, buckets.cards.strength)
    ranks = np.sort(buckets.cards.every[example] // 4, axis=1).astype(int)
    nothing = weakest > HIGH().category_ends[-2]
    high = np.array([number for number in np.flatnonzero(nothing).tolist() if _odd_card(ranks[number]) >= 0], int)
    sums = np.zeros((2, 3))
    rows = (high[:, None] * buckets.memories + memories).reshape(-1)
    for node in np.flatnonzero((arrays.actor >= 0) & (arrays.round == 2)).tolist():
        if form.drawn[node, arrays.actor[node]] != 1:
            continue
        names = form.betting.actions[node]
        first = form.first_number(node, rows)
        weights = np.maximum(average[np.asarray(first)[:, None] + np.arange(len(names))], 0).sum(axis=0, dtype=float)
        for place, name in enumerate(names):
            sums[int(names[0] == "f"), "fcr".index(name[0])] += weights[place]
    free, bet = sums / np.maximum(sums.sum(axis=1, keepdims=True), 1e-300)
    return float(free[2]), float(bet[1]), float(bet[2])
