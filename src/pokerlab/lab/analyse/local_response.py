"""A lower bound on the exploitability of a player of a large game: the winnings of local best response in a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pokerlab.agents.agent import Agent
from pokerlab.agents.library.local_best_response import FCPA, LocalBestResponse
from pokerlab.agents.library.strategy import StrategyAgent
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import HOLDEM_ROUNDS
from pokerlab.lab.play.playing import open_poker
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.result import units_of
from pokerlab.match.statistics import Summary, Units
from pokerlab.parallel import core_count
from pokerlab.specs import spec_text
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.policy import Policy, policy_name

__all__ = ["FCPA", "LocalResponse", "local_best_response"]

FIXED_SIZES = "the fixed sizes of the game"
NO_BETS = "none"
DEALS_A_BLOCK = 20  # each takes about a second; processes share the work by blocks


@dataclass(frozen=True)
class MeasuredResponse:
    """The winnings of a player that responds to another: on average a lower bound on a best response's."""

    game: str
    agent: str  # the opponent
    hands: int
    deals: int  # each was played from every seat
    seed: int
    units: Units
    winnings: Summary  # chips per hand; the unit of observation is the deal
    seats: tuple[Summary | None, ...]  # the same by its seat, of single hands
    seat_names: tuple[str, ...]
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        return {
            "game": self.game,
            "agents": [self.agent],
            "hands": self.hands,
            "deals": self.deals,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
            "winnings": self.units.as_dict(self.winnings),
            "seats": [summary and self.units.as_dict(summary) for summary in self.seats],
        }


@dataclass(frozen=True)
class LocalResponse(MeasuredResponse):
    """The winnings of local best response, all-ins at their expected value; by seat, with actual all-in results."""

    menu: str  # its bet sizes; FIXED_SIZES in limit games
    from_round: int  # the first round in which it did more than check and call
    remarks: tuple[tuple[str, str, int], ...]  # agent, its remark, how often

    @property
    def mbb(self) -> Summary:
        """Thousandths of a big blind (of the ante if there are no blinds) per hand."""
        return self.units.millibigblinds(self.winnings)

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        remarks = [{"agent": agent, "remark": text, "count": count} for agent, text, count in self.remarks]
        return super().as_dict() | {"menu": self.menu, "from_round": self.from_round, "remarks": remarks}


def local_best_response(
    game: str | PokerGame,
    policy: str | Policy | Solution,
    *,
    hands: int = 2000,
    seed: int = 0,
    menu: str = FCPA,
    from_round: int | str = 0,
    workers: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> LocalResponse:
    """Play local best response against a policy, every deal from both seats, and report its winnings.

    The policy is an agent's name ("strategy:FILE"), a policy or a solution of a two-player poker game. `menu` are the
    bet sizes of the response ("none": it folds or calls), `from_round` is the first round ("turn", or 2) in which it
    does more than check and call; see agents/library/local_best_response.py.

    >>> found = local_best_response("holdem-limit", "always-fold", hands=4)
    >>> found.mbb.mean, found.mbb.low
    (750.0, 750.0)
    """
    table = open_poker(game, ", and policies play at a poker table") if isinstance(game, str) else game
    first = _round_of(from_round)
    players = _players(table, policy, menu=menu, from_round=first)
    settings = MatchSettings.of(
        table, players, hands=hands, seed=seed, duplicate=True, block=DEALS_A_BLOCK, adjust="all-in"
    )
    by_name = all(isinstance(player, str) for player in players)
    watch = Watch("local best response", on_progress, cancel, "hands")
    result = play_match(settings, workers=(workers or core_count()) if by_name else 1, watch=watch)
    assert result.adjusted is not None
    return LocalResponse(
        game=table.name,
        agent=settings.names[1],
        menu=FIXED_SIZES if table.rules.limit == "fixed" and menu != NO_BETS else menu,
        from_round=first,
        hands=result.hands,
        deals=result.deals,
        seed=seed,
        units=units_of(table),
        winnings=result.adjusted[0],
        seats=result.positions[0],
        seat_names=result.seat_names,
        remarks=result.remarks,
        seconds=result.seconds,
    )


def _players(
    game: PokerGame, policy: str | Policy | Solution, *, menu: str, from_round: int
) -> tuple[str | Agent, str | Agent]:
    """The response and its opponent, by name if possible, so that processes can open them."""
    if isinstance(policy, str):
        open_policy(policy, game)  # fails early if its probabilities are unknown
        settings = {"against": policy, "menu": menu, "from_round": from_round}
        response = open_agent(spec_text("local-best-response", settings))
        assert isinstance(response, LocalBestResponse)
        response.check_game(game)
        return response.name, policy
    if isinstance(policy, Solution):
        policy = policy.strategy
    if not isinstance(policy, Policy):
        raise BadSetting(f"a policy, a solution or the name of an agent is measured, not a {type(policy).__name__}")
    name = policy_name(policy, "policy")
    own = LocalBestResponse(policy, name="local-best-response", menu=menu, from_round=from_round)
    own.check_game(game)
    if isinstance(policy, Agent):
        return own, policy
    return own, StrategyAgent(policy, name=name, fallback=open_agent("formula"))


def _round_of(text: int | str) -> int:
    """The number of a round, given as such or by its hold'em name."""
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    word = str(text).strip().lower()
    if word in HOLDEM_ROUNDS:
        return HOLDEM_ROUNDS.index(word)
    if word.isascii() and word.isdigit() and len(word) < 4:
        return int(word)
    raise BadSetting(f"a round is its number from 0, or one of {', '.join(HOLDEM_ROUNDS)}; got {word[:40]!r}")
