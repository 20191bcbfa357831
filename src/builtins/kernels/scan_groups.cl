// SPDX-License-Identifier: Apache-2.0
// This file scans vectors without segments where work-items run in step, in sub-groups of 32: OPERATION is sum, min or
// max. A work-group scans a tile in registers. Where results do not depend on the order in which elements are combined,
// a tile learns from the states of those before it what comes before it, and memory is read once: first a state has the
// tile's total, then that of all tiles up to it. Otherwise the tiles' totals are made and scanned first.

#ifdef IN_STEP

#define GROUP 256
#define WARP 32
#define WARPS (GROUP / WARP)
#define LINES 4  // of a work-item, RUN elements each
#define RUN 4
#define TILE (GROUP * LINES * RUN)

static inline S FNO(tileBoth)(S a, S b) { return BOTH(a, b); }

/// Elements of a work-item: line a lies behind those of its sub-group's other work-items. NONE behind the end.
#define LOAD_TILE(v, x, TYPE, PART, GET)                                                                             \
  {                                                                                                                  \
    typedef PART Run_ __attribute__((ext_vector_type(RUN)));                                                         \
    const bool isWhole_ = some == TILE && ((size_t)(x) & (sizeof(Run_) - 1)) == 0;                                   \
    _Pragma("unroll") for (uint a = 0; a < LINES; ++a) {                                                             \
      if (isWhole_) {                                                                                                \
        const Run_ run_ = *(const global Run_*)((x) + begin + from + a * WARP * RUN);                                \
        PART own_[RUN];                                                                                              \
        _Pragma("unroll") for (uint e = 0; e < RUN; ++e) own_[e] = run_[e];                                          \
        _Pragma("unroll") for (uint e = 0; e < RUN; ++e) v[a][e] = GET((const private TYPE*)own_, e);                \
      } else {                                                                                                       \
        _Pragma("unroll") for (uint e = 0; e < RUN; ++e) {                                                           \
          const uint i = from + a * WARP * RUN + e;                                                                  \
          v[a][e] = i < some ? GET(x, begin + i) : NONE;                                                             \
        }                                                                                                            \
      }                                                                                                              \
    }                                                                                                                \
  }
#define STORE_TILE(v, y, TYPE, PART, PUT)                                                                            \
  {                                                                                                                  \
    typedef PART Run_ __attribute__((ext_vector_type(RUN)));                                                         \
    const bool isWhole_ = some == TILE && ((size_t)(y) & (sizeof(Run_) - 1)) == 0;                                   \
    _Pragma("unroll") for (uint a = 0; a < LINES; ++a) {                                                             \
      if (isWhole_) {                                                                                                \
        PART own_[RUN];                                                                                              \
        _Pragma("unroll") for (uint e = 0; e < RUN; ++e) PUT((private TYPE*)own_, e, v[a][e]);                       \
        Run_ run_;                                                                                                   \
        _Pragma("unroll") for (uint e = 0; e < RUN; ++e) run_[e] = own_[e];                                          \
        *(global Run_*)((y) + begin + from + a * WARP * RUN) = run_;                                                 \
      } else {                                                                                                       \
        _Pragma("unroll") for (uint e = 0; e < RUN; ++e) {                                                           \
          const uint i = from + a * WARP * RUN + e;                                                                  \
          if (i < some) PUT(y, begin + i, v[a][e]);                                                                  \
        }                                                                                                            \
      }                                                                                                              \
    }                                                                                                                \
  }

/// Scans each line of a work-item, and then what the lines of the sub-group begin with: the total of the sub-group.
static inline S FNO(tileOfWarp)(private S (*v)[RUN], private S* heads) {
  const uint lane = get_sub_group_local_id();
  S sum = NONE;
#pragma unroll
  for (uint a = 0; a < LINES; ++a) {
#pragma unroll
    for (uint e = 1; e < RUN; ++e) v[a][e] = FNO(tileBoth)(v[a][e - 1], v[a][e]);
    S up = v[a][RUN - 1];
#pragma unroll
    for (uint step = 1; step < WARP; step *= 2) {
      const S other = sub_group_shuffle_up(up, step);
      if (lane >= step) up = FNO(tileBoth)(other, up);
    }
    const S other = sub_group_shuffle_up(up, 1);
    heads[a] = lane ? FNO(tileBoth)(sum, other) : sum;
    sum = FNO(tileBoth)(sum, sub_group_shuffle(up, WARP - 1));
  }
  return sum;
}

