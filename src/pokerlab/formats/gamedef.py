"""Poker games from files: ACPC game definitions (.game) and your own rules (.toml).

A game definition is enclosed by GAMEDEF and END GAMEDEF, one key per line, in any case, with # comments. Such games are
played exactly as the ACPC server plays them: pots are split into fractions, and a short all-in reopens the betting for
everybody. TOML files can set every field of `Rules`; see docs/reference/games.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pokerlab.cards.card import FULL_DECK, RANKS, SHORT_DECK, SUITS, Deck
from pokerlab.errors import BadSetting, PokerlabError, shortened
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.legality import ACPC_MOST_ACTIONS
from pokerlab.games.poker.menu import menus_from
from pokerlab.games.poker.rules import MOST_PLAYERS, UNLIMITED, Round, Rules
from pokerlab.reading import read_text, toml_table
from pokerlab.registry import check_names, nearest
from pokerlab.settings import whole
from pokerlab.specs import spec_text

MOST_ROUNDS, MOST_HOLE_CARDS, MOST_BOARD_CARDS = 4, 3, 7
NO_CAP = 255  # the largest maxRaises, and the default
_MOST_BYTES = 1_000_000
_KEYS = {
    key.lower(): key
    for key in "numPlayers numRounds stack blind raiseSize firstPlayer maxRaises numSuits numRanks numHoleCards "
    "numBoardCards".split()
}


def read(path: str | Path) -> PokerGame:
    """The game that a .game or .toml file defines; raises BadFile or BadSetting if it is invalid."""
    file = Path(path)
    text = read_text(file, most=_MOST_BYTES)
    parse: Callable[[str], Rules] = toml_rules if file.suffix.lower() == ".toml" else acpc_rules
    try:
        rules = parse(text)
    except PokerlabError as problem:
        raise type(problem)(f"{file}: {problem}") from problem
    return PokerGame(rules, spec_text("file", {"path": str(path)}))


def acpc_rules(text: str) -> Rules:
    """The rules of a game definition."""
    values, limit = _entries(text)
    players = _one(values, "numPlayers", 2, MOST_PLAYERS)
    rounds = _one(values, "numRounds", 1, MOST_ROUNDS)
    ranks, suits = _one(values, "numRanks", 1, 13), _one(values, "numSuits", 1, 4)
    hole_cards = _one(values, "numHoleCards", 1, MOST_HOLE_CARDS)
    board = _several(values, "numBoardCards", rounds, 0, MOST_BOARD_CARDS)
    if sum(board) > MOST_BOARD_CARDS:
        raise BadSetting(f"numBoardCards may be {MOST_BOARD_CARDS} in all, and is {sum(board)}")
    blinds = _several(values, "blind", players, 0, UNLIMITED)
    stacks = _several(values, "stack", players, 1, UNLIMITED) if "stack" in values else None
    first = _several(values, "firstPlayer", rounds, 1, players) if "firstPlayer" in values else (1,) * rounds
    caps = _several(values, "maxRaises", rounds, 0, NO_CAP) if "maxRaises" in values else (NO_CAP,) * rounds
    bets = _several(values, "raiseSize", rounds, 1, UNLIMITED) if limit == "fixed" else (max(*blinds, 1),) * rounds
    rules = Rules(
        players=players,
        deck=Deck.of(RANKS[13 - ranks :], SUITS[4 - suits :]),
        rounds=tuple(
            Round(
                private=hole_cards if number == 0 else 0,
                public=board[number],
                bet=bets[number],
                raises=None if caps[number] == NO_CAP else caps[number],
                first=first[number] - 1,
            )
            for number in range(rounds)
        ),
        limit=limit,
        blinds=blinds,
        stacks=None if stacks is None or min(stacks) == UNLIMITED else stacks,
        odd_chips="split",
        reopens_at=0.0,
        least_raise="acpc",
    )
    if _takes_back_bets(rules):
        raise BadSetting(
            "stack must be the same for all players of a limit game, or enough for every bet: with less, the "
            "competition's server takes back bets that a shorter stack cannot raise"
        )
    return rules


def server_rules(rules: Rules) -> Rules:
    """The rules by which the ACPC server plays a game; raises BadSetting if its definitions cannot express it.

    The server splits pots into fractions, ends the raising in a round before its 64 actions are full, and lets every
    all-in reopen the betting. Where none of this can happen, the rules stay as they are.
    """
    _check_expressible(rules)
    stays = all(
        round_.raises is not None and (round_.raises + 2) * rules.players <= ACPC_MOST_ACTIONS
        for round_ in rules.rounds
    )
    if not stays or _can_run_out(rules):
        return replace(rules, odd_chips="split", reopens_at=0.0, least_raise="acpc")
    return replace(rules, odd_chips="split") if rules.players > 2 else rules


def _can_run_out(rules: Rules) -> bool:
    """Whether the betting can take all chips of a player."""
    if rules.stacks is None:
        return False
    bets = sum(round_.bet * (ACPC_MOST_ACTIONS if round_.raises is None else round_.raises) for round_ in rules.rounds)
    return rules.limit != "fixed" or min(rules.stacks) < max(rules.blinds) + max(rules.antes) + bets


def _takes_back_bets(rules: Rules) -> bool:
    """Whether the ACPC server can lower the bet to call, when a player raises in limit with less than a call takes."""
    return rules.limit == "fixed" and len(set(rules.stacks or ())) > 1 and _can_run_out(rules)


def acpc_text(rules: Rules) -> str:
    """The ACPC game definition of some rules; raises BadSetting if it cannot express them."""
    _check_expressible(rules)
    blinds = tuple(blind + ante for blind, ante in zip(rules.blinds, rules.antes, strict=True))
    rounds = rules.rounds
    caps = [NO_CAP if round_.raises is None else round_.raises for round_ in rounds]
    values: dict[str, Sequence[int]] = {  # empty: the default of the format
        "numPlayers": [rules.players],
        "numRounds": [len(rounds)],
        "stack": rules.stacks or (),
        "blind": blinds,
        "raiseSize": [round_.bet for round_ in rounds] if rules.limit == "fixed" else (),
        "firstPlayer": [round_.first + 1 for round_ in rounds] if any(round_.first for round_ in rounds) else (),
        "maxRaises": caps if min(caps) != NO_CAP else (),
        "numSuits": [len(rules.deck.suits)],
        "numRanks": [len(rules.deck.ranks)],
        "numHoleCards": [rounds[0].private],
        "numBoardCards": [round_.public for round_ in rounds],
    }
    lines = [f"{key} = {' '.join(map(str, numbers))}" for key, numbers in values.items() if numbers]
    return "\n".join(["GAMEDEF", "limit" if rules.limit == "fixed" else "nolimit", *lines, "END GAMEDEF", ""])


def _check_expressible(rules: Rules) -> None:
    later = rules.rounds[1:]
    problems = {
        "limits other than fixed and none": rules.limit not in ("fixed", "no"),
        "draws": any(round_.draw for round_ in rules.rounds),
        "private cards in a later round": any(round_.private for round_ in later),
        "rounds without betting": any(not round_.betting or round_.bettors for round_ in rules.rounds),
        "antes beside blinds": any(rules.antes) and (any(rules.blinds) or rules.limit != "fixed"),
        f"more than {MOST_ROUNDS} rounds": len(rules.rounds) > MOST_ROUNDS,
        f"more than {MOST_HOLE_CARDS} private cards": rules.rounds[0].private > MOST_HOLE_CARDS,
        "decks larger than the full one": len(rules.deck.ranks) > 13 or len(rules.deck.suits) > 4,
        f"the showdown {rules.showdown!r}": rules.showdown != "high",
        "independent decks": rules.replacement,
        "bet menus": rules.has_menus,
        "minimum bets other than the big blind": rules.limit == "no"
        and any(round_.bet != max(*rules.blinds, 1) for round_ in rules.rounds),
        "different stacks in limit that can run out": _takes_back_bets(rules),
    }
    for words, holds in problems.items():
        if holds:
            raise BadSetting(f"ACPC game definitions cannot express {words}")


def _entries(text: str) -> tuple[dict[str, tuple[int, list[str]]], str]:
    """Each key's line number and words, and the limit."""
    values: dict[str, tuple[int, list[str]]] = {}
    limit = "fixed"
    inside = ended = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        lowered = line.lower()
        if not line or ended:
            continue
        if lowered == "gamedef":
            inside = True
        elif not inside:
            raise BadSetting(f"line {number} comes before GAMEDEF: {shortened(line)!r}")
        elif lowered == "end gamedef":
            ended = True
        elif lowered in ("limit", "nolimit"):
            limit = "fixed" if lowered == "limit" else "no"
        else:
            key, sign, rest = line.partition("=")
            name = _KEYS.get(key.strip().lower())
            if not sign or name is None:
                close = nearest(key.strip(), list(_KEYS.values()))
                raise BadSetting(f"line {number} is not understood: {shortened(line)!r}; {close}")
            values[name] = (number, rest.split())
    if not ended:
        raise BadSetting("a game definition must be enclosed by GAMEDEF and END GAMEDEF")
    return values, limit


