"""Figures of papers as JSON, so that a finished job can be drawn again without running it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from pokerlab.figure import Figure
from pokerlab.papers.result import plain


def figure_dict(figure: Figure) -> str:
    """A figure as a JSON text."""
    return json.dumps(_values(asdict(figure)))


def _values(value: Any) -> Any:
    """Arrays as lists, numbers that JSON lacks as None."""
    if isinstance(value, np.ndarray):
        return _values(value.tolist())
    if isinstance(value, dict):
        return {key: _values(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_values(inner) for inner in value]
    return plain(value)
