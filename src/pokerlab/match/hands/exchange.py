"""Import and export of hands: ACPC logs and PHH files.

Every imported hand is replayed by the rules, and its payoffs must match the file. PHH files are also opened by
PokerKit, which plays every hand by its own rules and has its own treatment of odd chips. A file is imported completely
or not at all: the error names the first hand that does not fit, the reason, and the number of others. Fractional
amounts are stored as whole chips of a smaller size, and rake is not stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.formats import acpc
from pokerlab.formats.acpc import number, wire_deck
from pokerlab.formats.game_words import words_of
from pokerlab.formats.phh import chips_a_unit, phh_tables, phh_text, read_phh, read_table, variant
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import UNLIMITED
from pokerlab.games.poker.state import State
from pokerlab.match.hands.hand_text import NOT_KNOWN, betting_text, cards_text, replay
from pokerlab.match.hands.history import History
from pokerlab.match.hands.journal import SavedHand
from pokerlab.match.hands.query import HandsFile, MatchRow
from pokerlab.match.hands.stated import agreed, check_after_rake, is_after_rake, nearly_agreed
from pokerlab.reading import finite, read_text

FORMATS = ("acpc", "phh")
_BATCH = 20_000  # hands imported at a time
_LONGEST_NAME = 200
_LONGEST_NUMBER = 12  # digits of the number of a hand


# ---- out -----------------------------------------------------------------------------------------------------------


def exported(hands: HandsFile, match: MatchRow, form: str) -> Iterator[str]:
    """The lines of a match in another format: an ACPC log, or a .phhs file of PHH hands."""
    if form not in FORMATS:
        raise BadSetting(f"hands are exported as {' or '.join(FORMATS)}, not {form[:40]!r}")
    if form == "phh":
        variant(match.game.rules)
        return _phh_lines(hands, match)
    if match.game.dealing.draws:
        raise BadSetting(f"the competition's logs have no draws, and {match.game.name} has")
    if match.contest:
        raise BadSetting("the competition's logs have no stacks, and here they change from hand to hand: export as phh")
    return _acpc_lines(hands, match)


def _acpc_lines(hands: HandsFile, match: MatchRow) -> Iterator[str]:
    names = _log_names(match.agents)
    game = match.game.name.replace(" ", "")
    yield f"# name/game/hands/seed {'.'.join(names)} {game} {match.hands} {match.seed or 0}"
    totals = [0.0] * len(names)
    for hand in hands.hands(match):
        won = "|".join(number(chips) for chips in hand.payoffs)
        seated = "|".join(names[agent] for agent in hand.seats)
        yield f"STATE:{hand.number}:{hand.betting}:{_log_cards(match, hand)}:{won}:{seated}"
        for agent, chips in zip(hand.seats, hand.payoffs, strict=True):
            totals[agent] += chips
    yield f"SCORE:{'|'.join(number(total) for total in totals)}:{'|'.join(names)}"


def _log_names(agents: Iterable[str]) -> list[str]:
    """Names valid in a log: without its separators, and still distinct."""
    agent_of: dict[str, str] = {}
    names = []
    for agent in agents:
        name = "".join("_" if letter in "|:# \t\r\n" else letter for letter in agent)
        if agent_of.setdefault(name, agent) != agent:
            both = f"{agent_of[name]!r} and {agent!r}"
            raise BadSetting(f"a log has no spaces and no |, : or #, so {both} would be the same name: rename one")
        names.append(name)
    return names


def _log_cards(match: MatchRow, hand: SavedHand) -> str:
    """The cards of a hand as ACPC text, which cannot mark single cards as unknown."""
    first, *later = match.game.rules.rounds
    as_written = (
        not first.public and all(round_.public for round_ in later) and wire_deck(match.game.deck) == match.game.deck
    )
    if as_written and "?" not in hand.cards:
        return hand.cards
    game, (_, end) = match.game, hand.steps(match)
    hands = [game.hand(end, seat) for seat in range(game.players)]
    shown = [() if set(cards) == {NOT_KNOWN} else cards for cards in hands]
    board = game.board(end)
    if any(NOT_KNOWN in cards for cards in (*shown, board)):
        raise BadSetting(f"a log shows all cards of a hand or none, and some cards of hand {hand.number} are unknown")
    return acpc.cards_text(game, shown, board, end.betting.round)


def _phh_lines(hands: HandsFile, match: MatchRow) -> Iterator[str]:
    for place, hand in enumerate(hands.hands(match), start=1):
        _, end = hand.steps(match)
        game = hand.game(match)
        text = phh_text(game, end, names=hand.names(match), fields={"hand": hand.number})
        _check_written(game, end, text, hand.number)
        yield f"[{place}]"
        yield text


def _check_written(game: PokerGame, end: State, text: str, number: int) -> None:
    """Raise BadSetting if PHH, which has betting rules of its own, would read the hand differently or not at all."""
    try:
        if read_phh(text)[1].betting.history != end.betting.history:
            raise BadSetting("it would be another hand there")
        posted = max(game.betting.start().live)
        if posted < max(game.rules.blinds):  # short blind: PokerKit's amount to call is lower than the rule books'
            _phh_hand(_opened(text, many=False)[0], phh_tables(text)[0])
    except PokerlabError as problem:
        raise BadSetting(
            f"hand {number} cannot be written as PHH, which has its own betting rules: {problem}"
        ) from problem


# ---- in ------------------------------------------------------------------------------------------------------------


class PlayedHand(NamedTuple):
    """A hand that has been played, with its game."""

    game: PokerGame
    cards: str
    betting: str
    payoffs: tuple[float, ...]  # by seat
    names: tuple[str, ...]  # by seat
    number: int = 0
    deal: int | None = None  # hands of one deal have the same cards; None: a deal of its own


def read_hands(path: Path, form: str, *, game: PokerGame | None = None) -> list[PlayedHand]:
    """The hands of a log or a PHH file, replayed and checked; raises BadFile if there are none."""
    if form not in FORMATS:
        raise BadSetting(f"hands are imported from {' or '.join(FORMATS)}, not {form[:40]!r}")
    if form == "acpc" and game is None:
        raise BadSetting("an ACPC log does not name its game: add --game holdem-nolimit")
    source = _acpc_hands(path, game) if game is not None and form == "acpc" else _phh_hands(path)
    hands = list(_fitting(path, source))
    if not hands:
        raise BadFile(f"{path} holds no hands")
    return hands


def take_in(history: History, hands: list[PlayedHand], *, source: str) -> None:
    """Store hands of one game as a match."""
    agents = list(dict.fromkeys(name for hand in hands for name in hand.names))
    index = {name: i for i, name in enumerate(agents)}
    settings = {**words_of(hands[0].game), "agents": agents, "hands": len(hands)}
    match = history.add_match(settings, source=source)
    lines = [
        SavedHand(i, i, 0, [index[name] for name in hand.names], hand.cards, hand.betting, hand.payoffs).line()
        for i, hand in enumerate(hands)
    ]
    for block, first in enumerate(range(0, len(lines), _BATCH)):
        history.take_in(match, block, lines[first : first + _BATCH])


def _fitting(path: Path, readers: Iterable[tuple[str, Callable[[], PlayedHand]]]) -> Iterator[PlayedHand]:
    """Every hand; raises BadFile at the end if any does not fit, naming the first and counting the others."""
    problems = []
    for where, read in readers:
        try:
            yield read()
        except PokerlabError as problem:
            problems.append((where, problem))
    if problems:
        where, first = problems[0]
        others = f"; {len(problems) - 1:,} more do not fit either" if len(problems) > 1 else ""
        raise BadFile(f"{where} of {path}: {first}{others}; nothing was imported") from first


def _acpc_hands(path: Path, game: PokerGame) -> Iterator[tuple[str, Callable[[], PlayedHand]]]:
    for place, line in enumerate(read_text(path).split("\n"), start=1):
        if line.startswith("STATE:"):
            yield f"line {place}", partial(_acpc_hand, line, game)


def _acpc_hand(line: str, game: PokerGame) -> PlayedHand:
    parts = line.split(":")
    if len(parts) != 6:
        raise BadFile(f"{line[:60]!r} is not STATE:hand:betting:cards:values:names")
    betting, cards, values, names = parts[2:]
    try:
        payoffs = tuple(float(value) for value in values.split("|"))
    except ValueError as problem:
        raise BadFile(f"{values[:40]!r} are not the chips that each position won") from problem
    end = _acpc_end(game, cards, betting)
    if len(payoffs) != game.players or len(names.split("|")) != game.players:
        raise BadFile(f"{game.name} has {game.players} positions, and the line has others")
    if end.betting.actor >= 0:
        raise BadFile(f"the hand {betting[:60]!r} is not over")
    payoffs = agreed(game, end, payoffs)
    number = int(parts[1]) if parts[1].isdecimal() and len(parts[1]) <= _LONGEST_NUMBER else 0
    cards, betting = cards_text(game, end), betting_text(game, end)
    return PlayedHand(game, cards, betting, payoffs, checked_names(names.split("|")), number)


def _acpc_end(game: PokerGame, cards: str, betting: str) -> State:
    """The final state of a hand in a log; draws, which ACPC does not have, use our notation."""
    if game.dealing.draws:
        return replay(game, cards, betting)[1]
    reached = acpc.played(game, betting)
    hands, board = acpc.read_cards(game, cards.replace("??", ""), reached)
    text = "|".join(game.text(hand) for hand in hands)
    for round_ in game.rules.rounds[: reached.round + 1]:
        if round_.public:
            text, board = f"{text}/{game.text(board[: round_.public])}", board[round_.public :]
    return replay(game, text, betting)[1]


def _phh_hands(path: Path) -> Iterator[tuple[str, Callable[[], PlayedHand]]]:
    """The hands of a .phh file, or a .phhs file of many, opened by PokerKit."""
    text, many = read_text(path), path.suffix.lower() == ".phhs"
    try:
        tables = phh_tables(text, many=many)  # parsed before PokerKit sees possibly malicious input
    except PokerlabError as problem:
        raise BadFile(f"{path}: {problem}") from problem
    try:
        hands = list(zip(_opened(text, many=many), tables, strict=True))
    except PokerlabError:
        raise
    except Exception as problem:
        raise BadFile(f"{path} is not a PHH file that PokerKit can open: {str(problem)[:200]}") from problem
    for place, hand in enumerate(hands, start=1):
        yield f"hand {place}", partial(_phh_hand, *hand)


def _opened(text: str, *, many: bool) -> list[Any]:
    from pokerkit import HandHistory

    return list(HandHistory.loads_all(text)) if many else [HandHistory.loads(text)]


def _phh_hand(peer: Any, table: dict[str, Any]) -> PlayedHand:
    game, end = read_table(table)
    scale = chips_a_unit(table)
    try:
        *_, last = peer
        payoffs = tuple(round(finite(float(chips)) * scale, 6) for chips in last.payoffs)
    except Exception as problem:
        raise BadFile(f"PokerKit does not play it to its end: {str(problem)[:200]}") from problem
    if end.betting.actor >= 0:
        raise BadFile("it is not over")
    payoffs = nearly_agreed(game, end, payoffs)
    _check_fields(game, end, payoffs, table, scale)
    names = table.get("players") or [f"p{seat + 1}" for seat in range(game.players)]
    if not isinstance(names, list) or len(set(map(str, names))) != game.players:
        raise BadFile("its players have no names of their own")
    return PlayedHand(game, cards_text(game, end), betting_text(game, end), payoffs, checked_names(map(str, names)))


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names of the players; raises BadFile if one is too long for a table."""
    checked = tuple(names)
    for name in checked:
        if len(name) > _LONGEST_NAME:
            raise BadFile(
                f"the name {name[:40]!r}... has {len(name):,} characters; at most {_LONGEST_NAME} are allowed"
            )
    return checked


