"""A match saved in a hand-history file while it is played: its blocks are added one by one and can be read back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from pokerlab.errors import BadFile, BadSetting
from pokerlab.match.hands.database import sound
from pokerlab.match.hands.history import OWN, History, journal_folder
from pokerlab.match.hands.journal import agent_number, read_faults, read_lines
from pokerlab.match.run.block import Block, BlockResult, block_categories
from pokerlab.reading import count, finite, json_value, text_of
from pokerlab.store import FolderStore, Store


def save_match(history: History, settings: dict[str, Any], *, resume: bool = False) -> SavedMatch:
    """A new match; with `resume`, the match with these settings in the file, interrupted or finished, if any."""
    existing = history.ask(
        "select match, finished from matches where settings = ? order by finished, match",
        [json.dumps(settings, sort_keys=True)],
    )
    if existing and resume:
        return SavedMatch(history, int(existing[0][0]))
    if existing and not existing[0][1]:
        raise BadSetting(f"{history.path} holds this match already, not finished: resume it, or write to another file")
    saved = SavedMatch(history, history.add_match(settings, source=OWN, finished=False))
    saved.drop_journals()
    return saved


class SavedMatch:
    """One match of a history file, while it is played."""

    def __init__(self, history: History, number: int) -> None:
        self._history = history
        self.number = number
        self.folder = journal_folder(history.path)
        self.store: Store = FolderStore(self.folder)  # of the journals
        ((done,),) = history.ask("select count(*) from blocks where match = ?", [number])
        self.blocks_done = int(done)
        for block in range(self.blocks_done):  # a kill may leave a journal that is already in the file
            self.store.remove(self._journal(block))

    @property
    def is_begun(self) -> bool:
        """Whether hands of an earlier run are stored."""
        return self.blocks_done > 0 or self._journal(0) in self.store.names()

    def drop_journals(self) -> None:
        """Remove the journals of a match of this number, left behind by a file that was deleted."""
        for name in self.store.names():
            if name.startswith(f"{self.number}-"):
                self.store.remove(name)

    def _journal(self, block: int) -> str:
        return f"{self.number}-{block}.tsv"

    def with_journal(self, piece: Block) -> Block:
        """The same unit of work, storing its hands."""
        return replace(piece, store=self.store, journal=self._journal(piece.number))

    def add(self, result: BlockResult) -> None:
        """Add a finished block to the file."""
        journal = self._journal(result.number)
        said = json.dumps([[agent, text, count] for (agent, text), count in result.remarks.items()])
        lines = read_lines(self.store, journal)
        if len(lines) != result.payoffs[..., 0].size:
            raise BadFile(
                f"the journal {journal} is damaged: it has {len(lines)} hands, not {result.payoffs[..., 0].size}"
            )
        self._history.take_in(self.number, result.number, lines, remarks=said)
        self.store.remove(journal)

    def block(self, piece: Block) -> BlockResult:
        """A block that was played before, from the file."""
        rows = self._history.ask(
            "select pass, deal, seats, payoffs, adjusted, faults from hands "
            "where match = ? and block = ? order by hand",
            [self.number, piece.number],
        )
        shape = (piece.passes, piece.deals, piece.game.players)
        places = list(product(range(piece.passes), range(piece.first, piece.first + piece.deals)))
        if [row[:2] for row in rows] != places:
            raise BadFile(f"{self._history.path} is damaged: block {piece.number} of match {self.number} is not whole")
        payoffs, adjusted = np.zeros(shape), np.zeros(shape) if piece.adjust else None
        faults: Counter[tuple[int, str]] = Counter()
        with sound(self._history.path):
            for passed, deal, seats, won, expected, text in rows:
                place = passed, deal - piece.first
                payoffs[place] = _by_agent(seats, won, piece.game.players)
                if adjusted is not None:
                    adjusted[place] = _by_agent(seats, expected, piece.game.players)
                faults.update(read_faults(text or "", piece.game.players))
            remarks, categories = self._remarks(piece), block_categories(piece)
            return BlockResult(piece.number, payoffs, adjusted, faults, remarks, categories)

    def _remarks(self, piece: Block) -> Counter[tuple[int, str]]:
        ((said,),) = self._history.ask(
            "select remarks from blocks where match = ? and block = ?", [self.number, piece.number]
        )
        return Counter(
            {
                (agent_number(agent, piece.game.players), text_of(text)): count(times)
                for agent, text, times in json_value(said or "[]")
            }
        )

    def finish(self) -> None:
        """Mark the match as finished."""
        self._history.run("update matches set finished = true where match = ?", [self.number])
        with suppress(OSError):
            self.folder.rmdir()


def _by_agent(seats: Sequence[int], values: Sequence[float], players: int) -> list[float]:
    """The values of a hand by agent, from those by seat; raises ValueError unless there is one for each."""
    if sorted(seats) != list(range(players)) or len(values) != players:
        raise ValueError(f"a hand is not one of {players} seats")
    return [finite(values[seats.index(agent)]) for agent in range(players)]
