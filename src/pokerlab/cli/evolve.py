"""`pokerlab evolve`: let populations of players evolve on a two-role game, or learn it by sampled regret matching."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._output import Json, Seed, announcing_compilation, console, error_console, print_json

METHODS = ("populations", "united", "regret")
_DEFAULT_ITERATIONS = {"populations": 200, "united": 200, "regret": 20_000_000}


def command(
    game: Annotated[
        str,
        typer.Argument(help="von-neumann, flop-poker or push-fold, with settings: 'flop-poker(ante=1, bet=4)'."),
    ],
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="populations: two roles co-evolve; united: agents play both roles; regret: sampled regret matching.",
        ),
    ] = "populations",
    iterations: Annotated[
        int | None,
        typer.Option("--iterations", min=1, help="Generations, or rounds of regret matching.", show_default=False),
    ] = None,
    population: Annotated[int, typer.Option("--population", help="Agents of each role, or united.")] = 1000,
    rounds: Annotated[int, typer.Option("--rounds", help="Games of each agent in a generation.")] = 1000,
    selected: Annotated[
        float | None, typer.Option("--selected", help="Share that survives: 0.1, united 0.3.", show_default=False)
    ] = None,
    mutation: Annotated[
        float | None, typer.Option("--mutation", help="Chance of a mutation: 1e-6, united 1e-4.", show_default=False)
    ] = None,
    fitness: Annotated[
        str, typer.Option("--fitness", help="real: games are played; exact: expected scores, without noise.")
    ] = "real",
    score: Annotated[
        str | None,
        typer.Option("--score", help="bankroll, squared-loss or squared-loss-per-game.", show_default=False),
    ] = None,
    hall: Annotated[float, typer.Option("--hall", help="Share of opponents from the hall of fame.")] = 0.0,
    averaged: Annotated[bool, typer.Option("--averaged", help="Answer with the mean over generations.")] = False,
    pareto: Annotated[int, typer.Option("--pareto", help="Select by Pareto fronts over so many opponents.")] = 0,
    target: Annotated[
        float | None, typer.Option("--target", help="Stop at this exploitability, chips a hand.", show_default=False)
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="Stop after so many seconds.", show_default=False)
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", help="Keep the state in this file, and go on from it.", show_default=False),
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Evolve strategies for a game of one decision a hand, and measure them against the exact equilibrium.

    Example: [bold]pokerlab evolve "flop-poker(bet=4)" --method united --fitness exact[/bold]
    """
    from pokerlab.errors import BadSetting
    from pokerlab.games.two_roles import two_role_game
    from pokerlab.solve.solver import Stop

    if method not in METHODS:
        raise BadSetting(f"{method[:60]!r} is not a method; choose one of {', '.join(METHODS)}")
    if fitness not in ("real", "exact"):
        raise BadSetting(f"fitness is real or exact, not {fitness[:60]!r}")
    chosen = {
        "population": population,
        "rounds": rounds,
        "selected": selected,
        "mutation": mutation,
        "fitness": score,
        "exact": fitness == "exact",
        "hall": hall,
        "averaged": averaged,
        "pareto": pareto,
    }
    with announcing_compilation():
        played = two_role_game(game)
        solver = _solver(played, method, chosen, seed)
        note = {"game": played.name, "method": method, "settings": repr(getattr(solver, "settings", "")), "seed": seed}
        if checkpoint is not None and checkpoint.exists():
            _restore(solver, checkpoint, note)
        stop = Stop(iterations=iterations or _DEFAULT_ITERATIONS[method], seconds=seconds, target=target)
        done = _run(solver, stop, checkpoint, note)
    _show(played, solver, done, note, as_json=as_json)


