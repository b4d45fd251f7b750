// Reach downwards, values at terminal nodes, and values upwards, for every board of a round at once.
//
// A warp has 32 hands of a board, or, at terminal nodes, 32 lanes of one: sequences of the opponent, for which it passes
// the hands of both players from the weakest to the strongest, with the weight passed so far by card.

#define NARROW 33  // of a tile's row: no two lanes of a warp meet in a bank

struct Place {  // the hands of a warp: WIDE blocks of a board, and some of its infosets
    i64 board, local;
    int block, blocks;
    i64 at;           // of the stored numbers of the first block
    int first, last;  // of the infosets in their order
};

// Warps are numbered by board, bundle of infosets and blocks; `nodes` infosets from `from` on, `each` of them to a warp.
INLINE Place place_of(const Plex& p, const Seat& s, i64 board_first, i64 from, i64 nodes, i64 each) {
    Place w;
    w.blocks = (int)(s.rows / 32);
    const i64 wide = (w.blocks + WIDE - 1) / WIDE, bundles = (nodes + each - 1) / each;
    w.block = (int)(WARP % wide) * WIDE;
    const i64 bundle = WARP / wide % bundles;
    w.local = WARP / wide / bundles;
    w.board = board_first + w.local;
    w.at = (w.board * w.blocks + w.block) * p.slots * 32;
    w.first = (int)(from + bundle * each);
    w.last = (int)(from + (bundle * each + each < nodes ? bundle * each + each : nodes));
    return w;
}

INLINE REAL positive(const Arrays& a, i64 at, REAL prediction) {
    REAL sum = (REAL)a.sums[at];
    if (prediction > 0) sum += prediction * (REAL)a.last[at];
    return sum > 0 ? sum : (REAL)0;
}

// A player's reach of the roots of a round. Warps by board, root and blocks.
KERNEL arrive(const Plex* plex, const Seat* seat, const Level* level, const Arrays* arrays, i64 warps) {
    if (WARP >= warps) return;
    const Seat s = *seat;
    const i64 blocks = s.rows / 32, block = WARP % blocks, root = WARP / blocks % plex->used_roots;
    const i64 local = WARP / blocks / plex->used_roots, board = arrays->first + local;
    const i64 from = (level->parent[board] - arrays->above_first) * arrays->above_sequences + arrays->above_deal[root];
    REAL* to = arrays->reach + (local * (plex->roots + plex->slots) + root) * s.rows;
    LANES(i) {
        const i64 row = block * 32 + i;
        to[row] = row < s.count[board] ? arrays->above[from * s.rows_above + s.above[board * s.rows + row]] : (REAL)0;
    }
}

#ifdef LEARNS
INLINE void remember(const Arrays& a, const Place& w, const REAL* to, i64 rows, int slot, int slots, i64 unit, i64 units,
                     int actions, int count);
#endif

// A player's reach of the actions of some infosets, and, if `averaging`, the average strategy's share of this step.
KERNEL descend(const Plex* plex, const Seat* seat, const Arrays* arrays, i64 averaging, i64 from, i64 nodes, i64 each,
               i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Arrays a = *arrays;
    const Place w = place_of(p, s, a.first, from, nodes, each);
    const REAL prediction = a.step ? (REAL)a.step[5] : (REAL)0;
    const int rows = (int)s.rows, count = s.count[w.board], wide = (int)p.slots * 32;
    REAL* reach = a.reach + w.local * (p.roots + p.slots) * s.rows + w.block * 32;
    for (int index = w.first; index < w.last; ++index) {
        const int node = p.order[index], actions = p.node_actions[node], slot = p.node_slot[node];
        const REAL* parent = reach + (i64)p.node_sequence[node] * rows;
        REAL* to = reach + (p.roots + slot) * rows;
        LANES(i) {
            const i64 first = w.at + slot * 32 + i;
            REAL arriving[WIDE], total[WIDE];
            UNROLLED for (int b = 0; b < WIDE; ++b) {
                arriving[b] = w.block * 32 + b * 32 + i < count ? parent[b * 32 + i] : (REAL)0;
                total[b] = 0;
            }
            for (int k = 0; k < actions; ++k)
                UNROLLED for (int b = 0; b < WIDE; ++b)
                    if (arriving[b] > 0) total[b] += positive(a, first + b * wide + k * 32, prediction);
            UNROLLED for (int b = 0; b < WIDE; ++b) total[b] = 1 / total[b];
            for (int k = 0; k < actions; ++k)
                UNROLLED for (int b = 0; b < WIDE; ++b)
                    if (w.block * 32 + b * 32 + i < count) {
                        REAL chosen = 0;
                        if (arriving[b] > 0) {
                            const REAL sum = positive(a, first + b * wide + k * 32, prediction);
                            chosen = arriving[b] * (total[b] < ENDLESS ? sum * total[b] : (REAL)1 / actions);
                        }
                        to[k * rows + b * 32 + i] = chosen;
                    }
        }
#ifdef LEARNS
        if (averaging)
            remember(a, w, to, rows, slot, (int)p.slots, (w.board * w.blocks + w.block) * p.nodes + node, p.nodes, actions,
                     count);
#endif
    }
}

