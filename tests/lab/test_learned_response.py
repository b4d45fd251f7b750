"""What a player wins who learned to beat a blueprint of draw poker: near a best response, and not above it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab.errors import BadSetting
from pokerlab.lab.analyse.learned_response import learned_response
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve.solving import resume
from pokerlab.lab.solve.training import train
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load

TINY, PAIR = (
    "small-draw(cards=1, ranks=3, suits=2)",
    "small-draw(cards=2, ranks=3, suits=2, discards=1, raises=0)",
)


@pytest.fixture(scope="module")
def poor() -> Solution:
    """Hardly trained."""
    return train(TINY, iterations=30, seed=5)


def test_it_comes_near_a_best_response_and_not_above(poor: Solution) -> None:
    found = learned_response(TINY, poor, iterations=40_000, hands=80_000, seed=1, threads=1)
    exact = poor.measure.exploitability
    assert exact > 0.1  # there is something to win
    assert found.winnings.mean - 2 * found.winnings.half_width < exact
    assert found.winnings.mean + 2 * found.winnings.half_width + 0.02 > exact
    assert sum(seat.mean for seat in found.seats) / 2 == pytest.approx(found.winnings.mean)


def test_more_learning_wins_more(poor: Solution) -> None:
    early, late = (learned_response(TINY, poor, iterations=count, threads=1).winnings for count in (1, 20_000))
    assert late.low > early.high


def test_the_same_seed_gives_the_same_on_one_thread(poor: Solution) -> None:
    first, again, other = (
        learned_response(TINY, poor, iterations=200, hands=400, seed=seed, threads=1) for seed in (3, 3, 4)
    )
    assert first.winnings == again.winnings != other.winnings


@pytest.mark.parametrize("keep", ["full", "strategy"])
@pytest.mark.parametrize("game", [TINY, PAIR])
def test_numbers_of_a_file_are_laid_out_as_the_form_has_them(tmp_path: Path, game: str, keep: str) -> None:
    path = tmp_path / "a.blueprint"
    train(game, iterations=500, seed=2, save=path, keep=keep)
    strategy = load(path).strategy
    flat, form = strategy.padded(), strategy.form
    for node in np.flatnonzero(form.betting.arrays.actor >= 0).tolist():
        stage, moves = int(form.betting.arrays.round[node]), len(form.betting.actions[node])
        for bucket in range(form.buckets.counts[stage]):
            first = int(form.base[stage]) + form.betting.rows[stage] * bucket + int(form.betting.arrays.slot[node])
            row = flat[first : first + moves].astype(float)
            total = row.sum()
            played = row / total if total > 0 else np.full(moves, 1 / moves)
            assert strategy.rows(node, np.array([bucket]))[0] == pytest.approx(played, abs=1e-6)


def test_refusals(poor: Solution) -> None:
    with pytest.raises(BadSetting, match="at least one iteration"):
        learned_response(TINY, poor, iterations=0)
    with pytest.raises(BadSetting, match="cards"):
        learned_response("five-card-draw", poor, iterations=1)
    with pytest.raises(BadSetting, match="draw-basic is not a blueprint: name the file of one"):
        learned_response("five-card-draw", "draw-basic", iterations=1)
    with pytest.raises(BadSetting, match="exchanges no cards: measure it by best responses, or by --local"):
        learned_response("holdem-limit", "blueprint", iterations=1)


def test_the_command(poor: Solution, folder: Path, cli: CommandLine) -> None:
    poor.save(folder / "s.blueprint")
    told = cli(["measure", TINY, "blueprint:s.blueprint", "--learn", "2", "--hands", "60", "--workers", "1"]).printed
    assert "an agent that learned for 2 iterations wins" in told
    assert "it has not learned enough to win" in " ".join(told.split())
    both = cli(["measure", "five-card-draw", "draw-blueprint", "--learn", "100", "--local"])
    assert "--learn goes without --local" in both.refusal


def test_what_was_learned_is_saved_resumed_verified_and_played(poor: Solution, folder: Path, cli: CommandLine) -> None:
    poor.save(folder / "s.blueprint")
    words = ["measure", TINY, "blueprint:s.blueprint", "--hands", "400", "--workers", "1", "--json"]
    whole = json.loads(cli([*words, "--learn", "300", "--seed", "4", "--out", "whole.blueprint"]).out)
    assert cli([*words, "--learn", "120", "--seed", "4", "--out", "part.blueprint"]).code == 0
    resumed = json.loads(cli([*words, "--learn", "300", "--resume", "part.blueprint"]).out)
    assert {**resumed, "seconds": 0} == {**whole, "seconds": 0}
    one, other = load(folder / "whole.blueprint"), load(folder / "part.blueprint")
    assert one.state.keys() == other.state.keys()
    assert all(np.array_equal(array, other.state[name]) for name, array in one.state.items())
    assert verify(folder / "whole.blueprint").matches
    further = resume(folder / "part.blueprint", iterations=310)  # by any command that resumes, without the opponent
    assert further.iterations == 310
    played = cli(["match", "whole.blueprint", "s.blueprint", "--game", TINY, "--hands", "20"])
    assert played.code == 0, played.error


def test_files_of_others_are_not_resumed(poor: Solution, folder: Path, cli: CommandLine) -> None:
    poor.save(folder / "s.blueprint")
    train(TINY, iterations=40, seed=6, save=folder / "other.blueprint")
    words = ["--learn", "50", "--hands", "40", "--workers", "1"]
    assert cli(["measure", TINY, "blueprint:s.blueprint", *words, "--out", "l.blueprint"]).code == 0
    refused = cli(["measure", TINY, "blueprint:other.blueprint", *words, "--resume", "l.blueprint"]).refusal
    assert "learned to beat another strategy" in refused
    assert "cannot resume it" in cli(["measure", TINY, "s.blueprint", *words, "--resume", "other.blueprint"]).refusal
    assert (
        "leave out --seed"
        in cli(["measure", TINY, "s.blueprint", *words, "--resume", "l.blueprint", "--seed", "1"]).refusal
    )
    assert "belong to --learn" in cli(["measure", TINY, "s.blueprint", "--out", "x"]).refusal
