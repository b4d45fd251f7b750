"""`pokerlab measure`: how exploitable agents are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pokerlab.cli._options import Agents, Game, Menu, Out, Resume, Workers, option
from pokerlab.cli._output import announcing_compilation, note_extra_hands, write_results
from pokerlab.cli._progress import ProgressBar


def command(
    game: Game,
    agents: Agents,
    local: Annotated[
        bool, option("Play by local best response against one agent: a lower bound, in games of any size.", "--local")
    ] = False,
    learn: Annotated[
        int | None,
        option(
            "Train an opponent for this many hands (for draw blueprints: iterations): a lower bound.",
            min=1,
            max=10**10,
        ),
    ] = None,
    inside: Annotated[
        bool, option("Measure one blueprint inside its abstraction: best responses see only buckets.", "--inside")
    ] = False,
    hands: Annotated[
        int | None,
        option("With --local or --learn: hands to play.", min=2, default="2000; --learn: 20000, draw: 200000"),
    ] = None,
    menu: Menu = None,
    from_round: Annotated[
        str | None,
        option(
            "With --local: only check and call before this round (turn, or its number, 2).",
            default="0",
            complete=("preflop", "flop", "turn", "river"),
        ),
    ] = None,
    seed: Annotated[
        int | None,
        option(
            "With --local or --learn: random seed. With --inside: other boards, in large games.", min=0, default="0"
        ),
    ] = None,
    out: Out = None,
    resume: Resume = None,
    workers: Workers = None,
) -> None:
    """Measure agents by best responses: what each seat wins, and what an opponent who knows them would gain.

    Name one agent for all seats, or one per seat. Spots, two-player poker, push or fold and small games are measured
    exactly; --inside measures a blueprint inside its abstraction. Larger games give lower bounds: --local plays hands
    by local best response, which bets by --menu (default: 100%,allin; also fc, fcpa or 56bets, or by round); --learn
    trains an opponent, even of an agent that states no probabilities, and Ctrl-C ends the training early. For
    blueprints of draw poker, --out saves that training, --resume continues it, and the seed fixes the result with one
    worker only.

    pokerlab measure leduc always-call
    pokerlab measure leduc formula random
    pokerlab measure examples/river.toml formula
    pokerlab measure holdem-limit always-raise --local --from-round turn
    pokerlab measure leduc formula --learn 2000 --hands 2000
    pokerlab measure five-card-draw draw-blueprint --learn 20000
    """
    from pokerlab.display.analyse.exploitation import show_learned, show_local, show_measured
    from pokerlab.errors import BadSetting
    from pokerlab.lab.analyse.local_response import FCPA, local_best_response
    from pokerlab.lab.analyse.measuring import measure_agents, measure_inside

    if inside and (local or learn is not None):
        raise BadSetting("--inside measures exactly, inside an abstraction: leave out --local and --learn")
    if learn is not None and (local or menu is not None or from_round is not None):
        raise BadSetting("--learn goes without --local, --menu and --from-round: it learns what to bet")
    if learn is None and (out is not None or resume is not None):
        raise BadSetting("--out and --resume belong to --learn, which trains a strategy")
    if resume is not None and seed is not None:
        raise BadSetting("a resumed run keeps its seed: leave out --seed")
    if learn is None and not local:
        stray = {"hands": hands, "menu": menu, "from-round": from_round, "seed": None if inside else seed}
        for option, value in stray.items():
            if value is not None:
                raise BadSetting(f"--{option} belongs to --local or --learn, which play hands")
        with announcing_compilation(), ProgressBar() as bar:
            if inside:
                measured = measure_inside(game, agents, seed=seed, on_progress=bar)
            else:
                measured = measure_agents(game, agents, on_progress=bar)
        write_results(measured.as_dict, lambda screen: show_measured(screen, measured))
        return
    if len(agents) != 1:
        option = "--local" if learn is None else "--learn"
        raise BadSetting(f"{option} measures one agent, from both seats, and {len(agents)} are named")
    response: Any
    with announcing_compilation(), ProgressBar() as bar:
        shared: dict[str, Any] = {"seed": seed or 0, "on_progress": bar}
        if learn is None:
            shared |= {"menu": menu or FCPA, "from_round": from_round or 0, "workers": workers}
            response = local_best_response(game, agents[0], hands=hands or 2000, **shared)
        else:
            response = _learned(game, agents[0], learn, hands, workers, out=out, resume=resume, **shared)

    def show(screen: Any) -> None:
        (show_local if learn is None else show_learned)(screen, response)
        note_extra_hands(hands, response.hands)

    write_results(response.as_dict, show)


def _learned(
    game: str,
    agent: str,
    amount: int,
    hands: int | None,
    workers: int | None,
    *,
    out: Path | None,
    resume: Path | None,
    **shared: Any,
) -> Any:
    """What a player wins that learned to beat an agent: by a solver against a draw blueprint, else from its play."""
    from pokerlab.errors import BadSetting
    from pokerlab.lab.analyse import learned_response, trained_exploiter

    if learned_response.is_for(game, agent):
        saved: dict[str, Any] = {"threads": workers, "save": out, "resume": resume}
        played = hands or learned_response.HANDS
        return learned_response.learned_response(game, agent, iterations=amount, hands=played, **saved, **shared)
    if out is not None or resume is not None:
        raise BadSetting("--out and --resume belong to --learn against a blueprint of draw poker: leave them out")
    played = hands or trained_exploiter.HANDS
    return trained_exploiter.trained_response(game, agent, training=amount, hands=played, **shared)
