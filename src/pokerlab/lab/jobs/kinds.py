"""The kinds of jobs: what each runs, and what it leaves in its folder.

Settings come from strangers: names are of the library only (names.py), a solution is named by the id of the owner's own
job, and every number is checked by the function that uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress
from pokerlab.lab.jobs.names import checked_name
from pokerlab.lab.jobs.record import JobFolder
from pokerlab.parallel import elsewhere, worker_count

SOLUTION, HANDS, TABLE = "solution", "hands.duckdb", "boards.csv"  # files of a folder
SOLUTION_OF = "job:"  # prefix of an agent that plays the solution of one of the owner's jobs
MOST_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class Work:
    """What a job has to do, and where."""

    settings: Mapping[str, Any]
    folder: JobFolder
    resumed: bool
    on_progress: OnProgress
    cancel: CancelToken
    backend: str = ""  # where the work of matches, tournaments, reports and papers runs; by default in this process

    @property
    def workers(self) -> dict[str, Any]:
        """The arguments of functions that divide their work."""
        return {"workers": worker_count(self.backend), "backend": self.backend} if self.backend else {"workers": 1}

    @property
    def watching(self) -> dict[str, Any]:
        """The arguments of every long function."""
        return {"on_progress": self.on_progress, "cancel": self.cancel}


@dataclass(frozen=True)
class JobKind:
    """How a kind of job runs: its result as plain values, with a `summary` for lists of jobs."""

    run: Callable[[Work], dict[str, Any]]
    can_pause: bool  # whether a stopped job continues where it was


def limits_in(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The limits of a run; without any, a day."""
    limits = {name: settings.get(name) for name in ("target", "iterations", "seconds")}
    if limits["seconds"] is None:
        limits["seconds"] = MOST_SECONDS
    return limits


def _solve_spot(work: Work) -> dict[str, Any]:
    """Solve a spot with its locks, or continue."""
    from pokerlab.lab.solve.solving import resume, solve
    from pokerlab.lab.solve.tasks import spot_task

    path, limits = work.folder.file(SOLUTION), limits_in(work.settings)
    threads = int(work.settings.get("threads", 1))
    if work.resumed and path.exists():
        solution = resume(path, threads=threads, **limits, **work.watching)
    else:
        task = spot_task(checked_spot(work.settings["spot"]))
        storage = str(work.settings.get("storage", "float32"))
        solution = solve(task, threads=threads, storage=storage, save=path, **limits, **work.watching)
    return _of_solution(solution)


def checked_spot(settings: Any) -> dict[str, Any]:
    """The settings of a spot from a stranger: locks have frequencies, since an agent could be a file."""
    if not isinstance(settings, Mapping):
        raise BadSetting("a spot is a table of settings")
    for lock in settings.get("lock", []):
        if not isinstance(lock, Mapping) or "strategy" not in lock:
            raise BadSetting(
                "a lock on the page has frequencies; `pokerlab spot --lock` also locks a player to an agent"
            )
    return dict(settings)


def _solve_game(work: Work) -> dict[str, Any]:
    """Solve a game of the library, or continue."""
    from pokerlab.lab.solve.solving import resume, solve

    path, limits = work.folder.file(SOLUTION), limits_in(work.settings)
    if work.resumed and path.exists():
        return _of_solution(resume(path, **limits, **work.watching))
    algorithm = work.settings.get("algorithm")
    return _of_solution(
        solve(
            checked_name("games", work.settings["game"]),
            algorithm=None if algorithm is None else checked_name("algorithms", algorithm),
            seed=int(work.settings.get("seed", 0)),
            save=path,
            **limits,
            **work.watching,
        )
    )


def _of_solution(solution: Any) -> dict[str, Any]:
    known = solution.measure.is_known
    summary = {
        "game": solution.game,
        "algorithm": solution.algorithm_text,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "exploitability_percent": solution.exploitability_percent if known else None,
        "values": list(solution.values) if known else [],
        "stopped": solution.stopped,
    }
    curve = [[point.iterations, point.seconds, point.exploitability] for point in solution.curve]
    return {"summary": summary, "curve": curve, "pot": solution.pot}


def _compare(work: Work) -> dict[str, Any]:
    """Run several algorithms on one game."""
    from pokerlab.lab.solve.comparing import compare

    settings = work.settings
    algorithms = [checked_name("algorithms", name) for name in settings["algorithms"]]
    limits: dict[str, Any] = {name: settings.get(name) for name in ("target", "iterations", "seconds")}
    game, seed = checked_name("games", settings["game"]), int(settings.get("seed", 0))
    result = compare(game, algorithms, seed=seed, **limits, **work.watching)
    ranking = [name for name, _ in result.ranking]
    return {"summary": {"best": ranking[:1], "algorithms": algorithms}, **result.as_dict()}


def _match(work: Work) -> dict[str, Any]:
    """Play a match, or the rest of one."""
    from pokerlab.lab.play.playing import match

    settings = work.settings
    path = work.folder.file(HANDS)
    result = match(
        agents_in(work),
        game=_game_in(work),
        hands=int(settings["hands"]),
        seed=int(settings.get("seed", 0)),
        duplicate=settings.get("duplicate"),
        block=int(settings.get("block", 200)),
        out=path,
        resume=work.resumed and path.exists(),
        **work.workers,
        **work.watching,
    )
    curve = {"hands": result.curve.hands.tolist(), "totals": result.curve.totals.tolist()}
    leader = max(zip(result.summaries, result.agents, strict=True), key=lambda pair: pair[0].mean)[1]
    return {"summary": {"hands": result.hands, "leader": leader}, "curve": curve, **result.as_dict()}