/// Combines what comes before the tile, the sub-group and the line with the elements.
static inline void FNO(tileFinish)(private S (*v)[RUN], const private S* heads, S before, uint isExclusive) {
#pragma unroll
  for (uint a = 0; a < LINES; ++a) {
    const S head = FNO(tileBoth)(before, heads[a]);
    S last = head;
#pragma unroll
    for (uint e = 0; e < RUN; ++e) {
      const S next = FNO(tileBoth)(head, v[a][e]);
      v[a][e] = isExclusive ? last : next;
      last = next;
    }
  }
}

#define PLACE_IN_TILE                                                                                                \
  const uint l = get_local_id(0), lane = get_sub_group_local_id(), warp = get_sub_group_id();                        \
  const uint from = (warp * LINES * WARP + lane) * RUN;

/// Scans a tile. `before` has the inclusive scan of the tiles' totals.
#define SCAN_TILE(NAME, TYPE, PART, GET, PUT)                                                                        \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(NAME)(                                          \
      ulong n, const global TYPE* x, const global S* before, global TYPE* y, uint isExclusive) {                     \
    local S totals[WARPS];                                                                                           \
    PLACE_IN_TILE                                                                                                    \
    const ulong begin = get_group_id(0) * TILE;                                                                      \
    const uint some = (uint)min((ulong)TILE, n - begin);                                                             \
    S v[LINES][RUN], heads[LINES];                                                                                   \
    LOAD_TILE(v, x, TYPE, PART, GET)                                                                                 \
    const S own = FNO(tileOfWarp)(v, heads);                                                                         \
    if (lane == 0) totals[warp] = own;                                                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    S carry = before && begin > 0 ? before[get_group_id(0) - 1] : NONE;                                              \
    for (uint w = 0; w < warp; ++w) carry = FNO(tileBoth)(carry, totals[w]);                                         \
    FNO(tileFinish)(v, heads, carry, isExclusive);                                                                   \
    STORE_TILE(v, y, TYPE, PART, PUT)                                                                                \
  }

#define PUT_PLAIN(p, i, x) ((p)[i] = (x))
SCAN_TILE(scan_tile, T, R, LOAD, STORE)
SCAN_TILE(scan_tile_next, S, S, LOAD_PLAIN, PUT_PLAIN)

/// The total of a tile.
#define TILE_TOTAL(NAME, TYPE, PART, GET)                                                                            \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(NAME)(ulong n, const global TYPE* x,            \
                                                                           global S* totals) {                       \
    local S parts[WARPS];                                                                                            \
    PLACE_IN_TILE                                                                                                    \
    const ulong begin = get_group_id(0) * TILE;                                                                      \
    const uint some = (uint)min((ulong)TILE, n - begin);                                                             \
    S v[LINES][RUN];                                                                                                 \
    LOAD_TILE(v, x, TYPE, PART, GET)                                                                                 \
    S sum = NONE;                                                                                                    \
    _Pragma("unroll") for (uint a = 0; a < LINES; ++a) {                                                             \
      S line = v[a][0];                                                                                              \
      _Pragma("unroll") for (uint e = 1; e < RUN; ++e) line = FNO(tileBoth)(line, v[a][e]);                          \
      sum = FNO(tileBoth)(sum, line);                                                                                \
    }                                                                                                                \
    _Pragma("unroll") for (uint step = 1; step < WARP; step *= 2)                                                    \
        sum = FNO(tileBoth)(sum, sub_group_shuffle_xor(sum, step));                                                  \
    if (lane == 0) parts[warp] = sum;                                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    if (l > 0) return;                                                                                               \
    for (uint w = 1; w < WARPS; ++w) sum = FNO(tileBoth)(sum, parts[w]);                                             \
    totals[get_group_id(0)] = sum;                                                                                   \
  }

