"""How large a game is, exactly, without building it.

A game that can be counted says so itself, by a method

    size(effort=1.0) -> Size | None

which gives None where there is no way to count it with these settings, and raises TooLarge where counting takes more
than this share of the work that is usual. Any other game is walked. A game state is a decision of any player with
everything that has happened, hidden cards included; an infoset is a state as the player to act sees it. Canonical
infosets are those up to renaming of suits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pokerlab.errors import TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.games.describe import describe
from pokerlab.games.game import Game

QUICK_EFFORT = 0.25  # of the usual work of counting: a few seconds


@dataclass(frozen=True)
class RoundSize:
    """One round of a poker game."""

    betting: int  # decisions, cards apart
    states: int
    infosets: int
    canonical_infosets: int | None  # None where suits cannot be renamed


@dataclass(frozen=True)
class Size:
    """A game in exact numbers; None is what is not known."""

    name: str
    how: str  # "counted" or "walked"
    states: int  # decisions of all players
    infosets: int | None  # of all players
    infoset_actions: int | None  # pairs of an infoset and an action there
    terminals: int | None
    nodes: int | None  # all histories: decisions, chance and terminals
    by_player: tuple[tuple[int, int], ...] = ()  # (infosets, sequences) of each player
    canonical_infosets: int | None = None
    rounds: tuple[RoundSize, ...] = ()

    @property
    def linear_program(self) -> int | None:
        """Rows and columns of the sequence-form linear program of two players: sequences, infosets and one."""
        return self.by_player[0][1] + self.by_player[1][0] + 1 if len(self.by_player) == 2 else None


def size_of(
    game: Game,
    *,
    limit: int = 1_000_000,
    before_walking: Callable[[], None] | None = None,
    watch: Watch = SILENT,
) -> Size:
    """The size of a game, counted where it can be, else by walking at most `limit` nodes."""
    counted = counted_size(game)
    if counted is not None:
        return counted
    if before_walking is not None:
        before_walking()
    found = describe(game, limit=limit, watch=watch)
    pairs = sum(own.sequences - 1 for own in found.facts) if found.perfect_recall else None
    return Size(
        name=game.name,
        how="walked",
        states=found.decisions,
        infosets=sum(own.infosets for own in found.facts),
        infoset_actions=pairs,
        terminals=found.terminals,
        nodes=found.nodes,
        by_player=tuple((own.infosets, own.sequences) for own in found.facts),
    )


def quick_size(game: Game) -> Size | None:
    """The size of a game that can be counted in a few seconds; None for others."""
    try:
        return counted_size(game, effort=QUICK_EFFORT)
    except TooLarge:
        return None


def counted_size(game: Game, *, effort: float = 1.0) -> Size | None:
    """The size that a game tells of itself; None where it tells none."""
    own: Callable[..., Size | None] | None = getattr(game, "size", None)
    return own(effort=effort) if callable(own) else None  # a game may have a setting of that name
