"""User code: Python files and modules outside this package, how to run them, and which line failed."""

from __future__ import annotations

import difflib
import dis
import hashlib
import importlib
import re
import sys
import sysconfig
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from os.path import (
    isfile,  # False, without an error, for a text that cannot be a path
    join,
    normcase,
    realpath,
)
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from pokerlab.errors import BadFile, UnknownName, check_textual, shortened
from pokerlab.places import here, is_url

_OF_A_FILE = re.compile(r"_[0-9a-f]{16}$")  # names of modules that are run from files
_BAD_CALL = re.compile(r"([\w.<>]+)\(\) (?:takes|missing|got) ")  # how Python names a function that was called wrongly
_WORD = re.compile(r"[^:(),='\"]+")  # part of a name with settings that may be a file
_ROOT = PACKAGE = Path(__file__).parent
_SOURCE = "__pokerlab_source__"  # the variable of a module that was run from a file
_imported_from: list[Path] = []  # the folder of modules that came with work from another machine


def path_of(file: str) -> Path:
    """Resolve a path as users type it: "~" is the home folder, and backslashes separate folders on every system.

    A file that came with work from another machine is its copy on this one.
    """
    path = Path(file) if is_url(file) else here(file)
    if "\\" in file and not isfile(path):
        path = Path(file.replace("\\", "/"))
    with suppress(RuntimeError):  # no such user
        return path.expanduser()
    return path


def words_of(text: str) -> list[str]:
    """The parts of a name with settings that may be files.

    >>> words_of("strategy:my kuhn.solution(purify=true)")
    ['strategy', 'my kuhn.solution', 'purify', 'true']
    """
    return [word.strip() for word in _WORD.findall(text)]


def module_file(name: str) -> Path | None:
    from importlib.machinery import PathFinder

    spec = None
    folders: Sequence[str] | None = [*sys.path, str(Path.cwd())]
    for depth in range(1, name.count(".") + 2):
        spec = PathFinder.find_spec(".".join(name.split(".")[:depth]), folders) if folders else None
        folders = spec.submodule_search_locations if spec else None
    return Path(spec.origin) if spec and spec.origin else None


def run_file(file: str) -> ModuleType:
    """Run a Python file as a module; once, as long as it does not change."""
    path = Path(realpath(path_of(file)))  # Path.resolve fails on links that lead in a circle
    check_textual(path)
    try:
        source = path.read_bytes()
    except OSError as problem:
        near = difflib.get_close_matches(path.name, [other.name for other in path.parent.glob("*.py")], n=1)
        hint = f"; did you mean {near[0]}?" if near and not isfile(path) else ""
        raise BadFile(f"cannot read {shortened(file)!r}: {problem.strerror or problem}{hint}") from problem
    digest = hashlib.blake2b(source + str(path).encode(), digest_size=8).hexdigest()
    return _run(f"{path.stem}_{digest}", path, source, shown=file)


def run_source(name: str, path: str, source: bytes) -> None:
    """Run the source of a file of another machine as the module that it is there."""
    _run(name, Path(path), source, shown=path)


def _run(name: str, path: Path, source: bytes, *, shown: str) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    assert spec is not None
    module = module_from_spec(spec)
    setattr(module, _SOURCE, source)  # as it was run: the file may change
    sys.modules[name] = module  # dataclasses and pickles look up a class's module
    try:
        with _importing_from(path.parent):
            # not by the loader, which may use stale bytecode: it compares only sizes and whole seconds
            exec(compile(source, str(path), "exec"), vars(module))
    except BaseException as problem:  # whatever user code raises
        del sys.modules[name]
        if is_ctrl_c(problem):
            raise
        raise BadFile(f"{shown} cannot be run: {describe_error(problem, path)}") from problem
    return module


def files_behind(pickled: bytes) -> tuple[str, ...]:
    """The user files that define the classes and functions in a pickle."""
    return tuple(
        str(module.__file__)
        for name, module in list(sys.modules.items())
        if _OF_A_FILE.search(name) and name.encode() in pickled
    )


def sources_of_files() -> tuple[tuple[str, str, bytes], ...]:
    """The user files that were run as modules: module, path and source."""
    return tuple(
        (name, str(module.__file__), vars(module)[_SOURCE])
        for name, module in list(sys.modules.items())
        if _OF_A_FILE.search(name) and _SOURCE in vars(module)
    )


def sources_of_modules() -> dict[str, bytes]:
    """The sources of the user's modules that are loaded, by their paths below the folder they are imported from."""
    sources = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name == "__main__" or _OF_A_FILE.search(name) or not isinstance(file, str) or not isfile(file):
            continue
        parts, path = name.split("."), Path(file)
        if _is_user_file(path) and path.stem in (parts[-1], "__init__"):
            inside = parts if path.stem == "__init__" else parts[:-1]
            sources["/".join((*inside, path.name))] = path.read_bytes()
    return sources


def import_from(folder: Path) -> None:
    """Let this process import modules from a folder; those of earlier versions are forgotten."""
    if folder in _imported_from:
        return
    for earlier in _imported_from:
        with suppress(ValueError):
            sys.path.remove(str(earlier))
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", "") or "").startswith(str(earlier)):
                del sys.modules[name]
    _imported_from[:] = [folder]
    sys.path.append(str(folder))
    importlib.invalidate_caches()


