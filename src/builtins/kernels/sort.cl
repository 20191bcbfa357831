// SPDX-License-Identifier: Apache-2.0
// This file sorts keys by their digits of 8 bits, the least first: chunks count their digits, a scan finds where the
// keys of each digit of each chunk go, and the chunks, a work-item each, bring them there in their order. Few elements
// are sorted in local memory: keys by a network, keys with values by their digits. sort_groups.cl is for devices whose
// work-items run in step.

#define WIDE_DIGITS 256

#define K PASTE(SORT_KEY_, SUFFIX)
#define SORT_KEY_f32 uint
#define SORT_KEY_i32 uint
#define SORT_KEY_u32 uint
#define SORT_KEY_f64 ulong
#define SORT_KEY_i64 ulong
#define SORT_KEY_u64 ulong
#define BITS (8 * sizeof(K))
#define ORDER PASTE(ORDER_, SUFFIX)
#define ORDER_f32(key) ((K)as_uint(key) ^ (as_int(key) < 0 ? ~(K)0 : (K)1 << 31))
#define ORDER_f64(key) ((K)as_ulong(key) ^ (as_long(key) < 0 ? ~(K)0 : (K)1 << 63))
#define ORDER_i32(key) ((K)(key) ^ (K)1 << 31)
#define ORDER_i64(key) ((K)(key) ^ (K)1 << 63)
#define ORDER_u32(key) ((K)(key))
#define ORDER_u64(key) ((K)(key))

/// Keys as unsigned numbers in the same order; `flip` is all ones for the reverse.
static inline K FN(orderOf)(R key, K flip) { return ORDER(key) ^ flip; }

#define DIGIT(key) (FN(orderOf)(key, (K)flip) >> shift & (WIDE_DIGITS - 1))
#define TABLES 4

/// Keys of a chunk.
#define PART (32768 / sizeof(R))

/// Counts in several tables, so that an increment need not wait for the one before.
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void FN(sort_count_serial)(
    uint n, const global R* keys, uint shift, ulong flip, global uint* counts) {
  local uint mine[TABLES * WIDE_DIGITS];
  for (uint d = 0; d < TABLES * WIDE_DIGITS; ++d) mine[d] = 0;
  const uint c = get_global_id(0), begin = c * PART, end = begin + min((uint)PART, n - begin);
  uint i = begin;
  for (; i + TABLES <= end; i += TABLES) {
    const uint d0 = DIGIT(keys[i]), d1 = DIGIT(keys[i + 1]), d2 = DIGIT(keys[i + 2]), d3 = DIGIT(keys[i + 3]);
    ++mine[d0];
    ++mine[WIDE_DIGITS + d1];
    ++mine[2 * WIDE_DIGITS + d2];
    ++mine[3 * WIDE_DIGITS + d3];
  }
  for (; i < end; ++i) ++mine[DIGIT(keys[i])];
  for (uint d = 0; d < WIDE_DIGITS; ++d)
    counts[d * get_global_size(0) + c] =
        mine[d] + mine[WIDE_DIGITS + d] + mine[2 * WIDE_DIGITS + d] + mine[3 * WIDE_DIGITS + d];
}

/// Sorts a chunk by the digit in local memory, and copies what it has of each digit to where that goes: so memory is
/// written in runs. `counts` are those of sort_count_serial. `values`: null: the places of the keys.
#define MOVE_SERIAL(NAME, HAS_VALUES)                                                                               \
  kernel __attribute__((reqd_work_group_size(1, 1, 1))) void FN(NAME)(                                              \
      uint n, const global R* keys, const global uint* values, uint shift, ulong flip, const global uint* counts,   \
      const global uint* places, global R* to, global uint* toValues) {                                             \
    local R part[PART];                                                                                             \
    local uint partOfValues[HAS_VALUES ? PART : 1];                                                                 \
    local uint ends[WIDE_DIGITS];                                                                                   \
    const uint c = get_global_id(0), chunks = get_global_size(0), begin = c * PART;                                 \
    const uint some = min((uint)PART, n - begin);                                                                   \
    for (uint d = 0, sum = 0; d < WIDE_DIGITS; ++d) {                                                               \
      ends[d] = sum;                                                                                                \
      sum += counts[d * chunks + c];                                                                                \
    }                                                                                                               \
    for (uint i = 0; i < some; ++i) {                                                                               \
      const R key = keys[begin + i];                                                                                \
      const uint at = ends[DIGIT(key)]++;                                                                           \
      part[at] = key;                                                                                               \
      if (HAS_VALUES) partOfValues[at] = values ? values[begin + i] : begin + i;                                    \
    }                                                                                                               \
    for (uint d = 0, at = 0; d < WIDE_DIGITS; ++d) {                                                                \
      const uint stop = ends[d], base = places[d * chunks + c] - at;                                                \
      if (HAS_VALUES)                                                                                               \
        for (uint i = at; i < stop; ++i) toValues[base + i] = partOfValues[i];                                      \
      for (; at < stop; ++at) to[base + at] = part[at];                                                             \
    }                                                                                                               \
  }
MOVE_SERIAL(sort_move_keys, 0)
MOVE_SERIAL(sort_move_pairs, 1)

