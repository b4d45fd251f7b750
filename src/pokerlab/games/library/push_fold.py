"""Push or fold: before the flop every player goes all-in or folds; stacks are in big blinds."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Annotated, Any

from pokerlab.errors import BadSetting
from pokerlab.games.library._presets import Players, first_after_blinds, rolled_out, seated_blinds
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.games.prizes.prize_game import PrizeGame
from pokerlab.settings import declared, number, one_or_each, per_seat, whole

BIG_BLIND = 100  # chips, so that hundredths of a big blind are whole chips
MOST = 1e6  # big blinds
MOST_CHIPS = 10**6  # per big blind

BigBlinds = Annotated[float, number(0, MOST)]


def chips(name: str, big_blinds: float, unit: int = BIG_BLIND) -> int:
    """Convert big blinds of `unit` chips to chips; raises BadSetting if the result is not whole."""
    amount = round(big_blinds * unit)
    if abs(amount - big_blinds * unit) > 1e-6:
        raise BadSetting(f"{name} must be a whole number of chips, {unit} to a big blind; got {big_blinds} big blinds")
    return amount


def _antes(players: int, each: int, for_all: int) -> tuple[int, ...]:
    """What each seat posts; the big blind, seat 0 heads-up and else seat 1, may post an ante for the whole table."""
    if each and for_all:
        raise BadSetting("an ante is posted by every player, or by the big blind for all: name one of the two")
    big = 0 if players == 2 else 1
    return tuple(for_all if for_all and seat == big else each for seat in range(players))


def rules(stacks: Sequence[int], blinds: tuple[int, int], antes: tuple[int, ...] = ()) -> Rules:
    """The rules for players with these stacks, the small blind first; heads-up the big blind. Amounts are chips."""
    posted = seated_blinds(blinds, len(stacks))
    return Rules(
        players=len(stacks),
        rounds=rolled_out(Round(private=2, bet=blinds[1], first=first_after_blinds(posted))),
        limit="push",
        antes=antes or (0,) * len(stacks),
        blinds=posted,
        stacks=tuple(stacks),
        odd_chips="split",
    )


@declared("push-fold")
def game(
    name: str,
    *,
    stack: Annotated[Any, one_or_each(number(0, MOST))] = 10,
    players: Players = 2,
    ante: BigBlinds = 0,
    big_blind_ante: BigBlinds = 0,
    small_blind: Annotated[float, number(0, below=1)] = 0.5,
    big_blind: Annotated[int, whole(1, MOST_CHIPS)] = BIG_BLIND,
    payouts: Annotated[Any, one_or_each(number(0, below=inf))] = (),
) -> PokerGame | PrizeGame:
    """Blinds of half a big blind and one; a big blind is 100 chips. `stack` is one number or one per seat; like `ante`
    and `small_blind` it may have two decimals, or more if `big_blind` has more chips. With `payouts`, prizes from the
    first place down, payoffs are expected prizes instead of chips. Every player posts `ante`;
    `big_blind_ante` is posted by the big blind for the whole table, before the blind."""
    small = chips("small_blind", small_blind, big_blind)
    stacks = per_seat("stack", stack, players)
    each = "stack" if len(set(stacks)) == 1 else "each of stack"
    antes = _antes(players, chips("ante", ante, big_blind), chips("big_blind_ante", big_blind_ante, big_blind))
    poker = PokerGame(rules([chips(each, own, big_blind) for own in stacks], (small, big_blind), antes), name)
    return PrizeGame(poker, payouts if isinstance(payouts, tuple) else (payouts,)) if payouts != () else poker
