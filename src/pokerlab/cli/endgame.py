"""`pokerlab endgame`: a tournament of two or three players solved to its end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from pokerlab.cli._output import (
    Json,
    announcing_compilation,
    check_table,
    check_writable,
    console,
    error_console,
    literal,
    print_json,
)
from pokerlab.errors import BadSetting

ROUNDS = 20  # of three players, unless told


def command(
    chips: Annotated[int | None, typer.Option("--chips", help="All chips in play.", show_default=False)] = None,
    blinds: Annotated[
        str | None, typer.Option("--blinds", help="Small and big blind: 300,600.", show_default=False)
    ] = None,
    payouts: Annotated[
        str, typer.Option("--payouts", help="A prize for each player, from the first place down: two or three.")
    ] = "1,0",
    unit: Annotated[
        int | None,
        typer.Option("--unit", help="Chips counted as one; by default as many as divide all.", show_default=False),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", help="How values follow on strategies: policy or value.")
    ] = "policy",
    iterations: Annotated[
        int, typer.Option("--iterations", min=1, max=100_000, help="Of fictitious play, in each state of a round.")
    ] = 200,
    step: Annotated[
        float | None,
        typer.Option(
            "--step",
            help="The part of the way that values move to new ones in a round: 1 by default, 0.5 where they swing.",
            show_default=False,
        ),
    ] = None,
    memory: Annotated[
        int | None,
        typer.Option(
            "--memory",
            help="Rounds before that are mixed into new values (Anderson mixing): none by default, 4 where they swing.",
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=0, max=1000, help="Of three players: at most so many rounds.", show_default="20"),
    ] = None,
    target: Annotated[
        float, typer.Option("--target", help="Stop below so many percent of the entry fee for a best response.")
    ] = 0.01,
    at: Annotated[
        str | None,
        typer.Option("--at", help="Also this state: chips of button, small and big blind.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep the solution here, after every round.", show_default=False)
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Continue what --out kept; --rounds 0 shows it.", show_default=False)
    ] = None,
    forecast: Annotated[bool, typer.Option("--forecast", help="Tell size and time, and solve nothing.")] = False,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="All cores by default.", show_default=False)
    ] = None,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write a row for each state.", show_default=False)] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw into this picture.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Solve a push-or-fold tournament of two or three players to its end: values, strategies, best responses.

    [dim]pokerlab endgame --chips 2400 --blinds 300,600
    pokerlab endgame --chips 13500 --blinds 300,600 --payouts 50,30,20 --out three.endgame
    pokerlab endgame --resume three.endgame --rounds 0 --at 4500,4500,4500[/dim]
    """
    from pokerlab.display.solve.convergence import check_picture

    if csv is not None:
        check_table(csv, "write the states", out=out)
    if plot is not None:
        check_writable(plot, "draw a picture")
        check_picture(plot)
    if out is not None:
        check_writable(out, "keep the solution")
    plan = {"method": method, "iterations": iterations, "step": step, "memory": memory}
    plan |= {"rounds": ROUNDS if rounds is None else rounds, "target_percent": target, "workers": threads}
    with announcing_compilation():
        setting, kept = _setting(chips, blinds, payouts, unit, resume)
        if forecast:
            _tell_forecast(setting, plan, as_json)
            return
        files = _Files(out, resume, csv, plot)
        if setting.players == 3:
            _three(setting, kept, plan, at, files, as_json)
        elif at is not None or out is not None:
            raise BadSetting("--at and --out are for three players; of two --csv writes every stack")
        elif step is not None or memory is not None or rounds is not None:
            raise BadSetting(
                "--step, --memory and --rounds are for three players; of two, values are iterated to the end"
            )
        else:
            _two(setting, plan, files, as_json)


