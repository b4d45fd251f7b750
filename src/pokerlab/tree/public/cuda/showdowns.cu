// Showdowns by prefix sums: a team of threads values VECTOR of the opponent's sequences on a board at once.
//
// A hand wins the weight of all weaker hands, less those that share a card with it, which are found in a list of each card's hands, from
// the weakest to the strongest. With half of the total taken from sums, what a hand wins minus what it loses is its sum where the hands of
// its strength begin plus that where they end, less the same of the lists of its two cards. A hand that beats all others wins exactly the
// weight that it would win if they folded: else rounding would choose between these.

#define COMPONENTS(c) UNROLLED for (int c = 0; c < VECTOR; ++c)
#define CHUNKS (TEAM / VECTOR)  // of a board's hands, each summed by a thread
#define READ_ROWS (24 / VECTOR)  // rows that a thread reads at once
#define PLACED_ROWS 3            // and whose places it reads at once

struct alignas(sizeof(REAL) * VECTOR) Vector {
    REAL of[VECTOR];
};

struct alignas(8) Quad {  // entries of a list
    short of[4];
};

struct Lists {  // of a player's hands on the boards of a round, and where the other player's hands find their sums
    const short* list_of;  // [board, token]: a card's list, -1 if it has no hands
    const short* rows;     // [board, quad, list, 4]: the hands of each list, then those that do not exist, one past the last
    const int* place;      // [board, 3, own row]: where hands of its strength begin, and end << 16, among all hands and in the two lists
    i64 lists, longest, stride;  // the most lists and hands of a list on a board, and the distance of lists
};

// The number of hands that hold each card.
KERNEL count_hands(const Seat* seat, const Level* level, short* count, i64 warps) {
    if (WARP >= warps) return;
    const int tokens = (int)level->tokens, hands = seat->count[BOARD];
    const int* cards = (const int*)(seat->cards + BOARD * seat->rows * 2);
    LANES(i) {
        const int token = (int)WARP * 32 + i;
        int held = 0;
        for (int row = 0; token < tokens && row < hands; ++row) held += (cards[row] & 0xffff) == token || cards[row] >> 16 == token;
        if (token < tokens) count[BOARD * tokens + token] = (short)held;
    }
}

// The lists of a board, given how many hands hold each card. Cards without hands have no list; what is left of the memory of lists is filled
// with empty ones.
KERNEL list_hands(const Seat* seat, const Level* level, const short* count, short* list_of, short* rows, i64 lists, i64 longest,
                  i64 warps) {
    if (WARP >= warps) return;
    const int tokens = (int)level->tokens, hands = seat->count[BOARD], most = (int)lists, quads = (int)(longest + 3) / 4;
    const int* cards = (const int*)(seat->cards + BOARD * seat->rows * 2);
    const short* own = count + BOARD * tokens;
    Quad* to = (Quad*)rows + BOARD * quads * most;
    LANES(i) {
        const int token = (int)WARP * 32 + i;
        if (token < tokens) {
            int before = 0, all = 0;
            for (int other = 0; other < tokens; ++other) {
                before += other < token && own[other] > 0;
                all += own[other] > 0;
            }
            const int list = own[token] > 0 ? before : all + token - before;
            list_of[BOARD * tokens + token] = (short)(own[token] > 0 ? list : -1);
            int entry = 0;
            if (list < most) {
                for (int row = 0; own[token] > 0 && row < hands; ++row)
                    if ((cards[row] & 0xffff) == token || cards[row] >> 16 == token) {
                        to[entry / 4 * most + list].of[entry % 4] = (short)row;
                        ++entry;
                    }
                for (; entry < quads * 4; ++entry) to[entry / 4 * most + list].of[entry % 4] = (short)seat->rows;
            }
        }
    }
}

