"""Look things up by name: a file in a library is available under its file name, and so is user code.

There is no list to register in. The libraries are games/library, solvers/library, agents/library and papers, and
formats for games that are read from elsewhere. A module counts if it defines the entry point of its kind at top level
(`game`, `algorithm`, `agent`, `paper`); its source is scanned as text, so listing names imports nothing. `-` and `_`
are equivalent in names.

Wherever a name is accepted, so is code from elsewhere:

    ./mybot.py                     a file that defines the entry point of its kind, or one class of that kind
    ./mybot.py:Careful             a class of a file
    package.module:Careful         a class of a module that can be imported
    careful                        an entry point of an installed package, in the group `pokerlab.agents`

Settings follow in brackets: "./mybot.py(bluff=0.2)".
"""

from __future__ import annotations

import copy
import difflib
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from os.path import isfile  # False, without an error, for a text that cannot be a path
from pathlib import Path
from types import ModuleType
from typing import Any

from pokerlab.errors import BadFile, BadSetting, PokerlabError, UnknownName, shortened
from pokerlab.own_code import describe_error, imported, is_ctrl_c, module_file, path_of, run_file
from pokerlab.specs import read, spec_text

ENTRY_POINTS = {
    "games": "game",
    "algorithms": "algorithm",
    "agents": "agent",
    "papers": "paper",
    "abstractions": "method",
    "exchanges": "exchange",
    "estimators": "estimator",
    "backends": "backend",
}
LIBRARIES = {
    "games": ("games/library", "formats"),
    "algorithms": ("solvers/library",),
    "agents": ("agents/library",),
    "papers": ("papers",),
    "abstractions": ("abstraction/library",),
    "exchanges": ("abstraction/exchanges",),
    "estimators": ("match/estimators/library",),
    "backends": ("backends",),  # those of this machine are in parallel.py
}
MADE_HAS = {"algorithms": ("engines", "start", "spec")}  # for kinds without a protocol
_ROOT = Path(__file__).parent
_OWN = re.compile(r"(?P<file>.+\.py)(?::(?P<of_file>\w+))?|(?P<module>[A-Za-z_][\w.]*):(?P<of_module>[A-Za-z_]\w*)")
_OPENING = re.compile(r'\s*r?"""(.*?)(?:\n|""")')


@dataclass(frozen=True)
class Entry:
    """One available thing: its name as users type it, the first line of its docstring, and where it is defined."""

    name: str
    summary: str
    module: str  # for a user's file: its path
    attribute: str = ""  # the factory; empty for the entry point of its kind


