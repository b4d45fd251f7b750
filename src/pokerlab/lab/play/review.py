"""Review played hands: each decision beside what a solution, a chart or a blueprint does there, and the EV lost.

A solution that knows the EV of every action measures a decision by EV lost: the EV of the best action less that of the
chosen one, if both players follow the solution afterwards. Mistakes of one hand add up, because each is measured from
the decision at which it was made. A blueprint of a large game knows no EV: its reviews compare frequencies alone. A
player who plays exactly like the reviewer chooses actions that it plays with probability p in a share p of such
decisions, so the mean probability of their actions is the mean of the sum of p²; `expected` states that mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from pokerlab.errors import BadSetting, UnknownName
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import action_label, read_action, round_name
from pokerlab.match.hands.exchange import PlayedHand
from pokerlab.match.hands.hand_text import NOT_KNOWN, replay
from pokerlab.match.run.result import units_of
from pokerlab.tables import Columns

RARE = 0.05  # the reviewer plays an action below this probability rarely
UNKNOWN_CARDS = "the player's cards are not known"
NEVER_REACHED = "the opponent never plays like this in the solution, so its EV is not known here"
OTHER_ACTION = "the chart does not know this action"
NO_RAISE = "the solution has no bet or raise here"
CLEAR_LOSS = 1e-3  # big blinds: smaller losses are rounding of the solution

_PLAIN = ("hand", "agent", "seat", "street", "cards", "board", "betting", "pot", "action", "frequency")


class Opinion(NamedTuple):
    """What a reviewer says about a decision. Actions are named as the rule engine writes them."""

    frequencies: Mapping[str, float]  # the probability of each action
    values: Mapping[str, float] = {}  # EV of each action in chips; empty if unknown
    notes: Sequence[str] = ()  # how the decision was read, where it does not fit exactly
    is_complete: bool = True  # whether actions not listed are never taken; a chart knows some actions alone


class Reviewer(Protocol):
    """A solution, a chart, a blueprint or an agent that states how it plays a decision."""

    name: str
    knows_ev: bool

    @property
    def exploitability(self) -> float | None:
        """Of a solution, in chips of the table; None if unknown."""
        ...

    def opinion(self, view: View) -> Opinion:
        """What it does at a decision; UnknownName with the reason if it does not know the decision."""
        ...


@dataclass(frozen=True)
class ReviewedDecision:
    """One decision of a hand, and what the reviewer does there."""

    hand: int
    agent: str
    seat: int
    street: str
    cards: str
    board: str
    betting: str  # before the decision
    pot: float
    action: str  # the action taken
    big_blind: float  # of the game in chips; 1 in a spot, which has no blinds
    frequencies: Mapping[str, float] = field(default_factory=dict)  # by action; empty if not reviewed
    values: Mapping[str, float] = field(default_factory=dict)  # EV by action in chips; empty if unknown
    frequency: float | None = None  # of the action taken; None if not reviewed
    ev_lost: float | None = None  # in chips; None if unknown
    note: str = ""

    @property
    def is_reviewed(self) -> bool:
        """Whether the reviewer knows the decision and the action."""
        return self.frequency is not None

    @property
    def loss(self) -> float:
        """EV lost in big blinds, in chips of a spot; 0 if unknown."""
        return 0.0 if self.ev_lost is None else self.ev_lost / self.big_blind

    @property
    def best(self) -> str:
        """The action with the highest EV or, if that is unknown, the most frequent one; empty if not reviewed."""
        ranked = self.values or self.frequencies
        return max(ranked, key=lambda action: ranked[action]) if ranked else ""

    @property
    def expected(self) -> float:
        """The mean probability of the actions of a player who plays like the reviewer."""
        return sum(chance**2 for chance in self.frequencies.values())

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        later = {"frequencies": dict(self.frequencies), "values": dict(self.values), "best": self.best or None}
        return {name: getattr(self, name) for name in _PLAIN} | later | {"ev_lost": self.ev_lost, "note": self.note}


@dataclass(frozen=True)
class ReviewTotal:
    """The decisions of an agent, on one street or on all."""

    agent: str
    street: str  # empty: all streets
    decisions: int
    reviewed: int
    valued: int  # with known EV
    ev_lost: float  # in the review's unit, of those with known EV
    mistakes: int  # decisions that lost EV, beyond rounding
    frequency: float  # mean probability of the actions taken; NaN if none was reviewed
    expected: float  # the same mean for a player who plays like the reviewer
    rare: int  # actions that the reviewer takes with a probability below RARE

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {name: None if value != value else value for name, value in self.__dict__.items()}


@dataclass(frozen=True)
class Review:
    """Every decision of some hands beside a reviewer's play."""

    games: tuple[str, ...]
    reviewer: str
    knows_ev: bool
    exploitability: float | None  # of the solution in its payoffs: how exact its EV is; None if unknown
    unit: str  # of totals: "bb", or "chips" in a spot
    hands: Mapping[str, int]  # by agent
    decisions: tuple[ReviewedDecision, ...]

    @property
    def agents(self) -> tuple[str, ...]:
        """Whose decisions were reviewed."""
        return tuple(self.hands)

    def total(self, agent: str, street: str = "") -> ReviewTotal:
        """The total of an agent, on one street or on all."""
        chosen = [one for one in self.decisions if one.agent == agent and street in ("", one.street)]
        reviewed = [one for one in chosen if one.is_reviewed]
        return ReviewTotal(
            agent=agent,
            street=street,
            decisions=len(chosen),
            reviewed=len(reviewed),
            valued=sum(one.ev_lost is not None for one in reviewed),
            ev_lost=math.fsum(one.loss for one in reviewed),
            mistakes=sum(one.loss > CLEAR_LOSS for one in reviewed),
            frequency=_mean([one.frequency or 0.0 for one in reviewed]),
            expected=_mean([one.expected for one in reviewed]),
            rare=sum((one.frequency or 0.0) < RARE for one in reviewed),
        )

    def totals(self, agent: str) -> tuple[ReviewTotal, ...]:
        """The totals of an agent by street, in playing order, then over all streets."""
        streets = sorted({(one.betting.count("/"), one.street) for one in self.decisions if one.agent == agent})
        names = dict.fromkeys(street for _, street in streets)
        return (*(self.total(agent, street) for street in names), self.total(agent))

    def worst(self, agent: str, most: int = 5) -> tuple[ReviewedDecision, ...]:
        """The decisions that lost most EV; without EV, those that the reviewer plays least often."""
        own = [one for one in self.decisions if one.agent == agent and one.is_reviewed]
        if self.knows_ev:
            ranked = sorted(own, key=lambda one: -one.loss)
            return tuple(one for one in ranked[:most] if one.loss > CLEAR_LOSS)
        ranked = sorted(own, key=lambda one: one.frequency or 0.0)
        return tuple(one for one in ranked[:most] if (one.frequency or 0.0) < RARE)

    def not_reviewed(self) -> dict[str, int]:
        """How many decisions were not reviewed, by reason."""
        reasons = [one.note for one in self.decisions if not one.is_reviewed]
        return {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)}

    def columns(self) -> Columns:
        """A row for each decision, for CSV files and DataFrames."""
        rows = [one.as_dict() for one in self.decisions]
        names = (*_PLAIN, "best", "ev_lost")
        columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in names}
        for name in ("frequencies", "values"):
            columns[name] = [" ".join(f"{key}={number:.6g}" for key, number in row[name].items()) for row in rows]
        return columns | {"note": [row["note"] for row in rows]}

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "games": list(self.games),
            "reviewer": self.reviewer,
            "knows_ev": self.knows_ev,
            "exploitability": self.exploitability,
            "unit": self.unit,
            "hands": dict(self.hands),
            "totals": [total.as_dict() for agent in self.agents for total in self.totals(agent)],
            "not_reviewed": self.not_reviewed(),
            "decisions": [one.as_dict() for one in self.decisions],
        }


