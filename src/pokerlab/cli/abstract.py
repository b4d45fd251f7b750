"""`pokerlab abstract`: hands of a game put into buckets, round by round."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli._completion import RECALLS, choices, game_names, method_names, several_method_names
from pokerlab.cli._output import (
    Json,
    Seed,
    announcing_compilation,
    check_writable,
    console,
    error_console,
    literal,
    print_json,
)

if TYPE_CHECKING:
    from pokerlab.abstraction.forecast import Forecast
    from pokerlab.abstraction.making import Plan
    from pokerlab.abstraction.method import Valuing
    from pokerlab.events import Event
    from pokerlab.lab.bucketing import Made

WORTH_KEEPING = 60.0  # seconds: what takes longer is not made to be thrown away
TOLD_AFTER = 2.0  # seconds: shorter rounds are told at the end alone


def _of(street: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        f"--{street}", help=f"The method for the {street}.", show_default=False, autocompletion=method_names
    )
    return option


def command(
    game: Annotated[
        str | None,
        typer.Argument(
            help='The game: "holdem", "leduc", "short-deck"; not needed with --list.',
            show_default=False,
            autocompletion=game_names,
        ),
    ] = None,
    preflop: Annotated[str | None, _of("preflop")] = None,
    flop: Annotated[str | None, _of("flop")] = None,
    turn: Annotated[str | None, _of("turn")] = None,
    river: Annotated[str | None, _of("river")] = None,
    of_round: Annotated[
        list[str] | None,
        typer.Option(
            "--round", help="The method for a round of any game: second=emd:50, 3=ochs:20.", show_default=False
        ),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(
            "--methods",
            help='Methods for all rounds: "lossless,emd:10,ochs:10".',
            show_default=False,
            autocompletion=several_method_names,
        ),
    ] = None,
    buckets: Annotated[
        int | None,
        typer.Option(
            "--buckets", min=1, max=10**6, help="Buckets of every round with no method named.", show_default=False
        ),
    ] = None,
    recall: Annotated[
        str,
        typer.Option(
            "--recall",
            help="imperfect: rounds stand alone; perfect: a bucket tells those of the rounds before.",
            autocompletion=choices(*RECALLS),
        ),
    ] = "imperfect",
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep the buckets in this file.", show_default=False)
    ] = None,
    lean: Annotated[
        bool, typer.Option("--lean", help="Keep rules without tables: small, enough to play, too slow to train with.")
    ] = False,
    forecast: Annotated[bool, typer.Option("--forecast", help="Only tell what it would take.")] = False,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", min=1, max=256, help="Threads; all cores by default. The result does not depend on it."
        ),
    ] = None,
    seed: Seed = 0,
    listed: Annotated[bool, typer.Option("--list", help="Only tell what methods there are.")] = False,
    as_json: Json = False,
) -> None:
    """Put the hands of a poker game into buckets, which `train` then treats as one.

    Every round has a method, emd:1000 say; without one the first round keeps its hands apart, the last is clustered by
    strength against clusters of opponents' hands (ochs), and others by histograms of their final strength (emd). Ctrl-C
    keeps the finished rounds in FILE.part, and the same command resumes there.

    [dim]pokerlab abstract leduc --out leduc.buckets
    pokerlab abstract rhode-island --methods "lossless,emd:20,ochs:50" --out ri.buckets
    pokerlab abstract holdem --flop emd:1000 --turn emd:1000 --river ochs:1000 --out small.buckets
    pokerlab abstract --list[/dim]
    """
    from pokerlab.display.abstraction import buckets as report
    from pokerlab.errors import BadSetting
    from pokerlab.lab import bucketing

    if listed:
        _show_list(as_json)
        return
    if game is None:
        raise BadSetting("name a game whose hands are put into buckets; for example: pokerlab abstract leduc")
    streets = {"preflop": preflop, "flop": flop, "turn": turn, "river": river}
    named = [(street, method) for street, method in streets.items() if method is not None]
    named += [_named(text) for text in of_round or ()]
    cards = bucketing.cards_of(game)
    methods_of = bucketing.chosen_methods(cards, named=named, listed=methods, buckets=buckets)
    plan = bucketing.planned(cards, methods_of, recall=recall, seed=seed)
    bucketing.check_players(game, plan.methods)
    if (remark := bucketing.remark(plan)) and not as_json:
        error_console().print(f"[dim]{literal(remark)}[/dim]")
    values = bucketing.values_of(game, plan)
    if out is not None:
        check_writable(out, "keep buckets")
        bucketing.check_out(out)
    expected = bucketing.forecast_of(plan, threads=threads, out=out)
    if forecast:
        _show_forecast(game, plan, expected, as_json=as_json)
        return
    bucketing.check_fits(expected)
    if out is None and expected.seconds > WORTH_KEEPING:
        raise BadSetting(f"{report.forecast_text(expected)}: name a file that keeps it, with --out")
    made = _made(plan, expected, values, out=out, lean=lean, threads=threads, quiet=as_json)
    result = bucketing.summary(made.buckets) | {
        "game": game,
        "rounds": [one.as_dict() for one in made.rounds],
        "seconds": made.seconds,
        "resumed": list(made.resumed),
        "forecast": {"seconds": expected.seconds, "bytes": expected.bytes},
        "out": out and str(out),
    }
    if as_json:
        print_json({key: value for key, value in result.items() if key != "file"})
    else:
        report.show_made(console(), game, result)


def _made(
    plan: Plan,
    expected: Forecast,
    values: Valuing | None,
    *,
    out: Path | None,
    lean: bool,
    threads: int | None,
    quiet: bool,
) -> Made:
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.display.abstraction.buckets import forecast_text, round_text
    from pokerlab.lab.bucketing import make_buckets

    notes = error_console()
    if not quiet and expected.seconds > TOLD_AFTER:
        notes.print(f"[dim]{literal(forecast_text(expected))}[/dim]", soft_wrap=True)

    try:
        with announcing_compilation(), ProgressBar(quiet=quiet, after=SOON) as bar:

            def show(event: Event) -> None:
                one = event.payload  # a round that is finished
                if not quiet and one is not None and (one.seconds or 0.0) > TOLD_AFTER:
                    notes.print(f"[dim]{literal(round_text(one))}[/dim]", soft_wrap=True)
                bar(event)

            return make_buckets(plan, threads=threads, out=out, lean=lean, values=values, on_progress=show)
    except KeyboardInterrupt:
        if out is not None:
            from pokerlab.abstraction.unfinished import path_of

            kept = path_of(out)
            if kept.exists():
                notes.print(f"finished rounds are kept in {literal(kept)}; the same command resumes there")
        raise


def _named(text: str) -> tuple[str, str]:
    from pokerlab.errors import BadSetting, shortened

    name, sign, method = text.partition("=")
    if not sign or not name.strip() or not method.strip():
        raise BadSetting(f"a method of a round is written as second=emd:50, not {shortened(text, 40)!r}")
    return name, method.strip()


def _show_list(as_json: bool) -> None:
    from pokerlab.display.abstraction.buckets import show_methods
    from pokerlab.registry import available

    found = [{"name": entry.name, "summary": entry.summary} for entry in available("abstractions")]
    if as_json:
        print_json({"available": found})
    else:
        show_methods(console(), found)


def _show_forecast(game: str, plan: Plan, expected: Forecast, *, as_json: bool) -> None:
    from pokerlab.display.abstraction.buckets import forecast_dict, show_forecast

    found = forecast_dict(game, plan, expected)
    if as_json:
        print_json(found)
    else:
        show_forecast(console(), found)
