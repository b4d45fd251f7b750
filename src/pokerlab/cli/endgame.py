"""`pokerlab endgame`: a tournament of two or three players solved to its end."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Exit

from pokerlab.cli._options import AllThreads, Blinds, Csv, Forecast, Out, Plot, Resume, option, target_option
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results
from pokerlab.errors import BadSetting

ROUNDS = 20  # default, for three players


def command(
    chips: Annotated[int | None, option("Total chips in play.")] = None,
    blinds: Blinds = None,
    payouts: Annotated[str, option("Two or three prizes, first place first.")] = "1,0",
    unit: Annotated[int | None, option("Chips counted as one; default: the largest that divides all.")] = None,
    method: Annotated[str, option("Algorithm: policy or value iteration.", "--with")] = "policy",
    iterations: Annotated[int, option("Iterations of fictitious play per state and round.", min=1, max=100_000)] = 200,
    step: Annotated[
        float | None, option("Damping factor; 1 (the default) means none, try 0.5 if values oscillate.")
    ] = None,
    memory: Annotated[
        int | None, option("Rounds of Anderson mixing; default: none, try 4 if values oscillate.")
    ] = None,
    rounds: Annotated[int | None, option("Three players: most rounds.", min=0, max=1000, default="20")] = None,
    target: Annotated[str, target_option("as a percentage of the entry fee: 0.01%")] = "0.01%",
    at: Annotated[str | None, option("Also show this state: chips of button, small and big blind.")] = None,
    out: Out = None,
    resume: Resume = None,
    forecast: Forecast = False,
    threads: AllThreads = None,
    csv: Csv = None,
    plot: Plot = None,
) -> None:
    """Solve a push-or-fold tournament of two or three players: to its end, with values, strategies, best responses.

    --out saves after every round, --resume continues (--rounds 0 only shows the file), --csv has one row per state.

    pokerlab endgame --chips 2400 --blinds 300,600
    pokerlab endgame --chips 13500 --blinds 300,600 --payouts 5,3,2 --out end
    pokerlab endgame --resume end --rounds 0 --at 4500,4500,4500
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.tournament import endgame as display
    from pokerlab.lab.tournament.endgame import solve_two
    from pokerlab.lab.tournament.endgame_three import Plan, plan_of, solve_three

    check_outputs(out=out, csv=csv, picture=plot)
    plan: dict[str, Any] = {"method": method, "iterations": iterations, "step": step, "memory": memory}
    plan |= {"rounds": ROUNDS if rounds is None else rounds, "target_percent": _percent(target), "workers": threads}
    files: dict[str, Any] = {}
    result: Any
    figure: Any
    with announcing_compilation():
        setting, saved = _setting(chips, blinds, payouts, unit, resume)
        if forecast:
            _show_forecast(setting, Plan(**plan))
            return
        if setting.players == 3:
            chosen = Plan(**plan) if saved is None else plan_of(saved, Plan(**plan))
            state = None if at is None else _state(setting, at)
            with ProgressBar() as bar:
                result = solve_three(setting, chosen, save=out or resume, resume=resume, on_progress=bar)
            index, files = None if state is None else result.index(state), {"out": (out, None)}
            as_dict, figure = partial(result.as_dict, index), display.three_figure
            show = partial(display.show_three, result=result, at=index)
        elif at is not None or out is not None:
            raise BadSetting("--at and --out are for three players; for two, --csv writes every stack")
        elif step is not None or memory is not None or rounds is not None:
            raise BadSetting(
                "--step, --memory and --rounds are for three players; for two, values are iterated until they converge"
            )
        else:
            with ProgressBar() as bar:
                result = solve_two(setting, method=method, workers=threads, on_progress=bar)
            as_dict, show, figure = result.as_dict, partial(display.show_two, result=result), display.two_figure
    table, drawing = (csv, lambda _: result.columns()), (plot, lambda _: figure(result))
    write_results(as_dict, show, csv=table, plot=drawing, **files)
    if setting.players == 3 and result.interrupted:
        raise Exit(130)


def _setting(chips: int | None, blinds: str | None, payouts: str, unit: int | None, resume: Path | None) -> Any:
    from pokerlab.lab.tournament.endgame import read_setting
    from pokerlab.lab.tournament.endgame_three import load_saved

    if resume is not None:
        if chips is not None or blinds is not None:
            raise BadSetting(f"{resume} names its tournament: leave out --chips and --blinds")
        saved = load_saved(resume)
        return saved.setting, saved
    if chips is None or blinds is None:
        raise BadSetting(
            "say which tournament, or --resume FILE; "
            "for example: pokerlab endgame --chips 13500 --blinds 300,600 --payouts 50,30,20"
        )
    return read_setting(chips=chips, blinds=blinds, payouts=payouts, unit=unit), None


def _show_forecast(setting: Any, plan: Any) -> None:
    from pokerlab.display.elements.numbers import duration
    from pokerlab.lab.tournament.endgame_three import forecast

    seconds = forecast(setting, plan)
    text = f"{setting.units} units of {setting.unit} chips: {setting.state_count:,} states, about {duration(seconds)}"
    result = setting.as_dict() | {"players": setting.players, "states": setting.state_count, "seconds": seconds}
    write_results(result, lambda screen: screen.print(text))


def _state(setting: Any, text: str) -> tuple[int, ...]:
    """The stacks of a state; BadSetting, before any work is done, for an invalid one."""
    from pokerlab.games.prizes.payouts import read_numbers

    stacks = tuple(int(number) for number in read_numbers(text, "stacks"))
    if len(stacks) != 3:
        raise BadSetting(f"a state is the chips of button, small and big blind, like 4500,4500,4500; got {len(stacks)}")
    if sum(stacks) != setting.chips or any(stack % setting.unit or not stack for stack in stacks):
        raise BadSetting(
            f"{','.join(map(str, stacks))} is not a state: chips are multiples of {setting.unit}, none 0, and sum to "
            f"{setting.chips}"
        )
    return stacks


def _percent(text: str) -> float:
    """A percentage; a number without % is one too, with a notice, as it was earlier."""
    from pokerlab.store import notify

    word = text.strip()
    if not word.endswith("%"):
        notify(f"--target {word[:40]} of `pokerlab endgame` is a percentage of the entry fee: write {word[:40]}%")
    try:
        return float(word.removesuffix("%"))
    except ValueError:
        raise BadSetting(f"--target must be a percentage of the entry fee such as 0.01%, not {text[:40]!r}") from None
