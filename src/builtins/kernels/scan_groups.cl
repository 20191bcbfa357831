// SPDX-License-Identifier: Apache-2.0
// This file scans vectors without segments where work-items run in step, in sub-groups of 32: OPERATION is sum, min or
// max. A work-group has a tile in local memory, and learns from the states of tiles and of blocks of tiles before it
// what comes before it, so that memory is read once. Totals are always combined in the same order.

#ifdef IN_STEP

#define GROUP 128
#define WARP 32
#define WARPS (GROUP / WARP)
#define LINES 8  // of a work-item, a vector of 16 bytes each
#define TILE_BYTES (GROUP * LINES * 16)  // as in built_in/scans.cpp

static inline S FNO(tileBoth)(S a, S b) { return BOTH(a, b); }

#define RUN(PART) (16 / (uint)sizeof(PART))
/// Where line a of the work-item is in the tile, in vectors: behind those of its sub-group's other work-items.
#define PLACE(a) ((warp * LINES + (a)) * WARP + lane)

/// A tile comes to local memory.
#define LOAD_TILE(tile, x, PART)                                                                                     \
  {                                                                                                                  \
    if (isWhole && ((size_t)(x) & 15) == 0) {                                                                        \
      _Pragma("unroll") for (uint a = 0; a < LINES; ++a)                                                             \
          clarity_copy_begin((tile) + PLACE(a), (const global uint4*)((x) + begin) + PLACE(a), 16);                  \
      clarity_copy_end_group();                                                                                      \
      clarity_copy_wait(0);                                                                                          \
    } else {                                                                                                         \
      _Pragma("unroll") for (uint a = 0; a < LINES; ++a) _Pragma("unroll") for (uint e = 0; e < RUN(PART); ++e) {    \
        const uint i = PLACE(a) * RUN(PART) + e;                                                                     \
        ((local PART*)(tile))[i] = i < some ? ((const global PART*)(x))[begin + i] : 0;                              \
      }                                                                                                              \
    }                                                                                                                \
  }

/// The elements of line a, as `v`.
#define GET_LINE(v, a, TYPE, PART, GET)                                                                              \
  PART own_[RUN(PART)];                                                                                              \
  *(uint4*)own_ = tile[PLACE(a)];                                                                                    \
  _Pragma("unroll") for (uint e = 0; e < RUN(PART); ++e)                                                             \
      v[e] = isWhole || PLACE(a) * RUN(PART) + e < some ? GET((const private TYPE*)own_, e) : NONE;

/// Combines what lies before each line of the work-item in its sub-group, to heads[a * GROUP + l], and all of the
/// sub-group, to `own`. Lines wait in local memory, not in registers, so that more work-groups are on their way.
#define SCAN_WARP(own, heads, TYPE, PART, GET)                                                                       \
  _Pragma("unroll 2") for (uint a = 0; a < LINES; ++a) {                                                             \
    S v[RUN(PART)];                                                                                                  \
    GET_LINE(v, a, TYPE, PART, GET)                                                                                  \
    S up = v[0];                                                                                                     \
    _Pragma("unroll") for (uint e = 1; e < RUN(PART); ++e) up = FNO(tileBoth)(up, v[e]);                             \
    _Pragma("unroll") for (uint step = 1; step < WARP; step *= 2) {                                                  \
      const S other = sub_group_shuffle_up(up, step);                                                                \
      if (lane >= step) up = FNO(tileBoth)(other, up);                                                               \
    }                                                                                                                \
    const S other = sub_group_shuffle_up(up, 1);                                                                     \
    heads[a * GROUP + l] = lane ? FNO(tileBoth)(own, other) : own;                                                   \
    own = FNO(tileBoth)(own, sub_group_shuffle(up, WARP - 1));                                                       \
  }

