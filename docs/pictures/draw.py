"""Draw what a command prints as an SVG picture: python docs/pictures/draw.py equity.svg equity AhKh 2c2d"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

WIDTH = 100


def draw(target: Path, words: list[str]) -> None:
    """Run `pokerlab WORDS` in colour and write its output to the target."""
    environment = os.environ | {
        "FORCE_COLOR": "1",
        "COLUMNS": str(WIDTH),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
    }
    command = [sys.executable, "-m", "pokerlab", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True)
    console.print(Text(f"$ pokerlab {' '.join(words)}", style="bold green"))
    console.print(Text.from_ansi(done.stdout))
    svg = console.export_svg(title="pokerlab", theme=MONOKAI)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # the reader's own monospaced font will do
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    target.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    draw(Path(__file__).parent / sys.argv[1], sys.argv[2:])
