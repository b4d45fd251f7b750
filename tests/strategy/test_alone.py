"""Solutions whose file keeps the strategy alone: what they state, what can be done with them, and what cannot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab import store
from pokerlab.errors import BadFile, BadSetting
from pokerlab.events import Event
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve.solving import compact, resume, solve
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.lock import lock_from_text
from pokerlab.tree.form import Pace
from pokerlab.tree.public import form as public_form

OOP = {"range": "AA,KQs,76s,JTo:0.5,55", "bet": "75%,allin", "raise": "allin"}
IP = {"range": "QQ,A5s,KJs,98s,65s", "bet": "50%", "raise": "allin"}
TURN = {"board": "Kh7h2h5c", "pot": 100, "stack": 180, "out_of_position": OOP, "in_position": IP, "raise_cap": 2}
RIVER = TURN | {"board": "Ks7h2d5c9s", "rake": 0.05, "rake_cap": 4}


def places(view: Any) -> list[Any]:
    """Every place below one, of one card a deal."""
    if view.is_over:
        return []
    if view.is_deal:
        return places(view.at("Td"))
    return [view, *(place for action in view.actions for place in places(view.at(action)))]


@pytest.mark.parametrize("settings", [TURN, RIVER], ids=["turn", "river"])
@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_a_small_file_shows_what_the_full_one_does(settings: dict[str, Any], storage: str, tmp_path: Path) -> None:
    full, small = tmp_path / "full.spot", tmp_path / "small.spot"
    solved = solve(settings, iterations=80, storage=storage, save=full)
    told = compact(full, small)
    kept = load(small)
    sizes = [sum(array.nbytes for array in store.load(file).arrays.values()) for file in (full, small)]
    assert sizes[1] < sizes[0] / (4 if storage == "int16" else 8)
    assert (kept.keeps, kept.iterations, kept.seed, kept.spot) == ("strategy", 80, solved.seed, solved.spot)
    assert kept.values == pytest.approx(solved.values, abs=0.02)
    assert kept.exploitability_percent == pytest.approx(solved.exploitability_percent, abs=0.02)
    assert kept.measure == told.measure == kept.strategy.measure_in(kept.built_form())
    assert store.manifest_of(small)["exploitability"] == kept.measure.exploitability != solved.exploitability
    for one, other in zip(places(solved.root), places(kept.root), strict=True):
        assert np.nanmax(np.abs(one.frequencies - other.frequencies)) < 1e-3
        for player in (0, 1):
            assert other.equity(player) == pytest.approx(one.equity(player), abs=2e-3)
            assert other.ev(player) == pytest.approx(one.ev(player), abs=0.005 * one.pot), one.moves


@pytest.mark.parametrize(("settings", "locks"), [(TURN, ()), (RIVER, ("check: check 30%, bet 50 70% with QQ",))])
def test_what_a_small_file_states_is_so(settings: dict[str, Any], locks: tuple[str, ...], tmp_path: Path) -> None:
    small, again = tmp_path / "small.spot", tmp_path / "again.spot"
    fixed = [lock_from_text(text) for text in locks]
    solution = solve(settings, iterations=33, locks=fixed, save=small, keep="strategy")
    assert load(small).measure == solution.measure
    assert verify(small).matches
    assert "iterations" in verify(small).not_recomputed
    assert verify(small, rerun=True).matches
    load(small).save(again)  # and opened and kept again it is the same
    assert verify(again).matches
    assert load(again).measure == solution.measure


def test_a_small_file_cannot_be_resumed_and_says_what_can_be_done(tmp_path: Path) -> None:
    small = tmp_path / "small.spot"
    solve(RIVER, iterations=5, save=small, keep="strategy")
    with pytest.raises(BadFile, match="only the strategy.*start again with `pokerlab solve .*small.spot"):
        resume(small, iterations=9)
    assert solve(str(small), iterations=7).spot == load(small).spot


def test_the_state_is_never_lost_for_a_small_file(tmp_path: Path) -> None:
    full = tmp_path / "full.spot"
    solve(RIVER, iterations=5, save=full)
    before = full.read_bytes()
    for save in (None, full, tmp_path / "." / "full.spot"):
        with pytest.raises(BadSetting, match="name another file"):
            resume(full, iterations=9, save=save, keep="strategy")
    with pytest.raises(BadSetting, match="full"):
        resume(full, iterations=9, keep="half")
    assert full.read_bytes() == before
    resume(full, iterations=9, save=tmp_path / "small.spot", keep="strategy")
    assert full.read_bytes() == before
    assert (load(tmp_path / "small.spot").iterations, load(tmp_path / "small.spot").keeps) == (9, "strategy")


def test_on_the_way_all_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed, or stopped by Ctrl-C, a run can be resumed whatever it was to keep at its end."""
    monkeypatch.setattr(public_form, "FORM", replace(public_form.FORM, pace=Pace(10, 0.0)))
    file = tmp_path / "a.spot"

    def kill(event: Event) -> None:
        if event.job == "solve" and event.done >= 8:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        solve(RIVER, iterations=30, measure_every=4, on_progress=kill, save=file, keep="strategy")
    assert load(file).keeps == "full"
    resume(file, iterations=30, save=tmp_path / "b.spot", keep="strategy")
    whole = solve(RIVER, iterations=30)
    assert load(tmp_path / "b.spot").measure == whole.strategy_only().measure


@pytest.mark.parametrize(
    ("game", "form"), [("kuhn", "sequence"), ("leduc", "public"), ("push-fold(stack=5)", "classes")]
)
def test_every_form_can_be_kept_alone(game: str, form: str, tmp_path: Path) -> None:
    file = tmp_path / "a.solution"
    found = solve(game, form=form, iterations=20, save=file, keep="strategy")
    kept = load(file)
    assert (kept.keeps, kept.form) == ("strategy", form)
    assert kept.measure.values == found.measure.values
    assert verify(file).matches
    assert verify(file, rerun=True).matches
    with pytest.raises(BadFile, match="cannot be resumed"):
        resume(file, iterations=30)


def test_a_best_response_is_kept_with_its_own_values(tmp_path: Path) -> None:
    exploiting = solve(RIVER, iterations=20).best_response(1)
    exploiting.save(tmp_path / "a.spot")
    kept = load(tmp_path / "a.spot")
    assert kept.measure == kept.strategy.measure_in(kept.built_form())
    assert kept.values == pytest.approx(exploiting.values, abs=0.01)


def test_a_small_file_plays_and_locks(tmp_path: Path) -> None:
    from pokerlab.agents.opening import open_policy
    from pokerlab.games.poker.public_node import PublicNode
    from pokerlab.games.spot.spot_game import SpotGame

    full, small = tmp_path / "full.spot", tmp_path / "small.spot"
    solved = solve(RIVER, iterations=50, save=full)
    compact(full, small)
    game = SpotGame(solved.spot)
    place = PublicNode(game, game.betting.start(), solved.spot.board)
    tables = [open_policy(f"strategy:{file}", game).table(place) for file in (full, small)]
    assert tables[0].hands == tables[1].hands
    assert np.abs(tables[0].probability - tables[1].probability).max() < 1e-3
    lock = lock_from_text(f"check: as strategy:{small}")
    locked = solve(RIVER, iterations=50, locks=[lock])
    assert locked.at("check").strategy("QhQd") == pytest.approx(load(small).at("check").strategy("QhQd"), abs=1e-5)
