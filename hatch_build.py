"""Builds the wheel: plain, for any computer, or with kernels as machine code, for one Python on one kind of computer.

    python hatch_build.py FOLDER                                                   compile kernels into a folder
    POKERLAB_KERNELS=FOLDER python -m build --no-isolation                          build a wheel with them

`make wheel` does both. Which kernels, and for which types of arguments, follows from commands that are run once, as
small as they can be. Then each kernel is compiled for each level of CPUs (pokerlab/machine_code.py) without being run,
so that a computer can compile for levels above its own.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMMANDS = """
demo --all
examples
equity AA KK random --samples 1000
equity AhKh 2c2d QsJs
strength AhKh --board Td7s2c
strength 7h6h --board 8h5c2h --against TT+,AQ+
preflop AKs
spot examples/river.toml --iterations 1 --out river.solution
spot examples/river.toml --iterations 1 --lock 'check: check' --cost
spot examples/turn.toml --iterations 1 --out turn.solution
spot examples/turn.toml --iterations 1 --threads 2 --keep strategy --out small.solution
spot examples/flop.toml --iterations 1 --threads 2
browse turn.solution check --grid ev
browse turn.solution --exploit ip
browse small.solution check --grid equity
verify turn.solution
report examples/river.toml --boards 'Ks7h2d5c9s, AsAd7h7c2d' --iterations 1 --workers 1
solve kuhn --iterations 10
solve kuhn --with lp
solve leduc --iterations 10 --out leduc.solution
solve leduc --iterations 10 --form public
solve --resume leduc.solution --iterations 20
show leduc.solution --rows 5
verify leduc.solution
solve rhode-island --iterations 1
solve leduc --with 'trembling(tremble=0.001)' --iterations 10
solve 'leduc-nolimit(stack=20, menu=\"50%,100%,allin\")' --iterations 10
solve 'push-fold(stack=10)' --iterations 10
compare leduc --with cfr,cfr+,dcfr,linear-cfr,pcfr+,egt,mirror-prox,fictitious-play --iterations 4
compare leduc --with external,outcome,chance,average-sampling --iterations 200
exploit leduc --opponent formula --curve
exploit leduc --opponent rules --method dbr --hands 100
abstract leduc --methods lossless,strength:2 --recall perfect --out recall.buckets
train leduc --buckets recall.buckets --with cfr+ --iterations 10
measure leduc formula
measure holdem-limit always-raise --local --hands 4
evolve von-neumann --population 20 --rounds 20 --iterations 2
evolve flop-poker --iterations 2
pushfold --stack 10
pushfold --stack 10 --call 20%
pushfold --chart 3
pushfold --stacks 12,8,20 --target 5
pushfold --stacks 12,8,20 --payouts 50,30,20 --target 5
pushfold --stacks 10,10,10,10 --big-blind-ante 1 --target 5
rollout --raises 1
rollout --menu 2.5x,allin --stack 15
icm --stacks 5000,3000,1500,500 --payouts 50,30,20 --bounties 5
endgame --chips 2400 --blinds 300,600
endgame --chips 1800 --blinds 300,600 --payouts 50,30,20 --rounds 1
abstract leduc --methods lossless,strength:2 --out leduc.buckets
abstract rhode-island --methods lossless,emd:20,ochs:50 --out ri.buckets
buckets ri.buckets Ah --board Td
train leduc --iterations 2000 --out leduc.blueprint
train leduc --buckets leduc.buckets --iterations 2000 --threads 2
train leduc --with external --iterations 200
train kuhn --players 3 --iterations 2000
train 'small-draw(cards=1, ranks=3, suits=2)' --iterations 200
train rhode-island --buckets ri.buckets --iterations 2000 --out ri.blueprint
match leduc.blueprint formula --game leduc --hands 10 --workers 1
match ri.blueprint formula --game rhode-island --hands 10 --workers 1
match strategy:leduc.solution rules --game leduc --hands 10 --workers 1
match formula rules --game holdem-limit --hands 10 --workers 1
match formula rules --game holdem-nolimit --hands 10 --workers 1 --out hands.duckdb
match formula probe --game holdem-limit --hands 4 --workers 1
match blueprint formula --game holdem-limit --hands 10 --workers 1
match blueprint formula --game holdem-nolimit --hands 10 --workers 1
match draw-basic draw-article --game five-card-draw --hands 10 --workers 1
match draw-blueprint draw-modelling --game five-card-draw --hands 10 --workers 1
review hands.duckdb --agent formula
"""


class Kernels(BuildHookInterface[Any]):
    """Puts the kernels of $POKERLAB_KERNELS into the wheel, whose name then says what it is for."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatch before it builds."""
        folder = os.environ.get("POKERLAB_KERNELS")
        if folder and version == "standard":
            build_data["force_include"][os.path.abspath(folder)] = "pokerlab/kernels"
            build_data["pure_python"], build_data["infer_tag"] = False, True