/// All passes for few keys, in local memory.
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void FN(sort_few)(
    uint n, const global R* keys, const global uint* values, ulong flip, global R* sorted, global uint* moved,
    uint hasValues, local R* from, local uint* fromValues) {
  local uint counts[WIDE_DIGITS * sizeof(K)];
  local R* to = from + n;
  local uint* toValues = fromValues + n;
  for (uint d = 0; d < WIDE_DIGITS * sizeof(K); ++d) counts[d] = 0;
  for (uint i = 0; i < n; ++i) {
    const R key = keys[i];
    const K order = FN(orderOf)(key, (K)flip);
    from[i] = key;
    for (uint b = 0; b < sizeof(K); ++b) ++counts[b * WIDE_DIGITS + (order >> 8 * b & (WIDE_DIGITS - 1))];
  }
  if (hasValues)
    for (uint i = 0; i < n; ++i) fromValues[i] = values ? values[i] : i;
  for (uint b = 0; b < sizeof(K); ++b) {
    const uint shift = 8 * b;
    local uint* const next = counts + b * WIDE_DIGITS;
    if (next[DIGIT(from[0])] == n) continue;
    for (uint d = 0, sum = 0; d < WIDE_DIGITS; ++d) {
      const uint count = next[d];
      next[d] = sum;
      sum += count;
    }
    if (hasValues)
      for (uint i = 0; i < n; ++i) {
        const R key = from[i];
        const uint at = next[DIGIT(key)]++;
        to[at] = key;
        toValues[at] = fromValues[i];
      }
    else
      for (uint i = 0; i < n; ++i) {
        const R key = from[i];
        to[next[DIGIT(key)]++] = key;
      }
    local R* const otherKeys = from;
    local uint* const otherValues = fromValues;
    from = to, to = otherKeys;
    fromValues = toValues, toValues = otherValues;
  }
  for (uint i = 0; i < n; ++i) sorted[i] = from[i];
  if (hasValues)
    for (uint i = 0; i < n; ++i) moved[i] = fromValues[i];
}

#undef DIGIT
#undef TABLES
#undef PART
#undef MOVE_SERIAL

/// Keys in the order of unsigned numbers, and back.
#define KEY_OF PASTE(KEY_OF_, SUFFIX)
#define KEY_OF_f32(order) as_float((order) >> 31 ? (order) ^ (K)1 << 31 : ~(order))
#define KEY_OF_f64(order) as_double((order) >> 63 ? (order) ^ (K)1 << 63 : ~(order))
#define KEY_OF_i32(order) ((R)((order) ^ (K)1 << 31))
#define KEY_OF_i64(order) ((R)((order) ^ (K)1 << 63))
#define KEY_OF_u32(order) (order)
#define KEY_OF_u64(order) (order)

#define FEW 16
/// Exchanges each element i for which `isFirst` holds with element j, where that is less.
#define EXCHANGE_ALL(isFirst, j)               \
  for (uint i = 0; i < FEW; ++i)               \
    if (isFirst) {                             \
      const K least_ = min(v[i], v[j]);        \
      v[j] = max(v[i], v[j]);                  \
      v[i] = least_;                           \
    }
/// The first half of each SIZE elements with the second, and with the mirrored second.
#define HALVE(SIZE) EXCHANGE_ALL((i & (SIZE) / 2) == 0, i + (SIZE) / 2)
#define MIRROR(SIZE) EXCHANGE_ALL((i & (SIZE) / 2) == 0, i ^ ((SIZE) - 1))

/// Loads 16 elements of each work-item, which follow each other, and stores them again.
#define IN_REGISTERS(WORK)                                  \
  for (uint c = 0; c < padded / FEW; c += width)            \
    if (c + l < padded / FEW) {                             \
      local K* const own = block + (c + l) * FEW;           \
      K v[FEW];                                             \
      for (uint i = 0; i < FEW; ++i) v[i] = own[i];         \
      WORK                                                  \
      for (uint i = 0; i < FEW; ++i) own[i] = v[i];         \
    }

/// Few keys by a bitonic network in local memory, for a work-group of 16 work-items at most. `padded` is a power of
/// two, of 16 at least.
kernel void FN(sort_network)(uint n, uint padded, const global R* keys, ulong flip, global R* sorted, local K* block) {
  const uint l = get_local_id(0), width = get_local_size(0);
  for (uint u = 0; u < padded; u += width)
    block[u + l] = u + l < n ? FN(orderOf)(keys[u + l], (K)flip) : ~(K)0;
  barrier(CLK_LOCAL_MEM_FENCE);
  IN_REGISTERS(HALVE(2) MIRROR(4) HALVE(2) MIRROR(8) HALVE(4) HALVE(2) MIRROR(16) HALVE(8) HALVE(4) HALVE(2))
  for (uint size = 2 * FEW; size <= padded; size *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint u = 0; u < padded / 2; u += width) {
      const uint o = u & (size / 2 - 1), from = 2 * u - o;
      local K *const first = block + from + l, *const second = block + from + size - 1 - 2 * o - l;
      const K a = *first, b = *second;
      *first = min(a, b);
      *second = max(a, b);
    }
    for (uint apart = size / 4; apart >= FEW; apart /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint u = 0; u < padded / 2; u += width) {
        local K* const first = block + 2 * u - (u & (apart - 1)) + l;
        const K a = first[0], b = first[apart];
        first[0] = min(a, b);
        first[apart] = max(a, b);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    IN_REGISTERS(HALVE(16) HALVE(8) HALVE(4) HALVE(2))
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint u = 0; u < n; u += width)
    if (u + l < n) {
      const K order = block[u + l] ^ (K)flip;
      sorted[u + l] = KEY_OF(order);
    }
}

#undef FEW
#undef EXCHANGE_ALL
#undef HALVE
#undef MIRROR
#undef IN_REGISTERS
#undef KEY_OF

#undef WIDE_DIGITS
#undef K
#undef BITS
#undef ORDER
