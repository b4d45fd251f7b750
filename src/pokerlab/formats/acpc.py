"""Reading and writing states and actions of the Annual Computer Poker Competition (ACPC) protocol.

    MATCHSTATE:<position>:<hand>:<betting>:<cards>            what a client is sent
    STATE:<hand>:<betting>:<cards>:<chips won>:<names>        a line of a log

Betting is f, c and r, with rounds separated by "/"; in no-limit games a raise carries the player's total chips in the
pot over the whole hand. Cards are the hole cards of each position separated by "|", empty if unseen, and then the
public cards round by round, with "/" before every round except the first, whether the round deals any or not: if the
first round deals public cards, they follow the last hole cards directly. The protocol has no draws.

A card is a rank and a suit of the full deck. Of a deck with fewer, the ACPC server deals the highest ranks and the last
suits, so Kuhn's J, Q, K are written Qs, Ks, As, and Leduc's two suits h and s. A deck with more keeps its own text,
which only programs that know it can read.

The ACPC server is lenient about its input, and so is this: there may be a "/" too few or too many between cards; cards
may be in the game's own text where that cannot be mistaken; a response may be in capital letters, with k for a check
and b for a bet, and text after the action is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pokerlab.cards.card import RANKS, SUITS, Deck
from pokerlab.errors import BadCards, IllegalAction, PokerlabError, shortened
from pokerlab.games.poker.betting import Action, Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State, View
from pokerlab.games.poker.text import read_action

VERSION = "2.0.0"
NEWLINE = b"\r\n"
LONGEST_LINE = 2**24  # bytes; a line grows by one action at a time, so a longer one would need millions of actions
_TOKEN = re.compile(r"[fc]|r[0-9]{0,12}|/")
_RESPONSE = re.compile(r"([fckrb])\s*([0-9]{1,12}|)", re.IGNORECASE)
_MEANING = {"f": "f", "c": "c", "k": "c", "r": "r", "b": "r"}


class BadLine(PokerlabError):
    """A line that violates the protocol or does not fit the game."""


def number(value: float) -> str:
    """A number as in logs: six decimals, trailing zeros dropped.

    >>> number(100), number(0.5), number(-0.0)
    ('100', '0.5', '0')
    """
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def read_answer(game: PokerGame, text: str) -> Action:
    """Parse a client's action as leniently as the ACPC server does."""
    match = _RESPONSE.match(text)
    if match is None:
        return read_action(game, text)
    kind = _MEANING[match[1].lower()]
    return read_action(game, kind + match[2] if kind == "r" and game.rules.limit != "fixed" else kind)


def read_betting(game: PokerGame, text: str, known: Betting | None = None) -> Betting:
    """The betting after these actions; raises BadLine if they do not fit the game."""
    betting = played(game, text, known)
    over_early = betting.actor < 0 and text.rstrip("/") == betting.history.rstrip("/")  # later rounds may be omitted
    if betting.history != text and not over_early:
        raise BadLine(f"the betting {shortened(text)!r} separates its rounds wrongly: it should be {betting.history!r}")
    return betting


def played(game: PokerGame, text: str, known: Betting | None = None) -> Betting:
    """The betting after these actions, wherever the text puts the round separators.

    If it extends the `known` betting, only the new actions are played.
    """
    betting, offset = game.betting.start(), 0
    if known is not None and text.startswith(known.history) and not text[len(known.history) :][:1].isdigit():
        betting, offset = known, len(known.history)
    while offset < len(text):
        token = _TOKEN.match(text, offset)
        if not token:
            raise BadLine(f"cannot read the betting {shortened(text)!r} at {text[offset : offset + 10]!r}")
        offset = token.end()
        if token.group() == "/":
            continue
        try:
            betting = game.betting.act(betting, read_action(game, token.group()))
        except IllegalAction as problem:
            raise BadLine(f"the betting {shortened(text)!r} does not fit {game.name}: {problem}") from problem
    return betting


@cache
def wire_deck(deck: Deck) -> Deck:
    """The deck whose text the protocol uses: card by card the same, with ranks and suits of the full deck.

    >>> wire_deck(Deck.of("JQK", "ab")).text(range(6))
    'QhQsKhKsAhAs'
    """
    if len(deck.ranks) > len(RANKS) or len(deck.suits) > len(SUITS):
        return deck
    return Deck.of(RANKS[-len(deck.ranks) :], SUITS[-len(deck.suits) :])


@cache
def _read_decks(deck: Deck) -> tuple[Deck, ...]:
    """The decks in whose text cards may come: the protocol's, and the game's own if no card of both has one name."""
    wire = wire_deck(deck)
    names = [{one.name(card).lower() for card in range(one.size)} for one in (wire, deck)]
    return (wire,) if names[0] & names[1] else (wire, deck)


