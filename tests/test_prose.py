"""Plain English: pages, help texts, messages and docstrings avoid words that read translated.

Code between backquotes and fenced code is not prose. A word that is right where it stands is allowed by its phrase.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SOURCES = sorted((ROOT / "src" / "pokerlab").rglob("*.py"))
WORDS = {  # a pattern: what to write instead
    r"(?:un)?told|tells": "shows, prints, reports, says",
    r"kept": "saved, stored",
    r"(?:lays?|laid|laying) (?:it |them |a game |the game )?out": "builds, built",
    r"lies|lay": "is, is stored",
    r"anew|once more": "again",
    r"reckon\w*": "computed",
    r"(?:come|comes|came|coming) to (?:rest|an? |the |it|this|that|each|every|there|where|half|light)": "reaches",
    r"has been come to|is come to": "reached, visited",
    r"(?:goes|gone|going|go|went) on": "continues",
    r"whom|whoever|whosoever": "who",
    r"a person|persons": "a user, a human, a player",
    r"is none|are none|is no (?:number|player|terminal|page)": "is not a ..., there is no ...",
    r"so many|so long as|as it is so": "a number, as long as",
    r"he|him|his": "they, their, the player",
    r"neither must|need not be": "neither needs to",
    r"stands? (?:at|beside|there|once|in)|stood": "is at, is beside",
    r"by its own|of one's own|of (?:his|her|its|their) own": "its own",
    r"alike": "the same, suit-isomorphic",
    r"afterwards no|no longer any": "no",
}
ALLOWED = ()
CHECK = re.compile("|".join(rf"(?P<w{number}>\b(?:{word})\b)" for number, word in enumerate(WORDS)), re.IGNORECASE)


def complaints(text: str) -> list[str]:
    for phrase in ALLOWED:
        text = text.replace(phrase, "")
    found = []
    for match in CHECK.finditer(text):
        around = " ".join(text[max(0, match.start() - 40) : match.end() + 30].split())
        found.append(f"{match[0]!r} in '... {around} ...'")
    return found


def prose(page: str) -> str:
    page = re.sub(r"^(```+|~~~+).*?^\1", "", page, flags=re.DOTALL | re.MULTILINE)
    page = re.sub(r"^ {4}.*$", "", page, flags=re.MULTILINE)
    return re.sub(r"`[^`]*`|\]\([^)]*\)", " ", page)


def strings(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield re.sub(r"`[^`]*`", " ", node.value)
