"""Build the site: python -m docs.site.build [FOLDER]; default: site/."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from docs.site import commands, staging


def build(folder: Path) -> int:
    """Put the pages together and let Sphinx write them as HTML; every warning is an error."""
    pages = folder / "pages"
    staging.stage(pages)
    commands.write(pages / "commands")
    here = Path(__file__).parent
    words = ["-q", "-W", "--keep-going", "-b", "html", "-c", str(here), "-d", str(folder / "doctrees")]
    return subprocess.run(
        [sys.executable, "-m", "sphinx", *words, str(pages), str(folder / "html")], check=False
    ).returncode


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else staging.ROOT / "site")
    code = build(target)
    print(f"open {target / 'html' / 'index.html'}" if code == 0 else "the site was not built: see the warnings above")
    sys.exit(code)
