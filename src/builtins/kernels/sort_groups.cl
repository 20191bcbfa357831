// SPDX-License-Identifier: Apache-2.0
// This file sorts keys by their digits of 8 bits where work-items run in step, in sub-groups of 32. All digits are
// counted first, in one pass over the keys. Then each digit has a pass, in which a work-group sorts a tile in local
// memory and writes it in runs. It learns how many keys of each digit the tiles before it have from their states, which
// are in memory while the pass runs: first a tile's own count, then that of all tiles up to it. So keys are read and
// written once for each digit. Tiles are taken in the order of a counter: those that a tile waits for have been begun.

#ifdef IN_STEP

#define GROUP 256  // as in built_in/sorts.cpp
#define WARP 32
#define WARPS (GROUP / WARP)
#define DIGITS 256
#define EACH (80 / sizeof(R))
#define TILE (GROUP * EACH)

#define K PASTE(SORT_KEY_, SUFFIX)
#define PASSES sizeof(K)
/// The same order as unsigned numbers, and back.
#define ORDERED PASTE(ORDERED_, SUFFIX)
#define ORDERED_f32(bits) ((bits) ^ ((bits) >> 31 ? ~(K)0 : (K)1 << 31))
#define ORDERED_f64(bits) ((bits) ^ ((bits) >> 63 ? ~(K)0 : (K)1 << 63))
#define ORDERED_i32(bits) ((bits) ^ (K)1 << 31)
#define ORDERED_i64(bits) ((bits) ^ (K)1 << 63)
#define ORDERED_u32(bits) (bits)
#define ORDERED_u64(bits) (bits)
#define BITS_OF PASTE(BITS_OF_, SUFFIX)
#define BITS_OF_f32(order) ((order) ^ ((order) >> 31 ? (K)1 << 31 : ~(K)0))
#define BITS_OF_f64(order) ((order) ^ ((order) >> 63 ? (K)1 << 63 : ~(K)0))
#define BITS_OF_i32 ORDERED_i32
#define BITS_OF_i64 ORDERED_i64
#define BITS_OF_u32 ORDERED_u32
#define BITS_OF_u64 ORDERED_u64
#define DIGIT(order) ((uint)((order) >> shift) & (DIGITS - 1))

/// A state is a count and what it counts.
#define COUNT_BITS 30
#define OF_TILE (1u << COUNT_BITS)
#define UP_TO_TILE (2u << COUNT_BITS)
#define SHARED_LOAD(p) \
  atomic_load_explicit((volatile global atomic_uint*)(p), memory_order_relaxed, memory_scope_device)
#define SHARED_STORE(p, x) \
  atomic_store_explicit((volatile global atomic_uint*)(p), x, memory_order_relaxed, memory_scope_device)
#define SHARED_ADD(p, x, order) \
  atomic_fetch_add_explicit((volatile global atomic_uint*)(p), x, order, memory_scope_device)

/// Zeros, where the passes begin.
kernel void FN(sort_clear)(uint words, uint stateWords, global uint* control, global uint* states) {
  const uint i = get_global_id(0);
  if (i < stateWords) states[i] = 0;
  if (i < words) control[i] = 0;
}

