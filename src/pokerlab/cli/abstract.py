"""`pokerlab abstract`: put the hands of a game into buckets, round by round."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pokerlab.cli._completion import RECALLS, method_names, several_method_names
from pokerlab.cli._options import AllThreads, Cluster, Forecast, OptionalGame, Out, Seed, backend_of, option
from pokerlab.cli._output import (
    SAVE_BUCKETS,
    announcing_compilation,
    check_outputs,
    hint,
    list_available,
    note,
    write_results,
)

if TYPE_CHECKING:
    from pokerlab.events import Event

WORTH_SAVING = 60.0  # seconds: longer runs must save their result
WORTH_NOTING = 2.0  # seconds: shorter rounds are not announced


def command(
    game: OptionalGame = None,
    preflop: Annotated[str | None, option("Method for the preflop.", complete=method_names)] = None,
    flop: Annotated[str | None, option("Method for the flop.", complete=method_names)] = None,
    turn: Annotated[str | None, option("Method for the turn.", complete=method_names)] = None,
    river: Annotated[str | None, option("Method for the river.", complete=method_names)] = None,
    of_round: Annotated[
        list[str] | None, option("Method for a round of any game: second=emd:50, 3=ochs:20.", "--round")
    ] = None,
    methods: Annotated[
        str | None, option('Methods for all rounds: "lossless,emd:10,ochs:10".', complete=several_method_names)
    ] = None,
    buckets: Annotated[int | None, option("Buckets per round, for rounds without a method.", min=1, max=10**6)] = None,
    recall: Annotated[
        str,
        option(
            "imperfect: rounds are independent; perfect: each bucket encodes the buckets of earlier rounds.",
            complete=RECALLS,
        ),
    ] = "imperfect",
    within: Annotated[
        Path | None,
        option("Group the classes of this bucket file within the buckets of earlier rounds, with perfect recall."),
    ] = None,
    totals: Annotated[
        str | None, option('With --within: the number of buckets of each round, as "8,40,160,640".')
    ] = None,
    children: Annotated[
        str | None,
        option(
            "With --within: how many groups each bucket has, by an integer program or all the same number.",
            default="optimal",
            complete=("optimal", "even"),
        ),
    ] = None,
    look_ahead: Annotated[
        bool, option("With --within: compare classes by what may follow in the next round.", "--look-ahead")
    ] = False,
    cuts: Annotated[
        Path | None, option("With --within: a TOML file of thresholds of strength for each earlier bucket.")
    ] = None,
    out: Out = None,
    lean: Annotated[
        bool, option("Save rules without tables: small, enough to play, too slow for training.", "--lean")
    ] = False,
    forecast: Forecast = False,
    threads: AllThreads = None,
    cluster: Cluster = None,
    seed: Seed = 0,
    listed: Annotated[bool, option("Only list the methods.", "--list")] = False,
) -> None:
    """Put the hands of a poker game into buckets; `train` treats the hands of a bucket as one.

    Every round has a method, such as emd:1000. By default the first round keeps its hands apart, the last is clustered
    by strength against clusters of opposing hands (ochs), and the others by histograms of their final strength (emd).
    Ctrl-C saves the finished rounds in FILE.part, and the same command resumes there. Draw games need no file: `train
    --buckets` takes no-suits, highest-suit-mini, by-draws or lossless, which --list describes.

    pokerlab abstract leduc --out leduc.buckets
    pokerlab abstract rhode-island --methods "lossless,emd:20,ochs:50"
    pokerlab abstract holdem --flop emd:1000 --turn emd:1000 --river ochs:1000
    pokerlab abstract holdem --within holdem.buckets --totals 8,40,160,640
    pokerlab abstract --list
    """
    from pokerlab.abstraction.unfinished import path_of
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.display.abstraction import buckets as display
    from pokerlab.errors import BadSetting
    from pokerlab.lab.abstraction import bucketing
    from pokerlab.places import exists

    if listed:
        draw = {"exchanges": ("draw games, for train --buckets", "draw_games")}
        list_available("abstractions", key="available", also=draw)
        return
    if game is None:
        raise BadSetting("name a game whose hands are to be put into buckets; for example: pokerlab abstract leduc")
    grouping = {"totals": totals, "children": children, "cuts": cuts, "look-ahead": look_ahead or None}
    if within is not None:
        _regroup(game, within, **grouping, out=out, seed=seed)  # type: ignore[arg-type]
        return
    if stray := [name for name, value in grouping.items() if value is not None]:
        raise BadSetting(f"--{stray[0]} belongs to --within FILE, whose classes are grouped")
    streets = {"preflop": preflop, "flop": flop, "turn": turn, "river": river}
    named = [(street, method) for street, method in streets.items() if method is not None]
    named += [_named(text) for text in of_round or ()]
    cards = bucketing.cards_of(game)
    methods_of = bucketing.chosen_methods(cards, named=named, listed=methods, buckets=buckets)
    plan = bucketing.planned(cards, methods_of, recall=recall, seed=seed)
    bucketing.check_players(game, plan.methods)
    if remark := bucketing.remark(plan):
        hint(remark)
    values = bucketing.values_of(game, plan)
    if out is not None:
        check_outputs(out=out, purpose=SAVE_BUCKETS)
        bucketing.check_out(out)
    expected = bucketing.forecast_of(plan, threads=threads, out=out)
    if forecast:
        write_results(
            lambda: display.forecast_dict(game, plan, expected),
            lambda screen: display.show_forecast(screen, game, plan, expected),
        )
        return
    bucketing.check_fits(expected)
    if out is None and expected.seconds > WORTH_SAVING:
        raise BadSetting(f"{display.forecast_text(expected)}: name a file for the result with --out")
    if expected.seconds > WORTH_NOTING:
        hint(display.forecast_text(expected))
    try:
        with announcing_compilation(), ProgressBar(after=SOON) as bar:

            def show(event: Event) -> None:
                finished = event.payload  # a round
                if finished is not None and (finished.seconds or 0.0) > WORTH_NOTING:
                    hint(display.round_text(finished))
                bar(event)

            running: dict[str, Any] = {"threads": threads, "backend": "" if cluster is None else backend_of(cluster)}
            made = bucketing.make_buckets(plan, out=out, lean=lean, values=values, on_progress=show, **running)
    except KeyboardInterrupt:
        if out is not None and exists(part := path_of(out)):
            note(f"finished rounds are saved in {part}; the same command resumes there")
        raise
    result = bucketing.summary(made.buckets) | {
        "game": game,
        "rounds": [one.as_dict() for one in made.rounds],
        "seconds": made.seconds,
        "resumed": list(made.resumed),
        "forecast": {"seconds": expected.seconds, "bytes": expected.bytes},
        "out": out and str(out),
    }
    del result["file"]
    write_results(result, lambda screen: display.show_made(screen, game, result))


def _regroup(
    game: str,
    file: Path,
    *,
    totals: str | None,
    children: str | None,
    cuts: Path | None,
    out: Path | None,
    seed: int,
    **look_ahead: bool | None,
) -> None:
    """Group the classes of a file."""
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.display.abstraction import buckets as display
    from pokerlab.errors import BadSetting
    from pokerlab.lab.abstraction import bucketing, regrouping

    numbers = None
    if totals is not None:
        words = totals.split(",")
        if not all(word.strip().isdigit() and int(word) for word in words):
            raise BadSetting(f'--totals takes a number of buckets for each round, as "8,40,160", not {totals[:40]!r}')
        numbers = [int(word) for word in words]
    if cuts is not None and (children is not None or look_ahead["look-ahead"]):
        raise BadSetting("--cuts says where to cut: leave out --children and --look-ahead")
    if out is not None:
        check_outputs(out=out, purpose=SAVE_BUCKETS)
    ahead = bool(look_ahead["look-ahead"])
    chosen = {"totals": numbers, "cuts": cuts, "children": children or "optimal", "look_ahead": ahead}
    with announcing_compilation(), ProgressBar(after=SOON) as bar:
        made = regrouping.regroup(game, file, **chosen, out=out, seed=seed, on_progress=bar)  # type: ignore[arg-type]
    result = bucketing.summary(made.buckets) | {
        "game": game,
        "rounds": [one.as_dict() for one in made.rounds],
        "seconds": made.seconds,
        "resumed": [],
        "within": str(file),
        "out": out and str(out),
    }
    del result["file"]
    write_results(result, lambda screen: display.show_made(screen, game, result))


def _named(text: str) -> tuple[str, str]:
    from pokerlab.errors import BadSetting, shortened

    name, sign, method = text.partition("=")
    if not sign or not name.strip() or not method.strip():
        raise BadSetting(f"--round is written like second=emd:50, not {shortened(text, 40)!r}")
    return name, method.strip()
