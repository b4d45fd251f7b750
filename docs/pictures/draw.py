"""The pictures of README and docs, each made by the code that it shows: python -m docs.pictures.draw [NAME ...]

A picture is what a command prints, in colour, or what a command draws into a file.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WIDTH = 100

PRINTED = {  # picture: the command that prints it
    "spot.svg": "spot examples/river.toml --target 0.1%",
}
DRAWN = {  # picture: the command that draws it into PICTURE
    "kuhn-tree.svg": "game kuhn --draw PICTURE",
    "curves.svg": "compare leduc --with cfr,cfr+,dcfr,pcfr+ --iterations 1000 --x iterations --plot PICTURE",
}


def screen(words: list[str]) -> str:
    """What `pokerlab WORDS` prints in colour, as SVG."""
    colours = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment = os.environ | colours | {"COLUMNS": str(WIDTH)}
    command = [sys.executable, "-m", "pokerlab", *words]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True)
    console.print(Text(f"$ pokerlab {shlex.join(words)}", style="bold green"))
    console.print(Text.from_ansi(done.stdout))
    svg = console.export_svg(title="pokerlab", theme=MONOKAI)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # the reader's own monospaced font will do
    return re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)


def drawn(words: list[str]) -> str:
    """The picture that a command draws."""
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "picture.svg"
        command = [sys.executable, "-m", "pokerlab", *(str(picture) if word == "PICTURE" else word for word in words)]
        subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        return picture.read_text(encoding="utf-8")


def picture(name: str) -> str:
    """A picture, made anew."""
    if name in PRINTED:
        return screen(shlex.split(PRINTED[name]))
    return drawn(shlex.split(DRAWN[name]))


if __name__ == "__main__":
    for name in sys.argv[1:] or [*PRINTED, *DRAWN]:
        (HERE / name).write_text(picture(name), encoding="utf-8")
        print(f"drawn: {(HERE / name).relative_to(ROOT)}")
