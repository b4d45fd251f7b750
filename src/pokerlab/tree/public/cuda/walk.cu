// Reach downwards, values at terminal nodes, and values upwards, for every board of a round at once.
//
// A warp has 32 hands of a board, or, at terminal nodes, 32 lanes of one: sequences of the opponent, for which it passes
// the hands of both players from the weakest to the strongest, with the weight passed so far by card.

#define NARROW 33  // of a tile's row: no two lanes of a warp meet in a bank

INLINE REAL positive_sum(const Arrays& a, i64 at, int actions, REAL prediction) {
    REAL total = 0;
    for (int k = 0; k < actions; ++k) {
        REAL sum = (REAL)a.sums[at + k * 32];
        if (prediction > 0) sum += prediction * (REAL)a.last[at + k * 32];
        total += sum > 0 ? sum : (REAL)0;
    }
    return total;
}

INLINE REAL positive(const Arrays& a, i64 at, REAL prediction) {
    REAL sum = (REAL)a.sums[at];
    if (prediction > 0) sum += prediction * (REAL)a.last[at];
    return sum > 0 ? sum : (REAL)0;
}

// own reach of the roots of a round
INLINE void arrive(const Plex& p, const Seat& s, const Level& l, const Arrays& a, i64 board, int row, REAL* to) {
    const bool held = row < s.count[board];
    const i64 from = (i64)(l.parent[board] - a.above_first) * a.above_sequences;
    const int above = s.above[board * s.rows + row];
    for (int root = 0; root < p.used_roots; ++root)
        to[root * s.rows] = held ? a.above[(from + a.above_deal[root]) * s.rows_above + above] : (REAL)0;
}

