// A step of a player on a board, 32 hands at a time: the average strategy, values, regrets. Follows tree/public/cuda/walk.cu.
//
// Numbers stored as integers share a unit among the hands of a warp at an infoset; a strategy needs no unit.

#define LARGEST_WHOLE 32767
#define SMALLEST_TOP ((REAL)1e-33)

enum { KEEP_POSITIVE, KEEP_NEGATIVE, FLOOR, KEEP_AVERAGE, AVERAGE_WEIGHT, PREDICTION };

INLINE REAL unit_inverse(REAL top) { return top < SMALLEST_TOP ? (REAL)0 : LARGEST_WHOLE / top; }

// Add a step's share to the average strategy of an infoset; `to` is the reach of its first action.
INLINE void remember(const Arrays& a, const REAL* to, i64 rows, i64 at, i64 unit_at, int actions) {
    const REAL keep = (REAL)a.step[KEEP_AVERAGE], weight = (REAL)a.step[AVERAGE_WEIGHT];
#if WHOLE
    const REAL unit = keep * a.average_scale[unit_at];
    PRIVATE(REAL, top);
    LANES(i) {
        MINE(top, i) = 0;
        for (int k = 0; k < actions; ++k) {
            const REAL now = (REAL)a.average[at + k * 32 + i] * unit + weight * to[k * rows + i];
            MINE(top, i) = now > MINE(top, i) ? now : MINE(top, i);
        }
    }
    const REAL most = peak(top), inverse = unit_inverse(most);
    LANES(i) {
        for (int k = 0; k < actions; ++k) {
            const REAL now = (REAL)a.average[at + k * 32 + i] * unit + weight * to[k * rows + i];
            a.average[at + k * 32 + i] = (STORED)nearest(now * inverse);
        }
        if (i == 0) a.average_scale[unit_at] = most / LARGEST_WHOLE;
    }
#else
    LANES(i) {
        for (int k = 0; k < actions; ++k) {
            const REAL share = weight * to[k * rows + i];
            if (keep != 1)
                a.average[at + k * 32 + i] = a.average[at + k * 32 + i] * keep + share;
            else if (share > 0)
                a.average[at + k * 32 + i] += share;
        }
    }
#endif
}

// Add a step's regret to an infoset: the value of each action, in `gain`, minus the mean.
INLINE void add_regret(const Arrays& a, STORED* regret, const REAL* gain, const REAL* mean, i64 rows, i64 at,
                       i64 unit_at, int actions) {
    const REAL positive = (REAL)a.step[KEEP_POSITIVE], negative = (REAL)a.step[KEEP_NEGATIVE];
    const bool floor = a.step[FLOOR] != 0, predicts = a.step[PREDICTION] > 0;
#if WHOLE
    const REAL unit = a.regret_scale[unit_at];
    PRIVATE(REAL, top);
    LANES(i) {
        MINE(top, i) = 0;
        for (int k = 0; k < actions; ++k) {
            const REAL old = (REAL)regret[at + k * 32 + i] * unit;
            REAL now = old * (old > 0 ? positive : negative) + gain[k * rows + i] - MINE(mean, i);
            now = now < 0 ? (floor ? (REAL)0 : -now) : now;
            MINE(top, i) = now > MINE(top, i) ? now : MINE(top, i);
        }
    }
    const REAL most = peak(top), inverse = unit_inverse(most);
    LANES(i) {
        for (int k = 0; k < actions; ++k) {
            const REAL old = (REAL)regret[at + k * 32 + i] * unit;
            REAL now = old * (old > 0 ? positive : negative) + gain[k * rows + i] - MINE(mean, i);
            now = floor && now < 0 ? (REAL)0 : now;
            regret[at + k * 32 + i] = (STORED)nearest(now * inverse);
        }
        if (i == 0) a.regret_scale[unit_at] = most / LARGEST_WHOLE;
    }
#else
    (void)unit_at;
    LANES(i) {
        for (int k = 0; k < actions; ++k) {
            const REAL old = regret[at + k * 32 + i], instant = gain[k * rows + i] - MINE(mean, i);
            const REAL now = old * (old > 0 ? positive : negative) + instant;
            if (predicts) ((float*)a.last)[at + k * 32 + i] = instant;
            regret[at + k * 32 + i] = floor && now < 0 ? (REAL)0 : now;
        }
    }
#endif
}

