"""Results without what differs from run to run."""

from __future__ import annotations

from typing import Any


def untimed(record: Any) -> Any:
    """A JSON value without its times."""
    if isinstance(record, dict):
        kept = {key: value for key, value in record.items() if key != "seconds" and not key.endswith("decision_ms")}
        return {key: untimed(value) for key, value in kept.items()}
    return [untimed(value) for value in record] if isinstance(record, list) else record