struct Sweep {
    int lane;         // the first
    int lanes;        // of this warp
    const REAL* in;   // the opponent's reach on the board
    REAL* out;        // own values
    i64 in_rows, out_rows;
};

INLINE void load_reach(const Sweep& w, const int* lane_sequence, int row, int count, REAL* tile) {
    SYNC;
    for (int j = 0; j < 32; ++j) {
        const bool used = j < w.lanes;
        const REAL* from = w.in + (used ? (i64)lane_sequence[w.lane + j] * w.in_rows : 0) + row;
        LANES(i) tile[i * NARROW + j] = used && row + i < count ? from[i] : (REAL)0;
    }
    SYNC;
}

INLINE void move_values(const Sweep& w, int tile_number, REAL* tile, bool load) {
    SYNC;
    const i64 row = (i64)tile_number * 32;
    for (int j = 0; j < w.lanes; ++j) {
        REAL* to = w.out + (w.lane + j) * w.out_rows + row;
        LANES(i) {
            if (load)
                tile[i * NARROW + j] = to[i];
            else
                to[i] = tile[i * NARROW + j];
        }
    }
    SYNC;
}

// The opponent's weight by card, and the values of showdowns: 32 lanes of a board.
// plex and seat are the opponent's, own the player's own; lanes up to `lanes` are valued, from lane `from` on
KERNEL value_lanes(const Plex* plex, const Seat* seat, const Seat* own, const Level* level, const Arrays* arrays,
                   i64 warps) {
    SHARED(REAL, space);
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat, o = *own;
    const Level l = *level;
    const Arrays a = *arrays;
    const int tokens = (int)l.tokens, bundles = (int)((p.lanes + 31) / 32), lane = (int)(WARP % bundles) * 32;
    const i64 board = a.first + WARP / bundles, local = board - a.first;
    REAL *of = space, *in = of + (tokens + 1) * 32, *out = in + 32 * NARROW;
    Sweep w;
    w.lane = lane;
    w.lanes = p.lanes - lane < 32 ? (int)(p.lanes - lane) : 32;
    w.in = a.reach + local * (p.roots + p.slots) * s.rows;
    w.in_rows = s.rows;
    w.out = a.ahead + local * p.showdowns * o.rows;
    w.out_rows = o.rows;
    const int count = s.count[board];
    const short *cards = s.cards + board * s.rows * 2, *own_cards = o.cards + board * o.rows * 2;
    for (int token = 0; token <= tokens; ++token) LANES(i) of[token * 32 + i] = 0;
    for (int row = 0; row < count; row += 32) {
        load_reach(w, p.lane_sequence, row, count, in);
        const int end = count - row < 32 ? count - row : 32;
        PRIVATE(REAL, sum);
        LANES(i) MINE(sum, i) = 0;
        for (int j = 0; j < end; ++j) {
            const int one = cards[2 * (row + j)] * 32, other = cards[2 * (row + j) + 1] * 32;
            LANES(i) {
                const REAL weight = in[j * NARROW + i];
                of[one + i] += weight;
                of[other + i] += weight;
                MINE(sum, i) += weight;
            }
        }
        LANES(i) of[tokens * 32 + i] += MINE(sum, i);
    }
    LANES(i) {
        if (lane + i >= p.folds_from && lane + i < p.lanes) {
            REAL* to = a.totals + (local * (p.lanes - p.folds_from) + lane + i - p.folds_from) * (tokens + 1);
            for (int token = 0; token <= tokens; ++token) to[token] = of[token * 32 + i];
        }
    }
    if (lane >= p.showdowns) return;
    w.lanes = p.showdowns - lane < 32 ? (int)(p.showdowns - lane) : 32;
    for (int token = 0; token <= tokens; ++token) LANES(i) of[token * 32 + i] *= (REAL)-0.5;
    int held = -1, furthest = -1, in_tile = -1;
    const int everything = tokens * 32;
    for (int group = l.group_start[board]; group + 1 < l.group_start[board + 1]; ++group) {
        const int mine = o.group[group], my_end = o.group[group + 1];
        const int theirs = s.group[group], their_end = s.group[group + 1];
        for (int half = 0; half < 2; ++half) {
            for (int row = mine; row < my_end; ++row) {
                if (row / 32 != held) {
                    if (held >= 0) move_values(w, held, out, false);
                    held = row / 32;
                    if (held <= furthest) move_values(w, held, out, true);
                    furthest = held > furthest ? held : furthest;
                }
                const int one = own_cards[2 * row] * 32, other = own_cards[2 * row + 1] * 32;
                REAL* to = out + (row & 31) * NARROW;
                LANES(i) {
                    const REAL apart = of[everything + i] - of[one + i] - of[other + i];
                    to[i] = half ? to[i] + apart : apart;
                }
            }
            if (half) break;
            PRIVATE(REAL, sum);
            LANES(i) MINE(sum, i) = 0;
            for (int row = theirs; row < their_end; ++row) {
                if (row / 32 != in_tile) {
                    in_tile = row / 32;
                    load_reach(w, p.lane_sequence, in_tile * 32, count, in);
                }
                const int one = cards[2 * row] * 32, other = cards[2 * row + 1] * 32;
                LANES(i) {
                    const REAL weight = in[(row & 31) * NARROW + i];
                    of[one + i] += weight;
                    of[other + i] += weight;
                    MINE(sum, i) += weight;
                }
            }
            LANES(i) of[everything + i] += MINE(sum, i);
        }
    }
    if (held >= 0) move_values(w, held, out, false);
}

