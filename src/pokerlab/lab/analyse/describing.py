"""Describe a game and its size: traversed if it is small, counted otherwise; and write it to a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.formats import gambit_writing
from pokerlab.games.describe import Description, PlayerFacts, describe
from pokerlab.games.game import CHANCE, ROUNDING, TERMINAL, Game, imbalance
from pokerlab.games.sizes import Size, quick_size, size_of
from pokerlab.games.strategic import StrategicGame
from pokerlab.tree.forecast import Forecast, forecast, of_size, run_bytes
from pokerlab.tree.history.layout import build
from pokerlab.tree.normal import as_strategic, normal_form

PLAYS = 100  # random plays of a game that is not traversed
MOST_TABLE_BYTES = 2e7  # limit of the normal form of a game that is written as one
MOST_DIGITS = 4000  # of an exact number in JSON
LARGEST_WHOLE = 2**53  # up to here all JSON readers read whole numbers exactly
NOT_WALKED = ("perfect recall", "payoffs", "strategies")  # known only after a traversal


@dataclass(frozen=True)
class WalkedGame:
    """A game that was traversed completely."""

    description: Description
    memory_bytes: float  # for solving it

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        described = self.description
        names = ("players", "zero_sum", "constant_sum", "perfect_recall", "nodes", "chance_nodes", "terminals", "depth")
        return {
            "game": described.name,
            **{name: getattr(described, name) for name in names},
            "forgotten": [str(own.forgotten) for own in described.facts if own.forgotten],
            "decision_nodes": described.decisions,
            "most_actions": described.most_actions,
            "largest_payoff": max(own.largest_payoff for own in described.facts),
            "by_player": [{"player": player} | _player_dict(own) for player, own in enumerate(described.facts)],
            "memory_bytes": self.memory_bytes,
        }


def _counts(**counts: int | None) -> dict[str, Any]:
    """Each count as a number that every JSON reader can take, and under its name plus `_exact` as digits.

    >>> _counts(nodes=55, states=10**20)
    {'nodes': 55, 'nodes_exact': '55', 'states': 1e+20, 'states_exact': '100000000000000000000'}
    """
    shown: dict[str, Any] = {}
    for name, count in counts.items():
        try:
            shown[name] = count if count is None or count <= LARGEST_WHOLE else float(count)
        except OverflowError:
            shown[name] = None
        shown[f"{name}_exact"] = None if count is None or count >= 10**MOST_DIGITS else str(count)
    return shown


def _player_dict(own: PlayerFacts) -> dict[str, Any]:
    pure = own.pure_exact() if own.pure_log10 < MOST_DIGITS else None
    return {
        "infosets": own.infosets,
        "sequences": own.sequences,
        **_counts(pure_strategies=pure, reduced_strategies=own.reduced_exact),
        "pure_strategies_as_powers": own.pure_text,
        "pure_strategies_log10": own.pure_log10,
        "reduced_strategies_log10": own.reduced_log10,
        "smallest_payoff": own.smallest_payoff,
        "largest_payoff": own.largest_payoff,
    }


def _size_by_player(size: Size | None) -> list[dict[str, Any]]:
    return [
        {"player": player} | _counts(infosets=infosets, sequences=sequences)
        for player, (infosets, sequences) in enumerate(size.by_player if size else ())
    ]


@dataclass(frozen=True)
class UnwalkedGame:
    """What is known of a game that is too large to traverse."""

    game: str
    players: int
    zero_sum: bool  # in PLAYS random plays
    size: Forecast
    exact: Size | None  # if it can be counted

    @property
    def zero_sum_from(self) -> str:
        """How zero-sum was determined."""
        return f"{PLAYS} random plays"

    @property
    def nodes_text(self) -> str:
        """The number of nodes, in words."""
        return self.size.text().partition(" nodes")[0]

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        exact = self.exact
        counts = _counts(nodes=exact.nodes if exact else None, infosets=exact.infosets if exact else None)
        return {
            "game": self.game,
            "players": self.players,
            "zero_sum": self.zero_sum,
            "zero_sum_from": self.zero_sum_from,
            **counts,
            "nodes": self.size.nodes,
            "nodes_standard_error": self.size.error,
            "by_player": _size_by_player(exact),
            "memory_bytes": self.size.bytes,
            "not_walked": list(NOT_WALKED),
        }


def too_large(game: Game, limit: int) -> Forecast | None:
    """The forecast of a game that certainly has more nodes than the limit; None for others."""
    size = forecast(game)
    return size if (size.surely if size.error else size.nodes) > limit else None


def walk(
    game: Game, *, limit: int, on_progress: OnProgress | None = None, cancel: CancelToken | None = None
) -> WalkedGame:
    """Traverse every node of a game; TooLarge beyond the limit."""
    whole = describe(game, limit=limit, watch=Watch("walk", on_progress, cancel, "nodes"))
    infosets, sequences = (sum(getattr(own, name) for own in whole.facts) for name in ("infosets", "sequences"))
    return WalkedGame(whole, run_bytes(whole.players, whole.nodes, whole.terminals, infosets, sequences))


def count(game: Game, size: Forecast) -> UnwalkedGame:
    """What is known of a game of this size without traversing it."""
    exact = quick_size(game)
    ends = [game.returns(_random_end(game, seed)) for seed in range(PLAYS)]
    largest = max(abs(payoff) for payoffs in ends for payoff in payoffs)
    zero_sum = all(imbalance(payoffs) <= ROUNDING * largest for payoffs in ends)
    return UnwalkedGame(game.name, game.players, zero_sum, size, exact)


def _random_end(game: Any, seed: int) -> Any:
    """The terminal state of a random play."""
    rng, state = np.random.default_rng(seed), game.root()
    while (player := game.player(state)) != TERMINAL:
        if player == CHANCE and hasattr(game, "sample"):
            move = game.sample(state, rng)
        else:
            moves = [move for move, _ in game.outcomes(state)] if player == CHANCE else game.actions(state)
            move = moves[int(rng.integers(len(moves)))]
        state = game.child(state, move)
    return state


def write_game(game: Any, path: Path, *, limit: int, size: Forecast | None) -> None:
    """Write a game as a tree, or as a table for a .nfg file; `size` if the game is too large to traverse."""
    table = path.suffix.lower() == ".nfg"
    if size is not None and not table:
        raise TooLarge(f"{game.name} has {size.text()}: more than the {limit:,} nodes of --most-nodes are not written")
    if table and not isinstance(game, StrategicGame):  # in its reduced normal form, if that is small
        normal = normal_form(build(game), most_bytes=MOST_TABLE_BYTES)
        game = as_strategic(normal, title=getattr(game, "title", ""))
    gambit_writing.write(game, path)


@dataclass(frozen=True)
class GameSize:
    """The exact size of a game."""

    size: Size
    memory_bytes: float | None  # for solving it; None if its nodes are not known

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        size = self.size
        names = ("states", "infosets", "canonical_infosets", "infoset_actions", "terminals", "nodes", "linear_program")
        by_round = ("betting", "states", "infosets", "canonical_infosets")
        return {
            "game": size.name,
            "how": size.how,
            **_counts(**{name: getattr(size, name) for name in names}),
            "by_player": _size_by_player(size),
            "by_round": [
                {"round": number} | _counts(**{name: getattr(one, name) for name in by_round})
                for number, one in enumerate(size.rounds)
            ],
            "memory_bytes": self.memory_bytes,
        }


def measure_size(
    game: Game, *, limit: int, on_progress: OnProgress | None = None, cancel: CancelToken | None = None
) -> GameSize:
    """The exact size of a game: counted if possible, otherwise traversed, up to a limit."""

    def check_size() -> None:
        """Raise TooLarge, before any traversal, for a game that is far too large."""
        size = forecast(game)
        if size.surely > limit:
            raise TooLarge(
                f"{game.name} has {size.text().partition(' nodes')[0]} nodes by random walks; its exact size is not "
                f"known without walking it, and that is more than the {limit:,} nodes of --most-nodes"
            )

    size = size_of(game, limit=limit, before_walking=check_size, watch=Watch("walk", on_progress, cancel, "nodes"))
    return GameSize(size, None if size.nodes is None else of_size(size, game.players).bytes)
