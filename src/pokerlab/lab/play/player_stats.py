"""How agents play, counted from saved hands: the rates that poker trackers show, and where the chips go.

Intervals are 95 %. The unit of observation is the deal, as in matches: hands of one deal, played from several seats,
are not independent. The winnings by street, position and hand group are parts of the total: the parts of one table sum
to the winnings of the agent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.hand_groups import hand_group
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.text import round_name
from pokerlab.lab.play.hands import open_hands
from pokerlab.match.hands.betting_actions import BET, CALL, FOLD, RAISE, BettingLine, BettingReader
from pokerlab.match.hands.exchange import PlayedHand
from pokerlab.match.run.result import position_names, units_of
from pokerlab.match.statistics import Moments, Summary, finite
from pokerlab.tables import Columns

SHOWDOWN = "showdown"
NORMAL = 1.959963984540054  # 97.5 % quantile
_AGGRESSIVE = (BET, RAISE)


class Features(NamedTuple):
    """What one seat did in a hand, as counts."""

    decided: int  # 1 if it acted in the first round: not if everybody folded to the big blind
    entered: int  # 1 if it called, bet or raised in the first round
    raised: int  # 1 if it bet or raised in the first round
    aggressive: int  # bets and raises after the first round; of all rounds if there is one
    calls: int  # in the same rounds
    folds: int  # in the same rounds
    faced: int  # decisions facing a bet or raise
    folded_to: int  # folds there
    saw_next: int  # 1 if it was in the hand when the second round began
    showdown: int  # 1 if it was in the hand at a showdown


@dataclass(frozen=True)
class RateOf:
    """A rate: which counts it divides."""

    key: str
    name: str
    what: str
    count: Callable[[np.ndarray, np.ndarray], np.ndarray]  # (counts [hand, feature], payoffs [hand]) -> [hand]
    of: Callable[..., np.ndarray]
    is_share: bool = True


def _column(name: str) -> int:
    return Features._fields.index(name)


def _sum_of(*names: str) -> Callable[..., np.ndarray]:
    columns = [_column(name) for name in names]
    return lambda counts, *_: np.asarray(counts[:, columns].sum(axis=1))


def _won_showdown(counts: np.ndarray, payoffs: np.ndarray) -> np.ndarray:
    """Showdowns won; a tie is half of one."""
    return np.asarray(counts[:, _column("showdown")] * (0.5 + 0.5 * np.sign(payoffs)))


RATES = (
    RateOf("vpip", "VPIP", "puts chips in voluntarily in the first round", _sum_of("entered"), _sum_of("decided")),
    RateOf("pfr", "PFR", "raises in the first round", _sum_of("raised"), _sum_of("decided")),
    RateOf(
        "aggression_frequency",
        "AFq",
        "bets and raises among bets, raises, calls and folds after the first round",
        _sum_of("aggressive"),
        _sum_of("aggressive", "calls", "folds"),
    ),
    RateOf(
        "aggression_factor",
        "AF",
        "bets and raises per call after the first round",
        _sum_of("aggressive"),
        _sum_of("calls"),
        is_share=False,
    ),
    RateOf("fold_to_bet", "fold to bet", "folds facing a bet or raise", _sum_of("folded_to"), _sum_of("faced")),
    RateOf(
        "saw_next", "saw flop", "was in the hand in the second round", _sum_of("saw_next"), lambda c: np.ones(len(c))
    ),
    RateOf("showdown", "WTSD", "of these hands, went to a showdown", _sum_of("showdown"), _sum_of("saw_next")),
    RateOf("won_showdown", "W$SD", "of these showdowns, won; a tie is half", _won_showdown, _sum_of("showdown")),
)


@dataclass(frozen=True)
class Rate:
    """A rate with its interval; NaN if there was nothing to count."""

    key: str
    name: str
    value: float
    low: float
    high: float
    count: float
    of: float
    is_share: bool

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        numbers = {"value": finite(self.value), "low": finite(self.low), "high": finite(self.high)}
        return numbers | {"count": self.count, "of": self.of}


@dataclass(frozen=True)
class WinningsPart:
    """The part of an agent's winnings from some hands."""

    name: str
    hands: int
    winnings: Summary  # its part of the winnings over all hands
    mean: float  # over these hands alone

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {"name": self.name, "hands": self.hands, "winnings": _interval(self.winnings), "mean": self.mean}


@dataclass(frozen=True)
class AgentStats:
    """The play and the winnings of one agent."""

    agent: str
    hands: int
    winnings: Summary
    rates: tuple[Rate, ...]
    parts: Mapping[str, tuple[WinningsPart, ...]]  # by "street", "position" and "hand group"; empty if unknown

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        parts = {name.replace(" ", "_"): [part.as_dict() for part in parts] for name, parts in self.parts.items()}
        rates = {rate.key: rate.as_dict() for rate in self.rates}
        return {"agent": self.agent, "hands": self.hands, "winnings": _interval(self.winnings)} | rates | parts


