"""Chooses the weighted subsets of flops that stand for all 1,755, and measures how well they do.

    python -m bench.flop_subsets choose              # writes src/pokerlab/cards/flop_subsets.csv, in about ten minutes
    python -m bench.flop_subsets equity              # their error on equities of ranges that are in no feature
    python -m bench.flop_subsets reports A.csv ...   # and on reports over all flops: frequencies, EV, equity

A subset replaces a mean over all flops by a weighted sum over a few, as quadrature does. Every flop gets features: its
texture, the exact equity of all 169 classes of hands against some ranges, and how the equities of some pairs of ranges
are spread. A kernel over these features says how alike two flops are; the best subset is the one whose weighted sum is
nearest to the mean over all in the space of the kernel, which bounds the error of every function that is smooth in the
features, linear ones foremost (kernel quadrature; Bach, "On the equivalence between kernel quadrature rules and random
feature expansions", 2017). Flops are added greedily, weights are found anew each time by least squares with no weight
below zero, and then flops are exchanged as long as that helps. Nothing is random. The kernel's three numbers (LINEAR,
REACH, NOISE) are of ten tries the ones that did best on other ranges (HELD_OUT); reports were not looked at.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

from pokerlab.cards.canonical import canonical_flops
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import CLASS_COUNT, COMBO_CLASS, blocked
from pokerlab.cards.equity import equity_of_hands
from pokerlab.cards.flop_subsets import DATA, DEALS, SIZES, flop_subset
from pokerlab.cards.ranges import Range

USED = (  # to choose
    "random",
    "22+,A2s+,K2s+,Q5s+,J7s+,T7s+,96s+,86s+,75s+,64s+,54s,A2o+,K8o+,Q9o+,J9o+,T9o",
    "22+,A2s+,K8s+,Q9s+,J9s+,T8s+,98s,87s,76s,65s,A9o+,KTo+,QTo+,JTo",
    "22-TT,A2s-AJs,K6s-KQs,Q8s+,J8s+,T7s+,97s+,86s+,75s+,65s,54s,A5o-AJo,KTo-KQo,QTo+,JTo,T9o,98o",
    "TT+,AQs+,A2s-A5s,KQs,76s,65s,AQo+",
    "77-QQ,ATs+,KTs+,QTs+,JTs,T9s,98s,AQo,AKo,KQo",
)
HELD_OUT = (  # to measure: no features are made of them
    "33+,A4s+,K9s+,QTs+,J9s+,T9s,87s,ATo+,KJo+,QJo",
    "22-99,A2s-ATs,K2s-KJs,Q6s+,J7s+,T8s+,97s+,87s,76s,54s,A2o-ATo,K9o-KQo,Q9o+,J9o+,T8o+,98o,87o",
    "QQ+,AKs,AKo,A5s,A4s,KJs",
    "44-JJ,AJs,AQs,KQs,QJs,JTs,T9s,87s,76s,AQo",
    "TT-22,AKs-A2s,T9s-54s,J9s-64s",
)
LEVELS = (0.35, 0.5, 0.65, 0.8)  # shares of a range with more equity than this
KEPT_VARIANCE = 0.995  # of the features, in their main directions
LINEAR = 0.3  # of the kernel's two parts: what is linear in the features, beside what depends on their distance
REACH = 0.5  # how far a flop's likeness reaches, as a part of the median of squared distances
NOISE = 0.1  # what is a flop's own and no feature knows: keeps weights from being uneven
ROUNDS = 6  # of exchanges, at most

FLOPS, COUNTS = zip(*canonical_flops(), strict=True)
SHARES = np.array(COUNTS) / DEALS  # [flop]


# ---- features --------------------------------------------------------------------------------------------------------


def equities(ranges: Sequence[str]) -> np.ndarray:
    """[range, flop, 1326] The equity of every hand against each range, NaN where it cannot be held."""
    found = np.empty((len(ranges), len(FLOPS), len(COMBO_CLASS)))
    for number, text in enumerate(ranges):
        for place, flop in enumerate(FLOPS):
            found[number, place] = equity_of_hands(text, board=flop).equity
            found[number, place][blocked(flop)] = np.nan
        print(f"equities against {text[:40]}", flush=True)
    return found


def class_means(hands: np.ndarray) -> np.ndarray:
    """[flop, 169] The mean equity of each class over the hands of it that are left; one half where none is."""
    live = ~np.isnan(hands)
    members = np.eye(CLASS_COUNT)[COMBO_CLASS]  # [1326, 169]
    size = live @ members
    return np.where(size > 0, np.nan_to_num(hands) @ members / np.maximum(size, 1), 0.5)


def spreads(ranges: Sequence[str], against: np.ndarray) -> np.ndarray:
    """[flop, number] For every two ranges the mean equity of one against the other, and shares of it above levels."""
    columns = []
    for number, text in enumerate(ranges):
        for other, hands in enumerate(against):
            if other == number:
                continue
            weight = np.where(np.isnan(hands), 0.0, Range.parse(text).weights)
            total = weight.sum(axis=1)
            columns.append((weight * np.nan_to_num(hands)).sum(axis=1) / total)
            columns += [(weight * (np.nan_to_num(hands) > level)).sum(axis=1) / total for level in LEVELS]
    return np.stack(columns, axis=1)


def textures() -> np.ndarray:
    """[flop, number] Suits, pairs, ranks, and how near to a straight."""
    rows = []
    for flop in FLOPS:
        ranks, suits = sorted((card // 4 for card in flop), reverse=True), len({card % 4 for card in flop})
        different = len(set(ranks))
        with_low_ace = {rank + 1 for rank in ranks} | ({0} if 12 in ranks else set())
        windows = [sum(low <= rank < low + 5 for rank in with_low_ace) for low in range(10)]
        row = [suits == 1, suits == 2, suits == 3, different == 1, different == 2, different == 3]
        row += [ranks[0] == rank for rank in range(13)] + [rank / 4 for rank in ranks]
        rows.append([*row, windows.count(3), windows.count(2)])
    return np.array(rows, float)


def features() -> np.ndarray:
    """[flop, number] All of them, each group with a variance of one in all, in their main directions."""
    against = equities(USED)
    groups = [textures(), spreads(USED, against), *(class_means(hands) for hands in against)]
    sizes = [1.0, 2.0, *(1.0 / len(against) for _ in against)]  # how much each group counts
    centred = []
    for group, size in zip(groups, sizes, strict=True):
        moved = group - SHARES @ group
        spread = np.sqrt(SHARES @ moved**2)
        moved = moved / np.where(spread > 1e-9, spread, np.inf) if group is groups[0] or group is groups[1] else moved
        centred.append(moved * np.sqrt(size / (SHARES @ moved**2).sum()))
    joined = np.concatenate(centred, axis=1)
    _, strengths, directions = np.linalg.svd(np.sqrt(SHARES)[:, None] * joined, full_matrices=False)
    kept = int(np.searchsorted(np.cumsum(strengths**2) / (strengths**2).sum(), KEPT_VARIANCE)) + 1
    return np.asarray(joined @ directions[:kept].T)


# ---- choosing --------------------------------------------------------------------------------------------------------


def kernel(points: np.ndarray) -> np.ndarray:
    """[flop, flop] Alike by the features themselves, and by how far apart they are."""
    inner = points @ points.T
    squares = np.diag(inner)
    distances = np.maximum(squares[:, None] + squares[None, :] - 2 * inner, 0.0)
    scale = SHARES @ squares
    near = np.exp(-distances / (2 * REACH * np.median(distances)))
    return np.asarray(LINEAR * inner / scale + near + NOISE * np.eye(len(points)))


def weights_of(alike: np.ndarray, mean: np.ndarray, chosen: list[int]) -> tuple[np.ndarray, float]:
    """Weights of chosen flops that add up to one, and how far they are from the mean over all."""
    inside = alike[np.ix_(chosen, chosen)]
    half = np.linalg.cholesky(inside).T
    heavy = 1e3 * float(np.sqrt(np.trace(inside)))  # so that the sum of the weights is kept
    left = np.vstack([half, np.full(len(chosen), heavy)])
    right = np.append(np.linalg.solve(half.T, mean[chosen]), heavy)
    weights, _ = nnls(left, right)
    weights /= weights.sum()
    return weights, float(weights @ inside @ weights - 2 * weights @ mean[chosen])


def choose(alike: np.ndarray, size: int) -> tuple[list[int], np.ndarray]:
    """The flops of a subset and their weights: greedily, then by exchanges as long as they help."""
    mean = alike @ SHARES
    chosen: list[int] = []
    weights, found = np.zeros(0), 0.0
    while len(chosen) < size:
        chosen.append(_next(alike, mean, chosen, weights))
        weights, found = weights_of(alike, mean, chosen)
    for _ in range(ROUNDS):
        before = found
        for flop in list(chosen):
            rest = [other for other in chosen if other != flop]
            fewer, _ = weights_of(alike, mean, rest)
            tried = [*rest, _next(alike, mean, rest, fewer)]
            new, error = weights_of(alike, mean, tried)
            if error < found - 1e-12:
                chosen, weights, found = tried, new, error
        if before - found < 1e-9:
            break
    return chosen, weights


def _next(alike: np.ndarray, mean: np.ndarray, chosen: list[int], weights: np.ndarray) -> int:
    """The flop that is missed most."""
    missed = mean - alike[:, chosen] @ weights
    gain = missed / np.sqrt(np.diag(alike))
    gain[chosen] = -np.inf
    return int(np.argmax(gain))


def whole_weights(weights: np.ndarray) -> np.ndarray:
    """The weights as whole numbers of deals, at least one each, that add up to all of them."""
    exact = weights * DEALS
    whole = np.maximum(np.floor(exact), 1).astype(int)
    for flop in np.argsort(whole - exact)[: DEALS - whole.sum()]:
        whole[flop] += 1
    assert whole.sum() == DEALS
    return whole


def write_subsets(alike: np.ndarray) -> None:
    """All subsets into the package's data."""
    lines = ["flops,board,weight"]
    for size in SIZES:
        chosen, weights = choose(alike, size)
        names = [FULL_DECK.text(FLOPS[flop][::-1]) for flop in chosen]
        heaviest_first = sorted(zip(whole_weights(weights).tolist(), names, strict=True), reverse=True)
        lines += [f"{size},{board},{weight}" for weight, board in heaviest_first]
        print(f"{size} flops, weights {heaviest_first[-1][0]} to {heaviest_first[0][0]}", flush=True)
    DATA.write_text("\n".join(lines) + "\n", encoding="utf-8")