@contextmanager
def ready(files: Sequence[str]) -> Iterator[None]:
    """Make the modules of these files and of the current folder importable while another process reads a pickle."""
    for file in files:
        run_file(file)
    with _importing_from(Path.cwd()):
        yield


def imported(name: str) -> ModuleType:
    try:
        with _importing_from(Path.cwd()):
            return importlib.import_module(name)
    except ModuleNotFoundError as problem:
        if problem.name is None or not f"{name}.".startswith(f"{problem.name}."):
            raise BadFile(f"the module {name} cannot be imported: {problem}") from problem
        raise UnknownName(f"there is no module called {shortened(name)!r} to import") from problem
    except BaseException as problem:
        if name.startswith("pokerlab.") or is_ctrl_c(problem):
            raise
        raise BadFile(f"the module {name} cannot be imported: {describe_error(problem, None)}") from problem


@contextmanager
def _importing_from(folder: Path) -> Iterator[None]:
    """Let a file import its neighbours while it runs, as a script can."""
    before = list(sys.path)
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path[:] = before


def describe_error(problem: BaseException, path: Path | None) -> str:
    """Describe an error in one sentence, with the last line of the file, or of one that it imports, that led to it."""
    if isinstance(problem, SyntaxError):
        line = f"line {problem.lineno} of {Path(problem.filename or '').name}" if problem.lineno else ""
    else:
        frames = traceback.extract_tb(problem.__traceback__)
        lines = [f"line {frame.lineno} of {path.name}" for frame in frames if path and frame.filename == str(path)]
        line = failed_line(problem) or (lines[-1] if lines else "")
    if path is not None:
        line = line.removesuffix(f" of {path.name}")
    return _error_text(problem) + (f", in {line}" if line else "")


def error_with_line(problem: BaseException) -> str:
    """Describe an error in one sentence, with the line of user code that led to it, in any file."""
    line = failed_line(problem)
    return _error_text(problem) + (f", in {line}" if line else "")


def _error_text(problem: BaseException) -> str:
    words = problem.msg if isinstance(problem, SyntaxError) else str(problem)
    return f"{type(problem).__name__}: {shortened(words, 200)}" if words else type(problem).__name__


def is_ctrl_c(problem: BaseException) -> bool:
    """Whether the user interrupted the program; a KeyboardInterrupt that user code raises itself is an error of it.

    Ctrl-C reaches Python between two instructions, or is raised by a library or by a signal handler of this package;
    user code that raises it stops at a `raise`.
    """
    if not isinstance(problem, KeyboardInterrupt):
        return False
    trace = problem.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not _is_user_file(Path(trace.tb_frame.f_code.co_filename)):
        return True
    if isinstance(problem.__context__, KeyboardInterrupt):  # caught and raised again
        return is_ctrl_c(problem.__context__)
    return dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] not in ("RAISE_VARARGS", "RERAISE")


def failed_line(problem: BaseException) -> str:
    """The line of user code that led to an error: "line 6 of mybot.py"; "" if there is none."""
    ours, line = False, ""
    for frame in traceback.extract_tb(problem.__traceback__):
        file = Path(frame.filename)
        if file.is_relative_to(_ROOT):
            ours = True
        elif ours and _is_user_file(file):
            line = f"line {frame.lineno} of {file.name}"
    return line or _called_function(problem)


def _called_function(problem: BaseException) -> str:
    """The first line of the function of user code that this package called with arguments that it does not take.

    Python names it in the message only. Of several files with a function of that name, the one is meant whose class is
    that of a variable of the call, or of the calls around it.
    """
    call, trace = _BAD_CALL.match(str(problem)), problem.__traceback__
    if call is None or trace is None or not isinstance(problem, TypeError):
        return ""
    modules: list[set[Any]] = []  # of the variables of each call, the innermost last
    while trace is not None:
        values = list(trace.tb_frame.f_locals.values())
        values += [one for some in values if isinstance(some, list | tuple) for one in some[:10]]
        kinds = [value if isinstance(value, type | FunctionType) else type(value) for value in values]
        modules.append({kind.__module__ for kind in kinds})
        trace = trace.tb_next
    lines: dict[str, str] = {}  # by module
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or not _is_user_file(Path(file)):
            continue
        with suppress(OSError, SyntaxError, ValueError):
            for code in _functions(compile(Path(file).read_bytes(), file, "exec")):
                if code.co_qualname == call[1]:
                    lines[name] = f"line {code.co_firstlineno} of {Path(file).name}"
    for near in reversed(modules):
        if meant := [line for name, line in lines.items() if name in near]:
            return " or ".join(meant)
    return " or ".join(list(lines.values())[:3])


def _functions(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _functions(inner)


def _is_user_file(file: Path) -> bool:
    """Whether a Python file is neither of this package nor of an installed library."""
    return file.suffix == ".py" and not normcase(file).startswith(_installed_folders())


@cache
def _installed_folders() -> tuple[str, ...]:
    """The folders of this package and of installed libraries, each with a separator at its end."""
    folders = {str(_ROOT), sys.prefix, sys.base_prefix, *sysconfig.get_paths().values()}
    return tuple(normcase(join(folder, "")) for folder in folders)
