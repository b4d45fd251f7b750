// A step of a player on a board, 32 hands at a time: the average strategy, values, regrets. Follows tree/public/cuda/walk.cu.
//
// Numbers stored as integers share a unit among the hands of a warp at an infoset; a strategy needs no unit.

#define LARGEST_WHOLE 32767
#define SMALLEST_TOP ((REAL)1e-33)

enum { KEEP_POSITIVE, KEEP_NEGATIVE, FLOOR, KEEP_AVERAGE, AVERAGE_WEIGHT, PREDICTION };

struct Wide {
    REAL of[WIDE];
};

INLINE REAL unit_inverse(REAL top) { return top < SMALLEST_TOP ? (REAL)0 : LARGEST_WHOLE / top; }

// Add a step's share to the average strategy of an infoset; `to` is the reach of its first action.
INLINE void remember(const Arrays& a, const Place& w, const REAL* to, i64 rows, int slot, int slots, i64 unit, i64 units,
                     int actions, int count) {
    const REAL keep = (REAL)a.step[KEEP_AVERAGE], weight = (REAL)a.step[AVERAGE_WEIGHT];
    for (int b = 0; b < WIDE && w.block + b < w.blocks; ++b) {
        STORED* average = a.average + w.at + ((i64)b * slots + slot) * 32;
        const REAL* share = to + b * 32;
        const int row = (w.block + b) * 32;
#if WHOLE
        float* own = a.average_scale + unit + b * units;
        const REAL old = keep * *own;
        PRIVATE(REAL, top);
        LANES(i) {
            MINE(top, i) = 0;
            for (int k = 0; k < actions && row + i < count; ++k) {
                const REAL now = (REAL)average[k * 32 + i] * old + weight * share[k * rows + i];
                MINE(top, i) = now > MINE(top, i) ? now : MINE(top, i);
            }
        }
        const REAL most = peak(top), inverse = unit_inverse(most);
        LANES(i) {
            for (int k = 0; k < actions && row + i < count; ++k) {
                const REAL now = (REAL)average[k * 32 + i] * old + weight * share[k * rows + i];
                average[k * 32 + i] = (STORED)nearest(now * inverse);
            }
        }
        SYNC;
        LANES(i) if (i == 0) *own = most / LARGEST_WHOLE;
#else
        LANES(i) {
            for (int k = 0; k < actions && row + i < count; ++k) {
                const REAL added = weight * share[k * rows + i];
                if (keep != 1)
                    average[k * 32 + i] = average[k * 32 + i] * keep + added;
                else if (added > 0)
                    average[k * 32 + i] += added;
            }
        }
#endif
    }
}

INLINE REAL discounted(REAL old, REAL instant, const double* step) {
    const REAL now = old * (REAL)(old > 0 ? step[KEEP_POSITIVE] : step[KEEP_NEGATIVE]) + instant;
    return step[FLOOR] != 0 && now < 0 ? (REAL)0 : now;
}

