// SPDX-License-Identifier: Apache-2.0
// This file moves the elements that flags name to the front: chunks count theirs, a scan finds where each chunk's go.

#define GROUP 256
#define CHUNK 4096

#ifndef PARTITION_SHARED
#define PARTITION_SHARED
/// The inclusive sums of the work-group's values.
static inline uint sumsOfGroup(local uint* part, uint value) {
  const uint l = get_local_id(0);
  part[l] = value;
  SUM_GROUP(part, l, GROUP)
  barrier(CLK_LOCAL_MEM_FENCE);
  return part[l];
}
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(kept)(ulong n, const global uchar* keep,
                                                                        global ulong* totals) {
  local uint part[GROUP];
  const uint l = get_local_id(0);
  const ulong begin = get_group_id(0) * CHUNK, end = min(n, begin + CHUNK);
  uint own = 0;
  for (ulong i = begin + l; i < end; i += GROUP) own += keep[i] != 0;
  sumsOfGroup(part, own);
  if (l == 0) totals[get_group_id(0)] = part[GROUP - 1];
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(place)(ulong n, const global R* x,
                                                                         const global uchar* keep,
                                                                         const global ulong* before, global R* y,
                                                                         global ulong* count, uint isWhole,
                                                                         ulong room) {
  local uint part[GROUP];
  const uint l = get_local_id(0);
  const ulong begin = get_group_id(0) * CHUNK, end = min(n, begin + CHUNK);
  const ulong all = before[get_num_groups(0) - 1];
  ulong kept = begin > 0 ? before[get_group_id(0) - 1] : 0;
  for (ulong base = begin; base < end; base += GROUP) {
    const ulong i = base + l;
    const uint own = i < end && keep[i] != 0;
    const ulong to = kept + sumsOfGroup(part, own) - own;
    kept += part[GROUP - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own && to < room) y[to] = x[i];
    if (!own && isWhole && i < end) y[all + i - to] = x[i];
  }
  if (get_global_id(0) == 0) *count = all;
}

#undef GROUP
#undef CHUNK