/// The results; `carry` is what comes before the sub-group's elements.
#define FINISH_TILE(carry, heads, y, TYPE, PART, GET, PUT)                                                           \
  {                                                                                                                  \
    const bool isAligned_ = isWhole && ((size_t)(y) & 15) == 0;                                                      \
    _Pragma("unroll 2") for (uint a = 0; a < LINES; ++a) {                                                           \
      S v[RUN(PART)];                                                                                                \
      GET_LINE(v, a, TYPE, PART, GET)                                                                                \
      S last = FNO(tileBoth)(carry, heads[a * GROUP + l]);                                                           \
      _Pragma("unroll") for (uint e = 0; e < RUN(PART); ++e) {                                                       \
        const S next = FNO(tileBoth)(last, v[e]);                                                                    \
        PUT((private TYPE*)own_, e, isExclusive ? last : next);                                                      \
        last = next;                                                                                                 \
      }                                                                                                              \
      if (isAligned_)                                                                                                \
        ((global uint4*)((y) + begin))[PLACE(a)] = *(uint4*)own_;                                                    \
      else                                                                                                           \
        _Pragma("unroll") for (uint e = 0; e < RUN(PART); ++e) if (PLACE(a) * RUN(PART) + e < some)                  \
            ((global PART*)(y))[begin + PLACE(a) * RUN(PART) + e] = own_[e];                                         \
    }                                                                                                                \
  }

#define PUT_PLAIN(p, i, x) ((p)[i] = (x))

#define LEVELS 4  // as in built_in/scans.cpp
#define WORDS (sizeof(S) / 4)
#define IS_THERE ((ulong)1 << 32)
#define SHARED_LOAD(p)                                                                                               \
  atomic_load_explicit((volatile global atomic_ulong*)(p), memory_order_relaxed, memory_scope_device)
#define SHARED_STORE(p, x)                                                                                           \
  atomic_store_explicit((volatile global atomic_ulong*)(p), x, memory_order_relaxed, memory_scope_device)

/// A total as it is in memory: 32 bits of it in each word, beside the mark that they are there. So words need no order.
typedef union {
  S value;
  uint words[WORDS];
} FNO(Total);

/// The states of tiles, and behind them the counter that tiles are taken by: those that a tile waits for have begun.
kernel void FNO(scan_clear)(ulong count, global ulong* states) {
  if (get_global_id(0) < count) states[get_global_id(0)] = 0;
}

static inline void FNO(publish)(global ulong* state, S total) {
  FNO(Total) own;
  own.value = total;
#pragma unroll
  for (uint w = 0; w < WORDS; ++w) SHARED_STORE(state + w, IS_THERE | own.words[w]);
}

/// The total in a state whose words were `first` at the last look; work-items without one (`isOwn`) have NONE.
static inline S FNO(await)(const global ulong* state, const private ulong* first, bool isOwn) {
  FNO(Total) other;
  other.value = NONE;
#pragma unroll
  for (uint w = 0; w < WORDS; ++w) {
    ulong word = first[w];
    while (!sub_group_all(!isOwn || (word & IS_THERE))) word = isOwn ? SHARED_LOAD(state + w) : 0;
    if (isOwn) other.words[w] = (uint)word;
  }
  return other.value;
}

/// Combines those of the sub-group in an order that is always the same.
static inline S FNO(sumOfWarp)(S some) {
#pragma unroll
  for (uint step = 1; step < WARP; step *= 2) some = FNO(tileBoth)(some, sub_group_shuffle_xor(some, step));
  return some;
}