@dataclass(frozen=True)
class PlayStats:
    """The play of every agent of some hands."""

    games: tuple[str, ...]
    hands: int
    unit: str  # of winnings: "bb/100", or "chips/hand" in a spot
    agents: tuple[AgentStats, ...]

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        agents = [agent.as_dict() for agent in self.agents]
        return {"games": list(self.games), "hands": self.hands, "unit": self.unit, "agents": agents}

    def columns(self) -> Columns:
        """A row for each rate and each part of the winnings of each agent, for CSV files."""
        rows: list[tuple[Any, ...]] = []
        for one in self.agents:
            rows.append((one.agent, "winnings", "all", one.hands, *_three(one.winnings)))
            rows += [(one.agent, "rate", rate.key, rate.of, rate.value, rate.low, rate.high) for rate in one.rates]
            for kind, parts in one.parts.items():
                rows += [(one.agent, kind, part.name, part.hands, *_three(part.winnings)) for part in parts]
        names = ("agent", "table", "row", "of", "value", "low", "high")
        return {name: [_cell(row[place]) for row in rows] for place, name in enumerate(names)}


def _cell(value: Any) -> Any:
    return finite(value) if isinstance(value, float) else value


def _three(summary: Summary) -> tuple[float, float, float]:
    return summary.mean, summary.low, summary.high


def _interval(summary: Summary) -> dict[str, float | None]:
    return {"mean": finite(summary.mean), "low": finite(summary.low), "high": finite(summary.high)}


# ---- counting --------------------------------------------------------------------------------------------------------


def stats_of_file(
    path: Path, *, game: str | None = None, match: int | None = None, agents: Sequence[str] = ()
) -> PlayStats:
    """The statistics of a file of hands (of one match, by default the last), a log, or a PHH file."""
    return play_stats(open_hands(path, game=game, match=match), agents=agents)


def play_stats(hands: Iterable[PlayedHand], *, agents: Sequence[str] = ()) -> PlayStats:
    """The statistics of some agents, by default of all."""
    rows: dict[str, list[_SeatRow]] = {}
    readers: dict[PokerGame, _Reader] = {}
    count = 0
    for hand in hands:
        count += 1
        if hand.game not in readers:
            readers[hand.game] = _Reader(hand.game)
        for name, row in zip(hand.names, readers[hand.game].rows(hand), strict=True):
            if not agents or name in agents:
                rows.setdefault(name, []).append(row)
    if not rows:
        raise BadSetting(f"nobody in these hands is called {' or '.join(agents)[:80]!r}" if count else "no hands")
    in_pot = any(units_of(game).pot for game in readers)
    order = _order(readers)
    return PlayStats(
        games=tuple(dict.fromkeys(game.name for game in readers)),
        hands=count,
        unit="chips/hand" if in_pot else "bb/100",
        agents=tuple(_agent_stats(name, own, order) for name, own in rows.items()),
    )


class _SeatRow(NamedTuple):
    """One seat of one hand."""

    deal: int
    features: Features
    winnings: float  # in the unit of the statistics, per hand
    street: str  # where the hand ended for the seat
    position: str
    group: str  # of the hole cards; empty if unknown


class _Reader:
    """Reads the hands of one game; each distinct betting once."""

    def __init__(self, game: PokerGame) -> None:
        units = units_of(game)
        self.game = game
        self._factor = 1.0 if units.pot else 100 / units.big_blind
        self._betting = BettingReader(game)
        self._known: dict[str, tuple[list[Features], list[str]]] = {}
        self.positions = list(position_names(game))

    def rows(self, hand: PlayedHand) -> list[_SeatRow]:
        if hand.betting not in self._known:
            line = self._betting.read(hand.betting)
            self._known[hand.betting] = _features(self.game, line), _last_streets(self.game, line)
        features, streets = self._known[hand.betting]
        cards = hand.cards.split("/")[0].split("|")
        return [
            _SeatRow(
                hand.number if hand.deal is None else hand.deal,
                features[seat],
                hand.payoffs[seat] * self._factor,
                streets[seat],
                self.positions[seat],
                hand_group(self.game.deck, cards[seat]) if seat < len(cards) else "",
            )
            for seat in range(self.game.players)
        ]


