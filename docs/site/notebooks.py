"""Run the notebooks of examples/ and save what they show: python -m docs.site.notebooks [NAME ...]

Each is run from its start in a copy of the folder, so that the files it writes are not left there.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from docs.site.staging import ROOT

EXAMPLES = ROOT / "examples"
SECONDS = 600  # the most that a cell may take


def names() -> list[str]:
    """The notebooks."""
    return sorted(path.name for path in EXAMPLES.glob("*.ipynb"))


def executed(name: str) -> nbformat.NotebookNode:
    """A notebook with what its cells show now."""
    notebook = nbformat.read(EXAMPLES / name, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(EXAMPLES, Path(folder) / "examples"))
        client = NotebookClient(
            notebook, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": copy}}
        )
        client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return notebook


if __name__ == "__main__":
    for name in sys.argv[1:] or names():
        nbformat.write(executed(name), EXAMPLES / name)
        print(f"run: examples/{name}")