TILE_TOTAL(tile_total, T, R, LOAD)
TILE_TOTAL(tile_total_next, S, S, LOAD_PLAIN)

// Sums of integers, and extrema of them, are the same in any order; a state has room for 32 bits.
#define CHAINED PASTE2(CHAINED, SUFFIX)
#define CHAINED_i32 1
#define CHAINED_u32 1
#if CHAINED

#define OF_TILE ((ulong)1 << 32)
#define UP_TO_TILE ((ulong)2 << 32)
#define SHARED_LOAD(p) \
  atomic_load_explicit((volatile global atomic_ulong*)(p), memory_order_relaxed, memory_scope_device)
#define SHARED_STORE(p, x) \
  atomic_store_explicit((volatile global atomic_ulong*)(p), x, memory_order_relaxed, memory_scope_device)

/// The states of tiles, and behind them the counter that tiles are taken by: those that a tile waits for have begun.
kernel void FNO(scan_clear)(global ulong* states) { states[get_global_id(0)] = 0; }

/// The total of all that comes before a tile, by the first sub-group: it reads the states of 32 tiles at a time.
static inline S FNO(beforeTile)(const global ulong* states, uint tile) {
  const uint lane = get_sub_group_local_id();
  S before = NONE;
  for (uint end = tile;; end -= WARP) {
    ulong state = UP_TO_TILE | (uint)NONE;
    do {
      if (lane < end) state = SHARED_LOAD(states + (end - 1 - lane));
    } while (!sub_group_all(state >> 32 != 0));
    const uint ends = sub_group_ballot(state >> 32 == 2).x;
    const uint nearest = ends ? ctz(ends) : WARP;
    S some = lane <= nearest ? (S)(uint)state : NONE;
#pragma unroll
    for (uint step = 1; step < WARP; step *= 2) some = FNO(tileBoth)(some, sub_group_shuffle_xor(some, step));
    before = FNO(tileBoth)(some, before);
    if (ends) return before;
  }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(scan_chain)(
    ulong n, const global T* x, global T* y, uint isExclusive, uint tiles, global ulong* states) {
  local S totals[WARPS];
  local S carried;
  local uint ticket;
  PLACE_IN_TILE
  if (l == 0)
    ticket = atomic_fetch_add_explicit((volatile global atomic_uint*)(states + tiles), 1, memory_order_relaxed,
                                       memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint tile = ticket;
  const ulong begin = (ulong)tile * TILE;
  const uint some = (uint)min((ulong)TILE, n - begin);
  S v[LINES][RUN], heads[LINES];
  LOAD_TILE(v, x, T, R, LOAD)
  const S own = FNO(tileOfWarp)(v, heads);
  if (lane == 0) totals[warp] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (warp == 0) {
    S total = totals[0];
    for (uint w = 1; w < WARPS; ++w) total = FNO(tileBoth)(total, totals[w]);
    S before = NONE;
    if (tile > 0) {
      if (lane == 0) SHARED_STORE(states + tile, OF_TILE | (uint)total);
      before = FNO(beforeTile)(states, tile);
    }
    if (lane == 0) {
      SHARED_STORE(states + tile, UP_TO_TILE | (uint)FNO(tileBoth)(before, total));
      carried = before;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  S carry = carried;
  for (uint w = 0; w < warp; ++w) carry = FNO(tileBoth)(carry, totals[w]);
  FNO(tileFinish)(v, heads, carry, isExclusive);
  STORE_TILE(v, y, T, R, STORE)
}

#undef OF_TILE
#undef UP_TO_TILE
#undef SHARED_LOAD
#undef SHARED_STORE

#endif

#undef CHAINED
#undef GROUP
#undef WARP
#undef WARPS
#undef LINES
#undef RUN
#undef TILE
#undef LOAD_TILE
#undef STORE_TILE
#undef PLACE_IN_TILE
#undef SCAN_TILE
#undef PUT_PLAIN
#undef TILE_TOTAL

#endif
