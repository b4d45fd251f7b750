"""Kernels are kept on disk, renewed when what they call changes, and compiling them is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from pokerlab import compiled

PROGRAM = """
from pokerlab.compiled import watching_compilation
names = []
with watching_compilation(names.append):
    from pokerlab.cards.strength import strength
    strength([0, 1, 2, 3, 4])
print(",".join(names))
"""


def test_compiled_once_then_kept(tmp_path: Path) -> None:
    environment = os.environ | {"POKERLAB_HOME": str(tmp_path)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    told = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert "strength_rows" in told[0]
    assert told[1].strip() == ""


def test_fingerprint_follows_imported_kernels(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(compiled, "_PACKAGE", tmp_path)
    lower, upper = tmp_path / "cards" / "_kernels" / "low.py", tmp_path / "tree" / "_kernels.py"
    for path in (lower, upper):
        path.parent.mkdir(parents=True)
    upper.write_text("from pokerlab.cards._kernels.low import f\n")
    seen = set()
    for text in ("a = 1", "a = 2", "a = 1"):
        lower.write_text(text)
        compiled._fingerprint.cache_clear()
        seen.add(compiled._fingerprint(upper))
    assert len(seen) == 2
    compiled._fingerprint.cache_clear()
