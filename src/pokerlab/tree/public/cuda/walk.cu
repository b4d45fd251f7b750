// Reach downwards, values at terminal nodes, and values upwards, for every board of a round at once.
//
// A warp has WIDE times 32 hands of a board, or, at terminal nodes, 32 lanes of one: sequences of the opponent, for which it passes
// the hands of both players from the weakest to the strongest, with the weight passed so far by card.

#define NARROW 33  // of a tile's row: no two lanes of a warp meet in a bank
#ifndef AHEAD_BY
#define AHEAD_BY 4  // rows that are read at once
#endif

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
#ifndef FEW
#define FEW 4  // actions of an infoset that are held in registers
#endif
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

struct FewValues {
    Wide of[FEW];
};

#if LEARNS
INLINE void remember(const Arrays& a, const Plex& p, const Place& w, const Node& n, const REAL* to, i64 rows);
#endif
#if LEARNS && !WHOLE && FUSED
INLINE void remember_few(const Arrays& a, const Plex& p, const Place& w, const Node& n, int i, const FewValues& chosen);
#define REMEMBERS_FEW 1
#else
#define REMEMBERS_FEW 0
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
            FewValues all;
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
                FEW_ACTIONS(k) all.of[k].of[b] = arriving[b] > 0 ? sum[k][b] * scale + equal : (REAL)0;
                FEW_ACTIONS(k) if (k < n.actions && w.whole[b]) to[k * rows + w.at[b] + i] = all.of[k].of[b];
            }
#if REMEMBERS_FEW
            if (averaging) remember_few(a, p, w, n, i, all);
#endif
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
    if (averaging && !(REMEMBERS_FEW && n.actions <= FEW && !(prediction > 0))) remember(a, p, w, n, to, rows);
#endif
}

struct Sweep {
    int lane;         // the first
    int lanes;        // of this warp
    const REAL* in;   // the opponent's reach on the board
    REAL* out;        // own values
    int in_rows, out_rows;
};

struct Tile {
    REAL of[32];
};

// 32 rows of the opponent's reach, lane by lane, are read in advance, and their cards.
INLINE void fetch(const Sweep& w, const int* sequence, int row, const int* cards, Tile* next, int* next_pair) {
    row = row < w.in_rows ? row : 0;
    UNROLLED for (int j = 0; j < 32; ++j) {
        const REAL* from = w.in + BROADCAST(sequence, j) + row;
        LANES(i) MINE(next, i).of[j] = from[i];
    }
    LANES(i) MINE(next_pair, i) = cards[row + i];
}

// What was read is put where every lane finds its own.
INLINE void put(const Tile* next, const int* next_pair, REAL* tile, int* pair) {
    SYNC;
    LANES(i) {
        UNROLLED for (int j = 0; j < 32; ++j) tile[i * NARROW + j] = MINE(next, i).of[j];
        MINE(pair, i) = MINE(next_pair, i);
    }
    SYNC;
}

INLINE void move_values(const Sweep& w, int tile_number, REAL* tile, bool load) {
    SYNC;
    REAL* to = w.out + (i64)w.lane * w.out_rows + tile_number * 32;
    UNROLLED_BY_8 for (int j = 0; j < w.lanes; ++j) LANES(i) {
        if (load)
            tile[i * NARROW + j] = to[(i64)j * w.out_rows + i];
        else
            to[(i64)j * w.out_rows + i] = tile[i * NARROW + j];
    }
    SYNC;
}

// The weight of rows `row` to `end` of the opponent's tile is passed. What does not depend on sums is read in advance.
INLINE void pass(REAL* of, const REAL* in, int row, int end, const int* pair, REAL* sum) {
    for (; row < end; row += AHEAD_BY) {
        PRIVATE(Many, weight);
        int both[AHEAD_BY];
        UNROLLED for (int u = 0; u < AHEAD_BY; ++u) {
            const int at = row + u < end ? row + u : end - 1;
            both[u] = BROADCAST(pair, at & 31);
            LANES(i) MINE(weight, i).of[u] = in[(at & 31) * NARROW + i];
        }
        UNROLLED for (int u = 0; u < AHEAD_BY; ++u) if (row + u < end) {
            REAL *one = of + (both[u] & 0xffff) * 32, *other = of + (both[u] >> 16) * 32;
            LANES(i) {
                const REAL here = one[i] + MINE(weight, i).of[u], there = other[i] + MINE(weight, i).of[u];
                one[i] = here;
                other[i] = there;
                MINE(sum, i) += MINE(weight, i).of[u];
            }
        }
    }
}

// What rows `row` to `end` of own hands have passed is written to their tile, or added to what is there.
INLINE void weigh(const REAL* of, const REAL* all, int row, int end, const int* pair, REAL* out, bool adding) {
    for (; row < end; row += AHEAD_BY) {
        PRIVATE(Many, apart);
        UNROLLED for (int u = 0; u < AHEAD_BY; ++u) {
            const int at = row + u < end ? row + u : end - 1, both = BROADCAST(pair, at & 31);
            const REAL *one = of + (both & 0xffff) * 32, *other = of + (both >> 16) * 32, *to = out + (at & 31) * NARROW;
            LANES(i) MINE(apart, i).of[u] = (adding ? to[i] : (REAL)0) + (MINE(all, i) - one[i] - other[i]);
        }
        UNROLLED for (int u = 0; u < AHEAD_BY; ++u)
            if (row + u < end) LANES(i) out[((row + u) & 31) * NARROW + i] = MINE(apart, i).of[u];
    }
}