// A player's reach of every sequence.
KERNEL descend(const Plex* plex, const Seat* seat, const Level* level, const Arrays* arrays, i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex;
    const Seat s = *seat;
    const Level l = *level;
    const Arrays a = *arrays;
    const i64 blocks = s.rows / 32, board = a.first + WARP / blocks, block = WARP % blocks;
    const i64 at = (board * blocks + block) * p.slots * 32, sequences = p.roots + p.slots;
    const REAL prediction = a.step ? (REAL)a.step[5] : (REAL)0;
    REAL* to = a.reach + (board - a.first) * sequences * s.rows + block * 32;
    LANES(i) arrive(p, s, l, a, board, (int)block * 32 + i, to + i);
    for (int node = 0; node < p.nodes; ++node) {
        const int actions = p.node_actions[node], slot = p.node_slot[node];
        const i64 from = (i64)p.node_sequence[node] * s.rows, out = (p.roots + slot) * s.rows;
        LANES(i) {
            const REAL arriving = to[from + i];
            const i64 first = at + slot * 32 + i;
            REAL scale = 0, equal = 0;
            if (arriving > 0) {
                const REAL divided = arriving / positive_sum(a, first, actions, prediction);
                const bool finite = divided < ENDLESS;
                scale = finite ? divided : (REAL)0;
                equal = finite ? (REAL)0 : arriving / actions;
            }
            for (int k = 0; k < actions; ++k)
                to[out + k * s.rows + i] =
                    arriving > 0 ? positive(a, first + k * 32, prediction) * scale + equal : (REAL)0;
        }
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

struct Hand {  // what a source's value of one hand is read from
    const REAL* reach;   // the opponent's, of sequence 0, in the row of the same hand; null if there is none
    const REAL* ahead;
    const REAL* totals;
    const REAL* deal_value;
    const REAL* scratch;
    int one, other;      // cards
};

INLINE Hand hand_of(const Plex& p, const Plex& q, const Seat& s, const Level& l, const Arrays& a, i64 board, int row) {
    const i64 local = board - a.first, twin = s.twin[board * s.rows + row];
    Hand h;
    h.reach = twin < s.rows_twin ? a.reach + local * (q.roots + q.slots) * s.rows_twin + twin : 0;
    h.ahead = a.ahead + local * q.showdowns * s.rows + row;
    h.totals = a.totals + local * (q.lanes - q.folds_from) * (l.tokens + 1);
    h.deal_value = a.deal_value + board * p.deals * s.rows + row;
    h.scratch = a.scratch + local * (p.roots + p.slots) * s.rows + row;
    h.one = s.cards[(board * s.rows + row) * 2];
    h.other = s.cards[(board * s.rows + row) * 2 + 1];
    return h;
}

// the weight of opposing hands that a lane's values count
INLINE REAL compatible(const Plex& q, const Seat& s, const Level& l, const Hand& h, int lane) {
    const REAL* of = h.totals + lane * (l.tokens + 1);
    const REAL apart = of[l.tokens] - of[h.one] - of[h.other];
    return h.reach ? apart + h.reach[(i64)q.lane_sequence[lane + q.folds_from] * s.rows_twin] : apart;
}

INLINE REAL sum_sources(const Plex& p, const Plex& q, const Seat& s, const Level& l, const Hand& h, i64 sequence) {
    REAL value = 0;
    for (int source = p.source_start[sequence]; source < p.source_start[sequence + 1]; ++source) {
        const int kind = p.source_kind[source], index = p.source_index[source];
        REAL one;
        if (kind == AHEAD)
            one = h.ahead[index * s.rows];
        else if (kind == COMPATIBLE)
            one = compatible(q, s, l, h, index);
        else if (kind == DEAL)
            one = h.deal_value[index * s.rows];
        else
            one = h.scratch[(p.roots + index) * s.rows];
        value += p.source_factor[source] * one;
    }
    return value;
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

// Values of a player's strategy and of a best response to the opponent's reach.
// plex and seat are the player's own, other_plex the opponent's
KERNEL respond(const Plex* plex, const Plex* other_plex, const Seat* seat, const Level* level, const Arrays* arrays,
               i64 warps) {
    if (WARP >= warps) return;
    const Plex p = *plex, q = *other_plex;
    const Seat s = *seat;
    const Level l = *level;
    const Arrays a = *arrays;
    const i64 blocks = s.rows / 32, board = a.first + WARP / blocks, block = WARP % blocks;
    const i64 at = (board * blocks + block) * p.slots * 32, sequences = p.roots + p.slots;
    LANES(i) {
        const int row = (int)block * 32 + i;
        if (row < s.count[board]) {
            const Hand h = hand_of(p, q, s, l, a, board, row);
            Hand b = h;
            b.scratch = a.best_scratch + (board - a.first) * sequences * s.rows + row;
            b.deal_value = a.best_deal_value + board * p.deals * s.rows + row;
            for (int node = (int)p.nodes - 1; node >= 0; --node) {
                const int actions = p.node_actions[node], slot = p.node_slot[node];
                const i64 first = at + slot * 32 + i;
                REAL total = 0, mean = 0, plain = 0, top = 0, reached = 0;
                for (int k = 0; k < actions; ++k) {
                    const REAL weight = (REAL)a.sums[first + k * 32];
                    const REAL now = sum_sources(p, q, s, l, h, p.roots + slot + k);
                    const REAL reachable = sum_sources(p, q, s, l, b, p.roots + slot + k);
                    total += weight;
                    mean += weight * now;
                    plain += now;
                    reached += weight * reachable;
                    top = k == 0 || reachable > top ? reachable : top;
                }
                mean = total > 0 ? mean / total : plain / actions;
                if (a.held && a.held[first] > 0) {
                    const REAL share = (REAL)a.held[first];
                    top = share * (total > 0 ? reached / total : (REAL)0) + (1 - share) * top;
                }
                ((REAL*)h.scratch)[(p.roots + slot) * s.rows] = mean;
                ((REAL*)b.scratch)[(p.roots + slot) * s.rows] = top;
            }
            for (int root = 0; root < p.used_roots; ++root) {
                const i64 to = (board * p.used_roots + root) * s.rows + row;
                a.root_value[to] = sum_sources(p, q, s, l, h, root);
                a.best_root_value[to] = sum_sources(p, q, s, l, b, root);
            }
        } else {
            for (int root = 0; root < p.used_roots; ++root) {
                const i64 to = (board * p.used_roots + root) * s.rows + row;
                a.root_value[to] = a.best_root_value[to] = 0;
            }
        }
    }
}
