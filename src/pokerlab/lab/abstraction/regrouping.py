"""Buckets with perfect recall from a file of classes without recall, by numbers or by cuts set by hand."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pokerlab.abstraction import bucket_file
from pokerlab.abstraction.within import OPTIMAL, Cuts, cut_by_hand, within
from pokerlab.errors import BadFile, BadSetting, shortened
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.lab.abstraction.bucketing import BucketingResult, cards_of, check_out, round_names, round_summaries
from pokerlab.reading import finite, read_text, toml_table


def regroup(
    game: str,
    file: Path | str,
    *,
    totals: Sequence[int] | None = None,
    cuts: Path | str | None = None,
    children: str = OPTIMAL,
    look_ahead: bool = False,
    out: Path | str | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> BucketingResult:
    """Group the classes of a bucket file within the buckets of earlier rounds, and save the result to `out`.

    - totals: the number of buckets of each round; or
    - cuts: a TOML file with thresholds of strength by round, for each bucket of the round before
    - children: "optimal" numbers of groups, or "even"
    - look_ahead: compare classes by what may follow in the next round
    """
    began = time.perf_counter()
    if (totals is None) == (cuts is None):
        raise BadSetting("say into how many buckets with --totals, or where to cut with --cuts: one of the two")
    fine, cards = bucket_file.load(file), cards_of(game)
    if replace(fine.cards, ordered=False) != cards:
        raise BadSetting(f"{file} has buckets of other cards than those of {game}")
    if out is not None:
        check_out(Path(out))
        if Path(out).resolve() == Path(file).resolve():
            raise BadSetting(f"{out} would be lost: name another file for --out")
    with Watch("abstract", on_progress, cancel).interruptible() as watch:
        if cuts is not None:
            buckets = cut_by_hand(fine, read_cuts(cuts, round_names(cards)))
        else:
            assert totals is not None
            grouping = {"children": children, "look_ahead": look_ahead, "seed": seed}
            buckets = within(fine, totals, watch=watch, **grouping)  # type: ignore[arg-type]
    if out is not None:
        buckets = bucket_file.save(buckets, out)
    return BucketingResult(buckets, round_summaries(buckets), time.perf_counter() - began, ())


def read_cuts(path: Path | str, names: Sequence[str]) -> list[Cuts]:
    """The cuts of every round in a TOML file: flop = [[0.4, 0.6], [0.5]]; BadFile if they are not lists of numbers."""
    table = toml_table(read_text(path))
    cuts: list[Cuts] = []
    for name in names:
        lists = table.pop(name, None)
        if not isinstance(lists, list) or not lists or not all(isinstance(one, list) for one in lists):
            raise BadFile(f"{path} needs lists of cuts for every round, as in {name} = [[0.4, 0.6]]")
        try:
            cuts.append([[finite(number) for number in one] for one in lists])
        except (TypeError, ValueError):
            raise BadFile(f"the cuts of the {name} in {path} are not all numbers") from None
    if table:
        rounds = ", ".join(names)
        raise BadFile(f"{path} names {shortened(next(iter(table)))!r}, which is no round: they are {rounds}")
    return cuts
