"""A solved spot beside hands of hold'em that reach its board.

A hand fits if two players are left when the spot begins, the boards are equal up to a renaming of suits, and stacks are
the same multiple of the pot, within a tolerance. Sizes at the table are then those of the spot times a factor. Bets
that are not on the spot's menu are read as its nearest size if that is near. What happened before the spot is unknown
to it, and so are hands outside its ranges.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import accumulate, permutations

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import combo_index
from pokerlab.errors import BadSetting, UnknownName
from pokerlab.games.poker.action import actions_of
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.lab.play.review import Opinion
from pokerlab.match.hands.hand_text import NOT_KNOWN
from pokerlab.strategy.files.solution import Solution

CLOSE_STACKS = 0.05  # stacks of a solution may differ from those at the table by this part
CLOSE_SIZES = 1.25  # a bet is read as one of the spot's sizes up to this factor
OTHER_BOARD = "the spot has another board"
OTHER_PLAYERS = "the spot is for two players with chips left"
NOT_IN_RANGE = "the spot's range does not contain the hand"
OTHER_SIZE = "the spot has no bet near one of the sizes bet"

# fewest suits renamed first
_RENAMINGS = sorted(permutations(range(4)), key=lambda suits: sum(new != old for old, new in enumerate(suits)))


class SpotReviewer:
    """The solution of a spot, for hands of hold'em that reach its board with its stacks."""

    knows_ev = True

    def __init__(self, name: str, solution: Solution, game: PokerGame) -> None:
        assert solution.spot is not None
        self.name, self._solution, self._spot = name, solution, solution.spot
        self._spot_game = SpotGame(solution.spot)
        self._round = _first_round(name, self._spot_game, game)
        self._largest_scale = 0.0

    @property
    def exploitability(self) -> float | None:
        """Of the solution, in chips of the largest pot so far; None if unknown, or if no hand fitted."""
        if not self._largest_scale or not self._solution.measure.is_known:
            return None
        return max(self._solution.exploitability, 0.0) * self._largest_scale

    def opinion(self, view: View) -> Opinion:
        """Frequencies and EV at a decision, in chips of the table; UnknownName with the reason if the hand differs."""
        if view.round < self._round:
            raise UnknownName(f"the spot begins on the {self._spot.streets[0]}")
        if NOT_KNOWN in view.board:
            raise UnknownName("the board is not known")
        line = _Line(self._spot_game, view, self._round)
        cards, board = self._rename(view, line.seat)
        read = view._replace(game=self._spot_game, seat=line.seat, betting=line.read, cards=cards, board=board)
        chances = self._solution.strategy.probabilities(read)
        values = self._solution.action_values(read) if len(chances) > 1 else {}
        frequencies: dict[str, float] = defaultdict(float)
        for code, chance in chances.items():  # two sizes of the spot may be one at the table
            frequencies[line.code(code)] += chance
        self._largest_scale = max(self._largest_scale, line.scale)
        if {*cards, *board} != {*view.cards, *view.board}:
            line.notes.append(f"suits renamed: {FULL_DECK.text(cards)} on {FULL_DECK.text(board)}")
        scaled = {line.code(code): line.scale * value for code, value in values.items()}
        return Opinion(dict(frequencies), scaled, tuple(line.notes))

    def _rename(self, view: View, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The hand and the board with suits as in the spot."""
        own, is_same_board = self._spot.board, False
        for suits in _RENAMINGS:
            board = [card // 4 * 4 + suits[card % 4] for card in view.board]
            if set(board[: len(own)]) == set(own):
                is_same_board = True
                cards = tuple(card // 4 * 4 + suits[card % 4] for card in view.cards)
                if self._spot.ranges[seat].weights[combo_index(*cards)] > 0:
                    return cards, (*own, *board[len(own) :])
        raise UnknownName(NOT_IN_RANGE if is_same_board else OTHER_BOARD)


class _Line:
    """The betting of a hand since the spot began, at the table and as the spot reads it."""

    def __init__(self, spot_game: SpotGame, view: View, first_round: int) -> None:
        self._spot_game, self._game = spot_game, view.game
        self.notes: list[str] = []
        betting, actions = view.game.betting.start(), actions_of(view.betting.history)
        while betting.round < first_round:
            betting = view.game.betting.act(betting, actions.pop(0))
        self._players = [seat for seat in range(view.game.players) if betting.alive >> seat & 1]
        if len(self._players) != 2 or betting.able != betting.alive:
            raise UnknownName(OTHER_PLAYERS)
        self.scale = view.game.chips(view.game.pot(betting)) / spot_game.spot.pot  # chips of the table per chip
        self.seat = int(view.seat != betting.actor)  # in the spot
        self.read, self._real = spot_game.betting.start(), betting
        self._check_stacks(first_round)
        for action in actions:
            taken = self._nearest(action)
            self._real = view.game.betting.act(self._real, action)
            self.read = spot_game.betting.act(self.read, taken)

    def _check_stacks(self, first_round: int) -> None:
        """UnknownName unless stacks, and the bets of fixed limit, are the same multiples of the pot."""
        spot, game = self._spot_game.spot, self._game
        pairs = [("stacks", spot.stack, self._most())] if game.rules.stacks else []
        if spot.limit:
            rounds = game.rules.rounds[first_round:], self._spot_game.rules.rounds
            bets = [(self._spot_game.chips(own.bet), game.chips(one.bet)) for one, own in zip(*rounds, strict=True)]
            pairs += [("bets", *bet) for bet in bets]
        for name, own, chips in pairs:
            other = chips / self.scale
            if abs(own - other) > CLOSE_STACKS * max(own, other):
                raise UnknownName(f"the spot has {name} of {own / spot.pot:.3g} pots, not {other / spot.pot:.3g}")

    def _most(self) -> float:
        """The most chips that can be bet on this street: those of the shorter stack at its start."""
        game, betting = self._game, self._real
        base = game.betting.level_before(betting.history)
        stacks = game.stacks(betting)
        return game.chips(min(stacks[seat] + betting.live[seat] - base for seat in self._players))

    def _nearest(self, action: Action) -> Action:
        """The action of the spot that an action at the table is read as."""
        offered = [one for one in self._spot_game.betting.actions(self.read) if one.kind == action.kind]
        if not offered:
            raise UnknownName(OTHER_SIZE)
        if len(offered) == 1 and not action.amount:
            return offered[0]
        rules, betting = self._game.betting, self._real
        total = action.amount - rules.antes[betting.actor] - rules.level_before(betting.history)
        wanted = min(self._game.chips(total), self._most())
        sizes = [self._spot_game.said_total(self.read, one.amount) * self.scale for one in offered]
        off = [abs(math.log(size / wanted)) for size in sizes]
        best = off.index(min(off))
        if off[best] > math.log(CLOSE_SIZES):
            raise UnknownName(OTHER_SIZE)
        if off[best] > 1e-3:
            self.notes.append(f"{wanted:.6g} read as {sizes[best]:.6g}")
        return offered[best]

    def code(self, code: str) -> str:
        """An action of the spot at this decision, as one of the table."""
        amount = int(code[1:] or 0)
        if not amount:
            return code
        rules, betting = self._game.betting, self._real
        base = rules.antes[betting.actor] + rules.level_before(betting.history)
        is_all_in = amount >= self._spot_game.rules.stacks[0]  # type: ignore[index]
        chips = self._most() if is_all_in else self._spot_game.said_total(self.read, amount) * self.scale
        return f"r{base + round(chips / self._game.unit)}"


def _first_round(name: str, spot_game: SpotGame, game: PokerGame) -> int:
    """The round of hold'em in which a spot begins; BadSetting if the game is another one."""
    rules, board = game.rules, len(spot_game.spot.board)
    public = list(accumulate(round_.public for round_ in rules.rounds))
    is_holdem = game.deck == FULL_DECK and [round_.private for round_ in rules.rounds][:1] == [2] and public[-1] == 5
    if not is_holdem or board not in public or rules.showdown != spot_game.rules.showdown:
        raise BadSetting(f"{name} is a spot of hold'em, and this is {game.name}")
    if (rules.limit == "fixed") != bool(spot_game.spot.limit):
        own = "limit" if spot_game.spot.limit else "no-limit"
        raise BadSetting(f"{name} is a spot of {own} hold'em, and this is {game.name}")
    return public.index(board)
