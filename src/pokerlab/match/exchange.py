"""Hands to and from other programs: logs of the computer poker competition, and PHH files.

PHH files are opened by PokerKit, which plays every hand by its own rules; its payoffs are kept. What our rules do not
allow is refused with the hand and the reason, so a file either fits or is named. Amounts with fractions are kept as
whole chips of a smaller size.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.games.acpc import number
from pokerlab.games.phh import check_phh, chips_a_unit, phh_text, read_phh, variant
from pokerlab.games.poker import PokerGame
from pokerlab.match.hand_text import betting_text, cards_text, replay
from pokerlab.match.hands import HandsFile, MatchRow
from pokerlab.match.history import History
from pokerlab.match.journal import journal_line
from pokerlab.reading import finite, read_text

FORMATS = ("acpc", "phh")
_BATCH = 20_000  # hands taken in at a time


# ---- out -----------------------------------------------------------------------------------------------------------


def exported(hands: HandsFile, match: MatchRow, form: str) -> Iterator[str]:
    """The lines of a match in another format: a log of the competition, or a .phhs file of PHH hands."""
    if form not in FORMATS:
        raise BadSetting(f"hands are exported as {' or '.join(FORMATS)}, not {form[:40]!r}")
    if form == "phh":
        variant(match.game.rules)
        return _phh_lines(hands, match)
    if match.game.dealing.draws:
        raise BadSetting(f"the competition's logs have no draws, and {match.game.name} has")
    return _acpc_lines(hands, match)


def _acpc_lines(hands: HandsFile, match: MatchRow) -> Iterator[str]:
    names = [_log_name(agent) for agent in match.agents]
    game = match.game.name.replace(" ", "")
    yield f"# name/game/hands/seed {'.'.join(names)} {game} {match.hands} {match.seed or 0}"
    totals = [0.0] * len(names)
    for hand in hands.hands(match):
        won = "|".join(number(chips) for chips in hand.payoffs)
        seated = "|".join(names[agent] for agent in hand.seats)
        yield f"STATE:{hand.number}:{hand.betting}:{hand.cards}:{won}:{seated}"
        for agent, chips in zip(hand.seats, hand.payoffs, strict=True):
            totals[agent] += chips
    yield f"SCORE:{'|'.join(number(total) for total in totals)}:{'|'.join(names)}"


def _log_name(agent: str) -> str:
    """A name that can stand in a log: without its separators."""
    return "".join("_" if letter in "|:# \t\r\n" else letter for letter in agent)


def _phh_lines(hands: HandsFile, match: MatchRow) -> Iterator[str]:
    for place, hand in enumerate(hands.hands(match), start=1):
        _, end = hand.steps(match)
        yield f"[{place}]"
        yield phh_text(match.game, end, names=hand.names(match), fields={"hand": hand.number})


# ---- in ------------------------------------------------------------------------------------------------------------


class _Hand(NamedTuple):
    game: PokerGame
    cards: str
    betting: str
    payoffs: tuple[float, ...]
    names: tuple[str, ...]


def imported(history: History, path: Path, form: str, *, game: PokerGame | None = None) -> int:
    """Take the hands of a file into a history; how many there were."""
    if form not in FORMATS:
        raise BadSetting(f"hands are imported from {' or '.join(FORMATS)}, not {form[:40]!r}")
    if form == "acpc" and game is None:
        raise BadSetting("a log of the competition does not tell its game: name it, as in --game holdem-nolimit")
    source = _from_acpc(path, game) if game is not None and form == "acpc" else _from_phh(path)
    groups: dict[str, list[_Hand]] = {}
    for hand in source:  # hands of the same game stand together as one match
        groups.setdefault(json.dumps(hand.game.rules.as_dict(), sort_keys=True) + hand.game.name, []).append(hand)
    if not groups:
        raise BadFile(f"{path} holds no hands")
    for hands in groups.values():
        _take_in(history, hands, source=f"{form}:{path.name}")
    return sum(map(len, groups.values()))


def _take_in(history: History, hands: list[_Hand], *, source: str) -> None:
    agents = list(dict.fromkeys(name for hand in hands for name in hand.names))
    place = {name: i for i, name in enumerate(agents)}
    first = hands[0].game
    settings = {"game": first.name, "rules": first.rules.as_dict(), "agents": agents, "hands": len(hands)}
    match = history.add_match(settings, source=source)
    numbered = enumerate(hands)
    with tempfile.TemporaryDirectory() as folder:
        for block, batch in enumerate(iter(lambda: list(islice(numbered, _BATCH)), [])):
            journal = Path(folder) / f"{block}.tsv"
            journal.write_text("".join(_line(i, hand, place) for i, hand in batch), encoding="utf-8")
            history.take_in(match, block, journal, hands=len(batch))


def _line(i: int, hand: _Hand, place: dict[str, int]) -> str:
    seats = [place[name] for name in hand.names]
    line = journal_line(
        hand=i, deal=i, passed=0, seats=seats, cards=hand.cards, betting=hand.betting, payoffs=hand.payoffs
    )
    return line + "\n"


def _from_acpc(path: Path, game: PokerGame) -> Iterator[_Hand]:
    for where, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.startswith("STATE:"):
            continue
        try:
            yield _acpc_hand(line, game)
        except PokerlabError as problem:
            raise BadFile(f"line {where} of {path}: {problem}") from problem


def _acpc_hand(line: str, game: PokerGame) -> _Hand:
    parts = line.split(":")
    if len(parts) != 6:
        raise BadFile(f"{line[:60]!r} is not STATE:hand:betting:cards:values:names")
    betting, cards, values, names = parts[2:]
    try:
        payoffs = tuple(finite(float(value)) for value in values.split("|"))
    except ValueError as problem:
        raise BadFile(f"{values[:40]!r} are not the chips that each position won") from problem
    _, end = replay(game, cards, betting)
    if len(payoffs) != game.players or len(names.split("|")) != game.players:
        raise BadFile(f"{game.name} has {game.players} positions, and the line has others")
    if end.betting.actor >= 0:
        raise BadFile(f"the hand {betting[:60]!r} is not over")
    return _Hand(game, cards_text(game, end), betting_text(game, end), payoffs, tuple(names.split("|")))


def _from_phh(path: Path) -> Iterator[_Hand]:
    for place, peer in enumerate(_phh_hands(path), start=1):
        try:
            yield _phh_hand(peer)
        except PokerlabError as problem:
            raise BadFile(f"hand {place} of {path}: {problem}") from problem


def _phh_hands(path: Path) -> Iterable[Any]:
    """The hands of a .phh file or of a .phhs file of many, opened by PokerKit."""
    from pokerkit import HandHistory

    text = read_text(path)
    check_phh(text)
    try:
        if path.suffix.lower() == ".phhs":
            return list(HandHistory.loads_all(text))
        return [HandHistory.loads(text)]
    except Exception as problem:
        raise BadFile(f"{path} is no PHH that PokerKit can open: {str(problem)[:200]}") from problem


def _phh_hand(peer: Any) -> _Hand:
    try:
        text = peer.dumps()
        names = tuple(map(str, peer.players or ()))
    except Exception as problem:
        raise BadFile(f"PokerKit cannot write it again: {type(problem).__name__} {str(problem)[:200]}") from problem
    game, end = read_phh(text)
    scale = chips_a_unit(text)
    try:
        *_, last = peer
        payoffs = tuple(round(finite(float(chips)) * scale, 6) for chips in last.payoffs)
    except Exception as problem:
        raise BadFile(f"PokerKit does not play it to its end: {str(problem)[:200]}") from problem
    if end.betting.actor >= 0:
        raise BadFile("it is not over")
    names = names or tuple(f"p{seat + 1}" for seat in range(game.players))
    if len(names) != game.players or len(set(names)) != game.players:
        raise BadFile("its players have no names of their own")
    return _Hand(game, cards_text(game, end), betting_text(game, end), payoffs, names)
