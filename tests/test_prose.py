"""Plain English: pages, help texts, messages and docstrings avoid words that read translated.

Code in backquotes and code blocks is not prose. A word that is right in its place is allowed there by its phrase.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SOURCES = sorted((ROOT / "src" / "pokerlab").rglob("*.py"))
WORDS = {  # what to avoid: what to write
    r"(?:told|tells)(?!(?: \w+){0,3} apart)": "shows, prints, reports, says",
    "kept": "saved, stored",
    "anew|once more": "again",
    "reckon(?:s|ed|ing)?": "compute",
    "(?:lays?|laid|laying) (?:it |them |a game |the game )?out": "build",
    "lies|lay": "is",
    "(?:stands?|stood) (?:in|at|beside|there|once)": "is",
    "(?:come|comes|came|coming) to (?:rest|half|where|there|the)|(?:is|been) come to": "reach, converge",
    "(?:go|goes|going|gone|went) on": "continue",
    "a person|persons|whom|whoever": "a user, a human, the player who",
    "he|him|his": "they, their, the player",
    "alike": "the same, suit-isomorphic",
    "so many": "n",
    "as it is so|so long as": "as soon as, as long as",
    "(?<!there )(?:is|are) none|is no number|is no terminal": "is not a ...",
    "neither must": "neither is guaranteed to",
}
ALLOWED = (
    "kept run",  # kinds of files, which earlier versions wrote
    "kept curve",
    "text that goes on",  # a doctest of shortening
)
AVOID = re.compile(rf"\b(?:{'|'.join(WORDS)})\b", re.IGNORECASE)


def complaints(text: str) -> list[str]:
    """Every word to avoid, with the words around it."""
    for phrase in ALLOWED:
        text = text.replace(phrase, "")
    text = " ".join(text.split())
    return [
        f"{found[0]!r} in '...{text[max(0, found.start() - 40) : found.end() + 30]}...'"
        for found in AVOID.finditer(text)
        if "None" not in found[0]  # Python's
    ]


def prose(page: str) -> str:
    """The prose of a page, without code and the targets of links."""
    page = re.sub(r"^(```+|~~~+).*?^\1", "", page, flags=re.DOTALL | re.MULTILINE)
    page = re.sub(r"^ {4}.*$", "", page, flags=re.MULTILINE)
    return re.sub(r"`[^`]*`|\]\([^)]*\)", " ", page)


def texts(source: str) -> Iterator[str]:
    """What may be prose in a file: docstrings, messages, help texts, comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield re.sub(r"`[^`]*`", " ", node.value)
    for comment in re.findall(r"(?:^|  )# (.*)$", source, re.MULTILINE):
        yield re.sub(r"`[^`]*`", " ", comment)


def test_pages_are_in_plain_english() -> None:
    found = [
        f"{page.relative_to(ROOT)}: {words}" for page in PAGES for words in complaints(prose(page.read_text("utf-8")))
    ]
    assert not found, "\n".join(found)


def test_messages_help_docstrings_and_comments_are_in_plain_english() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {words}"
        for path in SOURCES
        for text in texts(path.read_text("utf-8"))
        for words in complaints(text)
    ]
    assert not found, "\n".join(found)


def test_a_word_to_avoid_is_found() -> None:
    page = "Told are `kept` files.\n\n    he goes on\n\n```\nanew\n```\nIt goes\non."
    assert [words.partition("'")[2].partition("'")[0] for words in complaints(prose(page))] == ["Told", "goes on"]
    assert not complaints("None if there is none; which is None; what tells the two apart")
    assert list(texts('"""The value."""\nx = "kept"  # twice')) == ["The value.", "twice"]
