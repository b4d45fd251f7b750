"""Observations of an opponent, as a model of how they play and how far to trust it.

The model is frequentist: at an infoset, the observed action frequencies, and a default policy without observations
(Johanson, "Robust strategies and counter-strategies: building a champion level computer poker player", 2007). The
confidence at an infoset grows with the number of observations n there, from 0 to p_max (Johanson and Bowling, "Data
biased robust counter strategies", 2009):

    N-step       p_max from N observations on, else 0 (the paper's are 1-step and 10-step)
    0-N-linear   p_max n / N up to N observations, then p_max (the paper's is 0-10-linear)
    S-curve      p_max n / (S + n)
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.tree.form import Form

CONFIDENCES = ("1-step", "10-step", "0-10-linear", "1-curve")  # the published ones
_SHARES: dict[
    re.Pattern[str], Callable[[np.ndarray, float], np.ndarray]
] = {  # of p_max after n observations, by what a name says; its number is `size`
    re.compile(r"(\d{1,9})-step"): lambda n, size: (n >= size).astype(np.float64),
    re.compile(r"0-(\d{1,9})-linear"): lambda n, size: np.minimum(n / size, 1.0),
    re.compile(r"(\d{1,9}(?:\.\d{1,9})?)-curve"): lambda n, size: n / (size + n),
}


def observations(form: Form, counts: np.ndarray) -> np.ndarray:
    """The number of observations of each infoset, repeated for each action.  # counts [A] -> [A]"""
    return form.infoset_sums(form.pool(counts))


def frequencies(form: Form, counts: np.ndarray, default: np.ndarray) -> np.ndarray:
    """The observed action frequencies, and `default` at infosets without observations.  # [A], [A] -> [A]"""
    counts = form.pool(counts)
    sums = form.infoset_sums(counts)
    return np.where(sums > 0, counts / np.maximum(sums, 1), default).astype(default.dtype)


def confidence(name: str, p_max: float, observations: np.ndarray) -> np.ndarray:
    """The confidence in a model after this many observations, by one of the functions above.

    >>> confidence("10-step", 0.8, np.array([0, 9, 10])), confidence("0-10-linear", 0.8, np.array([0, 5, 20]))
    (array([0. , 0. , 0.8]), array([0. , 0.4, 0.8]))
    >>> confidence("1-curve", 0.8, np.array([0, 1, 3]))
    array([0. , 0.4, 0.6])
    """
    if not 0 <= p_max <= 1:
        raise BadSetting(f"p must be a number from 0 to 1, not {p_max}")
    n = np.asarray(observations, np.float64)
    for pattern, share in _SHARES.items():
        if (match := pattern.fullmatch(name.strip().lower())) and float(match[1]) > 0:
            return np.asarray(p_max * share(n, float(match[1])))
    raise BadSetting(f"confidence is a step, a line or a curve, as in {', '.join(CONFIDENCES)}; not {name[:40]!r}")
