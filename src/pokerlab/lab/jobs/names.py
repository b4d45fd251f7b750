"""Names that a stranger may choose: of the library only, never of a file or of code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pokerlab import registry, specs
from pokerlab.errors import BadSetting, PokerlabError, shortened

NEVER = {
    "games": {"file", "openspiel", "matrix"},
    "agents": {"human", "remote", "strategy", "team", "probe"},
    "algorithms": set[str](),
    "papers": set[str](),
}  # these open files, connect to other programs, or wait for input
MOST_NAME = 300  # characters
FILES = ("file", "path", "folder")  # settings that name files
_PATH = re.compile(r"[/\\~:]|\.\w*[A-Za-z]")
_WORD = re.compile(r"[A-Za-z]\w*(?:-\w+)*")
_NEVER_INSIDE = frozenset(FILES).union(*NEVER.values())  # an agent may be a setting of another


def library_names(group: str) -> list[str]:
    """The names of a group ("games", "agents", "algorithms", "papers") that may be chosen."""
    return [entry.name for entry in registry.available(group) if entry.name not in NEVER[group]]


def checked_name(group: str, text: str) -> str:
    """A name with its settings, "leduc(players=3)"; BadSetting if it could name a file, a program or code.

    >>> checked_name("games", "leduc(players=3)")
    'leduc(players=3)'
    >>> checked_name("games", "./mine.py")
    Traceback (most recent call last):
    ...
    pokerlab.errors.BadSetting: './mine.py' is not in the library; choose one of its games by name
    """
    word = text.strip()
    try:
        name, settings = specs.read(word[:MOST_NAME])
    except PokerlabError:
        name, settings = "", {}
    known = set(library_names(group))
    plain = all(setting not in FILES and _is_plain(value) for setting, value in settings.items())
    if len(word) > MOST_NAME or name not in known or not plain:
        raise BadSetting(f"{shortened(word)!r} is not in the library; choose one of its {group} by name")
    return word


def _is_plain(value: object) -> bool:
    """Whether a setting is a number or a text that names no path, and nothing that opens one.

    >>> _is_plain("cfr(alpha=1)"), _is_plain("strategy(file=secrets)"), _is_plain("human")
    (True, False, False)
    """
    if isinstance(value, str):
        return len(value) <= 100 and not _PATH.search(value) and _NEVER_INSIDE.isdisjoint(_WORD.findall(value.lower()))
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return len(value) <= 30 and all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, float))
