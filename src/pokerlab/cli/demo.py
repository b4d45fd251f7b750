"""`pokerlab demo`: a tour of pokerlab by its commands."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Annotated, Any

from rich.markup import escape

from pokerlab.cli._options import argument, option
from pokerlab.cli._output import console, print_json, wants_json
from pokerlab.errors import BadSetting, shortened

TOUR = "tour"
_SCENES = """\
# tour
Who wins before the flop? Every one of 1,712,304 boards.
    equity AhKh 2c2d
Leduc hold'em, solved to a measured distance from equilibrium.
    solve leduc --target 0.0005
A river, any two hands: how often to bet with each kind of hand.
    spot --board Ks7h2d5c9s --bet 50%,100%,allin --target 0.3% --category all
Rhode Island hold'em: 707 GB as a tree, solved in seconds in public form.
    solve rhode-island --threads 2 --target 1%
The value of tournament chips: the short stack on the bubble.
    icm --stacks 10,1,289 --payouts 60,40
What beats an agent, and at what risk?
    exploit leduc --opponent formula --p 0.75
Limit hold'em: a blueprint that comes with the package plays an agent.
    match blueprint formula --game holdem-limit --hands 1000 --duplicate
# hands
A range against any hand on a flop, exactly.
    equity 'AKs,QQ+' random --board Td7s2c
A range in the notation of another program.
    range '[50]22-66,A5s-A2s[/50],77+,ATs+,AJo+:75%'
How large is no-limit hold'em? All 165 digits.
    size holdem-nolimit --stack 20000 --blinds 50,100
# solve
A solution saved and browsed.
    solve leduc --target 0.0005 --out leduc.solution
    browse leduc.solution r c Ka
Algorithms side by side; --plot and --csv save the curves.
    compare leduc --with cfr,cfr+,dcfr,egt,external --seconds 0.4
How exploitable is an agent?
    measure leduc formula
Von Neumann's poker of 1928, in exact rationals.
    vonneumann --ante 1 --bet 2
A genetic algorithm learns flop poker from real deals.
    evolve flop-poker --iterations 60 --seed 1
# spots
A flop in a raised pot between two different ranges, three streets.
    spot --board 'Qs Jh 2h' --pot 55 --stack 300 --oop '66+,A8s+,AJo+,KTs+,KQo,QTs+,JTs,98s,87s,76s' \
--ip '22+,A2s+,ATo+,K9s+,KJo+,Q9s+,QJo,J9s+,T9s,98s,87s,76s,65s' --bet 50% --raise 3x --raise-cap 2 --threads 2 \
--target 1%
A solution plays an agent.
    spot --board 'Ks 7h 2d 5c 9s' --bet 50%,100%,allin --target 0.3% --out river.solution
    match strategy:river.solution formula --from river.solution --hands 4000 --duplicate --seed 7
How to play against an agent: fix its play after a check, solve the rest.
    spot --board 'Ks 7h 2d 5c 9s' --bet 50%,100%,allin --lock 'check: as formula' --cost
Or counter all of its play: what wins against that agent in position, and at what risk.
    examples
    exploit examples/river.toml --opponent formula --seat ip --p 0.8
One spot on many boards: the strategy after a check.
    examples
    report examples/river.toml --boards 'Ks7h2d5c9s, AsAd7h7c2d:2, Tc9c8d3h2s' --at check --target 0.5%
# tournaments
Push or fold, exactly, and against a caller who is too tight; then limit hold'em before the flop.
    pushfold --stack 8 --call 25%
    rollout --raises 3
A heads-up tournament to its end: every hand of every stack solved exactly.
    endgame --chips 4800 --blinds 300,600
# train
Rhode Island hold'em with ten buckets per round: a blueprint, trained and measured in the real game.
    abstract rhode-island --methods lossless,strength:10,strength:10 --out ri.buckets
    train rhode-island --buckets ri.buckets --iterations 200000 --out ri.blueprint
# matches
Two agents play the same cards from both seats.
    match rules always-call --hands 2000 --duplicate --seed 7
Five-card draw: the blueprint that comes with pokerlab against eleven rules from an article.
    match draw-blueprint draw-article --game five-card-draw --hands 400 --duplicate --seed 1
