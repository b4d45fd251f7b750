"""`pokerlab measure`: how exploitable agents are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._completion import agent_names, choices, game_names
from pokerlab.cli._output import Json, Workers, announcing_compilation, console, print_json, tell_more_hands
from pokerlab.cli._progress import ProgressBar


def command(
    game: Annotated[
        str,
        typer.Argument(
            help='A poker game whose tree fits in memory: "leduc", "kuhn"; with --local any of two players.',
            autocompletion=game_names,
        ),
    ],
    agents: Annotated[
        list[str],
        typer.Argument(
            help="One agent for every seat, or one for each: strategy:FILE too.", autocompletion=agent_names
        ),
    ],
    local: Annotated[
        bool, typer.Option("--local", help="Play local best response against it: a lower bound, in games of any size.")
    ] = False,
    learn: Annotated[
        int | None,
        typer.Option(
            "--learn",
            min=1,
            max=10**10,
            help="Draw poker: learn to beat a blueprint for this many iterations: a lower bound too.",
            show_default=False,
        ),
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            "--hands",
            min=2,
            help="With --local or --learn: hands to play.",
            show_default="2000, after learning 200000",
        ),
    ] = None,
    menu: Annotated[
        str | None,
        typer.Option("--menu", help='With --local: its bets, "none" for none.', show_default="100%,allin"),
    ] = None,
    from_round: Annotated[
        str | None,
        typer.Option(
            "--from-round",
            help="With --local: the round (turn, or 2) before which it only checks and calls.",
            show_default="0",
            autocompletion=choices("preflop", "flop", "turn", "river"),
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, help="With --local: same seed, same result; with --learn on one worker.", show_default="0"
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="With --learn: save the learned strategy here.", show_default=False)
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", help="With --learn: continue this file up to N iterations.", show_default=False),
    ] = None,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Measure agents by best responses: what each seat wins, and what an opponent who knows them would gain.

    In games too large for that, --local plays hands against one agent by local best response, and --learn trains a
    strategy that beats a blueprint of draw poker; Ctrl-C stops the training and plays with what was learned.

    [dim]pokerlab measure leduc always-call
    pokerlab measure leduc formula random
    pokerlab measure holdem-limit always-raise --local --hands 1000 --from-round turn
    pokerlab measure five-card-draw draw-blueprint --learn 20000[/dim]
    """
    from pokerlab.display.analyse.exploitability import show_local, show_measured
    from pokerlab.errors import BadSetting
    from pokerlab.lab.local_response import FCPA, local_best_response
    from pokerlab.lab.measuring import measure_agents

    if learn is not None:
        if local or menu is not None or from_round is not None:
            raise BadSetting("--learn goes without --local, --menu and --from-round: it learns what to bet")
        if resume is not None and seed is not None:
            raise BadSetting("a resumed run keeps its seed: leave --seed out")
        files = {"save": out, "resume": resume}
        _learn(game, _one(agents, "--learn"), learn, hands, as_json, seed=seed or 0, threads=workers, **files)
        return
    if out is not None or resume is not None:
        raise BadSetting("--out and --resume belong to --learn, which trains a strategy")
    if not local:
        for option, value in (("hands", hands), ("menu", menu), ("from-round", from_round), ("seed", seed)):
            if value is not None:
                raise BadSetting(f"--{option} belongs to --local or --learn, which play hands")
        with announcing_compilation():
            found = measure_agents(game, agents)
        if as_json:
            print_json(found.as_dict())
        else:
            show_measured(console(), found)
        return
    agent = _one(agents, "--local")
    with announcing_compilation(), ProgressBar(lines=not as_json) as bar:
        won = local_best_response(
            game,
            agent,
            hands=hands or 2000,
            seed=seed or 0,
            menu=menu or FCPA,
            from_round=from_round or 0,
            workers=workers,
            on_progress=bar,
        )
    if as_json:
        print_json(won.as_dict())
    else:
        show_local(console(), won)
        tell_more_hands(hands, won.hands)


def _one(agents: list[str], option: str) -> str:
    from pokerlab.errors import BadSetting

    if len(agents) != 1:
        raise BadSetting(f"{option} measures one agent, from both seats, and {len(agents)} are named")
    return agents[0]


def _learn(game: str, agent: str, iterations: int, hands: int | None, as_json: bool, **settings: Any) -> None:
    from pokerlab.display.analyse.exploitability import show_learned
    from pokerlab.lab.learned_response import HANDS, learned_response

    with announcing_compilation(), ProgressBar(lines=not as_json) as bar:
        won = learned_response(
            game,
            agent,
            iterations=iterations,
            hands=hands or HANDS,
            on_progress=bar,
            **settings,
        )
    if as_json:
        print_json(won.as_dict())
    else:
        show_learned(console(), won)
        tell_more_hands(hands, won.hands)
