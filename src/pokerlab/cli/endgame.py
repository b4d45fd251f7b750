"""`pokerlab endgame`: a tournament of two or three players solved to its end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer import Option

from pokerlab.cli._options import AllThreads, Blinds, Csv, Forecast, Json, Out, Plot, Resume, target_option
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results
from pokerlab.errors import BadSetting

ROUNDS = 20  # default, for three players


def command(
    chips: Annotated[int | None, Option(help="Total chips in play.")] = None,
    blinds: Blinds = None,
    payouts: Annotated[str, Option(help="Two or three prizes, first place first.")] = "1,0",
    unit: Annotated[int | None, Option(help="Chips counted as one; default: the largest that divides all.")] = None,
    method: Annotated[str, Option(help="Value update: policy or value iteration.")] = "policy",
    iterations: Annotated[
        int, Option(min=1, max=100_000, help="Iterations of fictitious play per state and round.")
    ] = 200,
    step: Annotated[
        float | None, Option(help="Damping factor; 1 (the default) means none, try 0.5 if values oscillate.")
    ] = None,
    memory: Annotated[
        int | None, Option(help="Rounds of Anderson mixing; default: none, try 4 if values oscillate.")
    ] = None,
    rounds: Annotated[
        int | None, Option(min=0, max=1000, help="Three players: most rounds.", show_default="20")
    ] = None,
    target: Annotated[float, target_option("as a percentage of the entry fee")] = 0.01,
    at: Annotated[str | None, Option(help="Also show this state: chips of button, small and big blind.")] = None,
    out: Out = None,
    resume: Resume = None,
    forecast: Forecast = False,
    threads: AllThreads = None,
    csv: Csv = None,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Solve a push-or-fold tournament of two or three players to its end: values, strategies, best responses.

    --out saves after every round, --resume continues (--rounds 0 only shows the file), --csv has one row per state.

    [dim]pokerlab endgame --chips 2400 --blinds 300,600
    pokerlab endgame --chips 13500 --blinds 300,600 --payouts 50,30,20 --out three.endgame
    pokerlab endgame --resume three.endgame --rounds 0 --at 4500,4500,4500[/dim]
    """
    check_outputs(out=out, csv=csv, picture=plot)
    plan = {"method": method, "iterations": iterations, "step": step, "memory": memory}
    plan |= {"rounds": ROUNDS if rounds is None else rounds, "target_percent": target, "workers": threads}
    with announcing_compilation():
        setting, kept = _setting(chips, blinds, payouts, unit, resume)
        if forecast:
            _show_forecast(setting, plan, as_json)
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
    from pokerlab.lab.tournament.endgame import read_setting
    from pokerlab.lab.tournament.endgame_three import load_saved

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


def _show_forecast(setting: Any, plan: dict[str, Any], as_json: bool) -> None:
    from pokerlab.display.elements.numbers import duration
    from pokerlab.lab.tournament.endgame_three import Plan, forecast

    seconds = forecast(setting, Plan(**plan))
    text = f"{setting.units} units of {setting.unit} chips: {setting.state_count:,} states, about {duration(seconds)}"
    result = setting.as_dict() | {"players": setting.players, "states": setting.state_count, "seconds": seconds}
    write_results(result, lambda screen: screen.print(text), as_json=as_json)


class _Files(NamedTuple):
    """Files to read and write."""

    out: Path | None
    resume: Path | None
    csv: Path | None
    plot: Path | None


def _two(setting: Any, plan: dict[str, Any], files: _Files, as_json: bool) -> None:
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.tournament.endgame import show_two, two_figure
    from pokerlab.lab.tournament.endgame import solve_two

    with ProgressBar() as bar:
        found = solve_two(setting, method=plan["method"], workers=plan["workers"], on_progress=bar)
    write_results(
        found.as_dict,
        lambda screen: show_two(screen, found),
        as_json=as_json,
        csv=(files.csv, lambda _: found.columns()),
        plot=(files.plot, lambda _: two_figure(found)),
    )


def _three(setting: Any, kept: Any, plan: dict[str, Any], at: str | None, files: _Files, as_json: bool) -> None:
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.tournament.endgame import show_three, three_figure
    from pokerlab.lab.tournament.endgame_three import Plan, plan_of, solve_three

    asked = Plan(**plan) if kept is None else plan_of(kept, Plan(**plan))
    state = None if at is None else _stacks(at)
    if state is not None:
        _check_state(setting, state)
    with ProgressBar() as bar:
        found = solve_three(setting, asked, save=files.out or files.resume, resume=files.resume, on_progress=bar)
    place = None if state is None else found.index(state)
    write_results(
        lambda: found.as_dict(place),
        lambda screen: show_three(screen, found, place),
        as_json=as_json,
        csv=(files.csv, lambda _: found.columns()),
        plot=(files.plot, lambda _: three_figure(found)),
        out=(files.out, None),
    )
    if found.interrupted:
        raise typer.Exit(130)


def _stacks(text: str) -> tuple[int, int, int]:
    from pokerlab.games.prizes.payouts import read_numbers

    found = [int(one) for one in read_numbers(text, "stacks")]
    if len(found) != 3:
        raise BadSetting(f"a state is the chips of button, small and big blind, like 4500,4500,4500; got {len(found)}")
    return found[0], found[1], found[2]


def _check_state(setting: Any, stacks: tuple[int, int, int]) -> None:
    """BadSetting for an invalid state, before any work is done."""
    if sum(stacks) != setting.chips or any(stack % setting.unit or not stack for stack in stacks):
        raise BadSetting(
            f"{','.join(map(str, stacks))} is not a state: chips are multiples of {setting.unit}, none 0, and sum to "
            f"{setting.chips}"
        )