def _setting(chips: int | None, blinds: str | None, payouts: str, unit: int | None, resume: Path | None) -> Any:
    from pokerlab.lab.endgame import read_setting
    from pokerlab.lab.endgame_three import load_saved

    if resume is not None:
        if chips is not None or blinds is not None:
            raise BadSetting(f"{resume} says which tournament it is of: leave --chips and --blinds out")
        kept = load_saved(resume)
        return kept.setting, kept
    if chips is None or blinds is None:
        raise BadSetting(
            "say which tournament, or --resume FILE; "
            "for example: pokerlab endgame --chips 13500 --blinds 300,600 --payouts 50,30,20"
        )
    return read_setting(chips=chips, blinds=blinds, payouts=payouts, unit=unit), None


def _tell_forecast(setting: Any, plan: dict[str, Any], as_json: bool) -> None:
    from pokerlab.display.elements.numbers import duration
    from pokerlab.lab.endgame_three import Plan, forecast

    seconds = forecast(setting, Plan(**plan))
    if as_json:
        print_json(setting.as_dict() | {"players": setting.players, "states": setting.state_count, "seconds": seconds})
        return
    console().print(
        f"{setting.units} units of {setting.unit} chips: {setting.state_count:,} states, about {duration(seconds)}"
    )


class _Files(NamedTuple):
    """What is read and written."""

    out: Path | None
    resume: Path | None
    csv: Path | None
    plot: Path | None


def _two(setting: Any, plan: dict[str, Any], files: _Files, as_json: bool) -> None:
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.tournament.endgame import show_two, two_figure
    from pokerlab.lab.endgame import solve_two

    with ProgressBar() as bar:
        found = solve_two(setting, method=plan["method"], workers=plan["workers"], on_progress=bar)
    written = _written(found, two_figure, files)
    if as_json:
        print_json(found.as_dict() | written)
        return
    show_two(console(), found)
    _tell(written)


def _three(setting: Any, kept: Any, plan: dict[str, Any], at: str | None, files: _Files, as_json: bool) -> None:
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.tournament.endgame import show_three, three_figure
    from pokerlab.lab.endgame_three import Plan, plan_of, solve_three

    asked = Plan(**plan) if kept is None else plan_of(kept, Plan(**plan))
    state = None if at is None else _stacks(at)
    if state is not None:
        _check_state(setting, state)
    with ProgressBar() as bar:
        found = solve_three(setting, asked, save=files.out or files.resume, resume=files.resume, on_progress=bar)
    place = None if state is None else found.index(state)
    written = _written(found, three_figure, files) | {"out": _name(files.out)}
    if as_json:
        print_json(found.as_dict(place) | written)
    else:
        show_three(console(), found, place)
        _tell(written)
    if found.interrupted:
        raise typer.Exit(130)


def _stacks(text: str) -> tuple[int, int, int]:
    from pokerlab.games.prizes.payouts import read_numbers

    found = [int(one) for one in read_numbers(text, "stacks")]
    if len(found) != 3:
        raise BadSetting(f"a state is the chips of button, small and big blind, like 4500,4500,4500; got {len(found)}")
    return found[0], found[1], found[2]


def _check_state(setting: Any, stacks: tuple[int, int, int]) -> None:
    """BadSetting before any work is done."""
    if sum(stacks) != setting.chips or any(stack % setting.unit or not stack for stack in stacks):
        raise BadSetting(
            f"{','.join(map(str, stacks))} is no state: chips are multiples of {setting.unit}, none 0, and sum to "
            f"{setting.chips}"
        )


def _written(found: Any, figure: Any, files: _Files) -> dict[str, str | None]:
    """The table and the picture that were asked for, by option."""
    from pokerlab.display.elements.figure import write_figure
    from pokerlab.tables import rows_of, write_csv

    if files.csv is not None:
        columns = found.columns()
        write_csv(files.csv, list(columns), rows_of(columns))
    if files.plot is not None:
        write_figure(figure(found), files.plot)
    return {"csv": _name(files.csv), "plot": _name(files.plot)}


def _name(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _tell(written: dict[str, str | None]) -> None:
    for path in filter(None, written.values()):
        error_console().print(f"[dim]wrote {literal(path)}[/dim]")
