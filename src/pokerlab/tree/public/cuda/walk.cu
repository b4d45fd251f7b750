// Reach downwards and values upwards, for every board of a round at once.
//
// A warp has WIDE times 32 hands of a board. What is compared at showdown is in showdowns.cu.

struct Place {  // the hands of a warp: WIDE blocks of a board
    i64 board, local;
    unsigned index;  // of an infoset or a sequence
    int block, blocks;
    bool whole[WIDE];  // whether there is such a block; if not, the last one is read again
    int at[WIDE];      // row of the board
};

INLINE Place placed(const Seat& s, i64 board_first, i64 local, unsigned index, unsigned group) {
    Place w;
    w.blocks = (int)(s.rows / 32);
    w.block = (int)group * WIDE;
    w.index = index;
    w.local = local;
    w.board = board_first + local;
    UNROLLED for (int b = 0; b < WIDE; ++b) {
        w.whole[b] = w.block + b < w.blocks;
        w.at[b] = (w.whole[b] ? w.block + b : w.blocks - 1) * 32;
    }
    return w;
}

// Warps of a board are numbered by blocks of hands, then by index.
INLINE Place place_of(const Seat& s, i64 board_first, unsigned count) {
    return placed(s, board_first, BOARD, WARP % count, WARP / count);
}

// Launched the other way around, BOARD is the index and warps are numbered by blocks of hands, then by board: what is
// stored for an infoset over all boards stays in the cache.
INLINE Place place_across(const Seat& s, i64 board_first, unsigned boards) {
    return placed(s, board_first, WARP % boards, (unsigned)BOARD, WARP / boards);
}

#define HANDS(b) UNROLLED for (int b = 0; b < WIDE; ++b)
#define FEW 4  // actions of an infoset that are held in registers
#define FEW_ACTIONS(k) UNROLLED for (int k = 0; k < FEW; ++k)

INLINE REAL positive(const Arrays& a, i64 at, REAL prediction) {
    REAL sum = (REAL)a.sums[at];
    if (prediction > 0) sum += prediction * (REAL)a.last[at];
    return sum > 0 ? sum : (REAL)0;
}

// A player's reach of a root of a round.
KERNEL arrive(const Plex* plex, const Seat* seat, const Level* level, const Arrays* arrays, i64 warps) {
    if (WARP >= warps) return;
    const Seat s = *seat;
    const i64 root = WARP, board = arrays->first + BOARD;
    const i64 sequence = (level->parent[board] - arrays->above_first) * arrays->above_sequences + arrays->above_deal[root];
    const REAL* from = arrays->above + sequence * s.rows_above;
    const short* above = s.above + board * s.rows;
    REAL* to = arrays->reach + (BOARD * (plex->roots + plex->slots) + root) * s.rows;
    const int count = s.count[board], blocks = (int)(s.rows / 32);
    UNROLLED_BY_4 for (int block = 0; block < blocks; ++block) LANES(i) {
        const int row = block * 32 + i;
        to[row] = row < count ? from[above[row]] : (REAL)0;
    }
}

#if LEARNS
INLINE void remember(const Arrays& a, const Plex& p, const Place& w, const Node& n, const REAL* to, i64 rows);
#endif

