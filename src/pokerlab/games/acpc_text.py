"""States as the text of the annual computer poker competition, both ways, byte for byte.

    MATCHSTATE:<seat>:<hand>:<betting>:<cards>                 what one seat sees
    STATE:<hand>:<betting>:<cards>:<values>:<names>            a finished hand in a log

Betting is f, c and r, rounds separated by "/"; a no-limit raise is the total over the hand ("r300"). Cards are the
hands separated by "|", unseen ones empty, then "/" and the public cards of each later round. For draw games, which the
competition does not have, a discard is "d(5h4c)" where it may be seen and "d2" where not, and the cards received stand
in the round of the draw, again by seat: "AsKsQs5h4c|/Td9d|".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pokerlab.errors import BadCards, BadState, IllegalAction
from pokerlab.games.betting import CALL, FOLD, RAISE, Action, Betting
from pokerlab.games.dealing import exchanged
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker import PokerGame
from pokerlab.games.poker_rules import UNLIMITED
from pokerlab.games.poker_state import Draw, State, View

_TOKEN = re.compile(r"f|c|r([0-9]*)|d(?:([0-9]+)|\(([^()]*)\))?|/")
_LONGEST = 20_000  # characters of one line


class MatchState(NamedTuple):
    """A MATCHSTATE line read: whose it is and what that seat sees."""

    hand: int
    view: View


class LogState(NamedTuple):
    """A STATE line read; values and names are empty where the line has none."""

    hand: int
    state: State
    values: tuple[float, ...] = ()
    names: tuple[str, ...] = ()


# ---- writing -------------------------------------------------------------------------------------------------------


def match_state_text(view: View, hand: int = 0) -> str:
    """The line that a dealer sends to a seat."""
    game = view.game
    history = _history(game, view.betting.history, view.draws)
    return f"MATCHSTATE:{view.seat}:{hand}:{history}:{_cards_seen(view)}"


def state_text(game: PokerGame, state: State, hand: int = 0) -> str:
    """The line of a state with all cards shown, without values and names."""
    history = _history(game, state.betting.history, state.draws)
    return f"STATE:{hand}:{history}:{_all_cards(game, state)}"


def log_line(game: PokerGame, state: State, names: Sequence[str], hand: int = 0) -> str:
    """The line of a finished hand in a log, names in seat order."""
    values = "|".join(number_text(value) for value in game.returns(state))
    return f"{state_text(game, state, hand)}:{values}:{'|'.join(names)}"


def number_text(value: float) -> str:
    """A number with up to six decimals and no trailing zeros.

    >>> number_text(0.5), number_text(-100.0), number_text(1 / 3)
    ('0.5', '-100', '0.333333')
    """
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _history(game: PokerGame, history: str, draws: Iterable[Draw]) -> str:
    """The betting with these discards written as cards."""
    for draw in reversed(tuple(draws)):
        if draw.discarded:
            end = draw.place + 1 + len(str(len(draw.discarded)))
            history = f"{history[: draw.place]}d({game.text(draw.discarded)}){history[end:]}"
    return history


def _cards_seen(view: View) -> str:
    game = view.game
    by_seat = [view.shown[seat] if view.shown else () for seat in range(game.players)]
    by_seat[view.seat] = view.dealt
    draws = {(view.seat, number): draw for number, draw in enumerate(view.draws)}
    return _cards(game, view.betting.round, by_seat, list(view.board), draws)


def _all_cards(game: PokerGame, state: State) -> str:
    by_seat = [game.dealing.dealt(state, seat) for seat in range(game.players)]
    draws: dict[tuple[int, int], Draw] = {}
    for seat in range(game.players):
        own = [draw for draw in state.draws if draw.seat == seat]
        draws |= {(seat, number): draw for number, draw in enumerate(own)}
    return _cards(game, state.betting.round, by_seat, list(game.board(state)), draws)


def _cards(
    game: PokerGame,
    last: int,
    by_seat: list[tuple[int, ...]],
    board: list[int],
    draws: dict[tuple[int, int], Draw],
) -> str:
    segments = []
    drawn = 0
    for number, round_ in enumerate(game.rules.rounds[: last + 1]):
        segment = ""
        if number == 0 or round_.private or round_.draw:
            parts = []
            for seat in range(game.players):
                cards, by_seat[seat] = by_seat[seat][: round_.private], by_seat[seat][round_.private :]
                draw = draws.get((seat, drawn)) if round_.draw else None
                parts.append(game.text(cards + (draw.received if draw else ())))
            segment = "|".join(parts)
            drawn += bool(round_.draw)
            if round_.public:
                segment += "|"
        segment += game.text(board[: round_.public])
        board = board[round_.public :]
        segments.append(segment)
    return "/".join(segments)


# ---- reading -------------------------------------------------------------------------------------------------------


def read_match_state(game: PokerGame, line: str) -> MatchState:
    """What a MATCHSTATE line tells its seat; BadState, BadCards or IllegalAction say what is wrong with it."""
    fields = _fields(line, "MATCHSTATE", 4, 5)
    seat, hand = _number("the seat", fields[0], game.players - 1), _number("the hand number", fields[1])
    state, known = _read(game, fields[2], fields[3], seat=seat)
    if len(fields) == 5:
        raise BadState(f"{_shorten(line)!r} goes on after the cards")
    dealt = game.dealing.dealt(state, seat)
    own = tuple(draw for draw in state.draws if draw.seat == seat)
    over = state.betting.actor == TERMINAL and not state.betting.folded_out
    shown = tuple(game.hand(state, other) if known[other] else () for other in range(game.players)) if over else ()
    view = View(game, seat, exchanged(dealt, own), game.board(state), state.betting, dealt, own, shown)
    return MatchState(hand, view)


def read_state(game: PokerGame, line: str) -> LogState:
    """The state of a STATE line, with its values and names where it has them."""
    fields = _fields(line, "STATE", 3, 5)
    hand = _number("the hand number", fields[0])
    state, known = _read(game, fields[1], fields[2], seat=None)
    if not all(known):
        raise BadState(f"the line of hand {hand} hides the cards of seat {known.index(False)}; a log shows them all")
    if len(fields) == 3:
        return LogState(hand, state)
    if len(fields) == 4:
        raise BadState(f"hand {hand} has values but no names")
    names = tuple(fields[4].split("|"))
    try:
        values = tuple(float(word) for word in fields[3].split("|"))
    except ValueError:
        raise BadState(f"the values of hand {hand} are not numbers: {_shorten(fields[3])!r}") from None
    if len(values) != game.players or len(names) != game.players:
        raise BadState(f"hand {hand} needs {game.players} values and names; got {len(values)} and {len(names)}")
    return LogState(hand, state, values, names)


def read_betting(game: PokerGame, text: str) -> Betting:
    """The betting after these actions: "cr300c/c". The text must be complete, with every "/" that has been reached."""
    return _replay(game, text)[0]


def read_action(game: PokerGame, betting: Betting, text: str) -> Action:
    """One action as a client sends it: "f", "c", "r", "r300", "d(5h4c)"; IllegalAction if the rules do not allow it."""
    match = _TOKEN.fullmatch(text)
    if not match or text == "/":
        raise IllegalAction(f"{_shorten(text)!r} is no action: write f, c, r with its total, or d(cards)")
    action = _action(game, match)
    game.betting.verify(betting, action)
    return action


def _fields(line: str, kind: str, least: int, most: int) -> list[str]:
    text = line.rstrip("\r\n")
    if len(text) > _LONGEST:
        raise BadState(f"a line of {len(text):,} characters is no {kind} line")
    head, *fields = text.split(":", most)
    if head != kind:
        raise BadState(f"{_shorten(text)!r} is no {kind} line: it must begin with {kind}:")
    if len(fields) < least:
        raise BadState(f"{_shorten(text)!r} has {len(fields)} fields after {kind} where {least} are needed")
    return fields


def _number(what: str, text: str, most: int = UNLIMITED) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) > most:
        raise BadState(f"{what} must be a number from 0 to {most}; got {_shorten(text)!r}")
    return int(text)


def _read(game: PokerGame, betting_text: str, cards_text: str, *, seat: int | None) -> tuple[State, list[bool]]:
    """The state of a betting and a cards text, and which seats' cards are known; unseen cards are -1."""
    betting, draws = _replay(game, betting_text)
    segments = cards_text.split("/")
    if len(segments) != betting.round + 1:
        wanted = betting.round + 1
        raise BadCards(f"{_shorten(cards_text)!r} has cards of {len(segments)} rounds, and the betting {wanted}")
    cards: list[int] = []
    known = [True] * game.players
    for number, segment in enumerate(segments):
        round_ = game.rules.rounds[number]
        hands, public = _split(game, number, segment)
        for other, text in enumerate(hands):
            if round_.draw:
                _receive(game, draws[number], other, text)
            elif text or other == seat or not round_.private:
                cards += _parse(game, text, round_.private, f"cards of seat {other}")
            else:
                known[other] = False
                cards += [-1] * round_.private
        cards += _parse(game, public, round_.public, "public cards")
    if not game.rules.replacement and not game.dealing.draws:
        game.deck.check([card for card in cards if card >= 0])
    return State(betting, tuple(cards), tuple(draw for drawn in draws for draw in drawn)), known