struct Values {  // what the values of sources on a board are read from
    const REAL *opposing, *ahead, *totals, *deal_value, *scratch;
    const short* twin;
    const int* cards;  // two of 16 bits
    int rows, rows_twin, tokens, count;
};

INLINE Values values_of(const Plex& p, const Plex& q, const Seat& s, const Level& l, const Arrays& a, const Place& w) {
    Values v;
    v.opposing = a.opposing + w.local * (q.roots + q.slots) * s.rows_twin;
    v.ahead = a.ahead + w.local * q.showdowns * s.rows;
    v.totals = a.totals + w.local * (q.lanes - q.folds_from) * (l.tokens + 1);
    v.deal_value = a.deal_value + w.board * p.deals * s.rows;
    v.scratch = a.scratch + w.local * p.slots * s.rows;
    v.twin = s.twin + w.board * s.rows;
    v.cards = (const int*)(s.cards + w.board * s.rows * 2);
    v.rows = (int)s.rows;
    v.rows_twin = (int)s.rows_twin;
    v.tokens = (int)l.tokens;
    v.count = s.count[w.board];
    return v;
}

// The value of a sequence for hands of a lane: rows row, row + 32 ...
INLINE void sum_sources(const Plex& p, const Plex& q, const Values& v, i64 sequence, int row, REAL* value) {
    UNROLLED for (int b = 0; b < WIDE; ++b) value[b] = 0;
    const int end = p.source_start[sequence + 1];
    for (int source = p.source_start[sequence]; source < end; ++source) {
        const int kind = p.source_kind[source], index = p.source_index[source];
        const REAL factor = p.source_factor[source];
        if (kind == COMPATIBLE) {
            const REAL* of = v.totals + index * (v.tokens + 1);
            const REAL *same = v.opposing + (i64)q.lane_sequence[index + q.folds_from] * v.rows_twin, all = of[v.tokens];
            UNROLLED for (int b = 0; b < WIDE; ++b)
                if (row + b * 32 < v.count) {
                    const int pair = v.cards[row + b * 32], twin = v.twin[row + b * 32];
                    const REAL apart = all - of[pair & 0xffff] - of[pair >> 16];
                    value[b] += factor * (twin < v.rows_twin ? apart + same[twin] : apart);
                }
        } else {
            const REAL* from = (kind == AHEAD ? v.ahead : kind == DEAL ? v.deal_value : v.scratch) + (i64)index * v.rows;
            UNROLLED for (int b = 0; b < WIDE; ++b)
                if (row + b * 32 < v.count) value[b] += factor * from[row + b * 32];
        }
    }
}

