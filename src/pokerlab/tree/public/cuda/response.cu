// A best response to a strategy that is given by buckets of hands: probabilities [slot, bucket], and the bucket of each row.

struct Buckets {
    const unsigned short* of;  // [board, row]
    float* probability;        // [slot, bucket]
    i64 count;
    float* regret;             // as probability, where a strategy is learned, and so on
    float* average;            // 0 where a walk adds nothing to it
    const double* step;        // of the schedule, see solvers/bucketed/cuda/learn.cu
};

#if LEARNS_BUCKETS
INLINE void remember_buckets(const Buckets& b, const Place& w, const Node& n, int rows, int count, const REAL* to);
#endif

// A player's reach of the actions of an infoset.
KERNEL descend_by_bucket(const Plex* plex, const Seat* seat, const Arrays* arrays, const Buckets* buckets, i64 from,
                         i64 boards, i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Place w = place_across(s, arrays->first, (unsigned)boards);
    const Node n = p.node[from + w.index];
    const int rows = (int)s.rows, count = s.count[w.board], all = (int)buckets->count;
    REAL* reach = arrays->reach + w.local * (p.roots + p.slots) * s.rows;
    const REAL* parent = reach + (i64)n.sequence * rows;
    REAL* to = reach + (p.roots + n.slot) * rows;
    const unsigned short* of = buckets->of + w.board * s.rows;
    const float* probability = buckets->probability + (i64)n.slot * all;
    LANES(i) {
        REAL arriving[WIDE];
        int bucket[WIDE];
        HANDS(b) bucket[b] = of[w.at[b] + i];
        HANDS(b) arriving[b] = w.at[b] + i < count ? parent[w.at[b] + i] : (REAL)0;
        for (int k = 0; k < n.actions; ++k)
            HANDS(b) if (w.whole[b]) to[k * rows + w.at[b] + i] = arriving[b] * (REAL)probability[k * all + bucket[b]];
    }
#if LEARNS_BUCKETS
    if (buckets->average) remember_buckets(*buckets, w, n, rows, count, to);
#endif
}

// The value of an infoset: that of its best action.
KERNEL choose(const Plex* plex, const Seat* seat, const Arrays* arrays, i64 from, i64 nodes, i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Place w = place_of(s, arrays->first, (unsigned)nodes);
    const Node n = p.node[from + w.index];
    const int rows = (int)s.rows;
    REAL* best = arrays->best_scratch + (w.local * p.slots + n.slot) * rows;
    LANES(i) {
        REAL top[WIDE];
        HANDS(b) top[b] = best[w.at[b] + i];
        for (int k = 1; k < n.actions; ++k) {
            REAL other[WIDE];
            HANDS(b) other[b] = best[k * rows + w.at[b] + i];
            HANDS(b) top[b] = other[b] > top[b] ? other[b] : top[b];
        }
        HANDS(b) if (w.whole[b]) best[w.at[b] + i] = top[b];
    }
}

// Every hand is in reach, as lane 0 of a board.
KERNEL be_everywhere(const Seat* seat, REAL* reach, i64 first, i64 sequences, i64 warps) {
    if (WARP >= warps) return;
    const Seat s = *seat;
    LANES(i) {
        const i64 row = WARP * 32 + i;
        reach[BOARD * sequences * s.rows + row] = row < s.count[first + BOARD] ? (REAL)1 : (REAL)0;
    }
}

// The last of the classes that starts at or below a hand's strength: the share of `opposing` hands that it beats, ties
// one half. `ahead` is how many it beats minus how many beat it.
KERNEL classify(const Seat* seat, const REAL* ahead, const float* starts, i64 classes, i64 opposing, unsigned short* bucket,
                i64 first, i64 warps) {
    if (WARP >= warps) return;
    const Seat s = *seat;
    LANES(i) {
        const i64 row = WARP * 32 + i;
        const float share = (float)(((double)ahead[BOARD * s.rows + row] + (double)opposing) / (2.0 * (double)opposing));
        int low = 0, high = (int)classes;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (starts[middle] <= share)
                low = middle;
            else
                high = middle;
        }
        bucket[(first + BOARD) * s.rows + row] = (unsigned short)low;
    }
}
