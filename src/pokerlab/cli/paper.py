"""`pokerlab paper`: rerun a published experiment and compare the numbers."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated, Any

from pokerlab.cli._completion import paper_names
from pokerlab.cli._options import Cluster, OutFolder, Seed, argument, backend_of, option
from pokerlab.cli._output import announcing_compilation, error_console, literal, write_results


def command(
    name: Annotated[str | None, argument("Paper; without a name, list the papers.", complete=paper_names)] = None,
    full: Annotated[
        bool,
        option("Run at the paper's scale, or as close as the notes in the result say; default: smaller.", "--full"),
    ] = False,
    quick: Annotated[bool, option("Run for a few seconds: a preview; will not match the paper.", "--quick")] = False,
    out: OutFolder = None,
    seed: Seed = 0,
    cluster: Cluster = None,
) -> None:
    """Rerun a published experiment: our numbers beside the printed ones, and its figures.

    --out saves the figures as PNG and SVG, and a page index.html that shows all results. Without a name: every paper,
    with the number of printed values compared, the claims that hold, and the seconds.

    pokerlab paper
    pokerlab paper goykhman --out goykhman
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.papers.paper import make_folder, print_paper, write_paper
    from pokerlab.errors import BadSetting
    from pokerlab.papers.result import PaperResult
    from pokerlab.parallel import elsewhere
    from pokerlab.registry import call, factory, find

    if full and quick:
        raise BadSetting("--full is the scale of the paper and --quick a preview: leave one of them out")
    if name is None:
        _list_papers()
        return
    entry = find("papers", name)
    if out is not None:  # fails before the work, not after it
        make_folder(out)
    place = nullcontext() if cluster is None else elsewhere(backend_of(cluster))
    with announcing_compilation(), ProgressBar() as bar, place:
        smaller = {"quick": True} if quick else {}  # a user's own paper need not have a quick scale
        settings = {"full": full, "seed": seed, "on_progress": bar} | smaller
        result = call(entry.name, factory("papers", entry), settings)
    if not isinstance(result, PaperResult):
        kind = type(result).__name__
        raise BadSetting(
            f"{entry.name} returns an object of the class {kind}, not a pokerlab.papers.result.PaperResult"
        )
    page = None
    if out is not None:
        with ProgressBar() as bar:
            page = write_paper(result, out, on_progress=bar)

    def show(screen: Any) -> None:
        print_paper(result, screen)
        if page is not None:
            error_console().print(f"\nfigures and page: {literal(page)}")
        elif result.figures:
            error_console().print(f"\n[dim]{len(result.figures)} figures: draw them with --out FOLDER[/dim]")

    write_results(lambda: result.as_dict() | {"name": entry.name, "page": page and str(page)}, show)


def _list_papers() -> None:
    from pokerlab.display.papers.index import show_index
    from pokerlab.papers._records import recorded
    from pokerlab.registry import available

    papers, experiments = [(entry.name, entry.summary) for entry in available("papers")], recorded()
    write_results(
        lambda: {
            "papers": [{"name": name, "summary": summary} for name, summary in papers],
            "experiments": [experiments[name].as_dict() for name, _ in papers if name in experiments],
        },
        lambda screen: show_index(screen, experiments, papers),
    )