/// Counts all digits; the last work-group to end makes of the counts where each digit begins: that of digit d in pass p
/// is at starts[p * portions * DIGITS + d].
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(sort_digits)(
    uint n, const global K* keys, ulong flip, uint portions, global uint* control, uint atEnded, uint atStarts) {
  global uint *const ended = control + atEnded, *const starts = control + atStarts;
  local uint bins[PASSES * DIGITS];
  local uint isLast;
  const uint l = get_local_id(0), all = get_global_size(0);
  for (uint b = l; b < PASSES * DIGITS; b += GROUP) bins[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong begin = get_global_id(0); begin < n; begin += 4 * all) {
    K some[4];
#pragma unroll
    for (uint j = 0; j < 4; ++j) some[j] = begin + j * all < n ? keys[begin + j * all] : 0;
#pragma unroll
    for (uint j = 0; j < 4; ++j) {
      const K order = ORDERED(some[j]) ^ (K)flip;
      if (begin + j * all < n)
#pragma unroll
        for (uint p = 0; p < PASSES; ++p) atomic_inc(bins + p * DIGITS + ((uint)(order >> 8 * p) & (DIGITS - 1)));
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = l; b < PASSES * DIGITS; b += GROUP)
    if (bins[b]) SHARED_ADD(starts + b / DIGITS * portions * DIGITS + b % DIGITS, bins[b], memory_order_relaxed);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (l == 0) isLast = SHARED_ADD(ended, 1, memory_order_acq_rel) == get_num_groups(0) - 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (!isLast) return;
  for (uint p = 0; p < PASSES; ++p) {
    global uint* const own = starts + p * portions * DIGITS + l % DIGITS;
    const uint before = work_group_scan_exclusive_add(l < DIGITS ? SHARED_LOAD(own) : 0);
    if (l < DIGITS) *own = before;
  }
}

/// Keys of a tile, or what the sub-groups count them with.
#define COUNT_BYTES (2 * WARPS * DIGITS * 4)
#define PART (TILE * sizeof(K) > COUNT_BYTES ? TILE : COUNT_BYTES / sizeof(K))

/// The places of a work-item's keys among those of its sub-group with the same digit; `counts` gets their numbers.
/// Behind those of all sub-groups is room for a mask of each digit: the work-items that have it.
static inline void FN(sortRank)(const private K* order, uint shift, uint each, local uint* counts,
                                private uint* place) {
  const uint lane = get_sub_group_local_id();
  local uint* const masks = counts + WARPS * DIGITS;
#pragma unroll
  for (uint d = 0; d < DIGITS / WARP; ++d) counts[d * WARP + lane] = masks[d * WARP + lane] = 0;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint j = 0; j < EACH; ++j)
    if (j < each) {
      const uint digit = DIGIT(order[j]);
      atomic_or(masks + digit, 1u << lane);
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      const uint peers = masks[digit], rank = popcount(peers & ((1u << lane) - 1)), before = counts[digit];
      place[j] = before + rank;
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      if (rank == 0) {
        counts[digit] = before + popcount(peers);
        masks[digit] = 0;
      }
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/// Where the keys of digit l and of each sub-group begin among those of the digit, and their number.
static inline uint FN(sortSumWarps)(local uint* counts, uint l) {
  uint sum = 0;
  if (l < DIGITS)
#pragma unroll
    for (uint w = 0; w < WARPS; ++w) {
      const uint count = counts[w * DIGITS + l];
      counts[w * DIGITS + l] = sum;
      sum += count;
    }
  return sum;
}

/// A pass over `n` keys from `first` on, fewer than 2^30; `number` is that of the launch. Tile t clears the states of
/// the next one. `ends` gets where the next portion of the keys goes. `values`: null: the places of the keys.
#define SORT_PASS(NAME, HAS_VALUES)                                                                                  \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(NAME)(                                           \
      uint first, uint n, uint number, uint rows, const global K* keys, const global uint* values, uint shift,       \
      ulong flip, global uint* control, uint atStarts, global uint* states, global K* to, global uint* toValues) {   \
    local K part[PART];                                                                                              \
    local uint wheres[DIGITS], tileStarts[DIGITS];                                                                   \
    local uint ticket;                                                                                               \
    local uint* const counts = (local uint*)part;                                                                    \
    const uint l = get_local_id(0), lane = get_sub_group_local_id(), warp = get_sub_group_id();                      \
    const uint tiles = get_num_groups(0);                                                                            \
    if (l == 0) ticket = SHARED_ADD(control + number, 1, memory_order_relaxed);                                      \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    const uint tile = ticket, begin = tile * TILE, some = min((uint)TILE, n - begin);                                \
    global uint* const own = states + (number % 2 * rows + tile) * DIGITS;                                           \
    keys += first + begin;                                                                                           \
    K order[EACH];                                                                                                   \
    uint place[EACH];                                                                                                \
    const uint from = warp * (WARP * EACH) + lane;                                                                   \
    _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {                                                              \
      const uint i = from + j * WARP;                                                                                \
      order[j] = i < some ? ORDERED(keys[i]) ^ (K)flip : ~(K)0;                                                      \
    }                                                                                                                \
    FN(sortRank)(order, shift, EACH, counts + warp * DIGITS, place);                                                 \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    const uint total = FN(sortSumWarps)(counts, l);                                                                  \
    if (l < DIGITS) SHARED_STORE(own + l, total | (tile ? OF_TILE : UP_TO_TILE));                                    \
    const uint tileStart = work_group_scan_exclusive_add(total);                                                     \
    if (l < DIGITS) tileStarts[l] = tileStart;                                                                       \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {                                                              \
      const uint digit = DIGIT(order[j]);                                                                            \
      place[j] += counts[warp * DIGITS + digit] + tileStarts[digit];                                                 \
    }                                                                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    _Pragma("unroll") for (uint j = 0; j < EACH; ++j) part[place[j]] = order[j];                                     \
    if (l < DIGITS) {                                                                                                \
      uint before = 0;                                                                                               \
      for (uint t = tile; t > 0;) {                                                                                  \
        const uint state = SHARED_LOAD(states + (number % 2 * rows + t - 1) * DIGITS + l);                           \
        if (state >> COUNT_BITS == 0) continue;                                                                      \
        before += state & (OF_TILE - 1);                                                                             \
        if (state & UP_TO_TILE) break;                                                                               \
        --t;                                                                                                         \
      }                                                                                                              \
      if (tile) SHARED_STORE(own + l, (before + total) | UP_TO_TILE);                                                \
      const uint start = control[atStarts + l] + before;                                                             \
      wheres[l] = start - tileStart;                                                                                 \
      if (tile + 1 == tiles) control[atStarts + DIGITS + l] = start + total;                                         \
      for (uint row = tile; row < rows; row += tiles) states[((number + 1) % 2 * rows + row) * DIGITS + l] = 0;      \
    }                                                                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    uint target[EACH];                                                                                               \
    _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {                                                              \
      const uint slot = j * GROUP + l;                                                                               \
      const K it = part[slot];                                                                                       \
      target[j] = wheres[DIGIT(it)] + slot;                                                                          \
      const K plain = it ^ (K)flip;                                                                                  \
      if (slot < some) to[target[j]] = BITS_OF(plain);                                                               \
    }                                                                                                                \
    if (HAS_VALUES) {                                                                                                \
      local uint* const moved = (local uint*)part;                                                                   \
      uint value[EACH];                                                                                              \
      _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {                                                            \
        const uint i = from + j * WARP;                                                                              \
        value[j] = values && i < some ? values[first + begin + i] : first + begin + i;                               \
      }                                                                                                              \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      _Pragma("unroll") for (uint j = 0; j < EACH; ++j) moved[place[j]] = value[j];                                  \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {                                                            \
        const uint slot = j * GROUP + l;                                                                             \
        if (slot < some) toValues[target[j]] = moved[slot];                                                          \
      }                                                                                                              \
    }                                                                                                                \
  }
SORT_PASS(sort_pass_keys, 0)
SORT_PASS(sort_pass_pairs, 1)

/// All passes for the keys of one tile, in local memory.
#define SORT_TILE(NAME, HAS_VALUES)                                                                                  \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(NAME)(                                           \
      uint n, const global K* keys, const global uint* values, ulong flip, global K* to, global uint* toValues) {    \
    local K part[PART];                                                                                              \
    local uint tileStarts[DIGITS];                                                                                   \
    local uint* const counts = (local uint*)part;                                                                    \
    local uint* const moved = (local uint*)part;                                                                     \
    const uint l = get_local_id(0), lane = get_sub_group_local_id(), warp = get_sub_group_id();                      \
    const uint each = (n + GROUP - 1) / GROUP, from = warp * (WARP * each) + lane;                                   \
    K order[EACH];                                                                                                   \
    uint place[EACH], value[EACH];                                                                                   \
    _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {                                                              \
      const uint i = from + j * WARP;                                                                                \
      const bool isInside = j < each && i < n;                                                                       \
      order[j] = isInside ? ORDERED(keys[i]) ^ (K)flip : ~(K)0;                                                      \
      if (HAS_VALUES) value[j] = isInside && values ? values[i] : i;                                                 \
    }                                                                                                                \
    _Pragma("unroll 1") for (uint shift = 0; shift < 8 * PASSES; shift += 8) {                                       \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      FN(sortRank)(order, shift, each, counts + warp * DIGITS, place);                                               \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      const uint total = FN(sortSumWarps)(counts, l);                                                                \
      const uint tileStart = work_group_scan_exclusive_add(total);                                                   \
      if (l < DIGITS) tileStarts[l] = tileStart;                                                                     \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      _Pragma("unroll") for (uint j = 0; j < EACH; ++j)                                                              \
        if (j < each) {                                                                                              \
          const uint digit = DIGIT(order[j]);                                                                        \
          place[j] += counts[warp * DIGITS + digit] + tileStarts[digit];                                             \
        }                                                                                                            \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      _Pragma("unroll") for (uint j = 0; j < EACH; ++j)                                                              \
        if (j < each) part[place[j]] = order[j];                                                                     \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      _Pragma("unroll") for (uint j = 0; j < EACH; ++j)                                                              \
        if (j < each) order[j] = part[from + j * WARP];                                                              \
      if (HAS_VALUES) {                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                \
        _Pragma("unroll") for (uint j = 0; j < EACH; ++j)                                                            \
          if (j < each) moved[place[j]] = value[j];                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                \
        _Pragma("unroll") for (uint j = 0; j < EACH; ++j)                                                            \
          if (j < each) value[j] = moved[from + j * WARP];                                                           \
      }                                                                                                              \
    }                                                                                                                \
    _Pragma("unroll") for (uint j = 0; j < EACH; ++j) {                                                              \
      const uint i = from + j * WARP;                                                                                \
      if (j >= each || i >= n) continue;                                                                             \
      const K plain = order[j] ^ (K)flip;                                                                            \
      to[i] = BITS_OF(plain);                                                                                        \
      if (HAS_VALUES) toValues[i] = value[j];                                                                        \
    }                                                                                                                \
  }
SORT_TILE(sort_tile_keys, 0)
SORT_TILE(sort_tile_pairs, 1)

#undef GROUP
#undef WARP
#undef WARPS
#undef DIGITS
#undef EACH
#undef TILE
#undef COUNT_BYTES
#undef PART
#undef K
#undef PASSES
#undef ORDERED
#undef BITS_OF
#undef DIGIT
#undef COUNT_BITS
#undef OF_TILE
#undef UP_TO_TILE
#undef SHARED_LOAD
#undef SHARED_STORE
#undef SHARED_ADD
#undef SORT_PASS
#undef SORT_TILE

#endif
