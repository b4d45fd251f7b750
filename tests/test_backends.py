"""A back end of another package: matches and reports run through it, and nothing goes through a shared path."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from pokerlab import parallel
from pokerlab.errors import BadFile, BadSetting
from pokerlab.events import Watch
from pokerlab.lab.abstraction.bucketing import cards_of, make_buckets, planned
from pokerlab.lab.play.playing import run_match
from pokerlab.lab.spots.board_list import read_boards
from pokerlab.lab.spots.boards import report
from pokerlab.match.hands.history import History
from pokerlab.match.run.match import MatchSettings
from pokerlab.papers import _abstraction_runs
from pokerlab.papers._abstraction_runs import Cell
from pokerlab.store import FolderStore
from untimed import untimed

COURIER = '''
"""Work as parcels, done in reverse order by other processes, with a store that is no folder."""
import pickle
import subprocess
import sys
from itertools import islice

from pokerlab import parallel

WORKER = """
import pickle, sys
import courier
parcels, stored = pickle.load(sys.stdin.buffer)
courier.STORES.update(stored)
from pokerlab.parallel import run_parcel
results = [run_parcel(parcel) for parcel in reversed(parcels)][::-1]
sys.stdout.buffer.write(pickle.dumps((results, courier.STORES)))
"""
STORES = {}
ran = []


class Memory:
    """A store that is sent by its name; what it holds travels with the work."""

    def __init__(self, name):
        self.name = name
        STORES.setdefault(name, {})

    def put(self, name, contents):
        STORES[self.name][name] = contents

    def get(self, name):
        return STORES[self.name][name]

    def names(self):
        return sorted(STORES[self.name])

    def remove(self, name):
        STORES[self.name].pop(name, None)

    def journal(self, name):
        return Lines(self.name, name)


class Lines:
    def __init__(self, store, name):
        self.name, self.contents = name, STORES[store]
        self.lines = self.contents.setdefault(name, b"").splitlines(keepends=True)

    def append(self, line):
        self.contents[self.name] += line

    def close(self):
        pass


class Courier:
    def run(self, function, items, *, workers, cancel=None):
        items = iter(items)
        while batch := [parallel.pack(function, item) for item in islice(items, workers)]:
            ran.append(len(batch))
            done = subprocess.run(
                [sys.executable, "-c", WORKER], input=pickle.dumps((batch, STORES)), capture_output=True, check=True
            )
            results, stored = pickle.loads(done.stdout)
            STORES.update(stored)
            yield from results

    def store(self, folder):
        return Memory(folder.name)
'''


@pytest.fixture
def courier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The back end, as an installed package."""
    package = tmp_path / "packages"
    facts = package / "courier-1.0.dist-info"
    facts.mkdir(parents=True)
    (package / "courier.py").write_text(COURIER, encoding="utf-8")
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: courier\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[pokerlab.backends]\nby-courier = courier:Courier\n")
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.setenv("PYTHONPATH", str(package), prepend=":")
    monkeypatch.delitem(sys.modules, "courier", raising=False)
    import courier  # type: ignore[import-not-found]

    return courier


def hands_of(path: Path) -> list[Any]:
    with History(path) as history:
        return history.ask("select * from hands order by hand")


def test_a_match_and_its_hands_come_through_it(courier: Any, tmp_path: Path) -> None:
    settings = MatchSettings.of("leduc", ["formula", "random"], hands=100, duplicate=True, seed=3, block=10)
    files = {name: tmp_path / f"{name}.duckdb" for name in ("serial", "threads", "by-courier")}
    played = {name: run_match(settings, workers=2, backend=name, out=file) for name, file in files.items()}
    assert courier.ran == [2, 2]  # four blocks, after the first, which shows how long they take
    assert courier.STORES == {"by-courier.duckdb.journal": {}}
    assert not (tmp_path / "by-courier.duckdb.journal").exists()
    for name in files:
        assert untimed(played[name].as_dict()) == untimed(played["serial"].as_dict())
        assert hands_of(files[name]) == hands_of(files["serial"])


def test_a_report_over_boards_runs_through_it(courier: Any) -> None:
    seat = {"range": "AA,KQs,76s,JTo", "bet": "75%", "raise": "allin"}
    spot = {"board": "Ks7h2d5c9s", "pot": 100, "stack": 200, "out_of_position": seat, "in_position": seat}
    boards = read_boards("Ks7h2d5c9s:3, Qs7h2d5c9s, AsKhQdJcTs")
    here, there = (report(spot, boards, workers=2, backend=name, iterations=10) for name in ("serial", "by-courier"))
    assert courier.ran == [2, 1]
    assert [row | {"seconds": 0} for row in there] == [row | {"seconds": 0} for row in here]


def test_buckets_are_made_through_it(courier: Any) -> None:
    plan = planned(cards_of("leduc"), ["lossless", "ochs:4"])
    here, there = (make_buckets(plan, backend=name).buckets for name in ("", "by-courier"))
    assert here.fingerprint == there.fingerprint
    assert courier.ran


@pytest.mark.slow
def test_runs_of_a_paper_go_through_it(courier: Any) -> None:
    cells = [Cell("strength", 2, seed, (200,)) for seed in (0, 1)]

    def computed() -> list[Any]:
        made = _abstraction_runs.outcomes(cells, Watch(), game="rhode-island(ranks=6)")
        return [(outcome.buckets.fingerprint, outcome.real) for outcome in made.values()]

    with parallel.elsewhere("by-courier"):
        there = computed()
    assert there == computed()
    assert sum(courier.ran) == 2


def test_an_unknown_back_end_is_named_with_the_known_ones(courier: Any) -> None:
    with pytest.raises(BadSetting, match="no back end called 'magic'; choose one of .*processes, ray, by-courier"):
        parallel.open_backend("magic")


def test_a_folder_stores_contents_and_journals(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "new")
    assert store.names() == []
    store.put("a", b"one")
    store.put("a", b"two")
    journal = store.journal("b")
    journal.append(b"first\n")
    journal.append(b"half")
    journal.close()
    assert (store.names(), store.get("a"), store.get("b")) == (["a", "b"], b"two", b"first\nhalf")
    again = store.journal("b")
    assert list(again.lines) == [b"first\n"]  # a line that was cut off is dropped
    again.append(b"second\n")
    again.close()
    assert store.get("b") == b"first\nsecond\n"
    store.remove("b")
    store.remove("b")
    with pytest.raises(BadFile, match="there is no such file"):
        store.get("b")
