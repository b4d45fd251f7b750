"""Plain twins of counter-strategies: the restricted game as a game of its own, and CFR in it from the definitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from naive.solve import PlainSums, Profile, histories, matched, own_reach
from naive.solve import expected_values as plain_values
from naive.spot import PlainSpot, Tables, in_proportion
from pokerlab.games.game import CHANCE, Game
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.public.layout import PublicTree

HELD, FREE = "held", "free"


@dataclass(frozen=True)
class RestrictedGame:
    """A game in which chance acts for one player: all through with probability `whole`, else where `held` says.

    A state is the state of the game, the coins so far (which that player alone sees) and whether one is to be thrown.
    """

    game: Game
    player_held: int
    model: Profile
    whole: float
    held: dict[str, float]

    @property
    def name(self) -> str:
        return f"restricted {self.game.name}"

    @property
    def players(self) -> int:
        return self.game.players

    def root(self) -> Any:
        return self.game.root(), "", True

    def player(self, state: Any) -> int:
        inner, coins, pending = state
        if not coins:
            return CHANCE  # the first coin: for the whole game
        actor = self.game.player(inner)
        if actor == self.player_held and (pending or coins[0] == HELD[0] or coins[-1] == "H"):
            return CHANCE
        return actor

    def outcomes(self, state: Any) -> list[tuple[Any, float]]:
        inner, coins, pending = state
        if not coins:
            return self._coin(self.whole, HELD, FREE)
        actor = self.game.player(inner)
        if actor == CHANCE:
            return [(("move", move), chance) for move, chance in self.game.outcomes(inner)]
        infoset = self.game.infoset(inner, actor)
        if coins[0] != HELD[0] and pending:
            return self._coin(self.held[infoset], "H", "F")
        shares = zip(self.game.actions(inner), self.model[infoset], strict=True)
        return [(("move", move), float(chance)) for move, chance in shares if chance > 0]

    def _coin(self, share: float, yes: str, no: str) -> list[tuple[Any, float]]:
        return [(("coin", word), chance) for word, chance in ((yes, share), (no, 1 - share)) if chance > 0]

    def actions(self, state: Any) -> Any:
        return [("move", move) for move in self.game.actions(state[0])]

    def child(self, state: Any, action: Any) -> Any:
        inner, coins, _ = state
        kind, move = action
        if kind == "coin":
            return inner, coins + move[0], not coins  # after the first one, the next infoset throws again
        return self.game.child(inner, move), coins, True

    def returns(self, state: Any) -> Any:
        return self.game.returns(state[0])

    def infoset(self, state: Any, player: int) -> str:
        inner, coins, _ = state
        return self.game.infoset(inner, player) + (f" after {coins}" if player == self.player_held else "")

    def view(self, state: Any, player: int) -> str:
        return self.infoset(state, player)

    def action_text(self, action: Any) -> str:
        return str(action[1])


def effective(game: Game, current: Profile, hold: RestrictedGame, names: list[str]) -> tuple[Profile, Profile]:
    """What the held player does where they are not held for the whole game, and what others see them do."""
    mixed, seen = dict(current), dict(current)
    for name in names:
        mixed[name] = hold.held[name] * hold.model[name] + (1 - hold.held[name]) * current[name]
    fixed = {**current, **{name: hold.model[name] for name in names}}
    reach = [own_reach(game, profile, hold.player_held) for profile in (fixed, mixed)]
    for name in names:
        weights = hold.whole * reach[0][name], (1 - hold.whole) * reach[1][name]
        total = weights[0] * fixed[name] + weights[1] * mixed[name]
        seen[name] = total / total.sum() if total.sum() > 0 else mixed[name]
    return mixed, seen


def restricted_cfr(game: Game, tree: HistoryTree, hold: RestrictedGame, schedule: Schedule, iterations: int) -> Profile:
    """The averages after some iterations of CFR in the restricted game, the held player's as others see it."""
    owner = dict(zip(tree.infoset_names, tree.infoset_player.tolist(), strict=True))
    names = [name for name in owner if owner[name] == hold.player_held]
    tables = PlainSums(tree)
    current, average = tables.current, tables.average

    def update(player: int, free: Profile, step: Any) -> None:
        mixed, seen = effective(game, free, hold, names)
        reach = own_reach(game, seen, player)
        play = mixed if player == hold.player_held else seen
        for name, states in histories(game, play, player).items():
            actions = game.actions(states[0][0])
            worth = np.array(
                [
                    sum(r * plain_values(game, play, game.child(s, action))[player] for s, r in states)
                    for action in actions
                ]
            )
            tables.update(name, worth - free[name] @ worth, reach[name] * seen[name], step)

    for iteration in range(1, iterations + 1):
        frozen = dict(current)
        for player in range(game.players):
            update(player, dict(current) if schedule.alternating else frozen, schedule.step(iteration))
    return {name: sums / sums.sum() if sums.sum() > 0 else matched(sums) for name, sums in average.items()}