// Own values of the deals of the round before: the sum over the boards that follow, each as often as it has images.
// level and seat are of the round; values [board of the round before, deal, row above]
KERNEL collect(const Level* level, const Seat* seat, const REAL* root_value, i64 roots, REAL* values, i64 deals,
               i64 blocks, i64 warps) {
    if (WARP >= warps) return;
    const Seat s = *seat;
    const Level l = *level;
    const i64 block = WARP % blocks, deal = WARP / blocks % deals, before = WARP / blocks / deals;
    PRIVATE(REAL, sum);
    LANES(i) MINE(sum, i) = 0;
    for (int image = l.child_image[before]; image < l.child_image[before + 1]; ++image) {
        const REAL* from = root_value + (l.image_board[image] * roots + deal) * s.rows;
        LANES(i) {
            const int row = s.row_below[image * s.rows_above + block * 32 + i];
            if (row >= 0) MINE(sum, i) += from[row];
        }
    }
    LANES(i) values[(before * deals + deal) * s.rows_above + block * 32 + i] = MINE(sum, i) * l.chance;
}

// Own values of the roots of a round, as `from` says: of the strategy, or of a best response.
KERNEL arise(const Plex* plex, const Plex* other_plex, const Seat* seat, const Level* level, const Arrays* arrays,
             i64 best, i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex, q = *other_plex;
    const Seat s = *seat;
    const Arrays a = *arrays;
    Place w = place_of(p, s, a.first, 0, p.used_roots, 1);
    Values v = values_of(p, q, s, *level, a, w);
    if (best) {
        v.scratch = a.best_scratch + w.local * p.slots * s.rows;
        v.deal_value = a.best_deal_value + w.board * p.deals * s.rows;
    }
    REAL* to = (best ? a.best_root_value : a.root_value) + (w.board * p.used_roots + w.first) * s.rows;
    LANES(i) {
        REAL value[WIDE];
        sum_sources(p, q, v, w.first, w.block * 32 + i, value);
        UNROLLED for (int b = 0; b < WIDE; ++b)
            if (w.block + b < w.blocks) to[(w.block + b) * 32 + i] = value[b];
    }
}

// Values of some infosets: of a player's strategy, and of a best response to the opponent's reach.
KERNEL respond(const Plex* plex, const Plex* other_plex, const Seat* seat, const Level* level, const Arrays* arrays,
               i64 from, i64 nodes, i64 each_and_warps) {
    const i64 each = each_and_warps & 0xffff, warps = each_and_warps >> 16;
    if (WARP >= warps) return;
    const Plex p = *plex, q = *other_plex;
    const Seat s = *seat;
    const Arrays a = *arrays;
    const Place w = place_of(p, s, a.first, from, nodes, each);
    const Values v = values_of(p, q, s, *level, a, w);
    Values u = v;
    u.scratch = a.best_scratch + w.local * p.slots * s.rows;
    u.deal_value = a.best_deal_value + w.board * p.deals * s.rows;
    const int wide = (int)p.slots * 32;
    for (int place = w.last - 1; place >= w.first; --place) {
        const int node = p.order[place], actions = p.node_actions[node], slot = p.node_slot[node];
        LANES(i) {
            const i64 first = w.at + slot * 32 + i;
            const int row = w.block * 32 + i;
            REAL total[WIDE] = {}, mean[WIDE] = {}, plain[WIDE] = {}, top[WIDE] = {}, reached[WIDE] = {};
            for (int k = 0; k < actions; ++k) {
                REAL now[WIDE], reachable[WIDE];
                sum_sources(p, q, v, p.roots + slot + k, row, now);
                sum_sources(p, q, u, p.roots + slot + k, row, reachable);
                UNROLLED for (int b = 0; b < WIDE; ++b)
                    if (row + b * 32 < v.count) {
                        const REAL weight = (REAL)a.sums[first + b * wide + k * 32];
                        total[b] += weight;
                        mean[b] += weight * now[b];
                        plain[b] += now[b];
                        reached[b] += weight * reachable[b];
                        top[b] = k == 0 || reachable[b] > top[b] ? reachable[b] : top[b];
                    }
            }
            UNROLLED for (int b = 0; b < WIDE; ++b)
                if (row + b * 32 < v.count) {
                    if (a.held && a.held[first + b * wide] > 0) {
                        const REAL share = (REAL)a.held[first + b * wide];
                        top[b] = share * (total[b] > 0 ? reached[b] / total[b] : (REAL)0) + (1 - share) * top[b];
                    }
                    const i64 to = (i64)slot * s.rows + row + b * 32;
                    ((REAL*)v.scratch)[to] = total[b] > 0 ? mean[b] / total[b] : plain[b] / actions;
                    ((REAL*)u.scratch)[to] = top[b];
                }
        }
    }
}
