"""Plays a blueprint: a strategy over buckets from `pokerlab train`, in its own game or a similar one.

At a table with other stacks, blinds or bet sizes, hands are tracked in the blueprint's own betting tree
(strategy/translating.py): bets that are not in the tree are mapped to ones that are, by the chosen action translation.
The mapping is drawn from the seed and the hole cards, so the agent plays one fixed strategy. Without a file, one of the
blueprints shipped with the package is used.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from pokerlab.abstraction.translation import translation as translation_of
from pokerlab.errors import BadSetting
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.place import Place
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import read_action
from pokerlab.registry import load as load_named
from pokerlab.settings import Flag, Share, Text, declared, number, whole
from pokerlab.strategy.files.shipped import cards_of, shipped
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.forms.bucketed import BucketedStrategy
from pokerlab.strategy.policy import PolicyTable, table_of
from pokerlab.strategy.translating import Translator, hashed, node_of

FELL_BACK = "where training has rarely been, it played by the strength of its hand"


class BlueprintAgent:
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
        self.name, self.solution = name, solution
        self._translation, self._seed = translation, seed
        self._purify, self._threshold, self._fallback = purify, threshold, fallback
        self._seat: Seated | None = None
        self._said: Counter[str] = Counter()

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting if the game's cards differ from the blueprint's, or no blueprint is shipped for it."""
        self._at(game)

    def playing(self, game: PokerGame) -> Solution:
        """The blueprint used for a game."""
        return self.solution or shipped(game)

    def _at(self, game: PokerGame) -> Seated:
        if self._seat is None or self._seat.game is not game:
            solution = self.playing(game)
            if solution.form != "bucketed":
                raise BadSetting(f"{self.name} is not a blueprint: a solution by hands plays as strategy:FILE")
            self._seat = Seated(solution.strategy, game, self._translation, fallback=self._fallback)
        return self._seat

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Sample an action."""
        chances = self._played(view, remark=True)
        texts = list(chances)
        sums = np.cumsum([chances[text] for text in texts])
        place = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
        return read_action(view.game, texts[min(place, len(texts) - 1)])

    def probabilities(self, view: View) -> dict[str, float]:
        """The probability of each action."""
        return self._played(view)

    def notes(self, view: View) -> tuple[str, ...]:
        """How the betting before a decision was read, where it does not fit the blueprint's own."""
        return self._at(view.game).chances(view, seed=self._seed)[1]

    def _played(self, view: View, *, remark: bool = False) -> dict[str, float]:
        chances, remarks = self._at(view.game).chances(view, seed=self._seed)
        if remark:
            self._said.update(remarks)
        best = max(chances, key=lambda text: chances[text])
        if self._purify:
            return {text: float(text == best) for text in chances}
        kept = {text: chance for text, chance in chances.items() if chance >= self._threshold or text == best}
        total = sum(kept.values())
        return {text: kept.get(text, 0.0) / total for text in chances}

    def table(self, place: Place) -> PolicyTable:
        """The strategy for every hand at a public node."""
        seat = self._at(place.game)
        if seat.is_own and not self._purify and not self._threshold:
            return seat.strategy.table(place)
        return table_of(self, place)

    def reset(self) -> None:
        """Do nothing: blueprints do not learn."""

    def remarks(self) -> Counter[str]:
        """Messages about the play since the last call: how bets were translated."""
        said, self._said = self._said, Counter()
        return said


class Fallback:
    """Ee's fallback (2024): where training rarely visited, play five-card draw by hand strength."""

    def __init__(self, strategy: BucketedStrategy, least: float) -> None:
        if not strategy.form.has_draws:
            raise BadSetting("the fallback is one of five-card draw, and the blueprint is of another game")
        if strategy.bits:
            raise BadSetting("the blueprint holds no sums of its training, which the fallback needs: keep it in full")
        self._strategy, self._least = strategy, least
        self._rule = load_named("agents", "draw-basic")

    def is_due(self, view: View) -> bool:
        """Whether the training weight of this infoset is below the threshold."""
        return self._strategy.weight(view) < self._least

    def probabilities(self, view: View) -> dict[str, float]:
        """The probabilities by hand strength."""
        return dict(self._rule.probabilities(view))


class Seated:
    """A blueprint at a table of one game."""

    def __init__(self, strategy: BucketedStrategy, game: PokerGame, translation: str, *, fallback: float = 0.0) -> None:
        own = strategy.form.game
        self._fallback = Fallback(strategy, fallback) if fallback else None
        self.strategy, self.game, self.translation = strategy, game, translation
        self.is_own = own.rules == game.rules
        if not self.is_own:
            if cards_of(own) != cards_of(game):
                raise BadSetting(
                    f"the blueprint is of {own.name}, whose cards come otherwise than those of {game.name}"
                )
            _ = self._translator  # fail early if hands cannot be tracked

    @cached_property
    def _translator(self) -> Translator:
        return Translator(self.strategy.form.game, self.game, self.translation)

    def chances(self, view: View, *, seed: int) -> tuple[dict[str, float], tuple[str, ...]]:
        """The probability of each action at the table, and what did not fit."""
        if self._fallback and self.is_own and self._fallback.is_due(view):
            return self._fallback.probabilities(view), (FELL_BACK,)
        if self.is_own:
            return dict(self.strategy.probabilities(view)), ()
        reader = self._translator
        reading = reader.follow(view.betting.history, hashed(seed, view.dealt))
        if not reading.is_decision:
            return {self.game.action_text(reader.passive(reading)): 1.0}, reading.remarks
        form = self.strategy.form
        node = node_of(form.betting, reading)
        if view.betting.drawing:
            return dict(self.strategy.actions_played(node, view, ())), reading.remarks
        found: dict[str, float] = {}
        actions = form.game.betting.actions(reading.abstract)
        for action, chance in zip(actions, self.strategy.row(node, view).tolist(), strict=True):
            text = self.game.action_text(reader.real_action(reading, action))
            found[text] = found.get(text, 0.0) + chance
        return found, reading.remarks


@declared("blueprint")
def agent(
    name: str,
    file: Text = "",
    *,
    translation: Text = "pseudo-harmonic",
    purify: Flag = False,
    threshold: Share = 0.0,
    seed: Annotated[int, whole(0)] = 0,
    fallback: Annotated[float, number(0)] = 0.0,
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