def _tournament(work: Work) -> dict[str, Any]:
    """Play a round robin, or the rest of one."""
    from pokerlab.lab.play.playing import run_tournament
    from pokerlab.match.run.tournament import pairings

    settings = work.settings
    seed, path = int(settings.get("seed", 0)), work.folder.file(HANDS)
    agents = agents_in(work)
    matches = pairings(
        _game_in(work),
        agents,
        hands=int(settings["hands"]),
        seed=seed,
        duplicate=settings.get("duplicate"),
        block=int(settings.get("block", 200)),
    )
    resumes = work.resumed and path.exists()
    result = run_tournament(matches, seed=seed, out=path, resume=resumes, **work.workers, **work.watching)
    return {"summary": {"hands": result.hands, "leader": result.ranking[0][0]}, **result.as_dict()}


def agents_in(work: Work) -> list[str]:
    """The agents that a job names; "job:ID" is the solution of another job of the same owner."""
    return [opened_agent(str(name), work.folder.path.parent) for name in work.settings["agents"]]


def opened_agent(name: str, shelf: Path) -> str:
    """An agent by its name; "job:ID" plays the solution of a job of this shelf."""
    if not name.startswith(SOLUTION_OF):
        return checked_name("agents", name)
    return f"strategy:{solution_file(name.removeprefix(SOLUTION_OF), shelf)}"


def solution_file(job_id: str, shelf: Path) -> Path:
    """The solution of a job; BadSetting if it has none."""
    from pokerlab.lab.jobs.record import JobShelf

    path = JobShelf(shelf).folder(job_id).file(SOLUTION)
    if not path.is_file():
        raise BadSetting(f"the job {job_id} has no solution yet")
    return path


def _game_in(work: Work) -> Any:
    """The game of a match: of the library, or the spot of a solved job."""
    from pokerlab.formats.opening import open_spot

    name = str(work.settings["game"])
    if name.startswith(SOLUTION_OF):
        return open_spot(solution_file(name.removeprefix(SOLUTION_OF), work.folder.path.parent))
    return checked_name("games", name)


def _report(work: Work) -> dict[str, Any]:
    """Solve a spot on many boards; finished boards are in the table."""
    from pokerlab.lab.spots.board_groups import grouped
    from pokerlab.lab.spots.board_list import read_boards
    from pokerlab.lab.spots.boards import read_moves, report, totals
    from pokerlab.tree.form import kind_of

    settings = work.settings
    options: dict[str, Any] = {
        "target": settings.get("target") or "0.5%",
        "iterations": None,
        "seconds": None,
        "threads": 1,
    }
    options |= {"storage": "float32", "algorithm": kind_of("public").default_algorithm}
    spot, boards = checked_spot(settings["spot"]), str(settings["boards"])
    rows = report(
        {"lock": [], **spot},
        read_boards(boards_named(boards)),
        at=read_moves(str(settings.get("at", ""))),
        out=work.folder.file(TABLE),
        **options,
        **work.workers,
        **work.watching,
    )
    return {"summary": {"boards": len(rows)}, "rows": rows, "totals": totals(rows), "groups": grouped(rows)}


def boards_named(text: str) -> str:
    """The boards of a report: cards, or a subset by name; never a file."""
    from pokerlab.lab.spots.board_list import subset_size

    if text != "flops" and subset_size(text) is None and any(letter in text for letter in "/\\.~"):
        raise BadSetting("boards are written as Ks7h2d, QsJsTs, or flops:25")
    return text


def _push_fold(work: Work) -> dict[str, Any]:
    """Push or fold of 2 to 9 players, for chips or prizes."""
    from pokerlab.lab.preflop.push_fold_table import push_fold_table, table_stakes

    settings = work.settings
    amounts = {name: str(settings.get(name) or "0") for name in ("ante", "big_blind_ante")}
    payouts = settings.get("payouts") or None
    table = table_stakes(str(settings["stacks"]), payouts=None if payouts is None else str(payouts), **amounts)
    result = push_fold_table(table, save=work.folder.file(SOLUTION), **work.watching)
    summary = {"title": f"epsilon {result.epsilon_percent:.2g} % of the prize pool"}
    return {"summary": summary, "unit": table.unit, **result.as_dict()}


def _paper(work: Work) -> dict[str, Any]:
    """Rerun a published experiment."""
    from pokerlab.registry import call, factory, find

    entry = find("papers", checked_name("papers", work.settings["paper"]))
    scale = work.settings.get("scale", "quick")
    settings = {"full": scale == "full", "quick": scale == "quick", "seed": int(work.settings.get("seed", 0))}
    with elsewhere(work.backend) if work.backend else nullcontext():
        result = call(entry.name, factory("papers", entry), settings | work.watching)
    for figure in result.figures:
        _save_figure(work, figure)
    return {"summary": {"title": result.title, "seconds": result.seconds}, **result.as_dict()}


def _save_figure(work: Work, figure: Any) -> None:
    """The figure as data, which the caller draws."""
    from pokerlab.lab.jobs.figures import figure_dict

    path = work.folder.file("figures")
    path.mkdir(exist_ok=True)
    JobFolder(path).file(f"{figure.name}.json").write_text(figure_dict(figure), encoding="utf-8", newline="\n")


KINDS: Mapping[str, JobKind] = {
    "spot": JobKind(_solve_spot, can_pause=True),
    "solve": JobKind(_solve_game, can_pause=True),
    "compare": JobKind(_compare, can_pause=False),
    "match": JobKind(_match, can_pause=True),
    "tournament": JobKind(_tournament, can_pause=True),
    "report": JobKind(_report, can_pause=True),
    "pushfold": JobKind(_push_fold, can_pause=False),
    "paper": JobKind(_paper, can_pause=False),
}
