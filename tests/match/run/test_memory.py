"""Agents that learn: by default they forget with each block, and with `keep_memory` they remember the whole match."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.errors import AgentFailed, BadSetting
from pokerlab.games.poker.betting import CALL
from pokerlab.match.hands.history import History
from pokerlab.match.run.block import play_block
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.saved import save_match
from pokerlab.match.run.tournament import pairings, play_tournament


class Counting:
    """An agent whose play depends on how many hands it remembers: it raises in every third, and in all from 40 on."""

    name = "counting"

    def __init__(self) -> None:
        self.hands = 0
        self.most = 0
        self.resets = 0

    def act(self, view: Any, rng: Any) -> Any:
        return view.actions[-1] if self.hands % 3 == 0 or self.hands >= 40 else CALL

    def observe(self, view: Any) -> None:
        self.hands += 1
        self.most = max(self.most, self.hands)

    def reset(self) -> None:
        self.hands = 0
        self.resets += 1


def settings(agent: Any, **options: Any) -> MatchSettings:
    chosen = {"hands": 120, "seed": 9, "block": 10} | options
    return MatchSettings.of("leduc", [agent, "random"], **chosen)


def test_by_default_agents_forget_with_each_pass_of_a_block() -> None:
    """The digest of the payoffs is that of the version before there was a choice."""
    agent = Counting()
    match = settings(agent, duplicate=True)
    digest = hashlib.blake2b(digest_size=8)
    for number in range(match.blocks):
        digest.update(play_block(match.piece(number)).payoffs.tobytes())
    assert digest.hexdigest() == "a3e2cec47a4c596e"
    assert (agent.most, agent.resets) == (10, 12)
    assert "keep_memory" not in match.as_dict()  # so that matches of earlier versions are resumed


def test_memories_last_for_the_whole_match() -> None:
    agent = Counting()
    result = play_match(settings(agent, keep_memory=True), workers=2)
    assert (agent.most, agent.resets, result.hands) == (120, 1, 120)
    forgetful = play_match(settings(Counting()))
    assert result.summaries[0].mean != forgetful.summaries[0].mean


def test_each_rotation_of_the_seats_has_agents_of_its_own() -> None:
    """None has seen the cards of a deal before: two equal agents, who remember alike, come out even on every deal."""
    agent = Counting()
    result = play_match(MatchSettings.of("leduc", [agent, Counting()], hands=240, duplicate=True, keep_memory=True))
    assert agent.most == 120
    assert (result.summaries[0].mean, result.summaries[0].deviation) == (0, 0)


def test_in_a_tournament_too() -> None:
    agents = [Counting(), "random", "always-call"]
    play_tournament(pairings("leduc", agents, hands=40, duplicate=False, block=10, keep_memory=True))
    assert (agents[0].most, agents[0].resets) == (40, 2)  # type: ignore[union-attr]


def cut_off(path: Path, match: MatchSettings, blocks: int) -> None:
    """Play the first blocks of a match, and leave half of the next in its journal."""
    agents: Any = [match.agents]
    with History(path) as history:
        kept = save_match(history, match.as_dict())
        for number in range(blocks):
            kept.add(play_block(kept.with_journal(match.piece(number)), agents))
        play_block(kept.with_journal(match.piece(blocks)), agents)
        journal = kept.folder / f"1-{blocks}.tsv"
        journal.write_bytes(journal.read_bytes()[:300])


class Always(Counting):
    """An agent that only calls."""

    name = "always"

    def act(self, view: Any, rng: Any) -> Any:
        return CALL


def against_always(agent: Any) -> MatchSettings:
    return MatchSettings.of("leduc", [agent, Always()], hands=60, seed=4, block=20, keep_memory=True)


@pytest.mark.parametrize("blocks", [0, 2])
def test_a_match_that_is_resumed_remembers_what_was_played(tmp_path: Path, blocks: int) -> None:
    whole = play_match(against_always(Counting()))
    cut_off(tmp_path / "cut.duckdb", against_always(Counting()), blocks)
    agent = Counting()
    match = against_always(agent)
    with History(tmp_path / "cut.duckdb") as history:
        kept = save_match(history, match.as_dict(), resume=True)
        assert kept.blocks_done == blocks
        result = play_match(match, saved=kept)
    assert agent.most == 60
    assert np.array_equal(result.curve.totals, whole.curve.totals)
    assert result.summaries == whole.summaries


def test_what_cannot_be_remembered_is_refused(tmp_path: Path) -> None:
    person, changed = Counting(), Always()
    person.repeatable = False  # type: ignore[attr-defined]
    changed.name = Counting.name  # type: ignore[misc]
    for agent, error, message in (
        (person, BadSetting, "cannot be resumed: counting does not play the same hands again"),
        (changed, AgentFailed, "block 1 came out differently"),
    ):
        file = tmp_path / f"{message[:5]}.duckdb"
        cut_off(file, against_always(Counting()), 1)
        with History(file) as history, pytest.raises(error, match=message):
            play_match(against_always(agent), saved=save_match(history, against_always(agent).as_dict(), resume=True))
