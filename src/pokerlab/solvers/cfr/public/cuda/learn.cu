// A step of a player on a board, 32 hands at a time: the average strategy, values, regrets. Follows tree/public/cuda/walk.cu.
//
// Numbers stored as integers share a unit among the hands of a warp at an infoset; a strategy needs no unit.

#define LARGEST_WHOLE 32767
#define SMALLEST_TOP ((REAL)1e-33)

enum { KEEP_POSITIVE, KEEP_NEGATIVE, FLOOR, KEEP_AVERAGE, AVERAGE_WEIGHT, PREDICTION };

INLINE REAL unit_inverse(REAL top) { return top < SMALLEST_TOP ? (REAL)0 : LARGEST_WHOLE / top; }

// Add a step's share to the average strategy of an infoset; `to` is the reach of its first action.
INLINE void remember(const Arrays& a, const Plex& p, const Place& w, const Node& n, const REAL* to, i64 rows) {
    const REAL keep = (REAL)a.step[KEEP_AVERAGE], weight = (REAL)a.step[AVERAGE_WEIGHT];
    STORED* average = a.average + w.board * w.blocks * 32 * p.slots + n.slot * 32;
    const int slots = (int)p.slots;
#if WHOLE
    for (int b = 0; b < WIDE && w.whole[b]; ++b) {
        STORED* block = average + w.at[b] * slots;
        float* own = a.average_scale + (w.board * w.blocks + w.block + b) * p.nodes + n.number;
        const REAL old = keep * *own;
        PRIVATE(REAL, top);
        LANES(i) {
            MINE(top, i) = 0;
            for (int k = 0; k < n.actions; ++k) {
                const REAL now = (REAL)block[k * 32 + i] * old + weight * to[k * rows + w.at[b] + i];
                MINE(top, i) = now > MINE(top, i) ? now : MINE(top, i);
            }
        }
        const REAL most = peak(top), inverse = unit_inverse(most);
        LANES(i) {
            for (int k = 0; k < n.actions; ++k) {
                const REAL now = (REAL)block[k * 32 + i] * old + weight * to[k * rows + w.at[b] + i];
                block[k * 32 + i] = (STORED)nearest(now * inverse);
            }
        }
        SYNC;
        LANES(i) if (i == 0) *own = most / LARGEST_WHOLE;
    }
#else
    LANES(i) {
        for (int k = 0; k < n.actions; ++k) {
            REAL added[WIDE], old[WIDE];
            HANDS(b) added[b] = w.whole[b] ? weight * to[k * rows + w.at[b] + i] : (REAL)0;
            HANDS(b) old[b] = added[b] > 0 || keep != 1 ? average[w.at[b] * slots + k * 32 + i] : (REAL)0;
            HANDS(b) if (w.whole[b] && (added[b] > 0 || keep != 1))
                average[w.at[b] * slots + k * 32 + i] = old[b] * keep + added[b];
        }
    }
#endif
}

struct Rule {
    REAL positive, negative;
    bool floor;
};

INLINE Rule rule_of(const double* step) {
    return {(REAL)step[KEEP_POSITIVE], (REAL)step[KEEP_NEGATIVE], step[FLOOR] != 0};
}

INLINE REAL discounted(REAL old, REAL instant, const Rule& rule) {
    const REAL now = old * (old > 0 ? rule.positive : rule.negative) + instant;
    return rule.floor && now < 0 ? (REAL)0 : now;
}

#if !WHOLE
struct FewValues {
    Wide of[FEW];
};

// The mean value of a few actions, and their new regrets.
INLINE Wide learn_few(const Place& w, STORED* regrets, int slots, int actions, const Rule& rule, int i, const FewValues& before,
                      const FewValues& found) {
    REAL total[WIDE] = {};
    Wide mean;
    const Wide *old = before.of, *value = found.of;
    FEW_ACTIONS(k) HANDS(b) total[b] += old[k].of[b] > 0 ? old[k].of[b] : (REAL)0;
    HANDS(b) {
        const REAL divided = 1 / total[b];
        const bool finite = divided < ENDLESS;
        const REAL scale = finite ? divided : (REAL)0, equal = finite ? (REAL)0 : (REAL)1 / actions;
        mean.of[b] = 0;
        FEW_ACTIONS(k) if (k < actions) mean.of[b] += ((old[k].of[b] > 0 ? old[k].of[b] : (REAL)0) * scale + equal) * value[k].of[b];
    }
    FEW_ACTIONS(k) HANDS(b) if (k < actions && w.whole[b])
        regrets[w.at[b] * slots + k * 32 + i] = discounted(old[k].of[b], value[k].of[b] - mean.of[b], rule);
    return mean;
}
#endif

