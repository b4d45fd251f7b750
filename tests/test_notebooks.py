"""The notebooks of examples/ run from their start, and show what is kept in them."""

from __future__ import annotations

import re
from typing import Any

import nbformat
import pytest

from docs.site import notebooks

TIMES = re.compile(r"\d[\d,.]* ?(ms|s|µs|/s|hands/s)\b")
ROUNDING = re.compile(r"\b\d(\.\d+)?e-1[3-9]\b")  # where an exact program ends, which differs by machine


def shown(cell: Any) -> list[str]:
    """What a cell shows: texts without times and errors of rounding, and of pictures that there is one."""
    found = ["".join(output.text for output in cell.outputs if output.get("name") == "stdout")]
    for output in cell.outputs:
        assert output.output_type != "error"
        if output.output_type != "stream":
            kind = next(kind for kind in ("image/png", "text/html", "text/plain") if kind in output.data)
            found.append(kind if kind == "image/png" else output.data[kind])
    return [ROUNDING.sub("0", TIMES.sub("", text)) for text in found]


@pytest.mark.parametrize("name", notebooks.names())
def test_notebooks_are_kept_as_they_ran(name: str) -> None:
    kept = nbformat.read(notebooks.EXAMPLES / name, as_version=4)
    nbformat.validate(kept)
    counts = [cell.execution_count for cell in kept.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))  # once, from top to bottom
    assert (notebooks.EXAMPLES / name).stat().st_size < 300_000
    assert [shown(cell) for cell in kept.cells if cell.cell_type == "code"]


@pytest.mark.slow
@pytest.mark.parametrize("name", notebooks.names())
def test_a_notebook_shows_what_is_kept_in_it(name: str) -> None:
    kept, now = nbformat.read(notebooks.EXAMPLES / name, as_version=4), notebooks.executed(name)
    for before, after in zip(kept.cells, now.cells, strict=True):
        if before.cell_type == "code" and "varies" not in before.metadata.get("tags", []):
            assert shown(after) == shown(before), before.source
