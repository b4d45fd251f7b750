"""The size and structure of a game, from a full traversal: nodes, infosets, sequences, strategies, payoffs, recall.

A player has perfect recall if every infoset determines the player's own earlier infosets and actions. The number of
pure strategies is the product of the numbers of actions of all infosets; reduced strategies leave out choices at
infosets that the player's own earlier actions exclude.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pokerlab.errors import BadGame, TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.games.game import CHANCE, ROUNDING, TERMINAL, Game, action_text, imbalance

EXACT_INFOSETS = 20_000  # up to here reduced strategies are counted exactly, beyond by their logarithm


@dataclass(frozen=True)
class ForgottenHistory:
    """An infoset that a player reaches with two different own histories."""

    player: int
    infoset: str
    one: tuple[str, ...]  # the player's actions on one path to it
    other: tuple[str, ...]

    def __str__(self) -> str:
        one, other = (" then ".join(actions) or "nothing" for actions in (self.one, self.other))
        return f"player {self.player} does not recall at {self.infoset!r} whether it played {one} or {other}"


@dataclass(frozen=True)
class PlayerFacts:
    """One player's part of a game."""

    infosets: int
    sequences: int  # including the empty one
    actions_of_infosets: tuple[tuple[int, int], ...]  # (number of actions, number of such infosets)
    reduced_log10: float | None  # of the reduced strategies; None without perfect recall
    reduced_exact: int | None
    smallest_payoff: float
    largest_payoff: float
    forgotten: ForgottenHistory | None  # the first infoset where recall fails

    @property
    def pure_log10(self) -> float:
        """The base-10 logarithm of the number of pure strategies."""
        return sum(count * math.log10(actions) for actions, count in self.actions_of_infosets)

    def pure_exact(self) -> int:
        """The exact number of pure strategies; it may have very many digits."""
        return math.prod(actions**count for actions, count in self.actions_of_infosets)

    @property
    def pure_text(self) -> str:
        """The number of pure strategies as a product of powers, exact at any size: "2^12 · 3^4"."""
        powers = [(a, n) for a, n in self.actions_of_infosets if a > 1]
        return " · ".join(f"{a}^{n}" if n > 1 else str(a) for a, n in powers) or "1"


@dataclass(frozen=True)
class Description:
    """A whole game in numbers."""

    name: str
    players: int
    nodes: int  # all histories, including chance and terminal nodes
    chance_nodes: int
    terminals: int
    depth: int  # the most actions and chance outcomes on a path to a terminal node
    most_actions: int
    constant_sum: float | None  # what the payoffs sum to everywhere; None if it varies
    facts: tuple[PlayerFacts, ...]

    @property
    def decisions(self) -> int:
        """Nodes where a player acts."""
        return self.nodes - self.chance_nodes - self.terminals

    @property
    def zero_sum(self) -> bool:
        """Whether payoffs sum to zero at every terminal node."""
        return self.constant_sum == 0

    @property
    def perfect_recall(self) -> bool:
        """Whether no player ever forgets what it knew or did."""
        return all(own.forgotten is None for own in self.facts)


@dataclass
class _Player:
    """Data collected about one player. A sequence is a number; 0 is the empty one."""

    parents: list[tuple[int, str]] = field(default_factory=lambda: [(-1, "")])  # by sequence, with its last action
    children: dict[tuple[int, str, int], int] = field(default_factory=dict)
    infosets: dict[str, tuple[int, int]] = field(default_factory=dict)  # (sequence before it, number of actions)
    forgotten: ForgottenHistory | None = None
    low: float = math.inf
    high: float = -math.inf

    def actions_to(self, sequence: int) -> tuple[str, ...]:
        actions = []
        while sequence > 0:
            sequence, action = self.parents[sequence]
            actions.append(action)
        return tuple(reversed(actions))