// The value of an infoset and its regrets, from the values of its actions. `sums` are own regrets
KERNEL learn(const Plex* plex, const Seat* seat, const Arrays* arrays, i64 from, i64 nodes, i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Arrays a = *arrays;
    const Place w = place_of(s, a.first, (unsigned)nodes);
    const Node n = p.node[from + w.index];
    const REAL prediction = (REAL)a.step[PREDICTION];
    const Rule rule = rule_of(a.step);
    const int rows = (int)s.rows, slots = (int)p.slots, actions = n.actions;
    REAL* values = a.scratch + (w.local * p.slots + n.slot) * rows;
    STORED* regrets = (STORED*)a.sums + w.board * w.blocks * 32 * slots + n.slot * 32;
    const i64 stored = w.board * w.blocks * 32 * slots + n.slot * 32;
    PRIVATE(Wide, means);
    LANES(i) {
        REAL total[WIDE] = {}, mean[WIDE] = {};
#if !WHOLE
        if (actions <= FEW && !(prediction > 0)) {
            FewValues old, value;
            FEW_ACTIONS(k) HANDS(b) old.of[k].of[b] = k < actions ? regrets[w.at[b] * slots + k * 32 + i] : (REAL)0;
            FEW_ACTIONS(k) HANDS(b) value.of[k].of[b] = k < actions ? values[k * rows + w.at[b] + i] : (REAL)0;
            const Wide found = learn_few(w, regrets, slots, actions, rule, i, old, value);
            HANDS(b) if (w.whole[b]) values[w.at[b] + i] = found.of[b];
        } else
#endif
        {
            for (int k = 0; k < actions; ++k)
                HANDS(b) total[b] += positive(a, stored + w.at[b] * slots + k * 32 + i, prediction);
            HANDS(b) total[b] = 1 / total[b];
            for (int k = 0; k < actions; ++k)
                HANDS(b) {
                    const REAL sum = positive(a, stored + w.at[b] * slots + k * 32 + i, prediction);
                    mean[b] += (total[b] < ENDLESS ? sum * total[b] : (REAL)1 / actions) * values[k * rows + w.at[b] + i];
                }
#if !WHOLE
            for (int k = 0; k < actions; ++k)
                HANDS(b) if (w.whole[b]) {
                    const REAL instant = values[k * rows + w.at[b] + i] - mean[b];
                    STORED* regret = regrets + w.at[b] * slots + k * 32 + i;
                    if (prediction > 0) ((float*)a.last)[stored + w.at[b] * slots + k * 32 + i] = instant;
                    *regret = discounted(*regret, instant, rule);
                }
            HANDS(b) if (w.whole[b]) values[w.at[b] + i] = mean[b];
#endif
        }
        HANDS(b) MINE(means, i).of[b] = mean[b];
    }
#if WHOLE
    for (int b = 0; b < WIDE && w.whole[b]; ++b) {
        STORED* block = regrets + w.at[b] * slots;
        float* own = a.regret_scale + (w.board * w.blocks + w.block + b) * p.nodes + n.number;
        const REAL unit = *own;
        PRIVATE(REAL, top);
        LANES(i) {
            MINE(top, i) = 0;
            for (int k = 0; k < actions; ++k) {
                const REAL instant = values[k * rows + w.at[b] + i] - MINE(means, i).of[b];
                const REAL now = discounted((REAL)block[k * 32 + i] * unit, instant, rule), size = now < 0 ? -now : now;
                MINE(top, i) = size > MINE(top, i) ? size : MINE(top, i);
            }
        }
        const REAL most = peak(top), inverse = unit_inverse(most);
        LANES(i) {
            for (int k = 0; k < actions; ++k) {
                const REAL instant = values[k * rows + w.at[b] + i] - MINE(means, i).of[b];
                block[k * 32 + i] = (STORED)nearest(discounted((REAL)block[k * 32 + i] * unit, instant, rule) * inverse);
            }
            values[w.at[b] + i] = MINE(means, i).of[b];
        }
        SYNC;
        LANES(i) if (i == 0) *own = most / LARGEST_WHOLE;
    }
#endif
}

// Hands that are suit-isomorphic on a board take the numbers of the first of them. first_row [board, row]
KERNEL follow(const short* first_row, STORED* stored, i64 slots, i64 blocks, i64 warps) {
    if (WARP >= warps) return;
    LANES(i) {
        const i64 row = WARP * 32 + i, first = first_row[BOARD * blocks * 32 + row];
        if (first != row)
            for (i64 slot = 0; slot < slots; ++slot)
                stored[((BOARD * blocks + WARP) * slots + slot) * 32 + i] =
                    stored[((BOARD * blocks + first / 32) * slots + slot) * 32 + first % 32];
    }
}

// Integers of an infoset in the largest of the units of its board's blocks, for boards with such hands.
KERNEL share_units(const int* boards, const Plex* plex, STORED* stored, float* units, i64 blocks, i64 warps) {
    if (WARP >= warps) return;
    const i64 nodes = plex->nodes, slots = plex->slots, board = boards[BOARD];
    const Node n = plex->node[WARP];
    float* own = units + board * blocks * nodes + n.number;
    float largest = 0;
    for (i64 block = 0; block < blocks; ++block) largest = own[block * nodes] > largest ? own[block * nodes] : largest;
    SYNC;
    for (i64 block = 0; block < blocks; ++block) {
        const float ratio = largest > 0 ? own[block * nodes] / largest : 0.0f;
        STORED* from = stored + ((board * blocks + block) * slots + n.slot) * 32;
        LANES(i)
            for (int k = 0; k < n.actions; ++k)
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
