"""Every file is answered with a result or a sentence, within seconds and the memory there is: never a traceback.

The search draws its edits from a seed, the same in every run of `make test`; `make test-slow` draws many more, from a
new seed that a failure names.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from crafted import cases
from crafted.runner import Runner
from crafted.search import filled, search
from crafted.seeds import TEXTS, Format, made, written

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is limited by Linux's means")
SEARCHED = 2  # cases of each format in `make test`
SEARCHED_SLOWLY = 400


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("seeds")


@pytest.fixture(scope="module")
def formats(source: Path) -> dict[str, Format]:
    return {form.name: form for form in (*TEXTS, *made(source))}


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    with Runner(tmp_path_factory.mktemp("crafted") / "case") as running:
        yield running


def failures(
    crafted: cases.BucketingResult,
    formats: dict[str, Format],
    runner: Runner,
    source: Path,
    *,
    kinds: tuple[str, ...] = ("sentence",),
    every_command: bool = False,
) -> str:
    """What was said to files, where it is of none of these kinds: by every command, or by one after another."""
    found = []
    for place, (name, form, data) in enumerate(crafted):
        commands = formats[form].commands
        for command in commands if every_command else (commands[place % len(commands)],):
            said = runner.run(*filled(command, written(formats[form], data, runner.folder, source)))
            if said.kind not in kinds:
                found.append(f"{form}, {name}: {said}")
    return "\n\n".join(found)


def test_sound_files_are_read(formats: dict[str, Format], runner: Runner, source: Path) -> None:
    """Otherwise the search would search nothing."""
    for form in formats.values():
        for place, data in enumerate(form.texts):
            path = written(form, data, runner.folder, source)
            said = runner.run(*filled(form.commands[place % 2 if len(form.commands) > 1 else 0], path))
            assert said.kind == "result", str(said)


def test_crafted_texts_are_refused(formats: dict[str, Format], runner: Runner, source: Path) -> None:
    assert not failures(cases.texts(), formats, runner, source)


@pytest.mark.parametrize("kind", ["solution", "solved spot", "strategy of a spot"])
def test_crafted_kept_files_are_refused(formats: dict[str, Format], runner: Runner, source: Path, kind: str) -> None:
    first = replace(formats[kind], commands=formats[kind].commands[:1])
    assert not failures(cases.kept(first), {kind: first}, runner, source)


@pytest.mark.parametrize("every_command", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_tampered_hands(
    formats: dict[str, Format], runner: Runner, source: Path, tmp_path: Path, every_command: bool
) -> None:
    """Where the table that was changed is not asked for, there is a result."""
    made_cases = islice(cases.databases(formats["hands"], tmp_path), 0, None, 1 if every_command else 12)
    assert not failures(made_cases, formats, runner, source, kinds=("result", "sentence"), every_command=every_command)


def test_odd_texts_are_answered(formats: dict[str, Format], runner: Runner, source: Path) -> None:
    assert not failures(cases.sound(), formats, runner, source, kinds=("result", "sentence"))


@pytest.mark.slow
def test_every_command_on_every_case(formats: dict[str, Format], runner: Runner, source: Path) -> None:
    ours = ("solution", "solved spot", "checkpoint of cfr+", "checkpoint of regret", "checkpoint of populations")
    crafted = [*cases.texts(), *(case for name in ours for case in cases.kept(formats[name]))]
    odd = [
        *cases.sound(),
        *cases.wide(),
        *((form.name, form.name, data) for form in formats.values() for data in form.texts),
    ]
    good = ("result", "sentence")
    wrong = failures(iter(crafted), formats, runner, source, kinds=good, every_command=True)
    wrong += failures(iter(odd), formats, runner, source, kinds=good, every_command=True)
    assert not wrong


def test_solutions_of_larger_games_are_refused(formats: dict[str, Format], runner: Runner, source: Path) -> None:
    checking = replace(formats["solution"], commands=(("verify", "FILE"), ("solve", "--resume", "FILE")))
    assert not failures(cases.large_games(formats["solution"]), {"solution": checking}, runner, source)


def test_a_small_file_of_a_large_spot_asks_for_no_memory(
    formats: dict[str, Format], runner: Runner, source: Path
) -> None:
    form = formats["solved spot"]
    data = cases.large_spot(form)
    assert len(data) < 3000
    said = runner.run("browse", str(written(form, data, runner.folder, source)))
    assert said.kind == "sentence"
    assert "the public form needs" in said.text
    assert "GB" in said.text


@pytest.mark.parametrize("what", cases.NOT_FILES)
def test_what_is_no_file_is_refused(formats: dict[str, Format], runner: Runner, source: Path, what: str) -> None:
    wrong = []
    for form in formats.values():
        for command in form.commands[:1] if not form.beside else ():
            path = written(form, b"", runner.folder, source)
            path.unlink()
            cases.NOT_FILES[what](path)
            said = runner.run(*filled(command, path))
            new = what in ("nothing", "a link to itself") and any(part in command for part in ("--checkpoint", "--out"))
            if not (said.good if new or form.name == "report" else said.kind == "sentence"):
                wrong.append(str(said))
    assert not wrong


@pytest.mark.parametrize("name", [form.name for form in TEXTS])
def test_search_texts(formats: dict[str, Format], runner: Runner, source: Path, name: str) -> None:
    found = search([formats[name]], runner, source, seed=1, cases=SEARCHED)
    assert not [str(said) for said, _ in found if not said.good]


def test_search_kept_files(formats: dict[str, Format], runner: Runner, source: Path) -> None:
    ours = [form for name, form in formats.items() if form not in TEXTS]
    found = search(ours, runner, source, seed=1, cases=SEARCHED)
    assert not [str(said) for said, _ in found if not said.good]


@pytest.mark.slow
def test_search_long(formats: dict[str, Format], runner: Runner, source: Path, tmp_path: Path) -> None:
    """Files that bring a command down are kept, and named with the seed."""
    seed, wrong = int(os.environ.get("POKERLAB_SEARCH_SEED", time.time())), []
    for said, data in search(list(formats.values()), runner, source, seed=seed, cases=SEARCHED_SLOWLY):
        if not said.good:
            (tmp_path / f"{len(wrong)}{Path(said.arguments[1]).suffix}").write_bytes(data)
            wrong.append(f"seed {seed}, kept in {tmp_path}: {said}")
    assert not wrong, "\n\n".join(wrong)