def _split(game: PokerGame, number: int, segment: str) -> tuple[list[str], str]:
    """The hands and the public cards of one round's cards."""
    round_ = game.rules.rounds[number]
    if number and not round_.private and not round_.draw:
        return [], segment
    parts = segment.split("|")
    wanted = game.players + bool(round_.public)
    if len(parts) != wanted:
        raise BadCards(f"{_shorten(segment)!r} has {len(parts)} hands where {wanted} are needed")
    return (parts[:-1], parts[-1]) if round_.public else (parts, "")


def _receive(game: PokerGame, drawn: list[Draw], seat: int, text: str) -> None:
    """Fill in the cards that a seat received in a draw; none where its discards are not seen."""
    for place, draw in enumerate(drawn):
        if draw.seat == seat:
            pending = not text and place == len(drawn) - 1
            received = _parse(game, text, 0 if pending else len(draw.discarded), f"cards received by seat {seat}")
            drawn[place] = draw._replace(received=tuple(received))
            return
    if text:
        raise BadCards(f"seat {seat} has received {_shorten(text)!r}, but its discards are not told")


def _parse(game: PokerGame, text: str, count: int, what: str) -> list[int]:
    cards = game.deck.cards(text)
    if len(cards) != count:
        raise BadCards(f"{_shorten(text)!r} is {len(cards)} cards where {count} {what} are needed")
    return cards