// The opponent's weight by card, and the values of showdowns: 32 lanes of a board.
// plex and seat are the opponent's, own the player's own; lanes before `showdowns` are compared there
KERNEL value_lanes(const Plex* plex, const Seat* seat, const Seat* own, const Level* level, const Arrays* arrays,
                   i64 warps) {
    SHARED(REAL, space);
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat, o = *own;
    const Level l = *level;
    const Arrays a = *arrays;
    const int tokens = (int)l.tokens, lane = (int)WARP * 32;
    const i64 local = BOARD, board = a.first + local;
    REAL *of = space, *in = of + tokens * 32, *out = in + 32 * NARROW;
    Sweep w;
    w.lane = lane;
    w.lanes = p.lanes - lane < 32 ? (int)(p.lanes - lane) : 32;
    w.in = a.reach + local * (p.roots + p.slots) * s.rows;
    w.in_rows = (int)s.rows;
    w.out = a.ahead + local * p.showdowns * o.rows;
    w.out_rows = (int)o.rows;
    const int count = s.count[board];
    const int *cards = (const int*)(s.cards + board * s.rows * 2), *own_cards = (const int*)(o.cards + board * o.rows * 2);
    PRIVATE(REAL, sum);
    PRIVATE(REAL, all);
    PRIVATE(int, pair);
    PRIVATE(int, next_pair);
    PRIVATE(int, sequence);
    PRIVATE(Tile, next);
    LANES(i) MINE(sequence, i) = i < w.lanes ? p.lane_sequence[lane + i] * w.in_rows : 0;
    fetch(w, sequence, 0, cards, next, next_pair);
    for (int token = 0; token < tokens; ++token) LANES(i) of[token * 32 + i] = 0;
    LANES(i) MINE(all, i) = 0;
    for (int row = 0; row < count; row += 32) {
        put(next, next_pair, in, pair);
        fetch(w, sequence, row + 32 < count ? row + 32 : 0, cards, next, next_pair);
        LANES(i) MINE(sum, i) = 0;
        const int end = count - row < 32 ? count - row : 32;
        pass(of, in, 0, end, pair, sum);
        LANES(i) MINE(all, i) += MINE(sum, i);
    }
    LANES(i) {
        if (lane + i >= p.folds_from && lane + i < p.lanes) {
            REAL* to = a.totals + (local * (p.lanes - p.folds_from) + lane + i - p.folds_from) * (tokens + 1);
            for (int token = 0; token < tokens; ++token) to[token] = of[token * 32 + i];
            to[tokens] = MINE(all, i);
        }
    }
    if (lane >= p.showdowns) return;
    w.lanes = p.showdowns - lane < 32 ? (int)(p.showdowns - lane) : 32;
    if (!(peak(all) > 0)) {  // none of these sequences is reached
        for (int row = 0; row < o.rows; row += 32)
            for (int j = 0; j < w.lanes; ++j) LANES(i) w.out[(i64)(lane + j) * o.rows + row + i] = 0;
        return;
    }
    for (int token = 0; token < tokens; ++token) LANES(i) of[token * 32 + i] *= (REAL)-0.5;
    LANES(i) MINE(all, i) *= (REAL)-0.5;
    int held = -1, furthest = -1, in_tile = -1;
    const int first = l.group_start[board], groups = l.group_start[board + 1] - first - 1;
    PRIVATE(int, own_pair);
    PRIVATE(int, own_next);
    int own_tile = -1;
    PRIVATE(int, mine_at);
    PRIVATE(int, theirs_at);
    int mine = 0, theirs = 0;
    for (int group = 0; group < groups; ++group) {
        if (group % 32 == 0) LANES(i) {
            const int end = group + i < groups ? group + i + 1 : groups;
            MINE(mine_at, i) = o.group[first + end];
            MINE(theirs_at, i) = s.group[first + end];
        }
        const int my_end = BROADCAST(mine_at, group & 31), their_end = BROADCAST(theirs_at, group & 31);
        for (int half = 0; half < 2; ++half) {
            for (int row = mine; row < my_end;) {
                if (row / 32 != held) {
                    if (held >= 0) move_values(w, held, out, false);
                    held = row / 32;
                    if (held <= furthest) move_values(w, held, out, true);
                    furthest = held > furthest ? held : furthest;
                    LANES(i) {
                        MINE(own_pair, i) = held == own_tile ? MINE(own_next, i) : own_cards[held * 32 + i];
                        MINE(own_next, i) = own_cards[(held * 32 + 32 < o.rows ? held * 32 + 32 : 0) + i];
                    }
                    own_tile = held + 1;
                }
                const int end = my_end < held * 32 + 32 ? my_end : held * 32 + 32;
                weigh(of, all, row, end, own_pair, out, half == 1);
                row = end;
            }
            if (half) break;
            LANES(i) MINE(sum, i) = 0;
            for (int row = theirs; row < their_end;) {
                if (row / 32 != in_tile) {
                    in_tile = row / 32;
                    put(next, next_pair, in, pair);
                    fetch(w, sequence, in_tile * 32 + 32, cards, next, next_pair);
                }
                const int end = their_end < in_tile * 32 + 32 ? their_end : in_tile * 32 + 32;
                pass(of, in, row, end, pair, sum);
                row = end;
            }
            LANES(i) MINE(all, i) += MINE(sum, i);
        }
        mine = my_end;
        theirs = their_end;
    }
    if (held >= 0) move_values(w, held, out, false);
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