def _several(values: dict[str, tuple[int, list[str]]], key: str, count: int, least: int, most: int) -> tuple[int, ...]:
    if key not in values:
        raise BadSetting(f"{key} is missing from the game definition")
    number, words = values[key]
    if len(words) != count:
        raise BadSetting(f"line {number}: {key} needs {count} numbers, and has {len(words)}")
    for word in words:
        if not word.isascii() or not word.isdigit() or not least <= int(word[:12]) <= most:
            raise BadSetting(f"line {number}: {key} must be numbers from {least} to {most}; got {shortened(word)!r}")
    return tuple(int(word) for word in words)


def _one(values: dict[str, tuple[int, list[str]]], key: str, least: int, most: int) -> int:
    return _several(values, key, 1, least, most)[0]


def toml_rules(text: str) -> Rules:
    """The rules in a TOML text: a table of `Rules`, with its rounds as [[rounds]]."""
    return rules_from(toml_table(text))


def rules_from(table: dict[str, Any]) -> Rules:
    """Rules from plain values, as `Rules.as_dict` returns them."""
    known = [name for name in Rules.__dataclass_fields__ if name != "deck"] + ["deck", "ranks", "suits", "menu"]
    check_names("a game", table, known)
    rounds = table.get("rounds")
    if not isinstance(rounds, list) or not all(isinstance(round_, dict) for round_ in rounds):
        raise BadSetting("the rules need their rounds, each as a table [[rounds]]")
    settings = {key: value for key, value in table.items() if key not in ("rounds", "deck", "ranks", "suits", "menu")}
    if "menu" in table:  # for every round without its own
        rounds = [{"menu": table["menu"], **round_} for round_ in rounds]
    if "players" not in settings:
        raise BadSetting("the rules need the number of players: players = 2")
    players = whole(2, MOST_PLAYERS)("players", settings["players"])
    for key in ("antes", "blinds", "stacks"):
        value = settings.get(key, [])
        if not isinstance(value, int | list):
            raise BadSetting(f"{key} must be one number, or a list of one per seat; got {shortened(str(value))!r}")
        if key in settings:
            settings[key] = (value,) * players if isinstance(value, int) else tuple(value)
    return Rules(**settings, deck=_deck(table), rounds=tuple(_round(number, one) for number, one in enumerate(rounds)))


def _deck(table: dict[str, Any]) -> Deck:
    name = table.get("deck", "full")
    if "ranks" in table or "suits" in table:
        ranks, suits = table.get("ranks", list(RANKS)), table.get("suits", [""])
        for key, words in (("ranks", ranks), ("suits", suits)):
            if not isinstance(words, (str, list)) or not all(isinstance(word, str) for word in words):
                raise BadSetting(f"{key} must be a text or a list, weakest first; got {shortened(str(words))!r}")
        return Deck.of(ranks, suits)
    if name not in ("full", "short"):
        raise BadSetting(f"the deck is 'full', 'short', or given by ranks and suits; got {shortened(str(name))!r}")
    return SHORT_DECK if name == "short" else FULL_DECK


def _round(number: int, table: dict[str, Any]) -> Round:
    check_names(f"round {number + 1}", table, list(Round.__dataclass_fields__))
    settings = dict(table)
    if "bettors" in settings:
        if not isinstance(settings["bettors"], list):
            raise BadSetting(f"bettors of round {number + 1} must be a list of seats")
        settings["bettors"] = tuple(settings["bettors"])
    if "menu" in settings:
        settings["menu"] = menus_from(settings["menu"], f"menu of round {number + 1}")
    return Round(**settings)
