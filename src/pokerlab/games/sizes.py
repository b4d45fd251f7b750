"""The exact size of a game, without building it.

A game that can be counted has a method

    size(effort=1.0) -> Size | None

which returns None if it cannot be counted with these settings, and raises TooLarge if counting takes more than this
share of the usual work. Any other game is traversed. A game state is a decision of any player with the full history,
hidden cards included; an infoset is a state as the player to act sees it. Canonical infosets are infosets up to suit
isomorphism.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pokerlab.errors import TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.games.describe import describe
from pokerlab.games.game import Game

QUICK_EFFORT = 0.25  # share of the usual counting work: a few seconds


@dataclass(frozen=True)
class RoundSize:
    """One round of a poker game."""

    betting: int  # decisions, ignoring cards
    states: int
    infosets: int
    canonical_infosets: int | None  # None if suits are not interchangeable


@dataclass(frozen=True)
class Size:
    """Exact sizes of a game; None if unknown."""

    name: str
    how: str  # "counted" or "walked"
    states: int  # decisions of all players
    infosets: int | None  # of all players
    infoset_actions: int | None  # pairs of an infoset and an action
    terminals: int | None
    nodes: int | None  # all histories: decisions, chance and terminals
    by_player: tuple[tuple[int, int], ...] = ()  # (infosets, sequences) of each player
    canonical_infosets: int | None = None
    rounds: tuple[RoundSize, ...] = ()

    @staticmethod
    def counted(
        name: str, by_player: tuple[tuple[int, int], ...], *, states: int, terminals: int, chance: int = 0
    ) -> Size:
        """The size of a game, from the infosets and sequences of each player and the nodes of each kind."""
        return Size(
            name=name,
            how="counted",
            states=states,
            infosets=sum(infosets for infosets, _ in by_player),
            infoset_actions=sum(sequences - 1 for _, sequences in by_player),
            terminals=terminals,
            nodes=states + terminals + chance,
            by_player=by_player,
        )

    @property
    def linear_program(self) -> int | None:
        """Rows and columns of the two-player sequence-form linear program: sequences, infosets and one."""
        return self.by_player[0][1] + self.by_player[1][0] + 1 if len(self.by_player) == 2 else None


def size_of(
    game: Game,
    *,
    limit: int = 1_000_000,
    before_walking: Callable[[], None] | None = None,
    watch: Watch = SILENT,
) -> Size:
    """The size of a game, counted if possible, else by traversing at most `limit` nodes."""
    counted = counted_size(game)
    if counted is not None:
        return counted
    if before_walking is not None:
        before_walking()
    description = describe(game, limit=limit, watch=watch)
    pairs = sum(own.sequences - 1 for own in description.facts) if description.perfect_recall else None
    return Size(
        name=game.name,
        how="walked",
        states=description.decisions,
        infosets=sum(own.infosets for own in description.facts),
        infoset_actions=pairs,
        terminals=description.terminals,
        nodes=description.nodes,
        by_player=tuple((own.infosets, own.sequences) for own in description.facts),
    )


def quick_size(game: Game) -> Size | None:
    """The size of a game if it can be counted in a few seconds, else None."""
    try:
        return counted_size(game, effort=QUICK_EFFORT)
    except TooLarge:
        return None


def counted_size(game: Game, *, effort: float = 1.0) -> Size | None:
    """The size that a game reports for itself; None if it reports none."""
    own: Callable[..., Size | None] | None = getattr(game, "size", None)
    return own(effort=effort) if callable(own) else None  # a game may have a setting with that name