def _features(game: PokerGame, line: BettingLine) -> list[Features]:
    later = 1 if len(game.rules.rounds) > 1 else 0  # the first round whose aggression counts
    collected = []
    for seat in range(game.players):
        own = [one for one in line.actions if one.seat == seat]
        first = [one.action for one in own if one.round == 0]
        after = [one.action for one in own if one.round >= later]
        facing = [one.action for one in own if one.faces_bet]
        alive = bool(line.end.alive >> seat & 1)
        stayed = FOLD not in first and line.end.round > 0
        collected.append(
            Features(
                decided=bool(first),
                entered=any(action in (CALL, *_AGGRESSIVE) for action in first),
                raised=any(action in _AGGRESSIVE for action in first),
                aggressive=sum(action in _AGGRESSIVE for action in after),
                calls=after.count(CALL),
                folds=after.count(FOLD),
                faced=len(facing),
                folded_to=facing.count(FOLD),
                saw_next=stayed if later else 1,
                showdown=alive and not line.end.folded_out,
            )
        )
    return collected


def _last_streets(game: PokerGame, line: BettingLine) -> list[str]:
    """Where the hand ended for each seat: the street of its fold or of the last one, or the showdown."""
    folds = {one.seat: one.street for one in line.actions if one.action == FOLD}
    last = round_name(game, line.actions[-1].round if line.actions else 0)
    end = last if line.end.folded_out else SHOWDOWN
    return [folds.get(seat, end) for seat in range(game.players)]


def _order(readers: Mapping[PokerGame, _Reader]) -> dict[str, int]:
    """The place of each street and position in a table, in playing order."""
    names: list[str] = []
    for game, reader in readers.items():
        names += [round_name(game, number) for number in range(len(game.rules.rounds))] + reader.positions
    return {name: place for place, name in enumerate(dict.fromkeys([*names, SHOWDOWN]))}


# ---- intervals -------------------------------------------------------------------------------------------------------


def _agent_stats(name: str, rows: Sequence[_SeatRow], order: Mapping[str, int]) -> AgentStats:
    deals = np.unique([row.deal for row in rows], return_inverse=True)[1]
    counts = np.array([row.features for row in rows], float)
    winnings = np.array([row.winnings for row in rows])
    rates = tuple(clustered_rate(rate, rate.count(counts, winnings), rate.of(counts), deals) for rate in RATES)
    parts = {}
    for kind, labels in (
        ("street", [row.street for row in rows]),
        ("position", [row.position for row in rows]),
        ("hand group", [row.group for row in rows]),
    ):
        if all(labels):
            collected = [
                _part(label, np.array([one == label for one in labels]), winnings, deals) for label in set(labels)
            ]
            parts[kind] = tuple(
                sorted(collected, key=lambda part: (order.get(part.name, 0), part.winnings.mean, part.name))
            )
    return AgentStats(name, len(rows), _winnings(winnings, deals), rates, parts)


def _winnings(values: np.ndarray, deals: np.ndarray) -> Summary:
    """The mean over hands; its interval by deals."""
    sizes = np.bincount(deals)
    sums = np.bincount(deals, values)
    scaled = sums * (len(sizes) / len(values))  # the mean over deals is the mean over hands
    return Moments.none(1).add(scaled[:, None]).summary(0)


def _part(name: str, chosen: np.ndarray, winnings: np.ndarray, deals: np.ndarray) -> WinningsPart:
    return WinningsPart(
        name, int(chosen.sum()), _winnings(np.where(chosen, winnings, 0.0), deals), float(winnings[chosen].mean())
    )


def clustered_rate(rate: RateOf, count: np.ndarray, of: np.ndarray, deals: np.ndarray) -> Rate:
    """A ratio of sums. Of shares, the Wilson interval with the effective number of observations; of others by deals."""
    above, below = float(count.sum()), float(of.sum())
    if not below:
        return Rate(rate.key, rate.name, math.nan, math.nan, math.nan, above, below, rate.is_share)
    value = above / below
    residuals = np.bincount(deals, count - value * of)
    many = len(residuals)
    variance = float((residuals**2).sum()) / below**2 * (many / (many - 1) if many > 1 else math.inf)
    if not rate.is_share:
        half = NORMAL * math.sqrt(variance) if many > 1 else math.inf
        return Rate(rate.key, rate.name, value, max(value - half, 0.0), value + half, above, below, False)
    plain = value * (1 - value) / below
    effective = below * min(plain / variance, 1.0) if plain > 0 and math.isfinite(variance) and variance > 0 else below
    low, high = wilson(value, effective)
    return Rate(rate.key, rate.name, value, low, high, above, below, True)


def wilson(share: float, count: float) -> tuple[float, float]:
    """The Wilson score interval (95 %) of a share of `count` observations.

    >>> [round(end, 4) for end in wilson(0.0, 10)], [round(end, 4) for end in wilson(0.5, 100)]
    ([0.0, 0.2775], [0.4038, 0.5962])
    """
    square = NORMAL**2 / count
    middle = (share + square / 2) / (1 + square)
    half = NORMAL / (1 + square) * math.sqrt(max(share * (1 - share) / count + square / (4 * count), 0.0))
    return max(middle - half, 0.0), min(middle + half, 1.0)