def review_hands(
    hands: Iterable[PlayedHand], reviewer_for: Callable[[PokerGame], Reviewer], *, agents: Sequence[str] = ()
) -> Review:
    """Review the decisions of some agents, by default of all, each hand by the reviewer of its game.

    Hands of games without a reviewer are listed, not reviewed; BadSetting with the reason if that is all of them.
    """
    decisions: list[ReviewedDecision] = []
    counts: dict[str, int] = {}
    reviewers: dict[PokerGame, Reviewer | BadSetting] = {}
    for hand in hands:
        if hand.game not in reviewers:
            reviewers[hand.game] = _opened(reviewer_for, hand.game)
        for name in hand.names:
            if not agents or name in agents:
                counts[name] = counts.get(name, 0) + 1
        steps, _ = replay(hand.game, hand.cards, hand.betting)
        for step in steps:
            if hand.names[step.seat] in counts:
                view = hand.game.view(step.state, step.seat)
                decisions.append(_review(hand, view, step.action, reviewers[hand.game]))
    opened = [one for one in reviewers.values() if not isinstance(one, BadSetting)]
    if not opened:
        raise next(iter(reviewers.values()), BadSetting("there are no hands to review"))  # type: ignore[misc]
    if not counts:
        raise BadSetting(f"nobody in these hands is called {' or '.join(agents)[:80]!r}")
    in_blinds = all(not units_of(game).pot for game in reviewers)
    return Review(
        games=tuple(game.name for game in reviewers),
        reviewer=opened[0].name,
        knows_ev=any(one.knows_ev for one in opened),
        exploitability=opened[0].exploitability,
        unit="bb" if in_blinds else "chips",
        hands=counts,
        decisions=tuple(decisions),
    )


