"""The pages of the site, put into one folder as Sphinx wants them.

The markdown pages are written for a reader of the repository: their links are relative paths that work on a
code-hosting page. Here every page is copied to its place on the site, and each link goes to the place of what it
names; a file that is linked and is no page (a picture, an example) is copied too.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
OWN_PAGES = ROOT / "docs" / "site" / "pages"  # pages that make sense only on the site
RENAMED = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "README.md": "index.md",
    "docs/README.md": "contents.md",
}
LINK = re.compile(r"(?P<start>!?\[[^\]\n]*(?:\n[^\]\n]+)?\]\()(?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
FENCE = re.compile(r"^(```+|~~~+)")
ELSEWHERE = re.compile(r"^[a-z][a-z+.-]*:")  # http:, mailto:


def sources() -> dict[Path, PurePosixPath]:
    """Every page that is written by hand, with its place on the site."""
    pages = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {path: place_of(path) for path in [*pages, *sorted((ROOT / "examples").glob("*.ipynb"))]}


def place_of(path: Path) -> PurePosixPath:
    """Where a file of the repository lies on the site."""
    name = path.relative_to(ROOT).as_posix()
    if name in RENAMED:
        return PurePosixPath(RENAMED[name])
    for folder in (OWN_PAGES, ROOT / "docs"):
        if path.is_relative_to(folder):
            return PurePosixPath(path.relative_to(folder).as_posix())
    return PurePosixPath(name)


def stage(target: Path) -> None:
    """Put the pages, and the files that they link to, into an empty folder."""
    shutil.rmtree(target, ignore_errors=True)
    for path, place in sources().items():
        written = target / place
        written.parent.mkdir(parents=True, exist_ok=True)
        move = relinked_notebook if path.suffix == ".ipynb" else relinked
        text, linked = move(path.read_text(encoding="utf-8"), path, place)
        written.write_text(text, encoding="utf-8")
        for file in linked:
            copy = target / place_of(file)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    shutil.copytree(ROOT / "docs" / "pictures", target / "pictures", dirs_exist_ok=True)


def relinked(text: str, path: Path, place: PurePosixPath) -> tuple[str, list[Path]]:
    """The text of a page with links as they are from its place on the site, and the files that are no pages."""
    linked: list[Path] = []

    def moved(found: re.Match[str]) -> str:
        target = found["target"]
        if ELSEWHERE.match(target) or path.is_relative_to(OWN_PAGES):
            return found[0]  # pages of the site name what they link to by its place there
        file = (path.parent / target).resolve()
        if file.suffix not in (".md", ".ipynb"):
            linked.append(file)
        there = os.path.relpath(place_of(file), place.parent)
        return f"{found['start']}{PurePosixPath(there).as_posix()}{found['anchor'] or ''})"

    return "".join(without_end(part) if code else LINK.sub(moved, part) for code, part in parts(text)), linked


def relinked_notebook(text: str, path: Path, place: PurePosixPath) -> tuple[str, list[Path]]:
    """The same of a notebook: the links in its prose."""
    notebook = json.loads(text)
    linked: list[Path] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            source, files = relinked("".join(cell["source"]), path, place)
            cell["source"] = source.splitlines(keepends=True)
            linked += files
    return json.dumps(notebook), linked


def without_end(code: str) -> str:
    """Fenced code without the empty line at its end, which doctests need and readers do not."""
    return re.sub(r"\n\n(```\n)", r"\n\1", code)


def parts(text: str) -> list[tuple[bool, str]]:
    """A page in stretches of prose and of fenced code: (is it code, its text)."""
    found: list[tuple[bool, str]] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        inside = bool(fence) or mark is not None
        if found and found[-1][0] == inside:
            found[-1] = (inside, found[-1][1] + line)
        else:
            found.append((inside, line))
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip() == fence:
            fence = ""
    return found