@cache
def _entries(kind: str) -> dict[str, Entry]:
    """The entries of this package's libraries."""
    entry_point = re.compile(rf"^(?:def {_entry_point(kind)}\(|{_entry_point(kind)}\s*[:=])", re.MULTILINE)
    by_stem = {}
    for path in sorted(path for library in LIBRARIES[kind] for path in (_ROOT / library).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        if path.stem.startswith("_") or not entry_point.search(source):
            continue
        name = path.stem.replace("_plus", "+").replace("_", "-")
        module = ".".join(["pokerlab", *path.relative_to(_ROOT).with_suffix("").parts])
        by_stem[path.stem] = Entry(name, _summary(source), module)
    return dict(sorted(by_stem.items()))


def _entry_point(kind: str) -> str:
    if kind not in ENTRY_POINTS:
        raise UnknownName(f"there is no kind of thing called {kind!r}; known: {', '.join(ENTRY_POINTS)}")
    return ENTRY_POINTS[kind]


def _summary(source: str) -> str:
    opening = _OPENING.match(source)
    return opening.group(1).strip() if opening else ""


def _installed(kind: str) -> dict[str, Entry]:
    """The entry points of installed packages; names of the libraries take precedence."""
    return _installed_in(kind, tuple(sys.path))


@cache
def _installed_in(kind: str, folders: tuple[str, ...]) -> dict[str, Entry]:
    """Read once for the same folders, since it opens a file of every package."""
    from importlib.metadata import entry_points

    by_stem = {}
    for point in entry_points(group=f"pokerlab.{kind}"):
        package = point.dist.name if point.dist is not None else point.module
        by_stem[_stem(point.name)] = Entry(point.name, f"Of the package {package}.", point.module, point.attr)
    return {stem: by_stem[stem] for stem in sorted(by_stem) if stem not in _entries(kind)}


def available(kind: str) -> list[Entry]:
    """All entries of a kind, by name.

    >>> [entry.name for entry in available("games") if entry.name == "kuhn"]
    ['kuhn']
    """
    return [*_entries(kind).values(), *_installed(kind).values()]


def nearest(word: str, known: list[str]) -> str:
    """A hint after an unknown name: the closest known ones, or all of them."""
    if not known:
        return "none is available"
    close = difflib.get_close_matches(word.lower(), known, n=3, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"available: {', '.join(known)}"


def check_names(what: str, table: Iterable[str], known: Sequence[str]) -> None:
    """Raise BadSetting if a table of settings has an unknown name."""
    for name in table:
        if name not in known:
            raise BadSetting(f"{what} has no setting {shortened(str(name))!r}; {nearest(str(name)[:40], list(known))}")


def is_own(name: str) -> bool:
    """Whether a name, without its settings, refers to user code: a Python file, or module:Class.

    >>> is_own("./mybot.py"), is_own("bots.careful:Careful"), is_own("kuhn")
    (True, True, False)
    """
    return _OWN.fullmatch(name.strip()) is not None


def own_file(name: str) -> Path | None:
    """The Python file that a name refers to, located without running anything; None if there is none.

    >>> str(own_file("./mybot.py:Careful")), own_file("bots.careful:Careful")
    ('mybot.py', None)
    """
    match = _OWN.fullmatch(name.strip())
    if match is None:
        return None
    return path_of(match["file"]) if match["file"] else module_file(match["module"])


def is_known(kind: str, name: str) -> bool:
    """Whether a name is in the libraries or in an installed package."""
    return _stem(name) in _entries(kind) or _stem(name) in _installed(kind)


def find(kind: str, name: str) -> Entry:
    """The entry of this name, or UnknownName with the nearest known ones."""
    entries = _entries(kind)
    if (stem := _stem(name)) in entries:
        return entries[stem]
    if own := _OWN.fullmatch(name.strip()):
        attribute = own["of_file"] or own["of_module"] or ""
        return Entry(name.strip(), _own_summary(own["file"]), own["file"] or own["module"], attribute)
    installed = _installed(kind)
    if stem in installed:
        return installed[stem]
    known = [entry.name for entry in (*entries.values(), *installed.values())]
    file = name.strip() if name.strip().endswith(".py") else f"{name.strip()}.py"
    there = re.fullmatch(r"[\w./~-]+", file) and isfile(path_of(file))
    hint = f"to take the file of that name write ./{file}" if there else nearest(name, known)
    like_a_file = re.fullmatch(r"[\w./~-]*(/[\w./~-]*|\.[a-zA-Z]\w*)", name.strip()) is not None
    nor = " and no such file" if like_a_file and not isfile(path_of(name.strip())) else ""
    raise UnknownName(f"there is no {_entry_point(kind)} called {shortened(name)!r}{nor}; {hint}")


def _stem(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace("+", "_plus")


def _own_summary(file: str | None) -> str:
    if file is None:
        return ""
    try:
        return _summary(path_of(file).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""


def load(
    kind: str, spec: str, /, *, like: type | None = None, adapt: Callable[[Any], Any] | None = None, **settings: Any
) -> Any:
    """Create what a spec such as "leduc" or "kuhn(players=3)" names; keyword settings override the spec's.

    `like` is the protocol that objects of user code must follow; an error names what is missing. They are named by the
    spec they were opened with, so that the name can be read back. `adapt` converts other objects that user code may
    return.
    """
    name, spec_settings = read(spec)
    entry = find(kind, name)
    settings = spec_settings | settings
    maker = factory(kind, entry, like=like, adapt=adapt)
    if not is_own(entry.name):
        return call(entry.name, maker, settings)
    try:
        instance = call(entry.name, maker, settings)
    except PokerlabError:
        raise
    except BaseException as problem:
        if is_ctrl_c(problem):
            raise
        file = own_file(entry.name)
        raise BadFile(f"{entry.name} cannot be made: {describe_error(problem, file and file.resolve())}") from problem
    if like is None:
        if not all(hasattr(instance, word) for word in MADE_HAS.get(kind, ())):
            raise BadSetting(f"{entry.name} makes {_described(instance)}, not {_with_article(ENTRY_POINTS[kind])}")
        return instance
    instance = renamed(adapt(instance) if adapt else instance, spec_text(entry.name, settings))
    follows(instance, like, ENTRY_POINTS[kind], maker_name=entry.name)
    return instance


def factory(
    kind: str, entry: Entry, *, like: type | None = None, adapt: Callable[[Any], Any] | None = None
) -> Callable[..., Any]:
    """The function or class that creates an entry; for an object, a function that returns a copy of it."""
    module = run_file(entry.module) if entry.module.endswith(".py") else imported(entry.module)
    wanted = entry.attribute or _entry_point(kind)
    maker = module
    for part in wanted.split("."):
        maker = getattr(maker, part, None)  # type: ignore[assignment]
    if maker is None:
        maker = _only_class(kind, entry, module, like)
    if like is not None and not isinstance(maker, type) and not inspect.isroutine(maker):
        thing = adapt(maker) if adapt else maker
        if isinstance(thing, like) and not entry.attribute:
            return lambda: copy.deepcopy(thing)
    if not callable(maker):
        raise BadSetting(f"`{wanted}` of {entry.module} is {_described(maker)}, and must be a class or a function")
    if is_own(entry.name):
        if entry.attribute and not isinstance(maker, type):  # anyone may have named a function: not called
            raise BadSetting(f"`{wanted}` of {entry.module} is not a class: name a class after the colon")
        if like is not None and isinstance(maker, type):
            follows(maker, like, ENTRY_POINTS[kind])
    return maker


def companion(kind: str, name: str, attribute: str) -> Any:
    """Something that the module of an entry offers beside the entry itself; None if it does not."""
    entry = find(kind, name)
    module = run_file(entry.module) if entry.module.endswith(".py") else imported(entry.module)
    return getattr(module, attribute, None)


def _only_class(kind: str, entry: Entry, module: ModuleType, like: type | None) -> Any:
    """The one class of a user's module that is of a kind; UnknownName if there are none or several."""
    wanted = entry.attribute or _entry_point(kind)
    own = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__ and not name.startswith("_")
    }
    sentence = f"{entry.module} does not define `{wanted}`"
    if entry.attribute or like is None or not own:
        raise UnknownName(sentence + (f"; {nearest(wanted, list(own))}" if own and entry.attribute else ""))
    required = _members(like, of_class=True)
    lacks = {name: [word for word in required if not hasattr(value, word)] for name, value in own.items()}
    complete = [name for name in own if not lacks[name]]
    if len(complete) == 1:
        return own[complete[0]]
    if complete:
        examples = " or ".join(f"{entry.module}:{name}" for name in complete[:3])
        raise UnknownName(f"{sentence}; name one of its classes, as in {examples}")
    nearly = min(own, key=lambda name: len(lacks[name]))
    if len(lacks[nearly]) < len(required):
        return own[nearly]  # the error names what it lacks
    words = "method" if len(required) == 1 else "methods"
    raise UnknownName(f"{sentence}, and none of its classes has the {words} {', '.join(required)}")


def renamed(instance: Any, name: str) -> Any:
    """An object of user code, renamed as it was opened, so that its name can be read back."""
    try:
        object.__setattr__(instance, "name", name)
    except AttributeError:  # its name is a property
        with suppress(TypeError):  # slots cannot be set
            instance.__class__ = _named_class(instance.__class__, name)
    return instance


@cache
def _named_class(kind: Any, name: str) -> type:
    return type(kind.__name__, (kind,), {"name": name, "__module__": kind.__module__, "__doc__": kind.__doc__})


def follows(instance: Any, like: type, kind: str, *, maker_name: str = "") -> None:
    """Raise BadSetting unless an object, or the methods of a class, follow a protocol."""
    required = _members(like, of_class=isinstance(instance, type))
    lacks = [f"`{word}`" for word in required if not hasattr(instance, word)]
    if not lacks:
        return
    hint = f"{_with_article(kind)} has {', '.join(_members(like, of_class=False))}"
    if len(lacks) == len(required) and not isinstance(instance, type):
        subject = f"{maker_name} makes {_described(instance)}, which" if maker_name else _described(instance)
        raise BadSetting(f"{subject} is not {_with_article(kind)}; {hint}")
    name = instance.__name__ if isinstance(instance, type) else type(instance).__name__
    raise BadSetting(f"{name} has no {', '.join(lacks)}; {hint}")


def _members(like: type, *, of_class: bool) -> list[str]:
    """The members that a protocol requires; for a class only its methods, since attributes may be set on instances."""
    words = {word: value for word, value in vars(like).items() if not word.startswith("_")}
    return [word for word, value in words.items() if not of_class or inspect.isfunction(value)]


def _described(thing: Any) -> str:
    """The type and repr of a thing: "an int, 5"."""
    return "None" if thing is None else f"{_with_article(type(thing).__name__)}, {shortened(repr(thing), 40)}"


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def call(name: str, factory: Callable[..., Any], settings: Mapping[str, Any]) -> Any:
    """Call a factory with settings; BadSetting names the settings it takes.

    >>> call("pair", lambda first, second=2: (first, second), {"first": 1})
    (1, 2)
    """
    try:
        signature = inspect.signature(factory)
    except ValueError as problem:  # some built-in classes do not say
        raise BadSetting(f"{name} must be a function or a class of your own, not {_described(factory)}") from problem
    parameters = signature.parameters
    takes = f"it takes {', '.join(parameters)}" if parameters else "it takes none"
    if not any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values()):
        unknown = [shortened(setting) for setting in settings if setting not in parameters]
        if unknown:
            raise BadSetting(f"{name} does not take {', '.join(unknown)}; {takes}")
    try:
        signature.bind(**settings)
    except TypeError as problem:
        missing = re.match("missing a required (?:keyword-only )?argument: '(.*)'", str(problem))
        what = f"needs {missing[1]}" if missing else f"does not take these settings ({problem})"
        raise BadSetting(f"{name} {what}; {takes}") from problem
    return factory(**settings)
