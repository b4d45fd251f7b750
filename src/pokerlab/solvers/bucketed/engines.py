"""The engines of the bucketed form, by what they sample; an algorithm of the library names one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pokerlab.solvers.core.algorithm import Engine
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.resources import Resources

if TYPE_CHECKING:
    from pokerlab.solvers.cfr.sampled.sampler import Sampler


def pure(schedule: Schedule, *, period: int = 0) -> Engine:
    """Pure CFR; a step of the schedule comes every `period` iterations, or as suits the size of the form."""

    def make(form: Any, seed: int, resources: Resources) -> Any:
        from pokerlab.solvers.bucketed.pure import BucketedPure

        return BucketedPure(form, schedule, seed=seed, threads=resources.threads, period=period)

    return make


def sampling(sampler: Sampler, schedule: Schedule, *, period: int = 0) -> Engine:
    """Monte-Carlo CFR that samples as a value says; a step of the schedule comes every `period` iterations."""

    def make(form: Any, seed: int, resources: Resources) -> Any:
        from pokerlab.solvers.bucketed.sampled import BucketedSampled

        return BucketedSampled(form, sampler, schedule, seed=seed, threads=resources.threads, period=period)

    return make
