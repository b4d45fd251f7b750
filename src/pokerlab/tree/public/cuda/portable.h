// The same source for the card and, to check it, for a CPU: what differs between the two compilers.
//
// A program is run by warps, each with a BOARD and a number among the board's warps: `LANES(i) {...}` is done by its 32
// threads at once, or by a loop, and everything outside is the same for all of them. Numbers of a thread that outlast a
// LANES are PRIVATE. Whatever one lane reads of another's comes after SYNC. A lane has WIDE hands, of as many blocks of
// 32, so that several loads are under way at once.
// Likewise a TEAM of threads, of which TEAMS fit on a multiprocessor, shares memory: THREADS(i) {...} is done by all of
// its threads, and TEAM_SYNC comes between what they write and what others read.
// REAL is the type computed with, STORED that of stored regrets and averages; walk.py beside this file chooses them,
// WIDE, TEAM, and VECTOR: how many sequences a team values together.

#define TEAMS 4     // that fit on a multiprocessor
#define LONGEST 48  // hands of a list that are held in registers, a multiple of 4

typedef long long i64;

#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define INLINE __device__ __forceinline__
#define LANES(i) for (int i = threadIdx.x & 31, once_##i = 1; once_##i; once_##i = 0)
#define UNROLLED _Pragma("unroll")
#define UNROLLED_BY_4 _Pragma("unroll 4")
#define UNROLLED_BY_8 _Pragma("unroll 8")
#define SYNC __syncwarp()
#define PRIVATE(type, name) type name[1]
#define MINE(name, i) name[0]
#define WARP (blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5))
#define BOARD ((i64)blockIdx.y)
#define SHARED(type, name) extern __shared__ __align__(16) unsigned char shared_bytes[]; type* name = (type*)shared_bytes
#define ENDLESS __int_as_float(0x7f800000)
#define TEAM_KERNEL extern "C" __global__ void __launch_bounds__(TEAM, TEAMS)
#define THREADS(i) for (int i = threadIdx.x, once_##i = 1; once_##i; once_##i = 0)
#define TEAM_SYNC __syncthreads()
#define TEAM_PRIVATE(type, name) type name[1]
#define TEAM_ANY(name) __syncthreads_or(name[0])
#define TEAM_NUMBER blockIdx.x
INLINE REAL peak(const REAL* own) {
    REAL top = own[0];
    for (int apart = 16; apart; apart >>= 1) {
        const REAL other = __shfl_xor_sync(0xffffffffu, top, apart);
        top = top > other ? top : other;
    }
    return top;
}
INLINE float nearest(float x) { return rintf(x); }
INLINE double nearest(double x) { return rint(x); }
#else
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <vector>
#define KERNEL extern "C" void
#define INLINE static inline
#define LANES(i) for (int i = 0; i < 32; ++i)
#define UNROLLED
#define UNROLLED_BY_4
#define UNROLLED_BY_8
#define SYNC
#define PRIVATE(type, name) type name[32]
#define MINE(name, i) name[i]
#define WARP warp_number
#define BOARD board_number
#define SHARED(type, name) alignas(64) static thread_local type name[1 << 16]
#define ENDLESS HUGE_VALF
#define TEAM_KERNEL extern "C" void
#define THREADS(i) for (int i = 0; i < TEAM; ++i)
#define TEAM_SYNC
#define TEAM_PRIVATE(type, name) type name[TEAM]
#define TEAM_ANY(name) any_of(name)
#define TEAM_NUMBER warp_number
static thread_local unsigned warp_number;
static thread_local i64 board_number;
typedef void (*Program)(i64, i64, i64, i64, i64, i64, i64, i64);  // a program with fewer arguments ignores the others
enum { FEW_WARPS = 64, TURNS = 16 };  // too few for several threads; how often a thread takes warps, about
extern "C" void run(Program program, i64 warps, i64 boards, i64 threads, const i64* a) {
    const i64 all = warps * boards, each = all / (threads * TURNS) + 1;
    std::atomic<i64> taken(0);
    const auto work = [&] {
        for (i64 first = taken.fetch_add(each); first < all; first = taken.fetch_add(each))
            for (i64 one = first; one < first + each && one < all; ++one) {
                board_number = one / warps;
                warp_number = (unsigned)(one % warps);
                program(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
            }
    };
    std::vector<std::thread> others;
    for (i64 other = 1; other < threads && all >= FEW_WARPS; ++other) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
}
INLINE REAL peak(const REAL* own) {
    REAL top = own[0];
    for (int i = 1; i < 32; ++i) top = own[i] > top ? own[i] : top;
    return top;
}
INLINE int any_of(const int* own) {
    for (int i = 0; i < TEAM; ++i)
        if (own[i]) return 1;
    return 0;
}
INLINE float nearest(float x) { return rintf(x); }
INLINE double nearest(double x) { return rint(x); }
#endif

// Records are passed as 8-byte words in the order of their fields; see layout.py beside this file.

struct alignas(16) Node {      // an infoset
    int sequence;              // own sequence that leads to it
    int slot, actions, number;
};

struct alignas(16) Source {    // of a sequence's value
    int kind, index;           // AHEAD: lane, COMPATIBLE: lane, DEAL: deal, NODE: its first slot
    REAL factor;
};

struct Plex {                  // a player's betting in a round
    i64 roots, used_roots, slots, nodes;
    const Node* node;          // [node] by depth
    const int* sequence;       // [sequence] the slots of these infosets in the same order, then the roots
    const int* source_start;   // [sequence + 1]
    const Source* source;      // [source] those of a sequence that are not COMPATIBLE first
    i64 lanes, showdowns, folds_from;
    const int* lane_sequence;  // [lane] own sequences that the opponent's values depend on
    i64 deals;
};

struct Seat {  // a player's hands on the boards of a round
    i64 rows, rows_above, rows_twin;
    const int* count;          // [board]
    const short* cards;        // [board, row, 2]
    const short* above;        // [board, row]
    const short* twin;         // [board, row]
    const int* group;          // [group]
    const short* row_below;    // [image, row above]: where each image of a board has a row of the board before, or -1
};

struct Level {  // what both players share in a round
    i64 boards, tokens;
    const int* group_start;    // [board + 1]
    const int* parent;         // [board]
    const int* child_image;    // [board of the round before + 1]: where the images of its boards begin
    const int* image_board;    // [image]
    REAL chance;
    i64 padding[1];
};

enum { AHEAD, COMPATIBLE, DEAL, NODE };

struct Wide {
    REAL of[WIDE];
};

struct Arrays {  // what a program on boards `first` and on reads and writes; several are of these boards alone
    i64 first;                 // board
    const REAL* above;         // [board of the round before - above_first, its sequence, row above]: own reach
    i64 above_first, above_sequences;
    const int* above_deal;     // [root]: own sequence of the round before
    const STORED* sums;        // [board, block, slot, lane]: the strategy is proportional to what is positive in it
    const float* last;         // the same: the latest regret, where a schedule predicts
    REAL* reach;               // [board - first, sequence, row]: of the player whose sums these are
    REAL* ahead;               // [board - first, lane, own row]: what a showdown wins against a lane
    REAL* totals;              // [board - first, lane, card + 1]: a lane's weight by card, and in all
    const REAL* deal_value;    // [board, deal, own row]
    REAL* scratch;             // [board - first, slot, own row]: an infoset's value, at its first slot
    REAL* root_value;          // [board, root, own row]
    const REAL* opposing;      // the opponent's reach
    const double* step;        // [6] of the schedule
    STORED* average;           // as sums
    float* regret_scale;       // [board, block, node]
    float* average_scale;
    const float* held;         // as sums: the probability of being held to the strategy, at an infoset's first action
    REAL* best_scratch;        // as scratch
    REAL* best_root_value;     // as root_value
    const REAL* best_deal_value;
};
