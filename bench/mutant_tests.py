"""Which tests may find a mutant, and in which order they are run (mutants.py)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import takewhile
from math import ceil, log2
from pathlib import Path

from bench.mutants import SOURCE, Mutant

MOST_FILES = 12  # test files near to a mutant
CONTRACTS = {  # by package: tests that find what they test by the registry
    "agents": ("policies", "agents"),
    "cli": ("json", "commands"),
    "games": ("games", "poker_games"),
    "papers": ("papers",),
    "solvers": ("solvers",),
}
TINY = 1e-9
USUAL = 0.05  # seconds of a test of which no more is known


@dataclass
class Reach:
    """Which tests reach which mutants, and how long they take; a file beside that of the results."""

    path: Path
    tests: dict[str, tuple[float, list[int], bool]] = field(default_factory=dict)  # by name; whether it fails
    fixtures: dict[str, list[int]] = field(default_factory=dict)
    imported: list[int] = field(default_factory=list)  # mutants that are reached when modules are imported

    @classmethod
    def of(cls, results: Path) -> Reach:
        """What was found before, if it was."""
        return cls.read(results.with_suffix(".reach.json"))

    @classmethod
    def read(cls, path: Path) -> Reach:
        """What a file says."""
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return cls(**known | {"path": path})

    def write(self) -> None:
        """For the next run."""
        self.path.write_text(json.dumps(vars(self) | {"path": None}), encoding="utf-8")

    def seconds(self, names: list[str]) -> dict[str, float]:
        """How long tests take, as far as it is known."""
        return {name: self.tests[name][0] if name in self.tests else USUAL for name in names}


def imports_of(module: Path) -> re.Pattern[str]:
    """Finds imports of a module, whose path below the package is given without suffix."""
    dotted, parent = ".".join(("pokerlab", *module.parts)), ".".join(("pokerlab", *module.parts[:-1]))
    return re.compile(rf"\b{re.escape(dotted)}\b|from {re.escape(parent)} import [^\n]*\b{module.name}\b")


def importing(module: Path, root: Path) -> list[Path]:
    """The modules that import a module: of kernels, what tests call."""
    imports = imports_of(module)
    files = [path for path in sorted((root / SOURCE).rglob("*.py")) if imports.search(path.read_text(encoding="utf-8"))]
    return [path.relative_to(root / SOURCE).with_suffix("") for path in files]


def tests_for(mutant: Mutant, root: Path) -> list[str]:
    """The test files of a mutant: those of its own name, of its folder, and others that import it."""
    module = Path(mutant.file).relative_to(SOURCE).with_suffix("")
    imports, tests = imports_of(module), root / "tests"
    above = [imports_of(one) for one in importing(module, root)] if mutant.package == "kernels" else []
    ranked = []
    for path in sorted(tests.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        named = path.stem.removeprefix("test_").strip("_") == module.name.strip("_")
        pairs = zip(path.relative_to(tests).parts[:-1], module.parts[:-1], strict=False)
        near = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        direct, indirect = bool(imports.search(text)), any(one.search(text) for one in above)
        if named or direct or indirect or (near and near == len(module.parts) - 1):
            ranked.append((-3 * named - 2 * direct - 2 * indirect - near, str(path.relative_to(root))))
    laws = [f"tests/contract/test_{name}.py" for name in CONTRACTS.get(module.parts[0], ())]
    files = [name for _, name in sorted(ranked)][:MOST_FILES] + [name for name in laws if (root / name).exists()]
    if not ranked:
        files += [str(path.relative_to(root)) for path in sorted((tests / module.parts[0]).rglob("test_*.py"))]
        files += ["tests/test_told.py"]
    return [mutant.file, *files]  # the file: its own doctests


def by_file(names: list[str], seconds: dict[str, float], near: dict[str, int]) -> list[str]:
    """The quick tests of each file first, near files before others: what takes a second, then two, four, eight ..."""
    turns, spent = dict[str, int](), dict[str, float]()
    for name in sorted(names, key=lambda name: seconds[name]):
        file = name.partition("::")[0]
        spent[file] = spent.get(file, 0.0) + seconds[name]
        turns[name] = max(0, ceil(log2(spent[file] + TINY)))
    rank = {file: (near.get(file, MOST_FILES), spent[file], file) for file in spent}
    return sorted(turns, key=lambda name: (turns[name], rank[name.partition("::")[0]]))