A round robin with instant run-off.
    tournament formula rules probe always-raise --game leduc --hands 600 --seed 7
"""
Scene = tuple[str, tuple[str, ...]]  # title and commands, which share a folder


def _scenes(text: str) -> list[Scene]:
    scenes = (scene.splitlines() for scene in re.split(r"\n(?! )", text.strip()))
    return [(title, tuple(line.strip() for line in lines)) for title, *lines in scenes]


TOPICS: dict[str, list[Scene]] = {
    topic: _scenes(scenes) for topic, _, scenes in (part.partition("\n") for part in _SCENES.split("# ")[1:])
}
SCENES = [scene for scenes in TOPICS.values() for scene in scenes]  # in the order of --all
AHEAD = (4, 7)  # scenes with many kernels, compiled by another process while the first are played


def command(
    topic: Annotated[str, argument("Topic: " + ", ".join(TOPICS) + ".", complete=list(TOPICS))] = TOUR,
    everything: Annotated[bool, option("Play the scenes of all topics.", "--all")] = False,
    only: Annotated[int, option("Play only this scene, numbered from 1; 0 plays all.", min=0)] = 0,
) -> None:
    """Tour pokerlab in seven scenes, or one of its topics: each scene is a command that you can type yourself."""
    from pokerlab.cli._app import app

    if topic not in TOPICS:
        raise BadSetting(f"there is no topic {shortened(topic)!r}; topics: {', '.join(TOPICS)}")
    scenes = SCENES if everything else TOPICS[topic]
    if only > len(scenes):
        raise BadSetting(f"there are {len(scenes)} scenes, and no scene {only}")
    screen = console()
    played: list[dict[str, Any]] = []
    with (
        contextlib.redirect_stdout(io.StringIO()) if wants_json() else contextlib.nullcontext(),
        compiling_ahead() if scenes[0] == SCENES[0] and not only else contextlib.nullcontext(),
    ):
        for number, (title, lines) in enumerate(scenes, start=1):
            if only and number != only:
                continue
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                screen.rule(f"[bold]{number}. {title}", align="left")
                for line in lines:
                    began = time.perf_counter()
                    screen.print(f"[green]$ pokerlab {escape(line)}[/green]\n")
                    app(shlex.split(line), standalone_mode=False)
                    screen.print()
                    seconds = time.perf_counter() - began
                    played.append({"scene": number, "command": f"pokerlab {line}", "seconds": seconds})
    if wants_json():
        print_json({"scenes": played})
        return
    seconds = sum(command["seconds"] for command in played)
    screen.print(f"[dim]{seconds:.0f} seconds. Next:[/dim]")
    screen.print("pokerlab play holdem-limit --against blueprint   play against it yourself")
    screen.print(f"pokerlab demo {'|'.join(list(TOPICS)[1:])}   more scenes")
    screen.print("pokerlab --help                                  all commands")
    screen.print("pokerlab serve                                   a page for your browser")


@contextlib.contextmanager
def compiling_ahead() -> Iterator[None]:
    """If kernels must be compiled, let another process compile those of later scenes in parallel."""
    from pokerlab.compiled import watching_compilation
    from pokerlab.parallel import core_count

    others: list[subprocess.Popen[bytes]] = []
    code = "from pokerlab.cli.demo import play_ahead; play_ahead()"

    def started(name: str) -> None:
        if not others and core_count() > 1:
            none = subprocess.DEVNULL
            with contextlib.suppress(OSError):  # without another process, all is compiled here
                others.append(
                    subprocess.Popen([sys.executable, "-c", code], cwd=folder, stdin=none, stdout=none, stderr=none)
                )

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            with watching_compilation(started):
                yield
        finally:
            for other in others:
                other.kill()
                other.wait()


def play_ahead() -> None:
    """Play some later scenes in subfolders, to compile their kernels."""
    from pokerlab.cli._app import app

    for number in AHEAD:
        os.mkdir(str(number))
        with contextlib.chdir(str(number)), contextlib.suppress(Exception):
            for line in SCENES[number - 1][1]:
                app(shlex.split(line), standalone_mode=False)