def describe(game: Game, *, limit: int = 1_000_000, watch: Watch = SILENT) -> Description:
    """Traverse a game of at most `limit` nodes; raises TooLarge if it has more."""
    gathered = [_Player() for _ in range(game.players)]
    counts: Counter[int] = Counter()
    sums = [math.inf, -math.inf, -math.inf]  # of payoffs: the minimum, the maximum, the largest imbalance
    nodes = depth = most_actions = 0
    waiting: list[tuple[Any, int, tuple[int, ...]]] = [(game.root(), 0, (0,) * game.players)]
    while waiting:
        state, level, sequences = waiting.pop()
        nodes += 1
        depth = max(depth, level)
        if nodes % 10_000 == 0:
            watch.at("visiting", nodes, None)
        player = game.player(state)
        counts[player] += 1
        if player == TERMINAL:
            payoffs = game.returns(state)
            total = sum(payoffs)
            sums = [min(sums[0], total), max(sums[1], total), max(sums[2], imbalance(payoffs))]
            for own, payoff in zip(gathered, payoffs, strict=True):
                own.low, own.high = min(own.low, payoff), max(own.high, payoff)
            continue
        if player == CHANCE:
            moves = [outcome for outcome, _ in game.outcomes(state)]
            behind = [sequences] * len(moves)
        else:
            moves = list(game.actions(state))
            most_actions = max(most_actions, len(moves))
            after = _visit(game, gathered[player], game.infoset(state, player), sequences[player], moves, player)
            behind = [(*sequences[:player], sequence, *sequences[player + 1 :]) for sequence in after]
        if nodes + len(waiting) + len(moves) > limit:
            raise TooLarge(f"{game.name} has more than {limit:,} nodes; choose smaller settings or a higher limit")
        children = [game.child(state, move) for move in moves]
        waiting.extend((child, level + 1, path) for child, path in zip(children[::-1], behind[::-1], strict=True))
    facts = []
    for own in gathered:
        exact, log10 = _reduced(own) if own.forgotten is None else (None, None)
        actions = tuple(sorted(Counter(count for _, count in own.infosets.values()).items()))
        sizes = len(own.infosets), len(own.parents), actions
        facts.append(PlayerFacts(*sizes, log10, exact, own.low, own.high, own.forgotten))
    rounding = ROUNDING * max(abs(payoff) for own in facts for payoff in (own.smallest_payoff, own.largest_payoff))
    constant = sums[0] if sums[1] - sums[0] <= 1e-9 * abs(sums[0]) + rounding else None
    if sums[2] <= rounding:
        constant = 0.0
    return Description(
        name=game.name,
        players=game.players,
        nodes=nodes,
        chance_nodes=counts[CHANCE],
        terminals=counts[TERMINAL],
        depth=depth,
        most_actions=most_actions,
        constant_sum=constant,
        facts=tuple(facts),
    )


def _visit(game: Game, own: _Player, infoset: str, sequence: int, actions: Any, player: int) -> list[int]:
    """Record an infoset as reached after a sequence; returns the sequences after each of its actions."""
    before, count = own.infosets.setdefault(infoset, (sequence, len(actions)))
    if count != len(actions):
        where = f"infoset {infoset[:60]!r} of player {player}"
        raise BadGame(f"states of one infoset must have the same actions; {where} has {count} or {len(actions)}")
    if before != sequence and own.forgotten is None:
        own.forgotten = ForgottenHistory(player, infoset, own.actions_to(before), own.actions_to(sequence))
    after = []
    for position, action in enumerate(actions):
        key = (sequence, infoset, position)
        if key not in own.children:
            own.children[key] = len(own.parents)
            own.parents.append((sequence, action_text(game, action)))
        after.append(own.children[key])
    return after


def _reduced(own: _Player) -> tuple[int | None, float]:
    """Reduced strategies: below a sequence, the product over its infosets of the sum over their actions."""
    exactly = len(own.infosets) <= EXACT_INFOSETS
    below = [1] * len(own.parents) if exactly else []
    logs = [0.0] * len(own.parents)
    for infoset, (before, count) in reversed(own.infosets.items()):
        after = [own.children[before, infoset, position] for position in range(count)]
        if exactly:
            below[before] *= sum(below[sequence] for sequence in after)
        largest = max(logs[sequence] for sequence in after)
        logs[before] += largest + math.log10(sum(10 ** (logs[sequence] - largest) for sequence in after))
    return (below[0] if exactly else None), logs[0]
