"""Action translation: play a strategy for few bet sizes in a game where all are allowed.

A real hand is followed in the betting of the abstract game. The real hand may have other stacks, blinds and bets than
the abstract game of the strategy. Each real action is mapped to an abstract one: a fold to a fold, a check or call to
one, an all-in to all-in, a bet by its fraction of the pot (abstraction/translation.py); and each abstract action is
mapped to one that is legal in the real game. A bet that equals the real size of an abstract one is mapped back to it,
so that a player recognizes its own bets.

The two hands may diverge, and no real hand is rejected for it:

- a raise where the abstract game allows no more is read as a call, which may end the abstract round: the rest of
  the real round is played by checking and calling;
- once the abstract hand is over (a player is all-in there and called, or all others have folded), the rest of the
  real one is played by checking and calling;
- where the real game skips seats (folded, all-in), the abstract game lets them fold, check or call, and stand pat in
  a draw.

Draws are the same in both games: as many cards are discarded.

Each of these is a remark, which an agent can report after a match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b

from pokerlab.abstraction.translation import Translation, translation
from pokerlab.errors import BadSetting
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.action import CALL, FOLD, RAISE, STAND_PAT, Action, raise_to
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.tree.bucketed.betting import BettingForm

OFF_MENU = "a bet of a size that it does not know was read as one that it does"
CAPPED = "a raise where its own game allows none was read as a call"
AHEAD = "its own round was over before the one at the table, which it ended by checking or calling"
OVER = "its own hand was over before the one at the table, which it ended by checking or calling"

_ACTION = re.compile(r"([fcrd])(\d*)")  # in a history
Draws = Callable[[str], float]  # a random number from 0 to 1 for a bet, by the history before it


@dataclass(frozen=True)
class Reading:
    """The position of a real hand in the abstract game."""

    real: Betting
    abstract: Betting
    path: tuple[int, ...] = ()  # the index of each abstract action so far among the legal ones
    remarks: tuple[str, ...] = ()  # what did not fit, in order; that the hand ended early, once

    @property
    def is_decision(self) -> bool:
        """Whether the seat to act in the real game also acts in the abstract game, in the same round."""
        same = self.abstract.round == self.real.round and self.abstract.drawing == self.real.drawing
        return self.abstract.actor == self.real.actor != TERMINAL and same


@dataclass(frozen=True, eq=False)
class Translator:
    """Follows hands of a real game in the betting of an abstract one.

    >>> from pokerlab.registry import load
    >>> games = [load("games", f"holdem-nolimit({text})") for text in ("menu='100%,allin', stack=2000", "stack=20000")]
    >>> follow = Translator(*games, "nearest").follow("r250c/cr400")
    >>> follow.abstract.history, follow.is_decision, len(follow.remarks)
    ('r300c/cr900', True, 2)
    """

    abstract: PokerGame
    real: PokerGame
    method: str | Translation = "pseudo-harmonic"

    def __post_init__(self) -> None:
        abstract, real = self.abstract, self.real
        refused = f"hands of {real.name} cannot be followed in {abstract.name}"
        for what, own, other in (
            ("players", abstract.players, real.players),
            ("rounds", len(abstract.rules.rounds), len(real.rules.rounds)),
        ):
            if own != other:
                raise BadSetting(f"{refused}: the one has {other} {what}, the other {own}")
        if [round_.draw for round_ in abstract.rules.rounds] != [round_.draw for round_ in real.rules.rounds]:
            raise BadSetting(f"{refused}: cards are exchanged otherwise there")
        _ = self._translation  # fails early on an unknown method

    @cached_property
    def _translation(self) -> Translation:
        return translation(self.method)

    def start(self) -> Reading:
        """The start of a hand."""
        return self._aligned(Reading(self.real.betting.start(), self.abstract.betting.start()))

    def follow(self, history: str, draws: Draws | None = None) -> Reading:
        """Follow a whole history of the real game, "r250c/cr400"; without `draws` each random number is one half."""
        reading = self.start()
        for kind, number in _ACTION.findall(history):
            draw = draws(reading.real.history) if draws and kind == "r" else 0.5
            cards = tuple(range(int(number))) if kind == "d" else ()  # the betting does not depend on which
            action = Action(kind, 0 if kind == "d" else int(number or 0), cards)
            reading = self.step(reading, action, draw)
        return reading

    def step(self, reading: Reading, action: Action, draw: float = 0.5) -> Reading:
        """The reading after a real action, which must be legal."""
        moved = replace(reading, real=self.real.betting.act(reading.real, action))
        if reading.is_decision:
            meant, remark = self._meant(reading, action, draw)
            moved = self._moved(moved, meant, remark)
        return self._aligned(moved)

    def real_action(self, reading: Reading, action: Action) -> Action:
        """Map an abstract action to a legal action of the real game."""
        rules, betting = self.real.betting, reading.real
        legal = rules.legal(betting)
        if action.kind == "r" and legal.can_raise:
            if rules.limit == "fixed":
                return RAISE
            if self._is_shove(reading, action):
                return raise_to(legal.most)
            part = _part_of_pot(self.abstract, reading.abstract, action)
            wanted = betting.level + round(part * _after_call(self.real, betting)) + rules.antes[betting.actor]
            return raise_to(legal.nearest(wanted))
        if action.kind == "f" and legal.fold:
            return FOLD
        return self.passive(reading)

    def passive(self, reading: Reading) -> Action:
        """The real action where the abstract game has none: check or call."""
        return _passive(self.real, reading.real)

    def _meant(self, reading: Reading, action: Action, draw: float) -> tuple[Action, str]:
        """The abstract action that a real one is mapped to, and a remark on it."""
        if action.kind == "d":
            return action, ""
        allowed = self.abstract.betting.actions(reading.abstract)
        if action.kind != "r":
            return (action if action in allowed else _passive(self.abstract, reading.abstract)), ""
        raises = [choice for choice in allowed if choice.kind == "r"]
        if not raises:
            return _passive(self.abstract, reading.abstract), CAPPED
        sizes = [_part_of_pot(self.abstract, reading.abstract, choice) for choice in raises]
        size = _part_of_pot(self.real, reading.real, action)
        total = action.amount or self.real.betting.legal(reading.real).least
        same = [k for k, choice in enumerate(raises) if (self.real_action(reading, choice).amount or total) == total]
        if same:
            return raises[min(same, key=lambda k: abs(sizes[k] - size))], ""
        if _is_all_in(self.real, reading.real, action) and self._is_shove(reading, raises[-1]):
            return raises[-1], OFF_MENU
        rules, betting = self.abstract.betting, reading.abstract
        can_call = self._translation.below == "call" and rules.legal(betting).call >= 0
        if can_call and rules.act(betting, CALL).round == betting.round:  # so that a response to the bet is possible
            raises, sizes = [CALL, *raises], [0.0, *sizes]
        return raises[self._translation.read(sizes, size, draw)], OFF_MENU

    def _is_shove(self, reading: Reading, action: Action) -> bool:
        """Whether a raise of the abstract game is its all-in: the largest, if that leaves nothing to bet later."""
        rules, betting = self.abstract.betting, reading.abstract
        total = action.amount or rules.legal(betting).least
        return total == rules.legal(betting).most and _is_all_in(self.abstract, betting, action)

    def _moved(self, reading: Reading, action: Action, remark: str = "") -> Reading:
        rules = self.abstract.betting
        thrown = action.kind == "d"
        place = len(action.cards) if thrown else list(rules.actions(reading.abstract)).index(action)
        return replace(
            reading,
            abstract=rules.act(reading.abstract, action),
            path=(*reading.path, place),
            remarks=(*reading.remarks, remark) if remark else reading.remarks,
        )

    def _aligned(self, reading: Reading) -> Reading:
        """The reading with the abstract game advanced to the real one, as far as passive actions can."""
        while self._is_behind(reading):
            has_folded = not reading.real.alive >> reading.abstract.actor & 1
            folds = has_folded and self.abstract.betting.legal(reading.abstract).fold
            reading = self._moved(reading, FOLD if folds else _passive(self.abstract, reading.abstract))
        if reading.real.actor == TERMINAL or reading.is_decision:
            return reading
        remark = OVER if reading.abstract.actor == TERMINAL else AHEAD
        return reading if remark in reading.remarks else replace(reading, remarks=(*reading.remarks, remark))

    def _is_behind(self, reading: Reading) -> bool:
        """Whether the abstract game waits for a seat that the real game has skipped."""
        real, abstract = reading.real, reading.abstract
        if abstract.actor == TERMINAL or real.actor == TERMINAL or abstract.round > real.round:
            return False
        if abstract.round < real.round or (abstract.drawing and not real.drawing):
            return True
        return abstract.actor != real.actor and not real.waiting >> abstract.actor & 1


def hashed(seed: int, cards: Sequence[int]) -> Draws:
    """Random numbers that depend only on a seed, the private cards and the history.

    With them a strategy stays a single strategy with well-defined probabilities: it maps the same bets the same way all
    through a hand, and opponents cannot predict how without the seed and the cards.

    >>> draws = hashed(1, (51, 50))
    >>> draws("r250c/") == hashed(1, (50, 51))("r250c/") != draws("r250c/c")
    True
    """
    held = ",".join(map(str, sorted(cards)))

    def draw(history: str) -> float:
        digest = blake2b(f"{seed}:{held}:{history}".encode(), digest_size=7).digest()
        return int.from_bytes(digest) / 2**56

    return draw


def node_of(form: BettingForm, reading: Reading) -> int:
    """The node of a reading in the abstract game's betting arrays."""
    node = 0
    for place in reading.path:
        node = int(form.arrays.first[node]) + place
    return node


