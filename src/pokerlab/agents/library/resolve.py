"""Plays a blueprint, and solves the rest of the hand from a chosen round on: the line of Libratus.

Brown and Sandholm, "Superhuman AI for heads-up no-limit poker: Libratus beats top professionals", 2018, and "Safe and
nested subgame solving for imperfect-information games", 2017. `resolve:BLUEPRINT` names any agent whose action
probabilities are known: `strategy:FILE`, `blueprint`, `uniform`. The methods are explained in agents/parts/subgames.py:
"unsafe" trusts that the opponent plays the blueprint too; "resolve", "maxmargin" and "reach-maxmargin" are safe: solved
well enough, they are no more exploitable than the blueprint.

Differences from Libratus: alternatives are exact best-response values against the blueprint in the subgame, not
estimates from its training; one subgame runs to the end of the hand unless the opponent leaves its tree; each subgame
is solved by discounted CFR over every hand, without abstraction of cards; gifts are those of the opponent's actual
path, and need the whole game in memory. The blueprint itself is not improved from one session to the next.
"""

from __future__ import annotations

from typing import Annotated

from pokerlab.agents.opening import open_policy
from pokerlab.agents.parts.resolving import ResolvingAgent
from pokerlab.agents.parts.subgames import METHODS, Effort
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.menu import Menu, menus_from
from pokerlab.games.poker.menu_betting import offered
from pokerlab.settings import Text, declared, named, number, one_of, or_none, whole
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.strategy.policy import Policy
from pokerlab.tree.public.subgame import Choose


class SubgameSolver(ResolvingAgent):
    """A blueprint whose later rounds are solved at the table."""

    def __init__(
        self,
        blueprint: str | Policy,
        *,
        name: str = "resolve",
        method: str,
        effort: Effort,
        from_round: int | None = None,
        menu: str = "",
    ) -> None:
        super().__init__(name, method=method, effort=effort)
        self._blueprint, self._from_round = blueprint, from_round
        self._menu: Menu | None = menus_from(menu)[0] if menu else None

    def policy_for(self, game: PokerGame) -> Policy:
        return open_policy(self._blueprint, game) if isinstance(self._blueprint, str) else self._blueprint

    def first_round(self, game: PokerGame) -> int:
        return len(game.rules.rounds) - 1 if self._from_round is None else self._from_round

    def choices(self, game: PokerGame) -> Choose | None:
        menu, streets = self._menu, len(game.rules.rounds)
        if menu is None:
            return None
        return lambda betting, base: offered(
            game.betting,
            betting,
            base,
            menu.bet if betting.level == base else menu.raises,
            streets=streets - betting.round,
        )


@declared("resolve")
def agent(
    name: str,
    blueprint: Annotated[str, named("name the agent whose strategy is refined: resolve:blueprint")],
    *,
    method: Annotated[str, one_of(*METHODS)] = "maxmargin",
    from_round: Annotated[int | None, or_none(whole(0))] = None,
    menu: Text = "",
    algorithm: Text = "dcfr",
    iterations: Annotated[int, whole(1)] = 400,
    seconds: Annotated[float, number(above=0)] = 10.0,
) -> SubgameSolver:
    """Refines the named agent's strategy from round `from_round` on (0 is the first; default: the last). `menu` lists
    the bets that subgames consider, as in "50%,100%,allin" (default: all that the game allows); `algorithm` is one of
    the CFR family; `iterations` and `seconds` limit each solve."""
    effort = Effort(schedule_of(algorithm, purpose="solve subgames with"), iterations, seconds)
    return SubgameSolver(blueprint, name=name, method=method, from_round=from_round, menu=menu, effort=effort)
