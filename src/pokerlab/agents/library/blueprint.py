"""Plays a blueprint: a strategy over buckets from `pokerlab train`, in its own game or a similar one.

At a table with other stacks, blinds or bet sizes, hands are tracked in the blueprint's own betting tree
(strategy/translating.py): bets that are not in the tree are mapped to ones that are, by the chosen action translation.
The mapping is drawn from the seed and the hole cards, so the agent plays one fixed strategy. Without a file, one of the
blueprints shipped with the package is used.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any

import numpy as np

from pokerlab.abstraction.translation import translation as translation_of
from pokerlab.agents.agent import ReportingPolicyPlayer
from pokerlab.agents.library.strategy import thinned
from pokerlab.errors import BadSetting
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import read_action
from pokerlab.registry import load as load_named
from pokerlab.settings import Flag, Share, Text, declared, number, whole
from pokerlab.strategy.files.shipped import cards_of, shipped
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.forms.bucketed import BucketedStrategy
from pokerlab.strategy.policy import PolicyTable
from pokerlab.strategy.translating import Translator, hashed, node_of

TranslationSeed = Annotated[int, whole(0)]
LeastWeight = Annotated[float, number(0)]  # of an infoset's averages, below which hand strength plays
FELL_BACK = "where training rarely visited, it played by the strength of its hand"


class BlueprintAgent(ReportingPolicyPlayer):
    """A blueprint at a table."""

    def __init__(
        self,
        name: str,
        solution: Solution | None,
        *,
        translation: str = "pseudo-harmonic",
        purify: bool = False,
        threshold: float = 0.0,
        seed: int = 0,
        fallback: float = 0.0,
    ) -> None:
        translation_of(translation)  # fail early on an unknown translation
        super().__init__(name)
        self.solution = solution
        self._translation, self._seed = translation, seed
        self.purify, self.threshold, self.fallback = purify, threshold, fallback
        self._seat: SeatedBlueprint | None = None

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting if the game's cards differ from the blueprint's, or no blueprint is shipped for it."""
        self._at(game)

    def playing(self, game: PokerGame) -> Solution:
        """The blueprint used for a game."""
        return self.solution or shipped(game)

    def _at(self, game: PokerGame) -> SeatedBlueprint:
        if self._seat is None or self._seat.game is not game:
            solution = self.playing(game)
            if not solution.strategy.has_buckets:
                raise BadSetting(f"{self.name} is not a blueprint: play this solution as strategy:FILE")
            self._seat = SeatedBlueprint(solution.strategy, game, self._translation, fallback=self.fallback)
        return self._seat

    def act(self, view: View, rng: np.random.Generator) -> Action:
        chances, remarks = self._played(view)
        self._remarks.update(remarks)
        texts = list(chances)
        sums = np.cumsum([chances[text] for text in texts])
        chosen = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
        return read_action(view.game, texts[min(chosen, len(texts) - 1)])

    def probabilities(self, view: View) -> dict[str, float]:
        return self._played(view)[0]

    def notes(self, view: View) -> tuple[str, ...]:
        """How the betting before a decision was read, where it does not fit the blueprint's own."""
        return self._at(view.game).chances(view, seed=self._seed)[1]

    def _played(self, view: View) -> tuple[dict[str, float], tuple[str, ...]]:
        chances, remarks = self._at(view.game).chances(view, seed=self._seed)
        played = thinned(chances, purify=self.purify, threshold=self.threshold)
        return {action: chance for action, chance in played.items() if chance > 0}, remarks

    def table(self, place: PublicNode) -> PolicyTable:
        seat = self._at(place.game)
        if seat.is_own and not (self.purify or self.threshold or self.fallback):
            return seat.strategy.table(place)
        return super().table(place)


class SeatedBlueprint:
    """A blueprint at a table of one game.

    With Ee's fallback (2024), five-card draw is played by hand strength where the training weight is below it.
    """

    def __init__(self, strategy: BucketedStrategy, game: PokerGame, translation: str, *, fallback: float = 0.0) -> None:
        own = strategy.form.game
        if fallback and not strategy.form.has_draws:
            raise BadSetting("the fallback is for five-card draw, and the blueprint is for another game")
        if fallback and strategy.bits:
            raise BadSetting("the fallback needs the sums of the training, which the blueprint lacks: save it in full")
        self._fallback, self._by_strength = fallback, load_named("agents", "draw-basic")
        self.strategy, self.game, self.translation = strategy, game, translation
        self.is_own = own.rules == game.rules
        if not self.is_own:
            if cards_of(own) != cards_of(game):
                raise BadSetting(f"the blueprint is for {own.name}, whose cards are dealt differently in {game.name}")
            _ = self._translator  # fail early if hands cannot be tracked

    @cached_property
    def _translator(self) -> Translator:
        return Translator(self.strategy.form.game, self.game, self.translation)

    def chances(self, view: View, *, seed: int) -> tuple[dict[str, float], tuple[str, ...]]:
        """The probability of each action at the table, and what did not fit."""
        if self.is_own:
            if self._is_rare(self.strategy.node(view.betting.history), view):
                return self._played_by_strength(view), (FELL_BACK,)
            return dict(self.strategy.probabilities(view)), ()
        reader = self._translator
        reading = reader.follow(view.betting.history, hashed(seed, view.dealt))
        if not reading.is_decision:
            return {self.game.action_text(reader.passive(reading)): 1.0}, reading.remarks
        form = self.strategy.form
        node = node_of(form.betting, reading)
        if self._is_rare(node, view):
            return self._played_by_strength(view), (*reading.remarks, FELL_BACK)
        if view.betting.drawing:
            return dict(self.strategy.actions_played(node, view, ())), reading.remarks
        chances: dict[str, float] = {}
        actions = form.game.betting.actions(reading.abstract)
        for action, chance in zip(actions, self.strategy.row(node, view).tolist(), strict=True):
            text = self.game.action_text(reader.real_action(reading, action))
            chances[text] = chances.get(text, 0.0) + chance
        return chances, reading.remarks

    def _is_rare(self, node: int, view: View) -> bool:
        return bool(self._fallback) and self.strategy.weight(node, view) < self._fallback

    def _played_by_strength(self, view: View) -> dict[str, float]:
        return dict(self._by_strength.probabilities(view))


@declared("blueprint")
def agent(
    name: str,
    file: Text = "",
    *,
    translation: Text = "pseudo-harmonic",
    purify: Flag = False,
    threshold: Share = 0.0,
    seed: TranslationSeed = 0,
    fallback: LeastWeight = 0.0,
) -> Any:
    """The blueprint in a file, or one shipped with the package. `translation` says how bets outside its tree are
    mapped: pseudo-harmonic, arithmetic, geometric or nearest; `purify` always plays the most likely action, `threshold`
    drops actions below that probability. In five-card draw, infosets whose averages sum to less than `fallback` are
    played by hand strength, as draw-basic does."""
    return BlueprintAgent(
        name,
        load(file) if file else None,
        translation=translation,
        purify=purify,
        threshold=threshold,
        seed=seed,
        fallback=fallback,
    )
