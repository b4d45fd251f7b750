"""The version of this package, and of its source."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

__version__ = "0.1.0"


@cache
def identity() -> str:
    """The version with a fingerprint of the source: machines on which it is the same run the same program."""
    digest, root = blake2b(digest_size=4), Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return f"{__version__} (source {digest.hexdigest()})"
