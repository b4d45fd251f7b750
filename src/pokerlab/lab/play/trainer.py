"""Train on a solution: random decisions, what the solution does there, and what a choice costs.

Decisions of a spot are found by playing it as the solution does and stopping at one of the decisions on the way, each
street with the same chance; the hand is one that the player holds there. A push-or-fold chart is asked by hand alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from pokerlab.cards.combos import CLASS_COMBOS, CLASS_SIZES, combo_name
from pokerlab.errors import BadSetting
from pokerlab.lab.preflop.push_fold import HeadsUp, push_fold, stakes
from pokerlab.strategy.files.solution import Solution

STREETS = {3: "flop", 4: "turn", 5: "river"}
TRIES = 50
BEST_SHARE = 0.002  # of the pot: a loss that is no mistake
SMALL_SHARE = 0.02  # of the pot: a small mistake


@dataclass(frozen=True)
class Question:
    """A decision to be made, with what the solution says about it."""

    source: str
    street: str
    seat: str
    hand: str  # "AhKs"
    board: str
    pot: float
    moves: tuple[str, ...]  # before the decision
    actions: tuple[str, ...]
    frequencies: tuple[float, ...]
    values: tuple[float, ...]  # EV of each action
    unit: str

    def answer(self, choice: str) -> Answer:
        """What a choice costs; BadSetting if it is not one of the actions."""
        if choice not in self.actions:
            raise BadSetting(f"the actions here are {', '.join(self.actions)}, not {choice[:40]!r}")
        number = self.actions.index(choice)
        cost = max(0.0, max(self.values) - self.values[number])
        share = cost / self.pot
        grade = "best" if share <= BEST_SHARE else "small mistake" if share <= SMALL_SHARE else "mistake"
        return Answer(self, choice, cost, self.frequencies[number], grade)


@dataclass(frozen=True)
class Answer:
    """A choice, and its cost."""

    question: Question
    choice: str
    cost: float  # EV lost against the best action
    frequency: float  # how often the solution chooses it
    grade: str  # "best", "small mistake" or "mistake"


class Trainer(Protocol):
    """Asks questions."""

    def ask(self, rng: np.random.Generator) -> Question:
        """A random decision."""
        ...


class SpotTrainer:
    """Questions from the solution of a spot."""

    def __init__(self, solution: Solution, source: str, *, seat: int | None = None) -> None:
        if solution.spot is None:
            raise BadSetting("this is the solution of a game; the trainer asks about spots and charts")
        self.root, self.source, self.seat = solution.root, source, seat

    def ask(self, rng: np.random.Generator) -> Question:
        """A random decision on the way of the solution."""
        for _ in range(TRIES):
            by_street: dict[str, list[Any]] = {}
            for view in self._played(rng):
                if self.seat in (None, view.player):
                    by_street.setdefault(STREETS[len(view.board)], []).append(view)
            if by_street:
                views = by_street[str(rng.choice(sorted(by_street)))]
                question = self._question(views[int(rng.integers(len(views)))], rng)
                if question is not None:
                    return question
        raise BadSetting("no decision with a choice was found in this spot")

    def _played(self, rng: np.random.Generator) -> list[Any]:
        """The decisions of one hand, played as the solution does."""
        view, decisions = self.root, []
        while not view.is_over:
            if view.is_deal:
                free = [card for card in range(view.deck.size) if card not in view.board]
                cards = rng.choice(free, size=view.coming, replace=False)
                view = view.at(view.deck.text([int(card) for card in cards]))
                continue
            decisions.append(view)
            shares = np.array(list(view.strategy().values()))
            if not shares.sum() > 0:
                break
            view = view.at(view.actions[int(rng.choice(len(shares), p=shares / shares.sum()))])
        return decisions

    def _question(self, view: Any, rng: np.random.Generator) -> Question | None:
        likely = np.nan_to_num(np.asarray(view.likelihood(view.player)))
        if not likely.sum() > 0:
            return None
        hand = int(rng.choice(len(likely), p=likely / likely.sum()))
        values = np.asarray(view.action_values)[hand]
        if np.isnan(values).any():
            return None
        return Question(
            self.source,
            STREETS[len(view.board)],
            view.seats[view.player],
            view.holdings.hand_text(hand),
            view.board_text,
            float(view.pot),
            tuple(view.moves),
            tuple(view.actions),
            tuple(np.asarray(view.frequencies)[hand].tolist()),
            tuple(values.tolist()),
            view.money or "chips",
        )


class PushFoldTrainer:
    """Questions from the exact equilibrium of heads-up push or fold."""

    def __init__(self, stack: str) -> None:
        self.solved: HeadsUp = push_fold(stakes(stack=stack))
        self.source = f"push or fold, {stack} big blinds"

    def ask(self, rng: np.random.Generator) -> Question:
        """A random hand of the small blind, or of the big blind facing a push."""
        role, weights = int(rng.integers(2)), CLASS_SIZES / CLASS_SIZES.sum()
        cell = int(rng.choice(len(weights), p=weights))
        evs, share = self.solved.evs[role][:, cell], float(self.solved.strategy.acts[role][cell])
        hand = combo_name(int(rng.choice(CLASS_COMBOS[cell])))
        return Question(
            self.source,
            "preflop",
            ("small blind", "big blind")[role],
            hand,
            "",
            1.5,
            () if role == 0 else ("push",),
            ("fold", ("push", "call")[role]),
            (1 - share, share),
            (float(evs[0]), float(evs[1])),
            "bb",
        )


@dataclass
class Score:
    """How well decisions were made, by source and street."""

    rows: dict[str, dict[str, list[float]]] = field(default_factory=dict)  # source, street: count, best, cost in pots

    def add(self, answer: Answer) -> None:
        """Count an answer."""
        question = answer.question
        row = self.rows.setdefault(question.source, {}).setdefault(question.street, [0.0, 0.0, 0.0])
        row[0] += 1
        row[1] += answer.grade == "best"
        row[2] += answer.cost / question.pot

    @classmethod
    def of(cls, words: Mapping[str, Any]) -> Score:
        """A score as it was saved; what is damaged is left out."""
        rows: dict[str, dict[str, list[float]]] = {}
        for source, streets in words.items():
            for street, row in streets.items() if isinstance(streets, Mapping) else ():
                if isinstance(row, Sequence) and len(row) == 3 and all(isinstance(one, (int, float)) for one in row):
                    rows.setdefault(str(source), {})[str(street)] = [float(one) for one in row]
        return cls(rows)

    def table(self) -> list[tuple[str, str, int, float, float]]:
        """A row for each source and street: decisions, the share without a mistake, and the mean cost in pots."""
        return [
            (source, street, int(count), best / count, cost / count)
            for source, streets in self.rows.items()
            for street, (count, best, cost) in streets.items()
            if count
        ]


CHARTS = tuple(f"{stack}" for stack in (5, 8, 10, 12, 15, 20))  # stacks in big blinds
