"""The engines of the bucketed form, by sampling method; algorithms of the library name one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pokerlab.solvers.core.algorithm import Engine
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.resources import Resources

if TYPE_CHECKING:
    from pokerlab.solvers.cfr.sampled.sampler import Sampler


def pure(schedule: Schedule, *, period: int = 0) -> Engine:
    """Pure CFR; the schedule steps every `period` iterations, by default chosen from the size of the form."""

    def make(form: Any, seed: int, resources: Resources) -> Any:
        from pokerlab.solvers.bucketed.pure import BucketedPure

        return BucketedPure(form, schedule, seed=seed, threads=resources.threads, period=period)

    return make


def sampling(sampler: Sampler, schedule: Schedule, *, period: int = 0) -> Engine:
    """Monte-Carlo CFR with a sampler; the schedule steps every `period` iterations."""

    def make(form: Any, seed: int, resources: Resources) -> Any:
        from pokerlab.solvers.bucketed.sampled import BucketedSampled

        return BucketedSampled(form, sampler, schedule, seed=seed, threads=resources.threads, period=period)

    return make