// plex and seat are the player's own, other_plex the opponent's; `sums` are own regrets
KERNEL learn(const Plex* plex, const Plex* other_plex, const Seat* seat, const Level* level, const Arrays* arrays,
             const REAL* opposing, i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex, q = *other_plex;
    const Seat s = *seat;
    const Level l = *level;
    const Arrays a = *arrays;
    const i64 blocks = s.rows / 32, board = a.first + WARP / blocks, block = WARP % blocks;
    const i64 at = (board * blocks + block) * p.slots * 32, unit_at = (board * blocks + block) * p.nodes;
    const i64 sequences = p.roots + p.slots;
    const REAL prediction = (REAL)a.step[PREDICTION];
    REAL* own = a.scratch + (board - a.first) * sequences * s.rows + block * 32;
    LANES(i) arrive(p, s, l, a, board, (int)block * 32 + i, own + i);
    for (int node = 0; node < p.nodes; ++node) {
        const int actions = p.node_actions[node], slot = p.node_slot[node];
        REAL* to = own + (p.roots + slot) * s.rows;
        LANES(i) {
            const REAL arriving = own[(i64)p.node_sequence[node] * s.rows + i];
            const i64 first = at + slot * 32 + i;
            REAL scale = 0, equal = 0;
            if (arriving > 0) {
                const REAL divided = 1 / positive_sum(a, first, actions, prediction);
                const bool finite = divided < ENDLESS;
                scale = finite ? divided : (REAL)0;
                equal = finite ? (REAL)0 : (REAL)1 / actions;
            }
            for (int k = 0; k < actions; ++k)
                to[k * s.rows + i] =
                    arriving > 0 ? (positive(a, first + k * 32, prediction) * scale + equal) * arriving : (REAL)0;
        }
        remember(a, to, s.rows, at + slot * 32, unit_at + node, actions);
    }
    Arrays v = a;
    v.reach = (REAL*)opposing;
    for (int node = (int)p.nodes - 1; node >= 0; --node) {
        const int actions = p.node_actions[node], slot = p.node_slot[node];
        REAL* gain = own + (p.roots + slot) * s.rows;
        PRIVATE(REAL, mean);
        LANES(i) {
            const int row = (int)block * 32 + i;
            const i64 first = at + slot * 32 + i;
            MINE(mean, i) = 0;
            if (row < s.count[board]) {
                const Hand h = hand_of(p, q, s, l, v, board, row);
                const REAL divided = 1 / positive_sum(a, first, actions, prediction);
                const bool finite = divided < ENDLESS;
                const REAL scale = finite ? divided : (REAL)0, equal = finite ? (REAL)0 : (REAL)1 / actions;
                for (int k = 0; k < actions; ++k) {
                    const REAL one = sum_sources(p, q, s, l, h, p.roots + slot + k);
                    gain[k * s.rows + i] = one;
                    MINE(mean, i) += (positive(a, first + k * 32, prediction) * scale + equal) * one;
                }
            } else {
                for (int k = 0; k < actions; ++k) gain[k * s.rows + i] = 0;
            }
        }
        add_regret(a, (STORED*)a.sums, gain, mean, s.rows, at + slot * 32, unit_at + node, actions);
        LANES(i) gain[i] = MINE(mean, i);
    }
    LANES(i) {
        const int row = (int)block * 32 + i;
        const bool held = row < s.count[board];
        const Hand h = hand_of(p, q, s, l, v, board, held ? row : 0);
        for (int root = 0; root < p.used_roots; ++root)
            a.root_value[(board * p.used_roots + root) * s.rows + row] =
                held ? sum_sources(p, q, s, l, h, root) : (REAL)0;
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
