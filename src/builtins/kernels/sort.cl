// SPDX-License-Identifier: Apache-2.0
// This file sorts keys by their digits, the least first: chunks count their digits, a scan finds where the keys of each
// digit of each chunk go, and the chunks bring them there in their order. Two forms: a work-group turns a chunk, for
// devices whose work-items run in step, with digits of 4 bits, or one work-item does, with digits of 8.

#define GROUP 256
#define EACH 16
#define CHUNK (GROUP * EACH)
#define DIGITS 16
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

kernel void FN(sort_count_serial)(uint n, uint chunk, const global R* keys, uint shift, ulong flip,
                                  global uint* counts) {
  uint mine[WIDE_DIGITS];
  for (uint d = 0; d < WIDE_DIGITS; ++d) mine[d] = 0;
  const uint c = get_global_id(0), begin = c * chunk, end = min(n, begin + chunk);
  for (uint i = begin; i < end; ++i) ++mine[FN(orderOf)(keys[i], (K)flip) >> shift & (WIDE_DIGITS - 1)];
  for (uint d = 0; d < WIDE_DIGITS; ++d) counts[d * get_global_size(0) + c] = mine[d];
}

/// `values`: with `hasValues`; null: the places of the keys.
kernel void FN(sort_move_serial)(uint n, uint chunk, const global R* keys, const global uint* values, uint shift,
                                 ulong flip, const global uint* places, global R* to, global uint* toValues,
                                 uint hasValues) {
  uint mine[WIDE_DIGITS];
  const uint c = get_global_id(0), begin = c * chunk, end = min(n, begin + chunk);
  for (uint d = 0; d < WIDE_DIGITS; ++d) mine[d] = places[d * get_global_size(0) + c];
  for (uint i = begin; i < end; ++i) {
    const R key = keys[i];
    const uint at = mine[FN(orderOf)(key, (K)flip) >> shift & (WIDE_DIGITS - 1)]++;
    to[at] = key;
    if (hasValues) toValues[at] = values ? values[i] : i;
  }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(sort_count)(uint n, const global R* keys, uint shift,
                                                                              ulong flip, global uint* counts) {
  local uint mine[DIGITS];
  const uint l = get_local_id(0), begin = get_group_id(0) * CHUNK, end = min(n, begin + CHUNK);
  if (l < DIGITS) mine[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = begin + l; i < end; i += GROUP)
    atomic_inc(mine + (FN(orderOf)(keys[i], (K)flip) >> shift & (DIGITS - 1)));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < DIGITS) counts[l * get_num_groups(0) + get_group_id(0)] = mine[l];
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(sort_move)(
    uint n, const global R* keys, const global uint* values, uint shift, ulong flip, const global uint* places,
    global R* to, global uint* toValues, uint hasValues) {
  local ushort counts[DIGITS * GROUP];  // of digit d and work-item l at d * GROUP + l
  local uint part[GROUP];
  local uint starts[DIGITS];
  const uint l = get_local_id(0), begin = get_group_id(0) * CHUNK + l * EACH, end = min(n, begin + EACH);
  for (uint d = 0; d < DIGITS; ++d) counts[d * GROUP + l] = 0;
  for (uint i = begin; i < end; ++i) ++counts[(FN(orderOf)(keys[i], (K)flip) >> shift & (DIGITS - 1)) * GROUP + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  // Where the keys of each digit and work-item begin in the chunk when it is sorted by this digit.
  uint own = 0;
  for (uint e = 0; e < DIGITS; ++e) own += counts[l * DIGITS + e];
  part[l] = own;
  SUM_GROUP(part, l, GROUP)
  uint sum = part[l] - own;
  for (uint e = 0; e < DIGITS; ++e) {
    const uint count = counts[l * DIGITS + e];
    counts[l * DIGITS + e] = (ushort)sum;
    sum += count;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < DIGITS) starts[l] = places[l * get_num_groups(0) + get_group_id(0)] - counts[l * GROUP];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = begin; i < end; ++i) {
    const R key = keys[i];
    const uint digit = FN(orderOf)(key, (K)flip) >> shift & (DIGITS - 1);
    const uint at = starts[digit] + counts[digit * GROUP + l]++;
    to[at] = key;
    if (hasValues) toValues[at] = values ? values[i] : i;
  }
}

#undef GROUP
#undef EACH
#undef CHUNK
#undef DIGITS
#undef WIDE_DIGITS
#undef K
#undef BITS
#undef ORDER
