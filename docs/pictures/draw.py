"""The pictures of README and docs, each made by the code that it shows: python -m docs.pictures.draw [NAME ...]

A picture is what a command prints, in colour, what a command draws into a file, a table of measurements, or the page
in a browser.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from docs.pictures.limit_holdem import limit_picture
from docs.pictures.page import page_picture

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WIDTH = 100
PAGE = "page.png"

PRINTED = {  # picture: the commands up to the one that prints it
    "spot.svg": ["spot examples/river.toml --target 0.1%"],
    "values.svg": [
        "spot examples/river.toml --target 0.1% --out river.solution",
        "browse river.solution check --grid ev",
    ],
}
DRAWN = {  # picture: the command that draws it into PICTURE
    "kuhn-tree.svg": "game kuhn --draw PICTURE",
    "curves.svg": "compare leduc --with cfr,cfr+,dcfr,pcfr+ --iterations 1000 --x iterations --plot PICTURE",
    "first-order.svg": 'compare leduc --with "egt,egt(prox=euclidean, restarts=True),mirror-prox,cfr+,dcfr,pcfr+" '
    "--iterations 8000 --x passes --plot PICTURE",
}


MADE: dict[str, Callable[[], bytes]] = {"limit-holdem.svg": limit_picture, PAGE: page_picture}


def screen(lines: list[str]) -> str:
    """What the last of these commands prints in colour, as SVG; they run in a folder with the examples."""
    environment = os.environ | {"FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "COLORTERM": "truecolor"}
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        for line in lines:
            command = [sys.executable, "-m", "pokerlab", *shlex.split(line)]
            done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=True)
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True)
    console.print(Text(f"$ pokerlab {lines[-1]}", style="bold green"))
    console.print(Text.from_ansi(done.stdout))
    svg = console.export_svg(title="pokerlab", theme=MONOKAI)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # the reader's own monospaced font will do
    return re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)


def drawn(line: str) -> str:
    """The picture that a command draws."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "picture.svg"
        words = [str(target) if word == "PICTURE" else word for word in shlex.split(line)]
        subprocess.run([sys.executable, "-m", "pokerlab", *words], cwd=ROOT, capture_output=True, check=True)
        return target.read_text(encoding="utf-8")


def picture(name: str) -> bytes:
    """A picture, made anew."""
    if name in MADE:
        return MADE[name]()
    return (screen(PRINTED[name]) if name in PRINTED else drawn(DRAWN[name])).encode()


if __name__ == "__main__":
    for name in sys.argv[1:] or [*PRINTED, *DRAWN, *MADE]:
        (HERE / name).write_bytes(picture(name))
        print(f"drawn: {(HERE / name).relative_to(ROOT)}")