def _passive(game: PokerGame, betting: Betting) -> Action:
    """Check or call, or stand pat; all-in in a game without calls, and otherwise fold."""
    if betting.drawing:
        return STAND_PAT
    legal = game.betting.legal(betting)
    if legal.call >= 0:
        return CALL
    return raise_to(legal.most) if legal.can_raise else FOLD


def _after_call(game: PokerGame, betting: Betting) -> int:
    """The pot once the seat to act has called."""
    return game.pot(betting) + max(betting.level - betting.live[betting.actor], 0)


def _part_of_pot(game: PokerGame, betting: Betting, action: Action) -> float:
    """A raise as a fraction of the pot after the call."""
    rules = game.betting
    total = action.amount or rules.legal(betting).least
    return (total - rules.antes[betting.actor] - betting.level) / max(_after_call(game, betting), 1)


def _is_all_in(game: PokerGame, betting: Betting, action: Action) -> bool:
    """Whether a raise puts in all chips that can win anything: those of its seat, or of every other seat."""
    rules, seat = game.betting, betting.actor
    total = (action.amount or rules.legal(betting).least) - rules.antes[seat]
    others = max(behind for other, behind in enumerate(rules.behind) if other != seat and betting.alive >> other & 1)
    return total >= min(rules.behind[seat], others)