# ---- measuring -------------------------------------------------------------------------------------------------------


def weights_on_all(size: int) -> np.ndarray:
    """[flop] The weights of a subset, zero for flops outside of it; they add up to one."""
    names = [FULL_DECK.text(flop[::-1]) for flop in FLOPS]
    found = np.zeros(len(names))
    for board, weight in flop_subset(size):
        found[names.index(board)] = weight / DEALS
    return found


def errors(values: np.ndarray) -> dict[int, tuple[float, float, float]]:
    """By size: the rms and the largest error of the means of some columns [flop, number], and that of as many flops
    that are drawn at random by how often they come, in the mean."""
    mean = SHARES @ values
    spread = np.sqrt(SHARES @ (values - mean) ** 2)
    found = {}
    for size in SIZES:
        error = weights_on_all(size) @ values - mean
        found[size] = (
            float(np.sqrt((error**2).mean())),
            float(np.abs(error).max()),
            float(np.sqrt((spread**2 / size).mean())),
        )
    return found


def show(title: str, values: np.ndarray, unit: float, name: str) -> None:
    """A line a size."""
    print(title)
    for size, (rms, worst, chance) in errors(values).items():
        print(
            f"  {size:3d} flops: rms {unit * rms:.3f}, worst {unit * worst:.3f}, at random {unit * chance:.3f} {name}"
        )


