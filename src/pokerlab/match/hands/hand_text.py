"""A hand as two short texts, cards and betting, from which it can be replayed.

Cards are hole cards by seat, then the public cards of each round that deals any: "9s8h|9c6h/8c8d5c/6s/2d", as the ACPC
protocol writes them for games that deal public cards in all rounds but the first. Betting is the game's own text,
"cr300c/cc/r600f"; an exchange of cards, which that protocol lacks, lists the discarded and the received cards:
"d(5h4c>KdJs)".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pokerlab.errors import BadFile, IllegalAction, shortened
from pokerlab.formats.acpc import number, state_line
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State

NOT_KNOWN = -1  # a card that the text does not show
_ACTION = re.compile(r"f|c|r(\d{0,12})|d\(([^()>]*)>([^()>]*)\)")


class HandStep(NamedTuple):
    """One action of a hand: the state before it, the player to act, the action."""

    state: State
    seat: int
    action: Action


def cards_text(game: PokerGame, state: State) -> str:
    """The cards of a hand dealt so far."""
    dealing, cards = game.dealing, state.cards
    round_ = state.betting.round
    hands = []
    for slices in dealing.hands:
        dealt = [card for start, end in slices[: round_ + 1] for card in cards[start:end]]
        hands.append(_text(game, dealt))
    parts = ["|".join(hands)]
    for start, end in dealing.boards[: round_ + 1]:
        if end > start:
            parts.append(_text(game, cards[start:end]))
    return "/".join(parts)


def _text(game: PokerGame, cards: Sequence[int]) -> str:
    if NOT_KNOWN in cards:
        return "".join("??" if card == NOT_KNOWN else game.text([card]) for card in cards)
    return game.text(cards)


def betting_text(game: PokerGame, state: State) -> str:
    """The betting of a hand, with the cards of exchanges."""
    history = state.betting.history
    for draw in reversed(state.draws):
        end = draw.place + 1 + len(str(len(draw.discarded)))
        exchange = f"d({game.text(draw.discarded)}>{game.text(draw.received)})"
        history = history[: draw.place] + exchange + history[end:]
    return history


def log_line(game: PokerGame, state: State, hand: int, *, returns: Sequence[float], names: Sequence[str]) -> str:
    """A finished hand as a log line: the ACPC format plus the cards of exchanges."""
    if not game.dealing.draws:
        return state_line(game, state, hand, returns, names)
    won = "|".join(map(number, returns))
    return f"STATE:{hand}:{betting_text(game, state)}:{cards_text(game, state)}:{won}:{'|'.join(names)}"


def replay(game: PokerGame, cards: str, betting: str) -> tuple[list[HandStep], State]:
    """Every action of a hand with the state before it, and the final state; raises BadFile if something does not fit.

    Unknown cards are -1 in the states.
    """
    steps: list[HandStep] = []
    state = game.root()
    dealt = _rounds(game, cards)
    state, dealt = _deal(game, state, dealt)
    position = 0
    plain = betting.replace("/", "")
    while position < len(plain):
        token = _ACTION.match(plain, position)
        if not token:
            raise BadFile(f"cannot read the betting {shortened(betting)!r} at {plain[position : position + 10]!r}")
        action, received = _action(game, token)
        try:
            game.verify_action(state, action)
        except IllegalAction as problem:
            raise BadFile(f"the betting {shortened(betting)!r} does not fit {game.name}: {problem}") from problem
        steps.append(HandStep(state, state.betting.actor, action))
        state = _after(game, state, action, received)
        state, dealt = _deal(game, state, dealt)
        position = token.end()
    return steps, state


def _after(game: PokerGame, state: State, action: Action, received: tuple[int, ...]) -> State:
    """The state after an action and the new cards of an exchange; raises BadFile if those cards are impossible."""
    state = game.child(state, action)
    if len(received) != len(action.cards) or (received and not game.dealing.may_come(state, received)):
        raise BadFile(
            f"{game.text(received)!r} cannot have come for {game.text(action.cards)!r}: as many new cards come as are "
            "thrown away, none that somebody holds, and none that was thrown away before the deck has run out"
        )
    return game.child(state, received) if received else state


def _action(game: PokerGame, token: re.Match[str]) -> tuple[Action, tuple[int, ...]]:
    word = token.group()
    if word[0] == "d":
        discarded, received = (tuple(game.deck.cards(part)) for part in token.group(2, 3))
        return Action("d", 0, discarded), received
    return Action(word[0], int(token.group(1) or 0) if word[0] == "r" else 0), ()


def _deal(game: PokerGame, state: State, dealt: list[tuple[int, ...]]) -> tuple[State, list[tuple[int, ...]]]:
    """Deal the cards of the rounds that have started."""
    while len(state.cards) < game.dealing.needed[state.betting.round]:
        state = game.child(state, dealt[0])
        dealt = dealt[1:]
    return state, dealt


def _rounds(game: PokerGame, text: str) -> list[tuple[int, ...]]:
    """The cards that chance deals together, in order, for each round that deals any."""
    hands, *boards = text.split("/")
    private = sum(round_.private for round_ in game.rules.rounds)
    known = [_known(game, hand, private) for hand in hands.split("|")]
    if len(known) != game.players:
        raise BadFile(f"the cards {shortened(text)!r} are of {len(known)} seats, and {game.name} has {game.players}")
    public = [_known(game, board, 0) for board in boards]
    if not game.rules.replacement:
        game.deck.check([card for group in [*known, *public] for card in group if card >= 0])
    rounds, place = [], 0
    for round_ in game.rules.rounds:
        cards = [card for hand in known for card in hand[place : place + round_.private]]
        place += round_.private
        if round_.public:
            board = public.pop(0) if public else []
            if len(board) > round_.public:
                raise BadFile(f"the cards {shortened(text)!r} do not fit the rounds of {game.name}")
            cards += board + [NOT_KNOWN] * (round_.public - len(board))
        if cards:
            rounds.append(tuple(cards))
    return rounds


def _known(game: PokerGame, text: str, count: int) -> list[int]:
    """Cards, including unknown ones; missing cards of a hand of `count` are unknown."""
    cards: list[int] = []
    for part in re.split(r"(\?\?)", text):
        cards += [NOT_KNOWN] if part == "??" else game.deck.cards(part)
    if count and len(cards) > count:
        raise BadFile(f"{shortened(text)!r} is {len(cards)} cards, and a hand of {game.name} has {count}")
    return cards + [NOT_KNOWN] * (count - len(cards))
