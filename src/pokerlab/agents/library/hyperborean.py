"""hyperborean: an equilibrium of buckets in which every betting sequence has one bet size of its own, learned.

The winner in no-limit hold'em of the computer poker competition of 2012, as its authors describe it (in M. Schmid,
"Game Theory and Poker", 2013, section 8.4.1): counterfactual regret minimisation "applied to a specially designed
betting abstraction of the game. Using an algorithm similar to the CFR algorithm, a different bet size is chosen for
each betting sequence in the game", with imperfect recall buckets of hands and public cards together.

Here the sizes are learned by the regret minimisation that trains a blueprint with a menu: of the sizes of the menu,
each betting sequence keeps the one that the average strategy bets most often over all buckets of hands, and bets it
wherever the blueprint bets. The description does not say from which sizes theirs chooses; here the strategy is not
solved again with the chosen sizes. The opponent's bets are read as all sizes of the menu. Without a file the small
blueprint that comes with the package plays, whose flop alone has a choice beside pot and all-in."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import lru_cache
from typing import cast

import numpy as np

from pokerlab.agents.library.blueprint import BlueprintAgent, TranslationSeed
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.settings import Text, declared
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.forms.bucketed import BucketedStrategy


class LearnedSizes(BucketedStrategy):
    """A strategy with one bet size for each betting sequence."""

    @staticmethod
    def of(strategy: BucketedStrategy) -> LearnedSizes:
        """The same strategy with all bets at a sequence in its learned size."""
        return LearnedSizes(**{field.name: getattr(strategy, field.name) for field in fields(strategy)})

    def rows(self, node: int, buckets: np.ndarray) -> np.ndarray:
        """Action probabilities of a decision for some buckets.  # [n] -> [n, action]"""
        found = super().rows(node, buckets)
        raises = self.raises(node)
        if len(raises) > 1:
            bets = found[:, raises].sum(axis=1)
            found[:, raises] = 0.0
            found[:, self.size(node)] = bets
        return found

    def raises(self, node: int) -> list[int]:
        """The columns of bets and raises of a decision."""
        return [column for column, action in enumerate(self.form.betting.actions[node]) if action.startswith("r")]

    def size(self, node: int) -> int:
        """The column of the learned size: what all buckets together bet most."""
        return _learned_size(self, node)

    def shares(self, node: int) -> np.ndarray:
        """The average probability of each action of the blueprint over all trained buckets.  # [action]"""
        buckets = np.arange(self.form.buckets.counts[int(self.form.betting.arrays.round[node])])
        trained = buckets[self.is_trained(node, buckets)]
        return np.asarray(super().rows(node, trained if len(trained) else buckets).mean(axis=0))


@lru_cache(maxsize=100_000)
def _learned_size(strategy: LearnedSizes, node: int) -> int:
    shares, raises = strategy.shares(node), strategy.raises(node)
    return max(raises, key=lambda column: shares[column])


class Hyperborean(BlueprintAgent):
    """A blueprint of no-limit hold'em, bet by learned sizes."""

    def playing(self, game: PokerGame) -> Solution:
        """The blueprint used for a game, with its learned sizes."""
        if game.rules.limit == "fixed" or game.dealing.draws:
            raise BadSetting(f"{self.name} plays no-limit games, which {game.name} is not")
        try:
            solution = super().playing(game)
        except BadSetting as problem:
            raise BadSetting(f"{self.name} does not play {game.name}: {problem}") from problem
        return _with_learned_sizes(solution, self.name)


@lru_cache(maxsize=4)
def _with_learned_sizes(solution: Solution, name: str) -> Solution:
    if not solution.strategy.has_buckets:
        raise BadSetting(f"{name} is not a blueprint: learned sizes need a solution over buckets")
    return replace(solution, strategy=LearnedSizes.of(cast(BucketedStrategy, solution.strategy)))


@declared("hyperborean")
def agent(
    name: str, file: Text = "", *, translation: Text = "pseudo-harmonic", seed: TranslationSeed = 0
) -> Hyperborean:
    """The no-limit blueprint in a file, or the one that comes with the package, with one learned bet size for each
    betting sequence; `translation` and `seed` are those of `blueprint`."""
    return Hyperborean(name, load(file) if file else None, translation=translation, seed=seed)
