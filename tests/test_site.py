"""The site: a page of each command made of its own help, the pages put together, and all of it built."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import CommandLine
from docs.pictures.draw import PRINTED, picture
from docs.site import commands, fields, staging
from pokerlab.cli import command_names
from pokerlab.cli._help import split_help

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", command_names())
def test_the_page_of_a_command_says_what_its_help_says(name: str, cli: CommandLine) -> None:
    page = commands.page(name)
    printed = cli([name, "--help"], width=1000).printed
    options = re.findall(r"^  (-[^ ]+)", printed, re.MULTILINE)
    assert [option for option in options if f"`{option}`" not in page] == ["-h,"]
    rows = [row for rows in commands.tables(commands.command_words(name)).values() for row in rows]
    assert rows
    for names, _, says in rows:
        assert names
        assert says
    for line in split_help(commands.command_of(name).__doc__ or "")[2]:
        assert line in printed
        assert line in page
    assert len([row for row in rows if row[0].startswith("`-")]) == len(options) - 1


def test_the_list_of_commands_has_them_all() -> None:
    contents = commands.contents()
    assert all(f"({name}.md)" in contents for name in command_names())


def test_text_of_a_terminal_stays_as_it_is() -> None:
    assert commands.escaped("a_b * [c] `x|y` 5 % <d>") == r"a\_b \* \[c\] `x\|y` 5 % \<d\>"


def test_comments_of_fields_are_told() -> None:
    from pokerlab.games.poker.rules import Round

    told = fields.fields_of(Round)
    assert list(told) == list(Round.__dataclass_fields__)
    assert told["private"] == "cards dealt to each player"
    assert told["betting"] == ""


def test_links_are_moved_with_their_pages(tmp_path: Path) -> None:
    staging.stage(tmp_path)
    solve = (tmp_path / "howto" / "solve.md").read_text()
    assert "(../contributing.md#one-file-each)" in solve
    assert "CONTRIBUTING.md" not in solve
    assert "(map.md)" in (tmp_path / "contributing.md").read_text()
    assert (tmp_path / "pictures" / "spot.svg").exists()
    code = "```\n[a](../README.md)\n```\n"
    page = ROOT / "docs" / "papers" / "goykhman.md"
    text, files = staging.relinked(f"{code}[a](../../README.md#x) [b](../../LICENSE)", page, staging.place_of(page))
    assert text == f"{code}[a](../index.md#x) [b](../LICENSE)"
    assert files == [ROOT / "LICENSE"]


def test_every_page_is_in_the_contents(tmp_path: Path) -> None:
    staging.stage(tmp_path)
    listed = {"index"}
    for page in tmp_path.rglob("*.md"):
        for body in re.findall(
            r"^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        ):
            names = [re.sub(r"^.*<(.*)>$", r"\1", line) for line in body.splitlines() if line and line[0] != ":"]
            listed |= {(page.parent / name).relative_to(tmp_path).as_posix() for name in names}
    pages = [path for path in tmp_path.rglob("*") if path.suffix in (".md", ".ipynb")]
    assert listed == {path.relative_to(tmp_path).with_suffix("").as_posix() for path in pages} | {"commands/index"}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PRINTED))
def test_a_picture_shows_what_its_command_prints(name: str) -> None:
    kept = (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8")
    assert words_in(kept) == words_in(picture(name).decode())


def words_in(svg: str) -> list[str]:
    """The words of a picture of a terminal, but for times."""
    texts = re.findall(r"<text[^>]*>(.*?)</text>", svg)
    return re.sub(r"[\d.]+ s\b", "", html.unescape(" ".join(texts)).replace("\xa0", " ")).split()


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "docs.site.build", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    site = tmp_path / "html"
    home = (site / "index.html").read_text(encoding="utf-8")
    for door in ("tutorials/student.html", "tutorials/player.html", "tutorials/bot-builder.html"):
        assert f'href="{door}"' in home
        assert (site / door).exists()
    assert {path.stem for path in (site / "commands").glob("*.html")} == {"index", *command_names()}
    assert 'id="pokerlab.solve"' in (site / "api" / "solving.html").read_text(encoding="utf-8")