// A player's reach of the actions of an infoset, and, if `averaging`, the average strategy's share of this step.
KERNEL descend(const Plex* plex, const Seat* seat, const Arrays* arrays, i64 averaging, i64 from, i64 nodes,
               i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Arrays a = *arrays;
    const Place w = place_of(s, a.first, (unsigned)nodes);
    const Node n = p.node[from + w.index];
    const REAL prediction = a.step ? (REAL)a.step[5] : (REAL)0;
    const int rows = (int)s.rows, count = s.count[w.board], slots = (int)p.slots;
    REAL* reach = a.reach + w.local * (p.roots + p.slots) * s.rows;
    const REAL* parent = reach + (i64)n.sequence * rows;
    REAL* to = reach + (p.roots + n.slot) * rows;
    const i64 stored = w.board * w.blocks * 32 * slots + n.slot * 32;
    LANES(i) {
        REAL arriving[WIDE], total[WIDE];
        HANDS(b) arriving[b] = parent[w.at[b] + i];
        HANDS(b) arriving[b] = w.at[b] + i < count ? arriving[b] : (REAL)0;
        HANDS(b) total[b] = 0;
        if (n.actions <= FEW && !(prediction > 0)) {
            REAL sum[FEW][WIDE];
            FEW_ACTIONS(k) HANDS(b)
                sum[k][b] = k < n.actions && arriving[b] > 0 ? (REAL)a.sums[stored + w.at[b] * slots + k * 32 + i] : (REAL)0;
            FEW_ACTIONS(k) HANDS(b) {
                sum[k][b] = sum[k][b] > 0 ? sum[k][b] : (REAL)0;
                total[b] += sum[k][b];
            }
            HANDS(b) {
                const REAL divided = arriving[b] / total[b];
                const bool finite = divided < ENDLESS;
                const REAL scale = finite ? divided : (REAL)0, equal = finite ? (REAL)0 : arriving[b] / n.actions;
                FEW_ACTIONS(k) if (k < n.actions && w.whole[b])
                    to[k * rows + w.at[b] + i] = arriving[b] > 0 ? sum[k][b] * scale + equal : (REAL)0;
            }
        } else {
            for (int k = 0; k < n.actions; ++k)
                HANDS(b) if (arriving[b] > 0) total[b] += positive(a, stored + w.at[b] * slots + k * 32 + i, prediction);
            for (int k = 0; k < n.actions; ++k)
                HANDS(b) if (w.whole[b]) {
                    const REAL divided = arriving[b] / total[b];
                    REAL chosen = 0;
                    if (arriving[b] > 0)
                        chosen = divided < ENDLESS
                                     ? positive(a, stored + w.at[b] * slots + k * 32 + i, prediction) * divided
                                     : arriving[b] / n.actions;
                    to[k * rows + w.at[b] + i] = chosen;
                }
        }
    }
#if LEARNS
    if (averaging) remember(a, p, w, n, to, rows);
#endif
}

// The value of a sequence from its sources. With `best`, of a best response.
INLINE void sequence_value(const Plex& p, const Plex* other_plex, const Seat& s, const Level* level, const Arrays& a, const Place& w,
                           int sequence, bool best, Wide* sums) {
    const int rows = (int)s.rows, end = p.source_start[sequence + 1];
    int source = p.source_start[sequence];
    const REAL* ahead = a.ahead + w.local * other_plex->showdowns * rows;
    const REAL* deal_value = (best ? a.best_deal_value : a.deal_value) + w.board * p.deals * rows;
    const REAL* scratch = (best ? a.best_scratch : a.scratch) + w.local * p.slots * rows;
    LANES(i) HANDS(b) MINE(sums, i).of[b] = 0;
    while (source < end) {
        const Source one = p.source[source], two = p.source[source + 1 < end ? source + 1 : source];
        if (one.kind == COMPATIBLE) break;
        const bool second = source + 1 < end && two.kind != COMPATIBLE;
        const REAL* first = (one.kind == AHEAD ? ahead : one.kind == DEAL ? deal_value : scratch) + (i64)one.index * rows;
        const REAL* other = (two.kind == AHEAD ? ahead : two.kind == DEAL ? deal_value : scratch) + (i64)two.index * rows;
        LANES(i) {
            REAL here[WIDE], there[WIDE];
            HANDS(b) here[b] = first[w.at[b] + i];
            HANDS(b) there[b] = second ? other[w.at[b] + i] : (REAL)0;
            HANDS(b) MINE(sums, i).of[b] += one.factor * here[b];
            if (second) HANDS(b) MINE(sums, i).of[b] += two.factor * there[b];
        }
        source += second ? 2 : 1;
    }
    if (source == end) return;
    const i64 sequences = other_plex->roots + other_plex->slots, folds = other_plex->lanes - other_plex->folds_from;
    const int tokens = (int)level->tokens, rows_twin = (int)s.rows_twin;
    const short* twins = s.twin + w.board * rows;
    const int* cards = (const int*)(s.cards + w.board * rows * 2);
    LANES(i) {
        int pair[WIDE], twin[WIDE];
        HANDS(b) pair[b] = cards[w.at[b] + i];
        HANDS(b) twin[b] = twins[w.at[b] + i];
        for (int fold = source; fold < end; ++fold) {
            const Source one = p.source[fold];
            const REAL* of = a.totals + (w.local * folds + one.index) * (tokens + 1);
            const REAL* same = a.opposing + (w.local * sequences + other_plex->lane_sequence[one.index + other_plex->folds_from]) * rows_twin;
            REAL apart[WIDE];
            HANDS(b) apart[b] = twin[b] < rows_twin ? same[twin[b]] : (REAL)0;
            HANDS(b) apart[b] += of[tokens] - of[pair[b] & 0xffff] - of[pair[b] >> 16];
            HANDS(b) MINE(sums, i).of[b] += one.factor * apart[b];
        }
    }
}

