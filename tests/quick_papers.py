"""Quick runs of papers, each once in a run of the tests: workers take what one of them has run from a folder."""

from __future__ import annotations

import importlib
import pickle
from pathlib import Path

from pokerlab.papers.result import PaperResult
from pokerlab.registry import find
from pokerlab.writing import replacing

SEED = 3


def quick_run(name: str, folder: Path) -> tuple[PaperResult, list[float]]:
    """A quick run, and how far it said that it was."""
    kept = folder / f"{name}.pickle"
    if not kept.exists():
        shares: list[float] = []
        module = importlib.import_module(find("papers", name).module)
        result = module.paper(quick=True, seed=SEED, on_progress=lambda event: shares.append(event.share))
        with replacing(kept) as part:
            part.write_bytes(pickle.dumps((result, shares)))
    found: tuple[PaperResult, list[float]] = pickle.loads(kept.read_bytes())
    return found