def _opened(reviewer_for: Callable[[PokerGame], Reviewer], game: PokerGame) -> Reviewer | BadSetting:
    try:
        return reviewer_for(game)
    except BadSetting as problem:
        return problem


def _review(hand: PlayedHand, view: View, action: Action, reviewer: Reviewer | BadSetting) -> ReviewedDecision:
    game = view.game
    taken: dict[str, Any] = {
        "hand": hand.number,
        "agent": hand.names[view.seat],
        "seat": view.seat,
        "street": round_name(game, view.round),
        "cards": "" if NOT_KNOWN in view.cards else game.text(view.cards),
        "board": game.text(view.board),
        "betting": view.betting.history,
        "pot": float(game.chips(view.pot)),
        "action": label(game, view, action),
        "big_blind": units_of(game).big_blind,
    }
    if isinstance(reviewer, BadSetting):
        return ReviewedDecision(**taken, note=str(reviewer))
    if NOT_KNOWN in view.cards:
        return ReviewedDecision(**taken, note=UNKNOWN_CARDS)
    try:
        opinion = reviewer.opinion(view)
    except UnknownName as problem:
        return ReviewedDecision(**taken, note=str(problem))
    notes = list(opinion.notes)
    code = game.action_text(action)
    if opinion.is_complete:
        code = _read_as(game, code, opinion.frequencies, notes)
    labels = {text: label(game, view, read_action(game, text)) for text in opinion.frequencies}
    frequencies = {labels[text]: chance for text, chance in opinion.frequencies.items()}
    values = {labels[text]: value for text, value in opinion.values.items() if text in labels}
    if code not in labels and not opinion.is_complete:
        return ReviewedDecision(**taken, frequencies=frequencies, values=values, note=OTHER_ACTION)
    lost = None
    if any(math.isnan(value) for value in values.values()):
        values = {}
        notes.append(NEVER_REACHED)
    elif values and code in labels:
        lost = max(values.values()) - values[labels[code]]
    return ReviewedDecision(
        **taken,
        frequencies=frequencies,
        values=values,
        frequency=opinion.frequencies.get(code, 0.0),
        ev_lost=lost,
        note="; ".join(notes),
    )


def _read_as(game: PokerGame, code: str, frequencies: Mapping[str, float], notes: list[str]) -> str:
    """The action of the reviewer that an action is compared with: itself, or the raise of the nearest size."""
    if code in frequencies or code[0] != "r":
        return code
    sizes = {text: int(text[1:]) for text in frequencies if text[0] == "r" and text[1:]}
    if not sizes:
        notes.append(NO_RAISE)
        return code
    wanted = max(int(code[1:] or 0), 1)
    nearest = min(sizes, key=lambda text: abs(math.log(max(sizes[text], 1) / wanted)))
    notes.append(f"compared with the nearest size, {game.chips(sizes[nearest]):g} in total")
    return nearest


def label(game: PokerGame, view: View, action: Action) -> str:
    """An action in words: "call", "bet 50", "raise 300" on this street; discards as cards."""
    if action.kind == "d":
        return f"discard {game.text(action.cards)}" if action.cards else "stand pat"
    return action_label(game, view.betting, action)


def _mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers) if numbers else math.nan
