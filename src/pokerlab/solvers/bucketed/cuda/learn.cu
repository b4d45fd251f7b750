// Regrets and averages of buckets, added up over the hands of many boards. Follows tree/public/cuda/response.cu.
//
// Rows of a bucket that stand beside each other are added up within a warp before they are added to memory.

enum { KEEP_POSITIVE, KEEP_NEGATIVE, KEEP_AVERAGE, REGRET_WEIGHT, AVERAGE_WEIGHT };

#ifdef __CUDACC__
// Which lanes of a warp begin a run of rows of the same bucket.
INLINE unsigned run_heads(int bucket, int lane) {
    const int before = __shfl_up_sync(0xffffffffu, bucket, 1);
    return __ballot_sync(0xffffffffu, lane == 0 || before != bucket);
}
// Add the values of each run to its bucket; a bucket below 0 has none.
INLINE void add_runs(float* to, int bucket, float value, unsigned heads, int lane) {
    const unsigned later = lane == 31 ? 0u : heads >> (lane + 1);
    UNROLLED for (int apart = 1; apart < 32; apart <<= 1) {
        const float other = __shfl_down_sync(0xffffffffu, value, apart);
        if (lane + apart < 32 && !(later & ((1u << apart) - 1u))) value += other;
    }
    if ((heads >> lane & 1u) && bucket >= 0 && value != 0) atomicAdd(to + bucket, value);
}
#else
INLINE unsigned run_heads(int, int) { return 0; }
INLINE void add_runs(float* to, int bucket, float value, unsigned, int) {
    if (bucket >= 0) to[bucket] += value;
}
#endif

// A bucket's next strategy: regrets and averages are discounted, then the positive regrets are matched. BOARD is the
// infoset, a warp has 32 buckets.
KERNEL match_buckets(const Plex* plex, const Buckets* buckets, i64 discounting, i64 warps) {
    if (WARP >= warps) return;
    const Buckets b = *buckets;
    const Node n = plex->node[BOARD];
    const float positive = discounting ? (float)b.step[KEEP_POSITIVE] : 1.0f;
    const float negative = discounting ? (float)b.step[KEEP_NEGATIVE] : 1.0f;
    const float keep = discounting ? (float)b.step[KEEP_AVERAGE] : 1.0f;
    LANES(i) {
        const i64 bucket = (i64)WARP * 32 + i;
        if (bucket < b.count) {
            const i64 at = (i64)n.slot * b.count + bucket;
            float total = 0;
            for (int k = 0; k < n.actions; ++k) {
                const i64 here = at + k * b.count;
                float regret = b.regret[here];
                if (discounting) {
                    regret *= regret > 0 ? positive : negative;
                    b.regret[here] = regret;
                    if (b.average) b.average[here] *= keep;
                }
                total += regret > 0 ? regret : 0.0f;
            }
            for (int k = 0; k < n.actions; ++k) {
                const i64 here = at + k * b.count;
                const float regret = b.regret[here];
                b.probability[here] = total > 0 ? (regret > 0 ? regret / total : 0.0f) : 1.0f / n.actions;
            }
        }
    }
}

// Add a player's reach of the actions of an infoset to the average strategy.
INLINE void remember_buckets(const Buckets& b, const Place& w, const Node& n, int rows, int count, const REAL* to) {
    const unsigned short* of = b.of + w.board * rows;
    const float weight = (float)b.step[AVERAGE_WEIGHT];
    float* average = b.average + (i64)n.slot * b.count;
    LANES(i) {
        UNROLLED for (int j = 0; j < WIDE; ++j) if (w.whole[j]) {
            const int row = w.at[j] + i, bucket = row < count ? of[row] : -1;
            const unsigned heads = run_heads(bucket, i);
            for (int k = 0; k < n.actions; ++k)
                add_runs(average + k * b.count, bucket, bucket < 0 ? 0.0f : weight * (float)to[k * rows + row], heads, i);
        }
    }
}

// The value of an infoset under its strategy, and the regrets of its actions.
KERNEL learn_buckets(const Plex* plex, const Seat* seat, const Arrays* arrays, const Buckets* buckets, i64 from,
                     i64 boards, i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Buckets b = *buckets;
    const Place w = place_across(s, arrays->first, (unsigned)boards);
    const Node n = p.node[from + w.index];
    const int rows = (int)s.rows, count = s.count[w.board];
    const float weight = (float)b.step[REGRET_WEIGHT];
    const unsigned short* of = b.of + w.board * rows;
    const float* probability = b.probability + (i64)n.slot * b.count;
    float* regret = b.regret + (i64)n.slot * b.count;
    REAL* value = arrays->best_scratch + (w.local * p.slots + n.slot) * rows;
    LANES(i) {
        UNROLLED for (int j = 0; j < WIDE; ++j) if (w.whole[j]) {
            const int row = w.at[j] + i, bucket = row < count ? of[row] : -1;
            const unsigned heads = run_heads(bucket, i);
            REAL mean = 0;
            if (bucket >= 0)
                for (int k = 0; k < n.actions; ++k) mean += (REAL)probability[k * b.count + bucket] * value[k * rows + row];
            for (int k = 0; k < n.actions; ++k)
                add_runs(regret + k * b.count, bucket,
                         bucket < 0 ? 0.0f : weight * (float)(value[k * rows + row] - mean), heads, i);
            value[row] = mean;
        }
    }
}

// The value of an infoset for each hand: that of its best action, which is noted.  # choice [board - first, infoset, row]
KERNEL choose_by_hand(const Plex* plex, const Seat* seat, const Arrays* arrays, unsigned char* choice, i64 from, i64 boards,
                      i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Place w = place_across(s, arrays->first, (unsigned)boards);
    const Node n = p.node[from + w.index];
    const int rows = (int)s.rows;
    REAL* value = arrays->best_scratch + (w.local * p.slots + n.slot) * rows;
    unsigned char* noted = choice + (w.local * p.nodes + n.number) * rows;
    LANES(i) {
        UNROLLED for (int j = 0; j < WIDE; ++j) if (w.whole[j]) {
            const int row = w.at[j] + i;
            REAL top = value[row];
            int best = 0;
            for (int k = 1; k < n.actions; ++k) {
                const REAL other = value[k * rows + row];
                if (other > top) {
                    top = other;
                    best = k;
                }
            }
            value[row] = top;
            noted[row] = (unsigned char)best;
        }
    }
}

// A player's reach of the actions of an infoset, where each hand takes the action that was noted.
KERNEL descend_by_choice(const Plex* plex, const Seat* seat, const Arrays* arrays, const unsigned char* choice, i64 from,
                         i64 boards, i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Place w = place_across(s, arrays->first, (unsigned)boards);
    const Node n = p.node[from + w.index];
    const int rows = (int)s.rows, count = s.count[w.board];
    REAL* reach = arrays->reach + w.local * (p.roots + p.slots) * s.rows;
    const REAL* parent = reach + (i64)n.sequence * rows;
    REAL* to = reach + (p.roots + n.slot) * rows;
    const unsigned char* noted = choice + (w.local * p.nodes + n.number) * rows;
    LANES(i) {
        UNROLLED for (int j = 0; j < WIDE; ++j) if (w.whole[j]) {
            const int row = w.at[j] + i;
            const REAL arriving = row < count ? parent[row] : (REAL)0;
            for (int k = 0; k < n.actions; ++k) to[k * rows + row] = noted[row] == k ? arriving : (REAL)0;
        }
    }
}
