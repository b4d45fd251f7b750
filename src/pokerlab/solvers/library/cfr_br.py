"""CFR-BR: each player minimises regret against an opponent who always plays a best response to them.

Johanson, Bard, Burch and Bowling, "Finding optimal abstract strategies in extensive-form games", 2012. The average
strategy converges to the least exploitable strategy that a player can represent: an equilibrium in a game without
abstraction, and with buckets the best strategy over them in the real game, since the best response sees its cards. The
current strategy converges too, with high probability (`strategy=current`).

With `trunk`, the hybrid of the same paper: the public cards of the first rounds are sampled, and the opponent minimises
regret in the trunk and plays a best response below it. It runs on the public and on the bucketed form.

On a graphics card (`train --device cuda`) it also trains games as large as limit hold'em: see
solvers/bucketed/cuda/solver.py. There `self_play` iterations of public chance sampling may come first.

Differences from the paper: an iteration trains both players, each against an opponent of its own, where the paper
trains one; and suit-isomorphic boards are sampled together.
"""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.errors import BadSetting
from pokerlab.settings import Text, checked, one_of, whole
from pokerlab.solvers.cfr.general import GeneralCfrBr
from pokerlab.solvers.cfr.sampled.sampler import on_card
from pokerlab.solvers.core.algorithm import Algorithm, Engine, engine_of
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.solvers.core.run import Solver
from pokerlab.tree.resources import CUDA, Resources


@checked
def algorithm(
    *,
    schedule: Text = "cfr",
    trunk: Annotated[int, whole(0, 4)] = 0,
    strategy: Annotated[str, one_of("average", "current")] = "average",
    self_play: Annotated[int, whole(0)] = 0,
) -> Algorithm:
    """CFR-BR with a schedule; with a `trunk` of that many rounds, the hybrid; on a card after so much `self_play`."""
    steps = schedule_of(schedule, purpose="answer with")
    current = strategy == "current"
    if self_play:
        settings = {"schedule": schedule, "trunk": trunk, "strategy": strategy, "self_play": self_play}
        on_cards: dict[Any, Engine] = {"bucketed": _only_on_cards}
        on_cards["bucketed", CUDA] = on_card(steps, trunk=trunk, current=current, self_play=self_play)
        tiny = algorithm(schedule=schedule, strategy=strategy)
        return Algorithm("cfr-br", on_cards, settings, two_player_zero_sum=True, random=True, rehearsal=tiny)

    def on_public(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.cfr.cfr_br.public import PublicCfrBr

        return PublicCfrBr(
            form, steps, trunk=trunk, current=current, seed=seed, threads=resources.threads, storage=resources.storage
        )

    def on_buckets(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.cfr.cfr_br.bucketed import BucketedCfrBr

        return BucketedCfrBr(form, steps, trunk=trunk, current=current, seed=seed, threads=resources.threads)

    settings = {"schedule": schedule, "trunk": trunk, "strategy": strategy}
    engines: dict[Any, Engine] = {"public": on_public, "bucketed": on_buckets}
    engines["bucketed", CUDA] = on_card(steps, trunk=trunk, current=current)
    if trunk:
        tiny = algorithm(schedule=schedule, strategy=strategy)  # tiny games have no trunk
        return Algorithm("cfr-br", engines, settings, two_player_zero_sum=True, random=True, rehearsal=tiny)
    on_any = engine_of(GeneralCfrBr, steps, current=current)
    return Algorithm("cfr-br", {"sequence": on_any} | engines, settings, general=on_any, two_player_zero_sum=True)


def _only_on_cards(form: Any, seed: int, resources: Resources) -> Solver:
    raise BadSetting("cfr-br with self_play trains on a graphics card: add --device cuda, or leave self_play out")
