"""Run papers, record what they find, and write docs/papers/index.md: python -m docs.papers.record [--full] [NAME ...]

Without a name only the page is written, from the records that there are. Papers are recorded one by one, so that a
stopped run loses nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pokerlab.display.papers.index import index_page
from pokerlab.papers._records import experiment_of, recorded, save
from pokerlab.registry import available, call, factory, find

HERE = Path(__file__).parent
PAGE = HERE / "index.md"
NO_PAGE = ("index",)


def page() -> str:
    """The text of docs/papers/index.md."""
    pages = [path.stem for path in HERE.glob("*.md") if path.stem not in NO_PAGE]
    return index_page(recorded(), [entry.name for entry in available("papers")], pages)


def main(words: list[str]) -> None:
    """Run and record the named papers, then write the page."""
    scale = next((word[2:] for word in words if word in ("--full", "--quick")), "usual")
    for name in (word for word in words if not word.startswith("--")):
        print(f"running {name} ({scale})", flush=True)
        settings = {"full": scale == "full", "quick": scale == "quick"}
        result = call(name, factory("papers", find("papers", name)), settings)
        save(recorded() | {name: experiment_of(name, result, scale)})
        print(f"{name}: {result.seconds:.0f} s", flush=True)
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