// The value of a sequence: an action, or a root of the round. With `best`, of a best response.
KERNEL gain(const Plex* plex, const Plex* other_plex, const Seat* seat, const Level* level, const Arrays* arrays,
            i64 from, i64 sequences_and_best, i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Arrays a = *arrays;
    const bool best = sequences_and_best & 1;
    const Place w = place_of(s, a.first, (unsigned)(sequences_and_best >> 1));
    const int sequence = p.sequence[from + w.index], rows = (int)s.rows, count = s.count[w.board];
    PRIVATE(Wide, sums);
    sequence_value(p, other_plex, s, level, a, w, sequence, best, sums);
    REAL* to = sequence >= p.roots
                   ? (best ? a.best_scratch : a.scratch) + (w.local * p.slots + sequence - p.roots) * rows
                   : (best ? a.best_root_value : a.root_value) + (w.board * p.used_roots + sequence) * rows;
    LANES(i) HANDS(b) if (w.whole[b]) to[w.at[b] + i] = w.at[b] + i < count ? MINE(sums, i).of[b] : (REAL)0;
}

// Own values of the deals of the round before: the sum over the boards that follow, each as often as it has images.
// Boards and warps are of the round before, level and seat of this one; values [board, deal, row above]
KERNEL collect(const Level* level, const Seat* seat, const REAL* root_value, REAL* values, i64 deals, i64 warps) {
    if (WARP >= warps) return;
    const Seat s = *seat;
    const Level l = *level;
    const i64 deal = WARP % (unsigned)deals, block = WARP / (unsigned)deals;
    PRIVATE(REAL, sum);
    LANES(i) MINE(sum, i) = 0;
    UNROLLED_BY_4 for (int image = l.child_image[BOARD]; image < l.child_image[BOARD + 1]; ++image) {
        const REAL* from = root_value + (l.image_board[image] * deals + deal) * s.rows;
        LANES(i) {
            const int row = s.row_below[image * s.rows_above + block * 32 + i];
            if (row >= 0) MINE(sum, i) += from[row];
        }
    }
    LANES(i) values[(BOARD * deals + deal) * s.rows_above + block * 32 + i] = MINE(sum, i) * l.chance;
}

// The value of an infoset, of a player's strategy and of a best response to the opponent's reach.
KERNEL respond(const Plex* plex, const Seat* seat, const Arrays* arrays, i64 from, i64 nodes, i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Arrays a = *arrays;
    const Place w = place_of(s, a.first, (unsigned)nodes);
    const Node n = p.node[from + w.index];
    const int rows = (int)s.rows, slots = (int)p.slots;
    const i64 stored = w.board * w.blocks * 32 * slots + n.slot * 32;
    REAL* scratch = a.scratch + (w.local * p.slots + n.slot) * rows;
    REAL* best = a.best_scratch + (w.local * p.slots + n.slot) * rows;
    LANES(i) {
        REAL total[WIDE] = {}, mean[WIDE] = {}, plain[WIDE] = {}, top[WIDE] = {}, reached[WIDE] = {};
        for (int k = 0; k < n.actions; ++k) {
            REAL weight[WIDE], now[WIDE], reachable[WIDE];
            HANDS(b) weight[b] = (REAL)a.sums[stored + w.at[b] * slots + k * 32 + i];
            HANDS(b) now[b] = scratch[k * rows + w.at[b] + i];
            HANDS(b) reachable[b] = best[k * rows + w.at[b] + i];
            HANDS(b) {
                total[b] += weight[b];
                mean[b] += weight[b] * now[b];
                plain[b] += now[b];
                reached[b] += weight[b] * reachable[b];
                top[b] = k == 0 || reachable[b] > top[b] ? reachable[b] : top[b];
            }
        }
        HANDS(b) if (w.whole[b]) {
            if (a.held) {
                const REAL share = (REAL)a.held[stored + w.at[b] * slots + i];
                if (share > 0) top[b] = share * (total[b] > 0 ? reached[b] / total[b] : (REAL)0) + (1 - share) * top[b];
            }
            scratch[w.at[b] + i] = total[b] > 0 ? mean[b] / total[b] : plain[b] / n.actions;
            best[w.at[b] + i] = top[b];
        }
    }
}