def _solver(game: Any, method: str, chosen: dict[str, Any], seed: int) -> Any:
    from dataclasses import replace

    from pokerlab.solve.genetic import SECTION_3, SECTION_6, GeneticSolver
    from pokerlab.solve.sampled_roles import SampledRoles

    if method == "regret":
        return SampledRoles(game, seed=seed)
    base = SECTION_6 if method == "united" else SECTION_3
    return GeneticSolver(game, replace(base, **{k: v for k, v in chosen.items() if v is not None}), seed=seed)


def _restore(solver: Any, path: Path, note: dict[str, Any]) -> None:
    from pokerlab import store
    from pokerlab.errors import BadFile

    kept = store.load(path, kind="evolution")
    for name, value in note.items():
        if kept.manifest.get(name) != value:
            raise BadFile(f"{path} was kept for another {name} ({kept.manifest.get(name)}), not {value}")
    solver.restore(kept.arrays)
    error_console().print(f"[dim]going on from {path} at {solver.iterations:,} iterations[/dim]")


def _run(solver: Any, stop: Any, checkpoint: Path | None, note: dict[str, Any]) -> Any:
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from pokerlab import store
    from pokerlab.solve.solver import run

    def keep(_: Any) -> None:
        assert checkpoint is not None
        store.save(checkpoint, solver.arrays(), kind="evolution", **note)

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[found]}"), TimeElapsedColumn())
    with Progress(*columns, console=error_console(), transient=True) as bar:
        task = bar.add_task("evolving", total=stop.iterations, found="")

        def shown(progress: Any) -> None:
            found = "" if progress.measure is None else f"exploitability {progress.measure.exploitability:.5f}"
            bar.update(task, completed=progress.iterations, found=found)

        return run(solver, stop, on_progress=shown, checkpoint=keep if checkpoint else None)


def _show(game: Any, solver: Any, done: Any, note: dict[str, Any], *, as_json: bool) -> None:
    from pokerlab.solve.two_roles import admissible_second, solve_roles

    first, second = solver.output if hasattr(solver, "output") else (solver.average(0), solver.average(1))
    exact = solve_roles(game)
    measure = solver.measure()
    result = {
        **note,
        "iterations": solver.iterations,
        "games": solver.nodes_touched,
        "seconds": round(done.last.seconds, 3),
        "stopped": done.stopped,
        "value": measure.values[0],
        "exact_value": exact.value,
        "exploitability": measure.exploitability,
        "frequencies": game.frequencies(first, second),
        "strategies": {
            role: dict(zip(hands, (round(float(number), 6) for number in strategy), strict=True))
            for role, hands, strategy in zip(game.roles, game.hands, (first, second), strict=True)
        },
    }
    if as_json:
        print_json(result)
        return
    shown = console()
    rate = solver.nodes_touched / max(done.last.seconds, 1e-9)
    shown.print(f"[bold]{game.name}[/bold], {note['method']}: {solver.iterations:,} iterations")
    shown.print(f"  {solver.nodes_touched:,} games in {done.last.seconds:.1f} s, {rate / 1e6:.1f} million a second")
    shown.print(f"  value to {game.roles[0]} {measure.values[0]:+.6f} chips a hand, exact {exact.value:+.6f}")
    shown.print(f"  exploitability {measure.exploitability:.6f} chips a hand")
    truths = (exact.first, admissible_second(game, exact.value))
    for role, act, strategy, truth in zip(game.roles, game.acts, (first, second), truths, strict=True):
        shown.print(f"\n[bold]{role} {act}[/bold]")
        _draw(shown, strategy, truth)


def _draw(shown: Any, strategy: Any, truth: Any) -> None:
    if len(strategy) == 169:
        from pokerlab.report.grid import Grid

        shown.print(Grid(strategy.reshape(13, 13)))
        return
    shades = " ░▒▓█"
    for label, numbers in (("found", strategy), ("exact", truth)):
        bar = "".join(shades[0 if number < 0.02 else min(4, 1 + int(number * 3.9))] for number in numbers[:200])
        shown.print(f"  {label}  │{bar}│", soft_wrap=True)