// Where the hands of a list that are at least as far as a row begin.
INLINE int entry_of(const Quad* list, int lists, int longest, int row) {
    int low = 0, high = longest;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (list[middle / 4 * lists].of[middle % 4] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Where own hands find their sums among the opponent's, whose seat and lists these are.
KERNEL place_hands(const Seat* seat, const Seat* own, const Level* level, const Lists* lists, int* place, i64 warps) {
    if (WARP >= warps) return;
    const Seat s = *seat, o = *own;
    const Lists t = *lists;
    const int tokens = (int)level->tokens, most = (int)t.lists, longest = (int)t.longest, hands = o.count[BOARD];
    const int first = level->group_start[BOARD], groups = level->group_start[BOARD + 1] - first - 1;
    const int* cards = (const int*)(o.cards + BOARD * o.rows * 2);
    const Quad* rows = (const Quad*)t.rows + BOARD * ((longest + 3) / 4) * most;
    int* to = place + BOARD * 3 * o.rows;
    LANES(i) {
        const int row = (int)WARP * 32 + i;
        if (row < hands) {
            int low = 0, high = groups;
            while (high - low > 1) {
                const int middle = (low + high) / 2;
                if (o.group[first + middle] <= row)
                    low = middle;
                else
                    high = middle;
            }
            const int begin = s.group[first + low], end = s.group[first + low + 1];
            to[row] = begin | end << 16;
            for (int card = 0; card < 2; ++card) {
                const int list = t.list_of[BOARD * tokens + (card ? cards[row] >> 16 : cards[row] & 0xffff)];
                const int from = list < 0 ? most * (int)t.stride : list * (int)t.stride;
                const int one = list < 0 ? 0 : entry_of(rows + list, most, longest, begin);
                const int other = list < 0 ? 0 : entry_of(rows + list, most, longest, end);
                to[(1 + card) * o.rows + row] = (from + one) | (from + other) << 16;
            }
        } else if (row < o.rows) {
            for (int which = 0; which < 3; ++which) to[which * o.rows + row] = 0;
        }
    }
}

// The sums of a list from minus half of its total on; returns the total.
INLINE REAL sum_list(const REAL* weight, const Quad* list, int lists, int longest, REAL* sums) {
    const int quads = (longest + 3) / 4;
    REAL total = 0;
    if (longest <= LONGEST && longest > LONGEST / 4) {
        REAL of[LONGEST];
        UNROLLED for (int quad = 0; quad < LONGEST / 4; ++quad) {
            if (quad < quads) {
                const Quad four = list[quad * lists];
                UNROLLED for (int k = 0; k < 4; ++k) of[quad * 4 + k] = weight[four.of[k] * VECTOR];
            } else {
                UNROLLED for (int k = 0; k < 4; ++k) of[quad * 4 + k] = 0;
            }
        }
        UNROLLED for (int entry = 0; entry < LONGEST; ++entry) total += of[entry];
        if (!sums) return total;
        const REAL half = total / 2;
        REAL sum = 0;
        UNROLLED for (int entry = 0; entry < LONGEST; ++entry) {
            if (entry <= longest) sums[entry * VECTOR] = sum - half;
            sum += of[entry];
        }
        if (longest == LONGEST) sums[LONGEST * VECTOR] = sum - half;
        return total;
    }
    for (int entry = 0; entry < longest; ++entry) total += weight[list[entry / 4 * lists].of[entry % 4] * VECTOR];
    if (!sums) return total;
    const REAL half = total / 2;
    REAL sum = 0;
    for (int entry = 0; entry < longest; ++entry) {
        sums[entry * VECTOR] = sum - half;
        sum += weight[list[entry / 4 * lists].of[entry % 4] * VECTOR];
    }
    sums[longest * VECTOR] = sum - half;
    return total;
}

// The opponent's weight by card, and what own hands win at showdown: VECTOR lanes of a board.
// plex, seat and lists are the opponent's, own the player's own; lanes before `showdowns` are compared there
TEAM_KERNEL sum_lanes(const Plex* plex, const Seat* seat, const Seat* own, const Level* level, const Arrays* arrays,
                      const Lists* lists, i64 teams) {
    SHARED(REAL, space);
    if (TEAM_NUMBER >= teams) return;
    const Plex p = *plex;
    const Seat s = *seat, o = *own;
    const Arrays a = *arrays;
    const Lists t = *lists;
    const i64 local = BOARD, board = a.first + local;
    const int lane = (int)TEAM_NUMBER * VECTOR, rows = (int)s.rows, tokens = (int)level->tokens, count = s.count[board];
    const int most = (int)t.lists, longest = (int)t.longest, stride = (int)t.stride;
    const bool compares = lane < p.showdowns;
    Vector *all = (Vector*)space, *lists_sums = all + rows + 1;
    REAL* part = (REAL*)(lists_sums + most * stride + 1);
    const REAL* from[VECTOR];
    COMPONENTS(c) {
        const int which = lane + c < p.lanes ? lane + c : (int)p.lanes - 1;
        from[c] = a.reach + (local * (p.roots + p.slots) + p.lane_sequence[which]) * rows;
    }
    TEAM_PRIVATE(int, reached);
    THREADS(i) {
        int any = 0;
        for (int first = i; first <= rows; first += READ_ROWS * TEAM) {
            Vector here[READ_ROWS];
            UNROLLED for (int u = 0; u < READ_ROWS; ++u)
                COMPONENTS(c) here[u].of[c] = first + u * TEAM < count ? from[c][first + u * TEAM] : (REAL)0;
            UNROLLED for (int u = 0; u < READ_ROWS; ++u) {
                COMPONENTS(c) any |= here[u].of[c] > 0;
                if (first + u * TEAM <= rows) all[first + u * TEAM] = here[u];
            }
        }
        if (i == 0) COMPONENTS(c) lists_sums[most * stride].of[c] = 0;
        MINE(reached, i) = any;
    }
    if (!TEAM_ANY(reached)) {  // none of these sequences is reached
        THREADS(i) {
            COMPONENTS(c) {
                const int which = lane + c;
                REAL* to = a.ahead + (local * p.showdowns + which) * o.rows;
                if (which < p.showdowns) for (int row = i; row < o.rows; row += TEAM) to[row] = 0;
                REAL* of = a.totals + (local * (p.lanes - p.folds_from) + which - p.folds_from) * (tokens + 1);
                if (which >= p.folds_from && which < p.lanes) for (int token = i; token <= tokens; token += TEAM) of[token] = 0;
            }
        }
        return;
    }
    const int chunk = ((rows + 1 + CHUNKS - 1) / CHUNKS) | 1;  // odd: no two threads of a warp meet in a bank
    THREADS(i) {
        const Quad* table = (const Quad*)t.rows + board * ((longest + 3) / 4) * most;
        for (int item = i; item < most * VECTOR; item += TEAM) {
            const int list = item / VECTOR, c = item % VECTOR;
            REAL* sums = compares ? (REAL*)(lists_sums + list * stride) + c : (REAL*)0;
            part[TEAM + item] = sum_list((const REAL*)all + c, table + list, most, longest, sums);
        }
        const int begin = i / VECTOR * chunk, end = begin + chunk < rows ? begin + chunk : rows;
        REAL sum = 0;
        UNROLLED_BY_8 for (int row = begin; row < end; ++row) sum += all[row].of[i % VECTOR];
        part[i] = sum;
    }
    TEAM_SYNC;
    THREADS(i) {
        const int c = i % VECTOR, begin = i / VECTOR * chunk, end = begin + chunk < rows + 1 ? begin + chunk : rows + 1;
        REAL sum = 0, own_sum = 0;  // apart, as the next chunk adds them: where no weight follows, sums are the total to the last bit
        UNROLLED_BY_8 for (int before = c; before < i; before += VECTOR) sum += part[before];
        UNROLLED_BY_8 for (int row = begin; row < end; ++row) {
            const REAL here = all[row].of[c];
            all[row].of[c] = sum + own_sum;
            own_sum += here;
        }
        for (int item = i; item < tokens * VECTOR; item += TEAM) {
            const int token = item / VECTOR, which = lane + item % VECTOR;
            if (which < p.folds_from || which >= p.lanes) continue;
            const int list = t.list_of[board * tokens + token];
            a.totals[(local * (p.lanes - p.folds_from) + which - p.folds_from) * (tokens + 1) + token] =
                list < 0 ? (REAL)0 : part[TEAM + list * VECTOR + item % VECTOR];
        }
    }
    TEAM_SYNC;
    THREADS(i) {
        const Vector total = all[rows];
        if (i < VECTOR && lane + i >= p.folds_from && lane + i < p.lanes)
            a.totals[(local * (p.lanes - p.folds_from) + lane + i - p.folds_from) * (tokens + 1) + tokens] = all[rows].of[i];
        const int* place = t.place + board * 3 * o.rows;
        for (int first = i; compares && first < o.rows; first += PLACED_ROWS * TEAM) {
            int at[PLACED_ROWS][3];
            UNROLLED for (int u = 0; u < PLACED_ROWS; ++u)
                UNROLLED for (int k = 0; k < 3; ++k) at[u][k] = first + u * TEAM < o.rows ? place[k * o.rows + first + u * TEAM] : 0;
            UNROLLED for (int u = 0; u < PLACED_ROWS; ++u) {
                const Vector begin = all[at[u][0] & 0xffff], end = all[at[u][0] >> 16];
                const Vector one_begin = lists_sums[at[u][1] & 0xffff], one_end = lists_sums[at[u][1] >> 16];
                const Vector other_begin = lists_sums[at[u][2] & 0xffff], other_end = lists_sums[at[u][2] >> 16];
                COMPONENTS(c) if (lane + c < p.showdowns && first + u * TEAM < o.rows)
                    a.ahead[(local * p.showdowns + lane + c) * o.rows + first + u * TEAM] =
                        begin.of[c] + end.of[c] - total.of[c] - (one_begin.of[c] + one_end.of[c]) - (other_begin.of[c] + other_end.of[c]);
            }
        }
    }
}
