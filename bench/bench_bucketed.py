"""Pure CFR on limit hold'em with 169/1000/1000/1000 buckets: iterations a second, an iteration updating both players.

Buckets are random, which costs the cache as much as real ones. The published figure is that of open-pure-cfr with cards
that know no suits, on another machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from bench import Row, interleaved
from pokerlab.abstraction.buckets import Buckets, RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.parallel import core_count
from pokerlab.registry import load
from pokerlab.solvers.bucketed.sampled import BucketedSampled
from pokerlab.solvers.library.pure import SAMPLER
from pokerlab.tree.bucketed._kernels.deals import make_deals
from pokerlab.tree.bucketed.form import AT_A_TIME, BucketedForm, bucketed_form

_COUNTS = (169, 1000, 1000, 1000)
_ITERATIONS = 100 * AT_A_TIME
_WARM = 1_000_000  # iterations after which strategies have taken shape, and fewer nodes are visited
# By CPU time on one thread: 352,000 and 390,000 on one machine, 239,000 to 257,000 on another, 211,000 on a third.
# Memory limits it, and what is asked for is what all of them reach.
_ASKED, _PUBLISHED = 200_000.0, 58_000.0
QUICK = {"_ITERATIONS": AT_A_TIME, "_WARM": AT_A_TIME}


def form() -> BucketedForm:
    """Limit hold'em with random buckets."""
    game, rng = load("games", "holdem-limit"), np.random.default_rng(0)
    cards = CardRounds.of(game)
    rounds = []
    for turn, count in enumerate(_COUNTS):
        hands = cards.hands(turn)
        table = np.arange(hands, dtype=np.uint16) if turn == 0 else rng.integers(0, count, hands, np.uint16)
        rounds.append(RoundBuckets(f"random:{count}", count, table))
    return bucketed_form(game, Buckets(cards, tuple(rounds)))


def measure() -> Iterator[Row]:
    """The fast kernel against the plain one, and two threads against one."""
    laid, schedule = form(), load("algorithms", "cfr").schedule
    threads = min(2, core_count())
    one, two, plain = (  # one thread, two of them, one with the plain kernel
        BucketedSampled(laid, SAMPLER, schedule, seed=1, threads=count, plain=is_plain)
        for count, is_plain in ((1, False), (threads, False), (1, True))
    )
    plain.advance(1)
    one.advance(_WARM)
    for other in (two, plain):
        other.restore(one.arrays())
    room, state = laid.deal_buffers(), np.zeros(1, np.uint64)
    before = one.nodes_touched, one.iterations
    singles = {
        "one": lambda: one.advance(_ITERATIONS),
        "plain": lambda: plain.advance(_ITERATIONS),
        "deals": lambda: [make_deals(AT_A_TIME, laid.deals, room, state) for _ in range(_ITERATIONS // AT_A_TIME)],
    }
    times = interleaved(singles, clock=time.process_time)  # of this process, whatever else the machine does
    nodes = (one.nodes_touched - before[0]) / (one.iterations - before[1])
    rate = {name: _ITERATIONS / seconds for name, seconds in times.items()}
    both = interleaved({"one": singles["one"], "all": lambda: two.advance(_ITERATIONS)}, clock=time.process_time)
    note = f"{nodes:.0f} nodes an iteration, {1e9 / rate['one'] / nodes:.1f} ns each"
    yield Row("one thread", rate["one"], _ASKED, "asked for", asked=1.0, note=f"{note}; memory limits it")
    yield Row("one thread", rate["one"], rate["plain"], "the plain kernel")
    yield Row("one thread", rate["one"], _PUBLISHED, "open-pure-cfr, as published")
    shared = [_ITERATIONS / both[name] for name in ("all", "one")]
    note = f"by CPU time of all threads: as fast as {threads} times this on idle cores"
    yield Row(f"{threads} threads", *shared, "one thread", asked=0.9, note=note)
    yield Row("deals alone", rate["deals"], note=f"{1e9 / rate['deals']:.0f} ns each")
