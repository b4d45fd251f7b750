"""How near information-set tree search comes to an equilibrium: exploitability against the number of simulations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.agents.library.ismcts import InformationSetSearch, is_exact
from pokerlab.agents.parts.opponent_model import FrequencyModel
from pokerlab.agents.parts.play_outs import PlayOuts, SampledDeal
from pokerlab.agents.parts.smooth_uct import SelfPlaySearch
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.strategy.forms.kinds import profile_in
from pokerlab.strategy.policy import PolicyTable, table_of
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form

_DEALS_AT_ONCE = 10_000


@dataclass(frozen=True)
class SearchPoint:
    """The average strategy after some simulations."""

    simulations: int
    exploitability: float  # chips per hand and player


class AverageStrategy:
    """The average strategy of a search as a policy; uniform where the search has not been."""

    def __init__(self, game: PokerGame, plays: PlayOuts, search: SelfPlaySearch) -> None:
        self.name = "average strategy of a search"
        self._game, self._plays, self._search = game, plays, search

    def probabilities(self, view: View) -> dict[str, float]:
        """The probability of each action."""
        key = tuple(sorted(view.cards)), tuple(sorted(view.board))
        average = self._search.average(view.history, key)
        chances = average or dict.fromkeys(view.actions, 1 / len(view.actions))
        return {self._game.action_text(action): chance for action, chance in chances.items()}

    def table(self, place: PublicNode) -> PolicyTable:
        """The probabilities of every hand."""
        return table_of(self, place)


def search_convergence(
    game: PokerGame, checkpoints: Sequence[int], agent: InformationSetSearch, *, seed: int = 0, watch: Watch = SILENT
) -> list[SearchPoint]:
    """One search from the deal, measured exactly after each of these numbers of simulations."""
    if not is_exact(game) or game.players != 2 or game.betting.limit != "fixed":
        raise BadSetting(f"convergence is measured in small limit games for two, such as leduc; {game.name} is not one")
    rng, form = np.random.default_rng(seed), sequence_form(build(game))
    view = game.view(game.start(game.deal(rng)), game.betting.start().actor)
    plays = PlayOuts(view, FrequencyModel(), rng)
    search, points, done = agent.search(plays, exact=True), list[SearchPoint](), 0
    for checkpoint in sorted(checkpoints):
        while done < checkpoint:
            count = min(_DEALS_AT_ONCE, checkpoint - done)
            search.run([SampledDeal(game, game.start(cards)) for cards in game.deals(rng, count)])
            done += count
            watch.at("searching", done, max(checkpoints))
        profile = profile_in(AverageStrategy(game, plays, search), game, form)
        points.append(SearchPoint(done, float(form.measure(profile).exploitability)))
    return points