def _check_fields(game: PokerGame, end: State, payoffs: tuple[float, ...], table: dict[str, Any], scale: int) -> None:
    """Raise BadFile if the file's final stacks or winnings differ from those of the hand, apart from rake."""
    spent, pot = game.spent(end.betting), game.pot(end.betting)
    won = [chips > -paid for chips, paid in zip(payoffs, spent, strict=True)]
    stacks = _stated(table, "finishing_stacks", game.players, scale)
    began = game.rules.stacks
    if stacks is not None and began is not None and max(began) < UNLIMITED:
        counted = [stack + chips for stack, chips in zip(began, payoffs, strict=True)]
        check_after_rake("finishing stacks", stacks, counted, won=won, pot=pot)
    winnings = _stated(table, "winnings", game.players, scale)
    if winnings is None:
        return
    # poker rooms differ: chips taken from the pot, with or without uncalled bets, or the net gain
    taken = [chips + paid for chips, paid in zip(payoffs, spent, strict=True)]
    second = sorted(spent)[-2]
    called = [max(chips - max(paid - second, 0), 0) for chips, paid in zip(taken, spent, strict=True)]
    meanings = [taken, called, [max(chips, 0) for chips in payoffs], list(payoffs)]
    if not any(is_after_rake(winnings, counted, won=won, pot=pot) for counted in meanings):
        check_after_rake("winnings", winnings, taken, won=won, pot=pot)


def _stated(table: dict[str, Any], field: str, players: int, scale: int) -> list[float] | None:
    values = table.get(field)
    if values is None:
        return None
    if not isinstance(values, list) or len(values) != players:
        raise BadFile(f"{field} must be {players} amounts, one a player; got {str(values)[:60]}")
    try:
        return [finite(float(value)) * scale for value in values]
    except (TypeError, ValueError) as problem:
        raise BadFile(f"{field} must be amounts; got {str(values)[:60]}") from problem
