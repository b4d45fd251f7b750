"""Node locking: fix a player's strategy at some nodes of a spot, for all hands or some, and solve the rest.

A lock names a node by its moves, with "*" for any card, and gives action frequencies there, for all hands or for a
range:

    [[lock]]
    at = "check, bet 50"
    strategy = { fold = 0.5, call = 0.5 }
    hands = "22-99"

or, in one line of text, "check, bet 50: fold 50%, call 50% with 22-99". Instead of frequencies a lock may name any
policy to imitate: as = "formula", or "check: as strategy:villain.solution". Such a policy is queried hand by hand by
`plays`, which lab/spots/locking.py provides, since this package cannot import agents. User agents, "check: as
./mybot.py", can be named only in a line that the user types, never in a file; a saved solution records their path and
contents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadSetting, IllegalAction
from pokerlab.formats.game_file import GameFile, file_of, game_file
from pokerlab.games.poker.betting_tree import Deal, Decision, Node
from pokerlab.strategy.spot_actions import action_number
from pokerlab.tree.form import SuitIsomorphism
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.reading import boards_after, stored_hands, stored_places

ANY_CARD = "*"
# a frequency and a space before the next action: "fold 80% call 20%"
_BETWEEN_ACTIONS = re.compile(r"(\s(?:[0-9.]+%|0?\.\d+|[01](?:\.0*)?))\s+(?=[A-Za-z])")


@dataclass(frozen=True)
class Lock:
    """Fixed play at a node with the hands of a range: action frequencies, or the play of an agent."""

    moves: tuple[str, ...]
    strategy: Mapping[str, float]
    hands: Range = field(default_factory=Range.random)
    like: str = ""  # the name of an agent, instead of frequencies
    code: GameFile | None = None  # of a user agent, as it was when the lock was made


# (lock, actions that lead to the node as the rule engine writes them, board) -> [hand, action] probabilities
Plays = Callable[[Lock, tuple[str, ...], tuple[int, ...]], np.ndarray]


def lock_from(table: Any) -> Lock:
    """A lock from a table of settings."""
    if (
        not isinstance(table, Mapping)
        or not set(table) <= {"at", "strategy", "as", "hands", "code"}
        or ("as" in table) == ("strategy" in table)
    ):
        raise BadSetting('a lock has "at" (moves), "strategy" (frequencies) or "as" (an agent), and may have "hands"')
    moves, strategy, hands = table.get("at", ""), table.get("strategy", {}), table.get("hands", "random")
    if not isinstance(moves, (str, list, tuple)) or not isinstance(strategy, Mapping) or not isinstance(hands, str):
        raise BadSetting('a lock reads as at = "check, bet 50", strategy = { fold = 0.5, call = 0.5 }, hands = "22+"')
    words = moves.split(",") if isinstance(moves, str) else [str(move) for move in moves]
    path, held = tuple(word.strip() for word in words if word.strip()), Range.parse(hands)
    if not set(np.unique(held.weights)) <= {0.0, 1.0}:
        raise BadSetting(f"a lock holds hands or not, so those of {hands[:40]!r} have no weights; mix in the strategy")
    if "as" in table:
        like = table["as"]
        if not isinstance(like, str) or not like.strip():
            raise BadSetting('a lock plays like an agent by its name, as = "formula"')
        return Lock(path, {}, held, like.strip(), file_of(table.get("code"), "the lock"))
    for action, share in strategy.items():
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
            raise BadSetting(f"the frequency of {str(action)[:40]!r} in a lock is a number from 0 to 1, not {share}")
    if abs(sum(strategy.values()) - 1) > 1e-6:
        shown = ", ".join(f"{str(action)[:40]} {100 * share:g}%" for action, share in strategy.items())
        raise BadSetting(
            f"the frequencies of a lock must add up to 100 %, and those of {shown[:120]!r} add up to "
            f'{100 * sum(strategy.values()):g} %: write "fold 80%, call 20%"'
        )
    return Lock(path, dict(strategy), held)


def lock_from_text(text: str) -> Lock:
    """A lock from one line: moves, a colon, actions with frequencies, and optionally `with` a range.

    Frequencies are also read as "fold=0.8, call=0.2" and without the comma, "fold 80% call 20%".

    >>> lock = lock_from_text("check, bet 50: fold 25%, call 0.75 with 22-99")
    >>> lock.moves, lock.strategy, lock.hands.text()
    (('check', 'bet 50'), {'fold': 0.25, 'call': 0.75}, '22-99')
    >>> lock_from_text(": check").strategy
    {'check': 1.0}
    >>> lock_from_text("check: as strategy:villain.solution with 22+").like
    'strategy:villain.solution'
    """
    played = re.fullmatch(r"([^:]*):\s*as\s+(.+?)(?:\s+with\s+(.*))?", text.strip())
    if played:
        lock = lock_from({"at": played[1], "as": played[2], "hands": played[3] or "random"})
        return replace(lock, code=game_file(lock.like))
    before, _, hands = text.partition(" with ")  # a range may contain colons
    moves, colon, actions = before.rpartition(":")
    strategy: dict[str, float] = {}
    for part in _BETWEEN_ACTIONS.sub(r"\1,", actions.replace("=", " ")).split(","):
        action, _, share = part.strip().rpartition(" ")
        action = action.strip()
        if not action or not _is_share(share):
            action, share = part.strip(), "100%"
        if not action:
            colon = ""
            break
        strategy[action] = float(share[:-1]) / 100 if share.endswith("%") else float(share)
    if not colon:
        raise BadSetting(
            f'a lock reads as "check, bet 50: fold 50%, call 50% with 22-99" (": check" is at the start), '
            f"not {text[:60]!r}"
        )
    return lock_from({"at": moves, "strategy": strategy, "hands": hands.strip() or "random"})


def _is_share(word: str) -> bool:
    """Whether a word is a frequency rather than a bet size: it has a percent sign, or is from 0 to 1."""
    try:
        return (word.endswith("%") and float(word[:-1]) >= 0) or 0 <= float(word) <= 1
    except ValueError:
        return False


def lock_settings(lock: Lock) -> dict[str, Any]:
    """The table that `lock_from` reads back."""
    played: dict[str, Any] = {"as": lock.like} if lock.like else {"strategy": dict(lock.strategy)}
    if lock.code is not None:
        played["code"] = asdict(lock.code)
    return {"at": list(lock.moves), **played, "hands": lock.hands.text()}


def isomorphism_of(locks: Sequence[Lock]) -> SuitIsomorphism:
    """The suit isomorphism that locks allow: boards and hands that a lock distinguishes are not merged.

    An agent may treat suits differently, so locks that name one allow no isomorphism.
    """
    named = any(_is_card(move) for lock in locks for move in lock.moves) or any(lock.like for lock in locks)
    return SuitIsomorphism(not named, [lock.hands.weights for lock in locks])


class LockedDecision(NamedTuple):
    """Where a lock applies in a public form, and the fixed strategy there."""

    number: int  # round
    player: int
    places: np.ndarray  # offsets into the stored numbers
    frequencies: np.ndarray  # by offset; empty if the agent to imitate was not queried


def place_locks(solver: Any, locks: Sequence[Lock], plays: Plays) -> None:
    """Apply locks to a solver of the public form; BadSetting if it does not support them."""
    if locks and not hasattr(solver, "lock"):
        raise BadSetting("locks hold in algorithms of the CFR family and in cfr-br; choose one of those, or no lock")
    for lock in fixed_by(solver.form, locks, plays) if locks else ():
        solver.lock(lock.number, lock.player, places=lock.places, frequencies=lock.frequencies)


def fixed_by(tree: PublicTree, locks: Sequence[Lock], plays: Plays | None = None) -> list[LockedDecision]:
    """What locks fix in a public form; without `plays`, locks that imitate an agent have no frequencies."""
    fixed = []
    for lock in locks:
        node, boards, codes = _find(tree, lock)
        held = lock.hands.weights > 0
        places = stored_places(tree, node, boards, held)
        if not len(places):
            where = ", ".join(lock.moves) or "the start"
            raise BadSetting(
                f"a lock at {where[:60]!r} holds nobody: no hand of {lock.hands.text()[:40]!r} is in the range of the "
                "player to act there"
            )
        number = tree.places[node].round
        frequencies = np.zeros(0)
        if not lock.like:
            shares = np.zeros(len(node.actions))
            for action, share in lock.strategy.items():
                shares[action_number(action, node.actions)] += share
            frequencies = np.tile(shares, len(places))
        elif plays is not None:
            rows = [
                plays(lock, codes, tree.rounds[number].boards[board])[stored_hands(tree, node, board, held)]
                for board in boards
            ]
            frequencies = np.concatenate(rows).reshape(-1)
        fixed.append(LockedDecision(number, node.player, places.reshape(-1), frequencies))
    return fixed


def _find(tree: PublicTree, lock: Lock) -> tuple[Decision, list[int], tuple[str, ...]]:
    """The decision that a lock names, the boards of its round that it covers, and the actions that lead to it."""
    node: Node = tree.betting
    codes: list[str] = []
    boards, number = [0], 0
    for move in (*lock.moves, None):
        while isinstance(node, Deal) and (move is None or move == ANY_CARD or _is_card(move)):
            card = None if move is None or move == ANY_CARD else FULL_DECK.card(move)
            boards = boards_after(tree, number, boards, card)
            number += 1
            node = node.child
            if move is not None:
                break
        else:
            if move is None:
                break
            if not isinstance(node, Decision):
                raise IllegalAction(f"the lock's move {move[:40]!r} leads nowhere: no decision is made there")
            chosen = action_number(move, node.actions)
            codes.append(node.codes[chosen])
            node = node.children[chosen]
    if not isinstance(node, Decision) or not boards:
        raise IllegalAction(f"a lock must be at a decision, and {', '.join(lock.moves)[:80] or 'the start'!r} is not")
    return node, boards, tuple(codes)


def _is_card(move: str) -> bool:
    text = move.strip().lower()
    return len(text) == 2 and text[0] in "23456789tjqka" and text[1] in "cdhs"