def compile_kernels(folder: Path, commands: str = COMMANDS, levels: str = "") -> None:
    """Compile what commands need into a folder, for some levels of CPUs or for all, with a manifest."""
    from pokerlab.machine_code import LEVELS, MANIFEST, architecture

    if architecture() not in LEVELS:
        raise SystemExit(f"no kernels are compiled ahead for {architecture()}; `make wheel-plain` builds a wheel")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chosen = [level for level in LEVELS[architecture()] if not levels or level.name in levels.split(",")]
    manifest: dict[str, Any] = {"levels": {}}
    with tempfile.TemporaryDirectory() as work:
        print("running commands to find out which kernels they need", flush=True)
        _output(_start(["--run", commands], cwd=work, POKERLAB_HOME=f"{work}/found", NUMBA_OPT="1"))
        found = f"{work}/found/kernels"
        print(f"compiling {len(list(Path(found).rglob('*.kernel')))} kernels for {len(chosen)} levels", flush=True)
        running = {}
        for level in chosen:
            target = {"NUMBA_CPU_NAME": level.name, "NUMBA_CPU_FEATURES": level.changes}
            running[level.name] = _start(["--compile", found], POKERLAB_HOME=f"{work}/{level.name}", **target)
        for name, process in running.items():
            manifest["conditions"], manifest["levels"][name] = json.loads(_output(process).splitlines()[-1])
            shutil.move(f"{work}/{name}/kernels", folder / name)
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8", newline="\n")
    size = sum(path.stat().st_size for path in folder.rglob("*.kernel"))
    print(f"{folder}: {size / 1e6:.1f} MB")


def _start(words: list[str], *, cwd: str | None = None, **settings: str) -> subprocess.Popen[str]:
    """This file in another process, where no other settings of Numba and pokerlab hold than these."""
    others = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "POKERLAB_"))}
    command = [sys.executable, os.path.abspath(__file__), *words]
    return subprocess.Popen(command, cwd=cwd, env=others | settings, stdout=subprocess.PIPE, text=True)


def _output(process: subprocess.Popen[str]) -> str:
    output = process.communicate()[0]
    if process.returncode:
        raise SystemExit(f"{output}\n{shlex.join(map(str, process.args))[:300]} failed")
    return output


def _run(commands: str) -> None:
    """Run commands in this process, so that what their kernels call is compiled once."""
    from pokerlab.cli._app import app

    for line in commands.strip().splitlines():
        print("pokerlab", line, flush=True)  # the last line names the one that failed
        app(shlex.split(line), standalone_mode=False)


def _compile(found: str) -> None:
    """Compile the kernels of a cache for the target of this process, and print what it is."""
    from numba.core import ir

    from pokerlab.machine_code import conditions

    made = ir.Loc.__init__
    ir.Loc.__init__ = lambda place, filename, *rest, **named: made(place, _from_package(filename), *rest, **named)

    for path in sorted(Path(found).rglob("*.kernel")):
        module = importlib.import_module(path.parent.name.split("-")[0])
        kernel = getattr(module, path.name.rsplit("-", 1)[0])
        (signature, *_), _ = pickle.loads(path.read_bytes()[16:])  # after the checksum
        kernel.compile(signature)
    print(json.dumps((conditions(), kernel.targetctx.codegen().magic_tuple())))


def _from_package(filename: str) -> str:
    """A file as pokerlab/cards/... or numba/...: errors in machine code name files, and ours lie elsewhere."""
    roots = sorted((root for root in sys.path if root and filename.startswith(root + os.sep)), key=len)
    return Path(filename).relative_to(roots[-1]).as_posix() if roots else filename


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        _run(sys.argv[2])
    elif sys.argv[1] == "--compile":
        _compile(sys.argv[2])
    else:
        compile_kernels(Path(sys.argv[1]).absolute())
