"""Study a spot: its forecast as settings are typed, its solution opened once, and walked through."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_COMBOS
from pokerlab.errors import PokerlabError, TooLarge
from pokerlab.lab.jobs.kinds import checked_spot
from pokerlab.lab.solve.tasks import spot_task
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.views.hands import number_or_none
from pokerlab.tree.public.forecast import SpotForecast, forecast

MOST_OPEN = 4  # solutions in memory


@dataclass(frozen=True)
class Outlook:
    """What a spot will take, before it is solved."""

    size: SpotForecast
    refusal: str  # why it cannot be solved here; empty if it can

    @property
    def text(self) -> str:
        """In words."""
        return self.size.text()


def outlook(
    settings: Mapping[str, Any], *, target_percent: float, threads: int = 1, storage: str = "float32"
) -> Outlook:
    """The size of a spot and the work to a target; raises what is wrong with the settings."""
    task = spot_task(checked_spot(settings))
    assert task.spot is not None
    isomorphism = task.isomorphism
    size = forecast(
        task.spot,
        storage=storage,
        threads=threads,
        target_percent=target_percent,
        symmetric=isomorphism.symmetric,
        preserved=isomorphism.preserved,
    )
    try:
        size.check()
    except TooLarge as problem:
        return Outlook(size, str(problem))
    return Outlook(size, "")


class OpenSolutions:
    """Solutions that were opened, the latest few; one thread at a time computes with each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: OrderedDict[tuple[str, int], tuple[Solution, threading.Lock]] = OrderedDict()

    def open(self, path: Path) -> tuple[Solution, threading.Lock]:
        """A solution and the lock that protects it."""
        key = str(path), path.stat().st_mtime_ns
        with self._lock:
            if key in self._opened:
                self._opened.move_to_end(key)
                return self._opened[key]
            opened = load(path), threading.Lock()
            self._opened[key] = opened
            while len(self._opened) > MOST_OPEN:
                self._opened.popitem(last=False)
            return opened


def nodes_along(root: Any, moves: Sequence[str]) -> list[Any]:
    """The nodes from the root along some moves, as far as they are legal."""
    nodes = [root]
    for move in moves:
        try:
            nodes.append(nodes[-1].at(move))
        except PokerlabError:
            break
    return nodes


def combos_of_class(view: Any, cell: int, player: int, *, values: bool = True) -> list[dict[str, Any]]:
    """The hands of a class with which a player may be here: reach, actions, EV and equity."""
    numbers = [number for number in CLASS_COMBOS[cell].tolist() if view.is_present(player)[number]]
    reach = view.range(player)
    numbers = [number for number in reversed(numbers) if reach[number] > 0]
    if not numbers:
        return []
    acts = player == view.player
    frequencies = np.asarray(view.frequencies) if acts else None
    evs = view.values(player) if values and "ev" in view.grids else None
    equities = view.equities(player) if values and "equity" in view.grids else None
    action_evs = np.asarray(view.action_values) if acts and evs is not None else None
    rows = []
    for number in numbers:
        row: dict[str, Any] = {"hand": view.holdings.hand_text(number), "reach": float(reach[number])}
        row["ev"] = None if evs is None else number_or_none(evs[number])
        row["equity"] = None if equities is None else number_or_none(equities[number])
        row["strategy"] = [] if frequencies is None else np.nan_to_num(frequencies[number]).tolist()
        row["action_ev"] = [] if action_evs is None else list(map(number_or_none, action_evs[number]))
        rows.append(row)
    return rows


def next_cards(view: Any, *, values: bool) -> list[dict[str, Any]]:
    """Before a card is dealt: what the next player does after each card, and the EV of the first player."""
    rows = []
    for child in view.cards():
        acts = child.player is not None
        row = {"card": child.moves[-1], "player": child.player, "actions": list(child.actions)}
        row["strategy"] = list(child.strategy().values()) if acts else []
        row["ev"] = number_or_none(child.ev(0)) if values else None
        rows.append(row)
    return rows


def lock_table(view: Any, frequencies: Mapping[str, float], hands: str) -> dict[str, Any]:
    """A lock of the player to act at a node, as settings of a spot."""
    return {"at": list(view.moves), "strategy": dict(frequencies), "hands": hands}
