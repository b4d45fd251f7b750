"""Simultaneous games, where nobody sees another player's choice, as extensive games.

The players choose in turn, but earlier choices are hidden: each player has a single infoset. A game is a payoff table
over all action profiles, for any number of players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from operator import mul

from pokerlab.errors import BadSetting
from pokerlab.games.game import TERMINAL

Profile = tuple[str, ...]  # one action of each player, in order


@dataclass(frozen=True, eq=False)
class StrategicGame:
    """A table of payoffs; a state is the profile of the actions chosen so far."""

    name: str
    action_names: tuple[tuple[str, ...], ...]  # of each player
    payoffs: Mapping[Profile, tuple[float, ...]]  # for each player, at each complete profile
    title: str = ""

    def __post_init__(self) -> None:
        for player, actions in enumerate(self.action_names):
            if not actions or len(set(actions)) != len(actions):
                raise BadSetting(f"player {player} needs at least one action, all with different names; got {actions}")
        missing = next((p for p in product(*self.action_names) if p not in self.payoffs), None)
        if missing is not None:
            raise BadSetting(f"the table of {self.name} has no payoffs for {', '.join(missing)}")

    @property
    def players(self) -> int:
        return len(self.action_names)

    def node_count(self) -> int:
        """The number of nodes, for estimates."""
        return sum(accumulate((len(actions) for actions in self.action_names), mul, initial=1))

    def root(self) -> Profile:
        return ()

    def player(self, state: Profile) -> int:
        return len(state) if len(state) < self.players else TERMINAL

    def actions(self, state: Profile) -> tuple[str, ...]:
        return self.action_names[len(state)]

    def outcomes(self, state: Profile) -> Sequence[tuple[str, float]]:
        raise AssertionError("a strategic game has no chance")

    def child(self, state: Profile, action: str) -> Profile:
        return (*state, action)

    def returns(self, state: Profile) -> tuple[float, ...]:
        return self.payoffs[state]

    def infoset(self, state: Profile, player: int) -> str:
        return ("row", "column")[player] if self.players == 2 else f"player {player}"

    view = infoset


def bimatrix(
    name: str,
    *,
    rows: Sequence[str],
    columns: Sequence[str] | None = None,  # default: the same as rows
    row_payoffs: Sequence[Sequence[float]],  # [row, column]
    column_payoffs: Sequence[Sequence[float]] | None = None,  # [row, column]; default: zero-sum
    title: str = "",
) -> StrategicGame:
    """A two-player game from one table (zero sum) or two.

    >>> game = bimatrix("pennies", rows="HT", row_payoffs=[[1, -1], [-1, 1]])
    >>> game.returns(("H", "T"))
    (-1.0, 1.0)
    """
    columns = rows if columns is None else columns
    if column_payoffs is None:
        column_payoffs = [[0.0 - value for value in row] for row in row_payoffs]
    for table in (row_payoffs, column_payoffs):
        if len(table) != len(rows) or any(len(row) != len(columns) for row in table):
            raise BadSetting(f"the payoffs of {name} must be a table of {len(rows)} rows and {len(columns)} columns")
    payoffs: dict[Profile, tuple[float, ...]] = {
        (row, column): (float(row_payoffs[i][j]), float(column_payoffs[i][j]))
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    }
    return StrategicGame(name, (tuple(rows), tuple(columns)), payoffs, title)