def measure_equity() -> None:
    """On pairs of ranges that were not used to choose."""
    found = spreads(HELD_OUT, equities(HELD_OUT))
    step = 1 + len(LEVELS)
    show("mean equity of a range against another", found[:, ::step], 100, "points of percent")
    shares = np.delete(found, np.s_[::step], axis=1)
    show("share of a range above some equity", shares, 100, "points of percent")


def measure_reports(paths: Sequence[str]) -> None:
    """On reports over all flops; EV in percent of the pot, which the two EVs add up to."""
    found: dict[str, list[np.ndarray]] = {"frequency": [], "EV": [], "equity": []}
    for path in paths:
        columns = read_report(path)
        pot = columns["ev_out_of_position"] + columns["ev_in_position"]
        shares = [column for name, column in columns.items() if name.startswith("frequency ")]
        own = {"frequency": shares, "EV": [columns["ev_out_of_position"] / pot]}
        own["equity"] = [columns["equity_out_of_position"]]
        for kind, values in own.items():
            show(f"{kind} of {Path(path).name}", np.stack(values, axis=1), 100, "points of percent")
            found[kind] += values
    for kind, values in found.items():
        show(f"{kind} of all reports", np.stack(values, axis=1), 100, "points of percent")


def read_report(path: str) -> dict[str, np.ndarray]:
    """[flop] Every column of numbers of a report over all flops, in our order."""
    names = {FULL_DECK.text(flop[::-1]): place for place, flop in enumerate(FLOPS)}
    with Path(path).open(newline="", encoding="utf-8") as source:
        rows = sorted(csv.DictReader(source), key=lambda row: names[row["board"]])
    if len(rows) != len(FLOPS):
        sys.exit(f"{path} holds {len(rows):,} flops, and all {len(FLOPS):,} are needed")
    return {
        name: np.array([float(row[name]) for row in rows])
        for name in rows[0]
        if name.startswith(("frequency ", "ev_", "equity_"))
    }


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "choose":
        write_subsets(kernel(features()))
    elif what == "equity":
        measure_equity()
    elif what == "reports" and sys.argv[2:]:
        measure_reports(sys.argv[2:])
    else:
        sys.exit(__doc__)
