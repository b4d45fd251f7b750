"""Turns a hand as a text states it into one that the rules have played: every amount and result is checked.

A fold that costs nothing, which poker rooms allow and the rules here do not, becomes a check, and a fold as soon as
somebody bets. Rake is given back to those who won, in proportion, because it is not stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadFile, PokerlabError
from pokerlab.formats.hand_texts.raw import ALL_IN, BET, CALL, CHECK, FOLD, RAISE, NotImported, RawAction, RawHand
from pokerlab.games.library._presets import holdem_rounds
from pokerlab.games.poker.betting import CALL as TO_CALL
from pokerlab.games.poker.betting import FOLD as TO_FOLD
from pokerlab.games.poker.betting import Action, Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules
from pokerlab.games.poker.state import State
from pokerlab.match.hands.exchange import PlayedHand, checked_names
from pokerlab.match.hands.hand_text import betting_text, cards_text, replay
from pokerlab.match.hands.stated import MOST_RAKE, agreed, is_after_rake, payoffs_of

_UNKNOWN = "????"
_BOARDS = (3, 1, 1)


def played_hand(hand: RawHand) -> PlayedHand:
    """A hand, replayed and checked; raises NotImported, with the reason and if possible the line."""
    try:
        game = PokerGame(_rules(hand), hand.source if hand.scale == 1 else f"{hand.source}(chip={1 / hand.scale:g})")
        betting = _Betting(hand, game).played()
        end = replay(game, _cards(hand, betting), betting.history.replace("/", ""))[1]
        payoffs = _payoffs(hand, game, end)
        names = checked_names(player.name for player in hand.players)
        return PlayedHand(game, cards_text(game, end), betting_text(game, end), payoffs, names, hand.number)
    except NotImported as problem:
        raise NotImported(str(problem), problem.line or hand.line) from problem
    except PokerlabError as problem:
        raise NotImported(str(problem), hand.line) from problem


def _chips(hand: RawHand, amount: Decimal) -> int:
    return int(amount * hand.scale)


def _rules(hand: RawHand) -> Rules:
    fixed = hand.limit == "fixed"
    bet = _chips(hand, hand.small_bet if fixed else hand.big_blind)
    if bet < 1:
        raise NotImported("its big blind is less than a chip")
    antes = tuple(_chips(hand, player.ante) for player in hand.players)
    return Rules(
        players=len(hand.players),
        rounds=holdem_rounds(
            (bet, bet, 2 * bet, 2 * bet) if fixed else (bet,) * 4,
            first=hand.first,
            raises=(4,) * 4 if fixed and len(hand.players) > 2 else (None,) * 4,
        ),
        limit=hand.limit,
        antes=antes,
        blinds=tuple(_chips(hand, player.blind) for player in hand.players),
        stacks=tuple(_chips(hand, player.stack) for player in hand.players),
    )


class _Betting:
    """Plays the stated actions by the rules."""

    def __init__(self, hand: RawHand, game: PokerGame) -> None:
        self._hand, self._game = hand, game
        self._betting: Betting = game.betting.start()
        self._street = (0,) * game.players  # live chips at the start of the round
        self._gone: set[int] = set()  # who folded for nothing

    def played(self) -> Betting:
        """The betting at the end."""
        for action in self._hand.actions:
            self._act_for_the_gone()
            if self._betting.actor != action.player:
                self._wrong_turn(action)
            self._play(self._read(action), action)
        self._act_for_the_gone()
        if self._betting.actor >= 0:
            name = self._hand.players[self._betting.actor].name
            raise NotImported(f"it is cut off: {name[:40]} does not act after {self._betting.history!r}")
        if self._gone and not self._betting.folded_out and any(self._betting.alive >> seat & 1 for seat in self._gone):
            raise NotImported("somebody folds without a bet, and nobody bets later")
        return self._betting

    def _act_for_the_gone(self) -> None:
        while self._betting.actor in self._gone:
            self._do(TO_FOLD if self._game.betting.legal(self._betting).fold else TO_CALL)

    def _wrong_turn(self, action: RawAction) -> None:
        name = self._hand.players[action.player].name
        if self._betting.actor < 0:
            raise NotImported(f"{name[:40]} acts after the betting has ended", action.line)
        turn = self._hand.players[self._betting.actor].name
        raise NotImported(f"{name[:40]} acts, and it is the turn of {turn[:40]}", action.line)

    def _play(self, action: Action, stated: RawAction) -> None:
        try:
            self._game.betting.verify(self._betting, action)
        except PokerlabError as problem:
            raise NotImported(str(problem), stated.line) from problem
        seat, before = stated.player, self._betting.live[stated.player]
        street = self._street[seat]
        self._do(action)
        added = None if stated.added is None else _chips(self._hand, stated.added)
        to = None if stated.to is None else _chips(self._hand, stated.to)
        live = self._betting.live[seat]
        if (added is not None and live - before != added) or (to is not None and live - street != to):
            said, by_rules = (added, live - before) if added is not None else (to, live - street)
            raise NotImported(f"it states {said} chips, and by the rules it is {by_rules}", stated.line)

    def _do(self, action: Action) -> None:
        round_, self._betting = self._betting.round, self._game.betting.act(self._betting, action)
        if self._betting.round > round_:
            self._street = self._betting.live

    def _read(self, stated: RawAction) -> Action:
        """The action by the rules; its amount is checked afterwards."""
        legal, seat = self._game.betting.legal(self._betting), stated.player
        if stated.kind == FOLD:
            if legal.fold:
                return TO_FOLD
            self._gone.add(seat)
            return TO_CALL
        if stated.kind == CHECK and legal.call > 0:
            raise NotImported(f"a check, where {legal.call} chips are to be called", stated.line)
        if stated.kind in (CHECK, CALL) or (stated.kind == ALL_IN and self._is_call(stated)):
            return TO_CALL
        assert stated.kind in (BET, RAISE, ALL_IN)
        if self._game.betting.limit == "fixed":
            return Action("r", 0)
        live = self._betting.live[seat]
        if stated.to is not None:
            live = self._street[seat] + _chips(self._hand, stated.to)
        elif stated.added is not None:
            live += _chips(self._hand, stated.added)
        else:
            live = self._game.betting.behind[seat]
        return Action("r", live + self._game.betting.antes[seat])

    def _is_call(self, stated: RawAction) -> bool:
        behind, live = self._game.betting.behind[stated.player], self._betting.live[stated.player]
        return (
            live + (behind - live if stated.added is None else _chips(self._hand, stated.added)) <= self._betting.level
        )


def _cards(hand: RawHand, end: Betting) -> str:
    """The cards as text, "??" where unknown."""
    rows = [player.cards or _UNKNOWN for player in hand.players]
    dealt = hand.boards[: end.round]
    for number, board in enumerate(dealt):
        if len(board) != 2 * _BOARDS[number]:
            raise NotImported(f"the board {board[:40]!r} does not have {_BOARDS[number]} cards")
    if len(dealt) < end.round:
        raise NotImported("it is cut off: cards of the board are missing")
    known = "".join(row for row in rows if row != _UNKNOWN) + "".join(dealt)
    FULL_DECK.check(FULL_DECK.cards(known))
    return "/".join(["|".join(rows), *dealt])


def _payoffs(hand: RawHand, game: PokerGame, end: State) -> tuple[float, ...]:
    """The payoffs by the rules, checked against what the text says was won; as stated where cards are unknown."""
    spent, pot = game.spent(end.betting), game.pot(end.betting)
    _check_spent(hand, spent)
    won = [float(_chips(hand, player.collected + player.returned)) for player in hand.players]
    readings = [won] if hand.states_returned else [won, _with_returned(won, spent)]
    counted = payoffs_of(game, end)
    for stated in readings:
        missing = pot - sum(stated)
        if not -1e-6 <= missing <= MOST_RAKE * pot:
            continue
        if not counted:
            return agreed(game, end, _after_rake(stated, spent, missing))
        for payoffs in counted:
            gross = [chips + paid for chips, paid in zip(payoffs, spent, strict=True)]
            if is_after_rake(stated, gross, won=[chips > 0 for chips in gross], pot=pot):
                return payoffs
        if _differ_by_odd_chips(stated, counted[0], spent, seats=game.players * len(game.pots(end))):
            return counted[0]
    by_rules = [chips + paid for chips, paid in zip(counted[0], spent, strict=True)] if counted else []
    raise BadFile(
        f"it states winnings of {_list(won)}{f', and by the rules they are {_list(by_rules)}' * bool(counted)}"
    )


def _check_spent(hand: RawHand, spent: Sequence[int]) -> None:
    """Raise BadFile if the text states other chips put in; it may leave out an uncalled bet."""
    stated = [None if player.spent is None else _chips(hand, player.spent) for player in hand.players]
    *_, second, most = sorted(spent)
    for chips, paid in zip(stated, spent, strict=True):
        if chips is not None and chips not in (paid, second if paid == most else paid):
            raise BadFile(f"it states that {chips:g} chips were put in, and by the rules it was {paid:g}")


def _with_returned(won: Sequence[float], spent: Sequence[int]) -> list[float]:
    """The same with the uncalled part of the largest bet, which some texts leave out."""
    *_, second, most = sorted(spent)
    return [chips + (most - second if paid == most else 0) for chips, paid in zip(won, spent, strict=True)]


def _after_rake(stated: Sequence[float], spent: Sequence[int], missing: float) -> list[float]:
    """Net results, with the rake given back to the winners in proportion, in whole chips."""
    total, left = sum(stated), missing
    net = []
    largest = max(range(len(stated)), key=lambda seat: stated[seat])
    for seat, (chips, paid) in enumerate(zip(stated, spent, strict=True)):
        share = 0.0 if seat == largest or not total else float(missing * chips // total)
        left -= share
        net.append(chips - paid + share)
    net[largest] += left
    return net


def _differ_by_odd_chips(
    stated: Sequence[float], payoffs: Sequence[float], spent: Sequence[int], *, seats: int
) -> bool:
    gaps = [chips + paid - won for won, chips, paid in zip(stated, payoffs, spent, strict=True)]
    return max(map(abs, gaps)) <= seats and sum(gap != 0 for gap in gaps) > 1


def _list(chips: Sequence[float]) -> str:
    return "|".join(f"{one:g}" for one in chips)
