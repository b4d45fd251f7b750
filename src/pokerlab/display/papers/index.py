"""The table of all papers: in the terminal, and as the page docs/papers/index.md."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape

from pokerlab.display.elements.numbers import counted, duration, number_text
from pokerlab.display.elements.table import plain_table
from pokerlab.papers._records import Experiment

MOST_ROWS = 12  # printed numbers of a paper on the page
PAGE = """# Every experiment

Published experiments, rerun with `pokerlab paper NAME`: the printed numbers beside ours, and a verdict on each claim.
A run is recorded with its scale: `usual`, as the command runs it; `full`, near that of the paper; `quick`, a preview,
whose numbers need not match. Seconds are by the wall clock; where other programs shared the machine they are many times
those that the paper's own page states. This page is made from the records by `python -m docs.papers.record`.

"""


def show_index(screen: Any, experiments: Mapping[str, Experiment], papers: Sequence[tuple[str, str]]) -> None:
    """A row for each paper with its recorded run."""
    rows: list[tuple[str, ...]] = []
    for name, sentence in papers:
        summary = re.split(r"[:;]|\. ", sentence)[0].rstrip(".")
        one = experiments.get(name)
        if one is None:
            rows.append((f"[bold]{name}[/bold]", escape(summary), "", "", "", "", "", "[dim]no run recorded[/dim]"))
            continue
        verdicts = (str(one.count(holds) or "") for holds in (True, False, None))
        cells = (str(len(one.numbers)), *verdicts, duration(one.seconds), one.scale)
        rows.append((f"[bold]{name}[/bold]", escape(summary), *cells))
    headings = ("papers", "summary", "printed", "hold", "do not", "undecided", "seconds", "scale")
    screen.print(plain_table(headings, rows, left=("papers", "summary", "scale")))
    screen.print("[dim]printed numbers with ours beside them, and claims by verdict, in the last recorded run[/dim]")


def index_page(experiments: Mapping[str, Experiment], names: Sequence[str], pages: Sequence[str]) -> str:
    """The page: a table of all papers, then each with its claims and printed numbers.  # pages: names with a page"""
    lines = [
        PAGE + "| paper | printed numbers | claims that hold | do not | undecided | seconds | run |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in names:
        link = f"[{name}]({name}.md)" if name in pages else name
        one = experiments.get(name)
        if one is None:
            lines.append(f"| {link} | | | | | | not recorded |")
            continue
        verdicts = " | ".join(str(one.count(holds)) for holds in (True, False, None))
        lines.append(f"| {link} | {len(one.numbers)} | {verdicts} | {one.seconds:.0f} | {one.scale} |")
    for name in names:
        if name in experiments:
            lines += ["", *_section(experiments[name])]
    return "\n".join(lines) + "\n"


def _section(one: Experiment) -> list[str]:
    lines = [f"## {one.title}", "", f"{one.source}. `pokerlab paper {one.name}`", ""]
    if one.findings:
        lines += ["| claim | verdict | what we measure |", "|---|---|---|"]
        lines += [
            f"| {_cell(finding['claim'])} | {_cell(finding['verdict'])} | {_cell(finding['evidence'])} |"
            for finding in one.findings
        ]
        lines.append("")
    if one.numbers:
        lines += ["| number | printed | ours |", "|---|---|---|"]
        for number in one.numbers[:MOST_ROWS]:
            printed, ours = (number_text(value, 5) for value in (number.printed, number.ours))
            lines.append(f"| {_cell(number.what)} | {_cell(printed)} | {_cell(ours)} |")
        if len(one.numbers) > MOST_ROWS:
            lines += ["", f"The command prints {counted(len(one.numbers) - MOST_ROWS, 'more number')} beside ours."]
    return lines


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