/// The total of all that comes before a tile, by one sub-group; `total` is that of the tile. 32 tiles are a block, 32
/// blocks one of the next level, and so on. The last tile of a block publishes the block's total. A tile combines those
/// of the tiles before it in its block, of the blocks before that one in theirs, and so on: no tile waits for what
/// another one has learned, only for what it has read.
static inline S FNO(beforeTile)(global ulong* states, uint tile, uint tiles, S total) {
  const uint lane = get_sub_group_local_id();
  if (lane == 0) FNO(publish)(states + tile * WORDS, total);
  ulong first[LEVELS][WORDS];
  ulong level = 0;
#pragma unroll
  for (uint v = 0; v < LEVELS; ++v) {
    const uint index = tile >> 5 * v, place = v + 1 < LEVELS ? index % WARP : index;
#pragma unroll
    for (uint w = 0; w < WORDS; ++w)
      first[v][w] = lane < place ? SHARED_LOAD(states + (level + index - place + lane) * WORDS + w) : 0;
    level += tiles >> 5 * v;
  }
  level = 0;
  S before = NONE;
  bool isLast = true;
#pragma unroll
  for (uint v = 0; v < LEVELS; ++v) {
    const uint index = tile >> 5 * v, place = v + 1 < LEVELS ? index % WARP : index;
    const global ulong* const from = states + (level + index - place) * WORDS;
    S some = FNO(sumOfWarp)(FNO(await)(from + lane * WORDS, first[v], lane < place));
    for (uint next = WARP; next < place; next += WARP) {  // of the last level only
      const ulong none[WORDS] = {0};
      some = FNO(tileBoth)(some, FNO(sumOfWarp)(FNO(await)(from + (next + lane) * WORDS, none, next + lane < place)));
    }
    level += tiles >> 5 * v;
    isLast = isLast && place == WARP - 1;
    if (v + 1 < LEVELS && isLast) {
      total = FNO(tileBoth)(some, total);
      if (lane == 0) FNO(publish)(states + (level + index / WARP) * WORDS, total);
    }
    before = FNO(tileBoth)(some, before);
  }
  return before;
}

/// Scans `tiles` tiles, with a work-group for each. A single one has no states.
#define SCAN_CHAIN(NAME, TYPE, PART, GET, PUT)                                                                       \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(NAME)(                                          \
      ulong n, const global TYPE* x, global TYPE* y, uint isExclusive, uint tiles, global ulong* states,             \
      ulong atCounter) {                                                                                             \
    local uint4 tile[GROUP * LINES];                                                                                 \
    local S heads[GROUP * LINES];                                                                                    \
    local S totals[WARPS];                                                                                           \
    local S carried;                                                                                                 \
    local uint ticket;                                                                                               \
    const uint l = get_local_id(0), lane = get_sub_group_local_id(), warp = get_sub_group_id();                      \
    uint number = 0;                                                                                                 \
    if (states) {                                                                                                    \
      if (l == 0)                                                                                                    \
        ticket = atomic_fetch_add_explicit((volatile global atomic_uint*)(states + atCounter), 1,                    \
                                           memory_order_relaxed, memory_scope_device);                               \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      number = ticket;                                                                                               \
    }                                                                                                                \
    const uint all = TILE_BYTES / (uint)sizeof(PART);                                                                \
    const ulong begin = (ulong)number * all;                                                                         \
    const uint some = (uint)min((ulong)all, n - begin);                                                              \
    const bool isWhole = some == all;                                                                                \
    LOAD_TILE(tile, x, PART)                                                                                         \
    S own = NONE;                                                                                                    \
    SCAN_WARP(own, heads, TYPE, PART, GET)                                                                           \
    if (lane == 0) totals[warp] = own;                                                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    S carry = NONE;                                                                                                  \
    if (states) {                                                                                                    \
      if (warp == 0) {                                                                                               \
        S total = totals[0];                                                                                         \
        for (uint w = 1; w < WARPS; ++w) total = FNO(tileBoth)(total, totals[w]);                                    \
        const S before = FNO(beforeTile)(states, number, tiles, total);                                              \
        if (lane == 0) carried = before;                                                                             \
      }                                                                                                              \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      carry = carried;                                                                                               \
    }                                                                                                                \
    for (uint w = 0; w < warp; ++w) carry = FNO(tileBoth)(carry, totals[w]);                                         \
    FINISH_TILE(carry, heads, y, TYPE, PART, GET, PUT)                                                               \
  }

SCAN_CHAIN(scan_chain, T, R, LOAD, STORE)
SCAN_CHAIN(scan_chain_next, S, S, LOAD_PLAIN, PUT_PLAIN)

#undef LEVELS
#undef WORDS
#undef IS_THERE
#undef SHARED_LOAD
#undef SHARED_STORE
#undef SCAN_CHAIN
#undef GROUP
#undef WARP
#undef WARPS
#undef LINES
#undef TILE_BYTES
#undef RUN
#undef PLACE
#undef LOAD_TILE
#undef GET_LINE
#undef SCAN_WARP
#undef FINISH_TILE
#undef PUT_PLAIN

#endif