class PlainRestrictedSpot(PlainSpot):
    """A spot in which a player is held to a model: for the whole game, or where `held` says (None: nowhere)."""

    def __init__(self, tree: PublicTree, player: int, model: Tables, whole: float, held: Tables | None) -> None:
        super().__init__(tree)
        self.player, self.model, self.whole = player, model, whole
        self.held = {place: table[:, :1] for place, table in held.items()} if held else None

    def _owns(self, place: Any) -> bool:
        return bool(place[0].player == self.player)

    def _effective(self, plays: Tables) -> Tables:
        """What is played with what is held by infoset."""
        if self.held is None:
            return plays
        held = self.held
        return {
            place: held[place] * self.model[place] + (1 - held[place]) * table if self._owns(place) else table
            for place, table in plays.items()
        }

    def _by_model(self, plays: Tables) -> Tables:
        return {place: self.model[place] if self._owns(place) else table for place, table in plays.items()}

    def restricted_step(
        self, player: int, schedule: Schedule, iteration: int, regrets: Tables, averages: Tables, last: Tables
    ) -> tuple[Tables, Tables]:
        """A player's regrets and averages after one step; against one held for the whole game, by two walks."""
        keep_positive, keep_negative, floor, keep, weight, prediction = schedule.table(iteration, 1)[0]
        free = {place: in_proportion(table + prediction * last[place]) for place, table in regrets.items()}
        plays = self._effective(free)
        walked = self.walk(player, plays)
        fixed = self.walk(player, self._by_model(plays)) if player != self.player else walked
        new_regrets, new_averages = {}, {}
        for place, instant in walked.regrets.items():
            instant = self.whole * fixed.regrets[place] + (1 - self.whole) * instant
            instant = instant - (free[place] * instant).sum(axis=1, keepdims=True)  # of the free part alone
            old = regrets[place]
            new = old * np.where(old > 0, keep_positive, keep_negative) + instant
            new_regrets[place] = np.maximum(new, 0) if floor else new
            new_averages[place] = averages[place] * keep + weight * walked.reach[place] * plays[place]
        return new_regrets, new_averages

    def restricted_measure(self, averages: Tables) -> tuple[list[float], list[float]]:
        """Values and best responses in the restricted game; averages as RestrictedPublicSolver keeps them."""
        held, free = self.player, 1 - self.player
        plays = {place: in_proportion(table) for place, table in averages.items()}
        modelled = self._by_model(plays)
        seen = dict(plays)
        if self.held is None:
            one, other = self.walk(held, modelled).reach, self.walk(held, plays).reach
            for place in one:
                weights = self.whole * one[place] * modelled[place] + (1 - self.whole) * other[place] * plays[place]
                seen[place] = in_proportion(weights)
        value = self._total(free, self.walk(free, seen).values)
        best = self._total(free, self.walk(free, seen, best=True).values)
        answer = self._total(held, self.walk(held, modelled, best=True, held=self.held).values)
        by_model = self._total(held, self.walk(held, modelled).values)
        answer = self.whole * by_model + (1 - self.whole) * answer
        found = ([-value, value], [answer, best])
        return found if held == 0 else (found[0][::-1], found[1][::-1])

    def _total(self, player: int, values: np.ndarray) -> float:
        return float(self.weights[player] @ values) / self.pairs