// The values of some infosets and their regrets, deepest first.
// plex and seat are the player's own, other_plex the opponent's; `sums` are own regrets
KERNEL learn(const Plex* plex, const Plex* other_plex, const Seat* seat, const Level* level, const Arrays* arrays,
             i64 from, i64 nodes, i64 each_and_warps) {
    const i64 each = each_and_warps & 0xffff, warps = each_and_warps >> 16;
    if (WARP >= warps) return;
    const Plex p = *plex, q = *other_plex;
    const Seat s = *seat;
    const Arrays a = *arrays;
    const Place w = place_of(p, s, a.first, from, nodes, each);
    const Values v = values_of(p, q, s, *level, a, w);
    const REAL prediction = (REAL)a.step[PREDICTION];
    const int wide = (int)p.slots * 32, rows = v.rows;
    REAL* scratch = (REAL*)v.scratch + w.block * 32;
    STORED* regrets = (STORED*)a.sums;
    for (int place = w.last - 1; place >= w.first; --place) {
        const int node = p.order[place], actions = p.node_actions[node], slot = p.node_slot[node];
        REAL* gain = scratch + (i64)slot * rows;
#if WHOLE
        PRIVATE(Wide, means);
#endif
        LANES(i) {
            const i64 first = w.at + slot * 32 + i;
            const int row = w.block * 32 + i;
            REAL total[WIDE] = {}, mean[WIDE] = {};
            for (int k = 0; k < actions; ++k)
                UNROLLED for (int b = 0; b < WIDE; ++b)
                    if (row + b * 32 < v.count) total[b] += positive(a, first + b * wide + k * 32, prediction);
            UNROLLED for (int b = 0; b < WIDE; ++b) total[b] = 1 / total[b];
            for (int k = 0; k < actions; ++k) {
                REAL one[WIDE];
                sum_sources(p, q, v, p.roots + slot + k, row, one);
                UNROLLED for (int b = 0; b < WIDE; ++b)
                    if (row + b * 32 < v.count) {
                        const REAL sum = positive(a, first + b * wide + k * 32, prediction);
                        mean[b] += (total[b] < ENDLESS ? sum * total[b] : (REAL)1 / actions) * one[b];
                        gain[k * rows + b * 32 + i] = one[b];
                    }
            }
#if WHOLE
            UNROLLED for (int b = 0; b < WIDE; ++b) MINE(means, i).of[b] = mean[b];
#else
            for (int k = 0; k < actions; ++k)
                UNROLLED for (int b = 0; b < WIDE; ++b)
                    if (row + b * 32 < v.count) {
                        const i64 at = first + b * wide + k * 32;
                        const REAL instant = gain[k * rows + b * 32 + i] - mean[b];
                        const REAL now = discounted(regrets[at], instant, a.step);
                        if (prediction > 0) ((float*)a.last)[at] = instant;
                        regrets[at] = now;
                    }
            UNROLLED for (int b = 0; b < WIDE; ++b)
                if (row + b * 32 < v.count) gain[b * 32 + i] = mean[b];
#endif
        }
#if WHOLE
        for (int b = 0; b < WIDE && w.block + b < w.blocks; ++b) {
            const i64 at = w.at + (i64)b * wide + slot * 32;
            float* own = a.regret_scale + (w.board * w.blocks + w.block + b) * p.nodes + node;
            const REAL unit = *own;
            PRIVATE(REAL, top);
            LANES(i) {
                MINE(top, i) = 0;
                for (int k = 0; k < actions && (w.block + b) * 32 + i < v.count; ++k) {
                    const REAL instant = gain[k * rows + b * 32 + i] - MINE(means, i).of[b];
                    const REAL now = discounted((REAL)regrets[at + k * 32 + i] * unit, instant, a.step);
                    const REAL size = now < 0 ? -now : now;
                    MINE(top, i) = size > MINE(top, i) ? size : MINE(top, i);
                }
            }
            const REAL most = peak(top), inverse = unit_inverse(most);
            LANES(i) {
                for (int k = 0; k < actions && (w.block + b) * 32 + i < v.count; ++k) {
                    const REAL instant = gain[k * rows + b * 32 + i] - MINE(means, i).of[b];
                    const REAL now = discounted((REAL)regrets[at + k * 32 + i] * unit, instant, a.step);
                    regrets[at + k * 32 + i] = (STORED)nearest(now * inverse);
                }
                if ((w.block + b) * 32 + i < v.count) gain[b * 32 + i] = MINE(means, i).of[b];
            }
            SYNC;
            LANES(i) if (i == 0) *own = most / LARGEST_WHOLE;
        }
#endif
    }
}

// Hands that are suit-isomorphic on a board take the numbers of the first of them. first_row [board, row]
KERNEL follow(const short* first_row, STORED* stored, i64 slots, i64 blocks, i64 warps) {
    if (WARP >= warps) return;
    LANES(i) {
        const i64 row = WARP * 32 + i, first = first_row[row];
        if (first != row % (blocks * 32)) {
            const i64 board = row / (blocks * 32);
            for (i64 slot = 0; slot < slots; ++slot)
                stored[(WARP * slots + slot) * 32 + i] =
                    stored[((board * blocks + first / 32) * slots + slot) * 32 + first % 32];
        }
    }
}

// Integers of an infoset in the largest of the units of its board's blocks, for boards with such hands.
KERNEL share_units(const int* boards, const Plex* plex, STORED* stored, float* units, i64 blocks, i64 warps) {
    if (WARP >= warps) return;
    const i64 nodes = plex->nodes, slots = plex->slots, node = WARP % nodes, board = boards[WARP / nodes];
    float* own = units + board * blocks * nodes + node;
    float largest = 0;
    for (i64 block = 0; block < blocks; ++block) largest = own[block * nodes] > largest ? own[block * nodes] : largest;
    SYNC;
    for (i64 block = 0; block < blocks; ++block) {
        const float ratio = largest > 0 ? own[block * nodes] / largest : 0.0f;
        STORED* from = stored + ((board * blocks + block) * slots + plex->node_slot[node]) * 32;
        LANES(i)
            for (int k = 0; k < plex->node_actions[node]; ++k)
                from[k * 32 + i] = (STORED)nearest((float)from[k * 32 + i] * ratio);
    }
    SYNC;
    LANES(i) if (i == 0) for (i64 block = 0; block < blocks; ++block) own[block * nodes] = largest;
}

// Locked numbers as they were given.
KERNEL keep(const i64* places, const STORED* numbers, STORED* stored, i64 count, i64 warps) {
    if (WARP >= warps) return;
    LANES(i) if (WARP * 32 + i < count) stored[places[WARP * 32 + i]] = numbers ? numbers[WARP * 32 + i] : (STORED)0;
}
