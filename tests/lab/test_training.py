"""Training: what comes out, kept and resumed, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.abstraction.test_buckets import cards_of, random_buckets

from pokerlab.abstraction import bucket_file
from pokerlab.errors import BadFile, BadSetting, TooLarge
from pokerlab.events import Event
from pokerlab.formats.opening import open_game
from pokerlab.lab.solve import training
from pokerlab.lab.solve.solving import compact, resume
from pokerlab.strategy.files.solution_file import load

THREE_ROUNDS = "rhode-island(ranks=5)"


def test_leduc_without_buckets_comes_near_to_its_value() -> None:
    found = training.train("leduc", iterations=300_000, seed=2)
    low, high = found.bounds or (0, 0)
    assert low <= -0.0856064 <= high  # the value of the game
    assert found.exploitability < 0.05
    assert found.form == "bucketed"


def test_checkpoints_report_what_was_learned() -> None:
    events: list[Event] = []
    running = training.start(training.build_form(training.abstracted("leduc", None)), seed=1)
    training.run(running, training.Stop(iterations=400_000), on_progress=events.append, checkpoint_seconds=0.05)
    heard = [event.payload for event in events if isinstance(event.payload, training.TrainingProgress)]
    assert {event.job for event in events} == {"train"}
    assert len(heard) >= 2
    assert heard[-1].iterations == 400_000
    assert heard[-1].learned.touched > 0.95
    assert heard[-1].learned.regret < heard[0].learned.regret
    assert heard[0].learned.gain is None
    assert heard[-1].learned.gain is not None


@pytest.mark.parametrize("keep", ["full", "strategy"])
def test_a_blueprint_is_found_again_with_its_buckets(tmp_path: Path, keep: str) -> None:
    buckets = bucket_file.save(random_buckets(cards_of(THREE_ROUNDS), (4, 9, 17)), tmp_path / "a.buckets")
    made = training.train(THREE_ROUNDS, buckets=buckets, iterations=5_000, save=tmp_path / "a.blueprint", keep=keep)
    found = load(tmp_path / "a.blueprint")
    assert found.exploitability == pytest.approx(made.exploitability)
    assert found.strategy.form.buckets.fingerprint == buckets.fingerprint
    for one, other in zip(found.strategy.numbers, made.strategy.numbers, strict=True):
        assert (np.asarray(one) == np.asarray(other)).all()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("a.blueprint", "a.buckets"):
        (tmp_path / name).rename(elsewhere / name)
    assert load(elsewhere / "a.blueprint").exploitability == found.exploitability
    (elsewhere / "a.buckets").unlink()
    with pytest.raises(BadFile, match=r"needs the buckets that it was trained with, 4/9/17 in a\.buckets"):
        load(elsewhere / "a.blueprint")
    bucket_file.save(random_buckets(cards_of(THREE_ROUNDS), (4, 9, 17), seed=9), elsewhere / "a.buckets")
    with pytest.raises(BadFile, match=r"a\.buckets there holds others"):
        load(elsewhere / "a.blueprint")


def test_resumed_training_is_the_whole_one(tmp_path: Path) -> None:
    whole = training.train("leduc", iterations=7_000, seed=5)
    training.train("leduc", iterations=3_001, seed=5, save=tmp_path / "a.blueprint")
    resumed = resume(tmp_path / "a.blueprint", iterations=7_000)
    for one, other in zip(whole.strategy.numbers, resumed.strategy.numbers, strict=True):
        assert (one == other).all()
    assert resumed.exploitability == whole.exploitability


def test_eight_bits_lose_little() -> None:
    """A strategy in whole 255ths, and in 65535ths, against the one that it is of."""
    made = training.train("leduc", iterations=200_000, seed=1)
    small, fine = (made.strategy.strategy_only(bits) for bits in (8, 16))
    loss = [one.measure_in(one.form).exploitability - made.exploitability for one in (small, fine)]
    assert abs(loss[0]) < 0.01
    assert abs(loss[1]) < 1e-4
    assert small.numbers[0].dtype == np.uint8
    assert fine.numbers[0].dtype == np.uint16


def test_names_with_settings() -> None:
    assert training.named_game("holdem-limit", players=3) == "holdem-limit(players=3)"
    assert training.named_game("holdem-nolimit", stack="200bb", menu="50%,allin") == (
        "holdem-nolimit(stack=20000, menu='50%,allin')"
    )
    assert training.named_game("holdem-nolimit(blinds=(1, 2))", stack="50bb").endswith("stack=100)")
    menus = training.named_game("holdem-nolimit", menu="allin / 50%,allin / allin / allin")
    assert open_game(menus).rules.rounds[1].menu != open_game(menus).rules.rounds[0].menu  # type: ignore[attr-defined]
    for text in ("many", "-5", "200 blinds"):
        with pytest.raises(BadSetting, match="a stack is a number of chips"):
            training.named_game("holdem-nolimit", stack=text)


def test_what_cannot_be_trained_says_why() -> None:
    with pytest.raises(BadSetting, match="pokerlab abstract holdem-limit"):
        training.train("holdem-limit", iterations=1)
    with pytest.raises(BadSetting, match="not a poker game"):
        training.train("goofspiel(cards=3)", iterations=1)
    with pytest.raises(BadSetting, match="of other cards"):
        training.train("leduc", buckets=random_buckets(cards_of("kuhn"), (2,)), iterations=1)
    with pytest.raises(TooLarge, match="fewer bet sizes"):
        training.train("leduc-nolimit(stack=5000, menu='')", iterations=1)


def test_snapshots_and_compact_files(tmp_path: Path) -> None:
    running = training.start(training.build_form(training.abstracted("leduc", None)), seed=1)
    training.run(
        running, training.Stop(iterations=2_000), save=tmp_path / "a.blueprint", snapshots=tmp_path / "deep" / "er"
    )
    kept = tmp_path / "deep" / "er" / "2000.blueprint"
    assert load(kept).keeps == "strategy"
    sizes = []
    for bits in (8, 16):
        found = compact(tmp_path / "a.blueprint", tmp_path / "b.blueprint", bits=bits)
        assert load(tmp_path / "b.blueprint").strategy.bits == bits
        assert found.exploitability == load(tmp_path / "b.blueprint").exploitability
        sizes.append((tmp_path / "b.blueprint").stat().st_size)
    assert sizes[0] < sizes[1]
    for bits, file in ((7, "a.blueprint"), (16, "b.blueprint")):
        with pytest.raises(BadSetting):
            compact(tmp_path / file, tmp_path / "c.blueprint", bits=bits)
    (tmp_path / "taken").write_text("")
    with pytest.raises(BadFile, match="snapshots cannot be saved"):
        training.run(running, training.Stop(iterations=2_001), snapshots=tmp_path / "taken")


def test_what_does_not_fit_is_refused_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.tree.bucketed.form.available_memory", lambda: 1e4)
    with pytest.raises(TooLarge, match="choose fewer buckets"):
        training.train("leduc", iterations=1)
