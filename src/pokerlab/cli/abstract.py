"""`pokerlab abstract`: put the hands of a game into buckets, round by round."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option
from typer.models import OptionInfo

from pokerlab.cli._completion import RECALLS, choices, method_names, several_method_names
from pokerlab.cli._options import AllThreads, Forecast, Json, OptionalGame, Out, Seed
from pokerlab.cli._output import (
    SAVE_BUCKETS,
    announcing_compilation,
    check_outputs,
    error_console,
    list_available,
    literal,
    note,
    write_results,
)

if TYPE_CHECKING:
    from pokerlab.abstraction import forecast as forecasting
    from pokerlab.abstraction.making import Plan
    from pokerlab.abstraction.method import ValueFunction
    from pokerlab.events import Event
    from pokerlab.lab.abstraction.bucketing import Made

WORTH_SAVING = 60.0  # seconds: longer runs must save their result
WORTH_NOTING = 2.0  # seconds: shorter rounds are not announced


def _street(street: str) -> OptionInfo:
    option: OptionInfo = Option(f"--{street}", help=f"Method for the {street}.", autocompletion=method_names)
    return option


def command(
    game: OptionalGame = None,
    preflop: Annotated[str | None, _street("preflop")] = None,
    flop: Annotated[str | None, _street("flop")] = None,
    turn: Annotated[str | None, _street("turn")] = None,
    river: Annotated[str | None, _street("river")] = None,
    of_round: Annotated[
        list[str] | None, Option("--round", help="Method for a round of any game: second=emd:50, 3=ochs:20.")
    ] = None,
    methods: Annotated[
        str | None,
        Option(help='Methods for all rounds: "lossless,emd:10,ochs:10".', autocompletion=several_method_names),
    ] = None,
    buckets: Annotated[
        int | None, Option(min=1, max=10**6, help="Buckets per round, for rounds without a method.")
    ] = None,
    recall: Annotated[
        str,
        Option(
            help="imperfect: rounds are independent; perfect: each bucket encodes the buckets of earlier rounds.",
            autocompletion=choices(*RECALLS),
        ),
    ] = "imperfect",
    out: Out = None,
    lean: Annotated[
        bool, Option("--lean", help="Save rules without tables: small, enough to play, too slow for training.")
    ] = False,
    forecast: Forecast = False,
    threads: AllThreads = None,
    seed: Seed = 0,
    listed: Annotated[bool, Option("--list", help="Only list the methods.")] = False,
    as_json: Json = False,
) -> None:
    """Put the hands of a poker game into buckets; `train` treats the hands of a bucket as one.

    Every round has a method, such as emd:1000. By default the first round keeps its hands apart, the last is clustered
    by strength against clusters of opposing hands (ochs), and the others by histograms of their final strength (emd).
    Ctrl-C saves the finished rounds in FILE.part, and the same command resumes there.

    [dim]pokerlab abstract leduc --out leduc.buckets
    pokerlab abstract rhode-island --methods "lossless,emd:20,ochs:50" --out ri.buckets
    pokerlab abstract holdem --flop emd:1000 --turn emd:1000 --river ochs:1000 --out small.buckets
    pokerlab abstract --list[/dim]
    """
    from pokerlab.display.abstraction import buckets as display
    from pokerlab.errors import BadSetting
    from pokerlab.lab.abstraction import bucketing

    if listed:
        list_available("abstractions", as_json=as_json, key="available")
        return
    if game is None:
        raise BadSetting("name a game to put the hands of into buckets; for example: pokerlab abstract leduc")
    streets = {"preflop": preflop, "flop": flop, "turn": turn, "river": river}
    named = [(street, method) for street, method in streets.items() if method is not None]
    named += [_named(text) for text in of_round or ()]
    cards = bucketing.cards_of(game)
    methods_of = bucketing.chosen_methods(cards, named=named, listed=methods, buckets=buckets)
    plan = bucketing.planned(cards, methods_of, recall=recall, seed=seed)
    bucketing.check_players(game, plan.methods)
    if (remark := bucketing.remark(plan)) and not as_json:
        note(remark)
    values = bucketing.values_of(game, plan)
    if out is not None:
        check_outputs(out=out, purpose=SAVE_BUCKETS)
        bucketing.check_out(out)
    expected = bucketing.forecast_of(plan, threads=threads, out=out)
    if forecast:
        summary = display.forecast_dict(game, plan, expected)
        write_results(summary, lambda screen: display.show_forecast(screen, summary), as_json=as_json)
        return
    bucketing.check_fits(expected)
    if out is None and expected.seconds > WORTH_SAVING:
        raise BadSetting(f"{display.forecast_text(expected)}: name a file for the result with --out")
    made = _made(plan, expected, values, out=out, lean=lean, threads=threads, quiet=as_json)
    result = bucketing.summary(made.buckets) | {
        "game": game,
        "rounds": [one.as_dict() for one in made.rounds],
        "seconds": made.seconds,
        "resumed": list(made.resumed),
        "forecast": {"seconds": expected.seconds, "bytes": expected.bytes},
        "out": out and str(out),
    }
    del result["file"]
    write_results(result, lambda screen: display.show_made(screen, game, result), as_json=as_json)


def _made(
    plan: Plan,
    expected: forecasting.Forecast,
    values: ValueFunction | None,
    *,
    out: Path | None,
    lean: bool,
    threads: int | None,
    quiet: bool,
) -> Made:
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.display.abstraction.buckets import forecast_text, round_text
    from pokerlab.lab.abstraction.bucketing import make_buckets

    if not quiet and expected.seconds > WORTH_NOTING:
        note(forecast_text(expected))

    try:
        with announcing_compilation(), ProgressBar(quiet=quiet, after=SOON) as bar:

            def show(event: Event) -> None:
                one = event.payload  # a finished round
                if not quiet and one is not None and (one.seconds or 0.0) > WORTH_NOTING:
                    note(round_text(one))
                bar(event)

            return make_buckets(plan, threads=threads, out=out, lean=lean, values=values, on_progress=show)
    except KeyboardInterrupt:
        if out is not None:
            from pokerlab.abstraction.unfinished import path_of

            part = path_of(out)
            if part.exists():
                error_console().print(f"finished rounds are saved in {literal(part)}; the same command resumes there")
        raise


def _named(text: str) -> tuple[str, str]:
    from pokerlab.errors import BadSetting, shortened

    name, sign, method = text.partition("=")
    if not sign or not name.strip() or not method.strip():
        raise BadSetting(f"--round is written like second=emd:50, not {shortened(text, 40)!r}")
    return name, method.strip()