def _replay(game: PokerGame, text: str) -> tuple[Betting, list[list[Draw]]]:
    """The betting that a text tells, and by round the exchanges whose discards it shows."""
    betting = game.root().betting
    draws: list[list[Draw]] = [[] for _ in game.rules.rounds]
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            raise BadState(f"{text[position]!r} at position {position + 1} of {_shorten(text)!r} is no action")
        if match.group() == "/":
            raise BadState(f"the '/' at position {position + 1} of {_shorten(text)!r} comes where no round ends")
        action = _action(game, match)
        before = betting
        try:
            betting = game.betting.act(betting, action)
        except IllegalAction as problem:
            raise IllegalAction(f"at position {position + 1} of {_shorten(text)!r}: {problem}") from None
        if action.kind == "d" and match.group(2) is None and action.cards:
            draws[before.round].append(Draw(before.actor, len(before.history), action.cards, ()))
        elif action.kind == "d" and match.group(2) == "0":
            draws[before.round].append(Draw(before.actor, len(before.history), (), ()))
        position = match.end()
        slashes = betting.round - before.round
        if text[position : position + slashes] != "/" * slashes:
            raise BadState(f"a round ends at position {position} of {_shorten(text)!r}: {'/' * slashes!r} must follow")
        position += slashes
    return betting, draws


def _action(game: PokerGame, match: re.Match[str]) -> Action:
    kind = match.group()[0]
    if kind == "r":
        size = match.group(1)
        if len(size) > 12:
            raise IllegalAction(f"a raise to {size[:20]}... is more than anybody has")
        if size and (size[0] == "0" or game.rules.limit == "fixed"):
            raise IllegalAction(f"{match.group()!r} is not allowed: a raise is written {_raise_form(game)}")
        return Action("r", int(size)) if size else RAISE
    if kind == "d":
        if match.group(3) is not None:
            return Action("d", 0, tuple(game.deck.cards(match.group(3))))
        count = int((match.group(2) or "0")[:4])
        return Action("d", 0, (-1,) * min(count, 1000))  # unseen cards
    return FOLD if kind == "f" else CALL


def _raise_form(game: PokerGame) -> str:
    return (
        "r without a size, the limit being fixed" if game.rules.limit == "fixed" else "r and its total, without zeros"
    )


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
