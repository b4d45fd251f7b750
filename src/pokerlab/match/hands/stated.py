"""Compares the payoffs stated in a file with those computed by the rules.

A hand is replayed and its payoffs computed; the stated ones must match. Three differences are accepted: odd chips,
which some programs split into fractions and others give to one winner; rake taken from the winners; and hands whose
cards were never shown, where only the sum and the losses can be checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pokerlab.errors import BadFile
from pokerlab.formats.acpc import number
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.pots import Payoffs
from pokerlab.games.poker.state import State

MOST_RAKE = 0.1  # of the pot
_ROUNDING = 1e-6  # logs have six decimals


def payoffs_of(game: PokerGame, end: State) -> list[tuple[float, ...]]:
    """The payoff of each seat: with odd chips by the game's rules, and split into fractions.

    Empty if the deciding cards are unknown.
    """
    betting = end.betting
    if not betting.folded_out and not _are_known(game, end):
        return []
    strengths = () if betting.folded_out else game.strengths(end)
    if game.rules.odd_chips == "split":
        return [game.returns(end)]
    split = Payoffs(replace(game.rules, odd_chips="split"), game.betting)
    return [game.returns(end), split.returns(betting, strengths)]


def _are_known(game: PokerGame, end: State) -> bool:
    alive = [seat for seat in range(game.players) if end.betting.alive >> seat & 1]
    return min([*game.board(end), *(card for seat in alive for card in game.hand(end, seat))]) >= 0


def agreed(game: PokerGame, end: State, stated: Sequence[float]) -> tuple[float, ...]:
    """The payoffs of a hand; raises BadFile if they differ from the stated ones."""
    counted = payoffs_of(game, end)
    for payoffs in counted:
        if _same(payoffs, stated):
            return payoffs
    if counted:
        raise BadFile(f"it states payoffs of {_list(stated)}, and by the rules they are {_list(counted[0])}")
    if not _possible(game, end.betting, stated):
        raise BadFile(f"it states payoffs of {_list(stated)}, which no cards could have paid")
    return tuple(stated)


def nearly_agreed(game: PokerGame, end: State, stated: Sequence[float]) -> tuple[float, ...]:
    """The same, but odd chips of split pots may have gone to any of the winners."""
    counted = payoffs_of(game, end)
    if counted and _is_split(game, end):
        gap = max(abs(one - other) for one, other in zip(counted[0], stated, strict=True))
        if gap < game.players * len(game.pots(end)) and abs(sum(stated)) <= _ROUNDING:
            return tuple(stated)
    return agreed(game, end, stated)


def _is_split(game: PokerGame, end: State) -> bool:
    """Whether two hands tie for some pot."""
    if end.betting.folded_out:
        return False
    strengths = game.strengths(end)
    for pot in game.pots(end):
        held = [strength for seat in pot.seats if (strength := strengths[seat]) is not None]
        if held.count(min(held)) > 1:
            return True
    return False


def check_after_rake(
    what: str, stated: Sequence[float], counted: Sequence[float], *, won: Sequence[bool], pot: float
) -> None:
    """Raise BadFile unless the stated amounts equal the computed ones, or are lower for winners only (rake)."""
    if not is_after_rake(stated, counted, won=won, pot=pot):
        raise BadFile(f"it states {what} of {_list(stated)}, and by the rules they are {_list(counted)}")


def is_after_rake(stated: Sequence[float], counted: Sequence[float], *, won: Sequence[bool], pot: float) -> bool:
    """Whether the stated amounts equal the computed ones, or are lower for winners only (rake)."""
    gaps = [more - less for more, less in zip(counted, stated, strict=True)]
    fits = all(gap >= -_ROUNDING and (gain or gap <= _ROUNDING) for gap, gain in zip(gaps, won, strict=True))
    return fits and sum(gaps) <= MOST_RAKE * pot + _ROUNDING


def _same(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(first - second) <= _ROUNDING for first, second in zip(one, other, strict=True))


def _possible(game: PokerGame, betting: Betting, stated: Sequence[float]) -> bool:
    """Whether a hand with unknown cards may have paid this: players who folded lost what they put in."""
    spent = game.spent(betting)
    for seat, (won, paid) in enumerate(zip(stated, spent, strict=True)):
        folded = not betting.alive >> seat & 1
        if not won >= -paid - _ROUNDING or (folded and won > -paid + _ROUNDING):
            return False
    return abs(sum(stated)) <= _ROUNDING * len(stated)


def _list(values: Sequence[float]) -> str:
    return "|".join(map(number, values))
