"""Every link of every page leads somewhere: files exist, and so do the headings that anchors name."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from docs.site import staging
from pokerlab.cli import command_names

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.ipynb")])
ON_THE_SITE = {str(place): path for path, place in staging.sources().items()}
GENERATED = {"commands/index.md", *(f"commands/{name}.md" for name in command_names())}
ELSEWHERE = re.compile(r"^(https?|mailto):")


def prose_of(path: Path) -> str:
    """The markdown of a page, or of a notebook's cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")


@cache
def tokens(path: Path) -> list[Token]:
    parsed = MarkdownIt("commonmark").enable("table").parse(prose_of(path))
    return [token for outer in parsed for token in (outer, *(outer.children or ()))]


def links(path: Path) -> list[str]:
    """What a page links to or shows."""
    found = [token.attrGet("href") or token.attrGet("src") for token in tokens(path)]
    return [str(target) for target in found if target]


@cache
def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as code-hosting pages and the site make them."""
    seen: Counter[str] = Counter()
    found = set()
    in_heading = False
    for token in tokens(path):
        in_heading = in_heading or token.type == "heading_open"
        if token.type == "heading_close":
            in_heading = False
        if in_heading and token.type == "inline":
            words = "".join(part.content for part in token.children or ())
            slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
            seen[slug] += 1
    return found


def broken(page: Path, target: str) -> str | None:
    """What is wrong with a link, if anything."""
    name, _, anchor = target.partition("#")
    if page.is_relative_to(staging.OWN_PAGES) and name:
        place = staging.place_of((page.parent / name).resolve()).as_posix()
        if place in GENERATED:
            return None
        file = ON_THE_SITE.get(place, ROOT / "docs" / place)
    else:
        file = (page.parent / name).resolve() if name else page
    if not file.exists():
        return f"{target}: there is no {file.relative_to(ROOT)}"
    if anchor and file.suffix == ".md" and anchor not in anchors(file):
        return f"{target}: {file.relative_to(ROOT)} has no such heading; it has {', '.join(sorted(anchors(file)))}"
    return None


@pytest.mark.parametrize("page", [str(path.relative_to(ROOT)) for path in PAGES])
def test_links_of_a_page_lead_somewhere(page: str) -> None:
    path = ROOT / page
    found = [broken(path, target) for target in links(path) if not ELSEWHERE.match(target)]
    assert not list(filter(None, found))


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = ROOT / "docs" / "howto" / "solve.md"
    assert broken(page, "spots.md#locks-and-exploitation") is None
    assert "no such heading" in str(broken(page, "spots.md#nowhere"))
    assert "there is no docs/howto/nothing.md" in str(broken(page, "nothing.md"))
    assert "there is no" in str(broken(staging.OWN_PAGES / "index.md", "commands/nothing.md"))


def test_there_are_links() -> None:
    assert sum(len(links(page)) for page in PAGES) > 60


def linked_pages(page: Path) -> set[Path]:
    """The pages of the project that a page links to."""
    targets = {target.partition("#")[0] for target in links(page) if not ELSEWHERE.match(target)}
    return {(page.parent / target).resolve() for target in targets if target.endswith(".md")}


def test_the_contents_link_every_paper_page_and_lead_to_every_page() -> None:
    contents = ROOT / "docs" / "README.md"
    assert contents in linked_pages(ROOT / "README.md")
    assert not set((ROOT / "docs" / "papers").glob("*.md")) - linked_pages(contents)
    reached, new = set(), [contents]
    while new:
        page = new.pop()
        reached.add(page)
        if page.is_relative_to(ROOT / "docs") and page.exists():
            new += [one for one in linked_pages(page) if one not in reached]
    pages = {page for page in (ROOT / "docs").rglob("*.md") if not page.is_relative_to(staging.OWN_PAGES)}
    assert not pages - reached


@pytest.mark.parametrize("page", [str(path.relative_to(ROOT)) for path in PAGES])
def test_what_is_entered_in_python_is_fenced(page: str) -> None:
    """Outside of a fence `>>>` is a quotation within quotations."""
    prose = "".join(part for code, part in staging.parts(prose_of(ROOT / page)) if not code)
    assert not re.search(r"^>>> ", prose, re.MULTILINE)


def test_every_picture_is_shown_and_made_by_the_script() -> None:
    from docs.pictures.draw import DRAWN, MADE, PAGE, PRINTED

    pictures = {path.name for path in (ROOT / "docs" / "pictures").glob("*.svg")}
    assert pictures == {*PRINTED, *DRAWN, *MADE} - {PAGE}
    told = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    assert not [name for name in pictures if f"pictures/{name}" not in told]