def cards_text(game: PokerGame, hands: Sequence[Sequence[int]], board: Sequence[int], round_: int) -> str:
    """Hole cards by position, () if unseen, and the public cards up to a round, in ACPC text."""
    deck, dealt = wire_deck(game.deck), game.rules.rounds[0].public
    cards = "|".join(deck.text(hand) for hand in [*hands[:-1], [*hands[-1], *board[:dealt]]])
    for later in game.rules.rounds[1 : round_ + 1]:
        cards += "/" + deck.text(board[dealt : dealt + later.public])
        dealt += later.public
    return cards


def view_line(view: View, hand: int) -> str:
    """The state line sent to one seat, from its view."""
    game, betting = view.game, view.betting
    hands = list(view.shown) or [()] * game.players
    hands[view.seat] = view.cards
    cards = cards_text(game, hands, view.board, betting.round)
    return f"MATCHSTATE:{view.seat}:{hand}:{betting.history}:{cards}"


def match_state(game: PokerGame, state: State, position: int, hand: int) -> str:
    """The state line sent to one position."""
    return view_line(game.view(state, position), hand)


def state_line(game: PokerGame, state: State, hand: int, returns: Sequence[float], names: Sequence[str]) -> str:
    """The log line of a finished hand; chips and names are by position."""
    won = "|".join(number(chips) for chips in returns)
    hands = [game.hand(state, position) for position in range(game.players)]
    cards = cards_text(game, hands, game.board(state), state.betting.round)
    return f"STATE:{hand}:{state.betting.history}:{cards}:{won}:{'|'.join(names)}"


def read_match_state(game: PokerGame, line: str, known: Betting | None = None) -> tuple[View, int]:
    """The client's view, and the number of the hand, from a dealer's line.

    The `known` betting of an earlier state is not replayed.
    """
    parts = line.strip().split(":")
    if len(parts) != 5 or parts[0] != "MATCHSTATE":
        raise BadLine(f"{shortened(line)!r} is not a state: MATCHSTATE:position:hand:betting:cards")
    position, hand = (_count(word, line) for word in parts[1:3])
    if position >= game.players:
        raise BadLine(f"position {position} in {shortened(line)!r}: {game.name} has {game.players} players")
    betting = read_betting(game, parts[3], known)
    hands, board = read_cards(game, parts[4], betting)
    own = hands[position]
    if not own:
        raise BadLine(f"position {position} cannot see its own cards in {shortened(line)!r}")
    shown: tuple[tuple[int, ...], ...] = ()
    if betting.actor < 0 and not betting.folded_out:
        shown = tuple(cards if betting.alive >> seat & 1 else () for seat, cards in enumerate(hands))
    return View(game, position, own, board, betting, own, (), shown), hand


def read_cards(game: PokerGame, text: str, betting: Betting) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
    """The hole cards of each position, () if unseen, and the public cards; raises BadLine if they do not fit."""
    if text.count("|") >= game.players or text.count("/") > len(game.rules.rounds):  # before any parsing
        raise BadLine(f"the cards {shortened(text)!r} are not those of {game.players} players and a board")
    hands, rest = _split_cards(game, text)
    rounds = game.rules.rounds[: betting.round + 1]
    private, public = sum(round_.private for round_ in rounds), sum(round_.public for round_ in rounds)
    if len(rest) not in (public, private + public):  # the last position's hole cards may be unseen
        raise BadLine(f"the public cards in {shortened(text)!r} do not fit round {betting.round + 1} of {game.name}")
    hands.append(tuple(rest[: len(rest) - public]))
    if len(hands) != game.players or any(len(hand) not in (0, private) for hand in hands):
        raise BadLine(f"the hole cards in {shortened(text)!r} are not {private} for each of {game.players} players")
    return hands, tuple(rest[len(rest) - public :])


def _split_cards(game: PokerGame, text: str) -> tuple[list[tuple[int, ...]], list[int]]:
    """The hole cards of every position but the last, and all other cards."""
    *firsts, last = text.split("|")
    problems: list[BadCards] = []
    for deck in _read_decks(game.deck):
        try:
            hands = [tuple(deck.cards(hand)) for hand in firsts]
            rest = [card for group in last.split("/") for card in deck.cards(group)]
            if not game.rules.replacement:
                deck.check([*(card for hand in hands for card in hand), *rest])
        except BadCards as problem:
            problems.append(problem)
        else:
            return hands, rest
    raise BadLine(f"the cards {shortened(text)!r} cannot be: {problems[0]}") from problems[0]


def returns_of(view: View) -> tuple[float, ...] | None:
    """Each position's winnings as far as a view of a finished hand shows them; None if cards are unseen."""
    game, betting = view.game, view.betting
    if betting.folded_out:
        return game.payoffs.returns(betting, ())
    strengths: list[int | None] = []
    for position in range(game.players):
        alive = betting.alive >> position & 1
        if alive and not (view.shown and view.shown[position]):
            return None
        strengths.append(game.strength(view.shown[position] + view.board) if alive else None)
    return game.payoffs.returns(betting, strengths)


def _count(word: str, line: str) -> int:
    if not re.fullmatch(r"[0-9]{1,12}", word):
        raise BadLine(f"{shortened(word)!r} in {shortened(line)!r} is not a whole number")
    return int(word)
