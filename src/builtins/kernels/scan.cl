// SPDX-License-Identifier: Apache-2.0
// This file scans vectors: OPERATION is sum, min or max. A first launch combines each chunk, a second one, which may be
// such a scan itself, scans these, and a third scans each chunk from there on. Where segments begin, by `heads`, what
// comes before is not combined.

#define GROUP 256
#define CHUNK 4096

static inline S FNO(scanBoth)(S a, S b) { return BOTH(a, b); }

/// Scans `part` of the work-group, whose segments begin where `head` is not 0: afterwards `head` says whether one has
/// begun up to there.
static inline void FNO(scanOfGroup)(local S* part, local uint* head) {
  const uint l = get_local_id(0);
  for (uint step = 1; step < GROUP; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    S value = part[l];
    uint begun = head[l];
    if (l >= step && !begun) {
      value = FNO(scanBoth)(part[l - step], value);
      begun = head[l - step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    part[l] = value;
    head[l] = begun;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/// Scans a chunk. `before` has the inclusive scan of the chunks' totals.
#define SCAN(NAME, TYPE, GET, PUT)                                                                      \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(NAME)(                             \
      ulong n, const global TYPE* x, const global uchar* heads, const global S* before, global TYPE* y, \
      uint isExclusive) {                                                                               \
    local S part[GROUP];                                                                                \
    local uint head[GROUP];                                                                             \
    const uint l = get_local_id(0);                                                                     \
    const ulong begin = get_group_id(0) * CHUNK, end = min(n, begin + CHUNK);                           \
    S carry = before && begin > 0 ? before[get_group_id(0) - 1] : NONE;                                 \
    for (ulong base = begin; base < end; base += GROUP) {                                               \
      const ulong i = base + l;                                                                         \
      const bool isInside = i < end;                                                                    \
      const S own = isInside ? GET(x, i) : NONE;                                                        \
      const uint isHead = heads && isInside ? heads[i] != 0 : 0;                                        \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
      part[l] = own;                                                                                    \
      head[l] = isHead;                                                                                 \
      FNO(scanOfGroup)(part, head);                                                                     \
      S result = part[l];                                                                               \
      if (!head[l]) result = FNO(scanBoth)(carry, result);                                              \
      if (isExclusive) {                                                                                \
        result = l == 0 ? carry : head[l - 1] ? part[l - 1] : FNO(scanBoth)(carry, part[l - 1]);        \
        if (isHead) result = NONE;                                                                      \
      }                                                                                                 \
      carry = head[GROUP - 1] ? part[GROUP - 1] : FNO(scanBoth)(carry, part[GROUP - 1]);                \
      if (isInside) PUT(y, i, result);                                                                  \
    }                                                                                                   \
  }

#define PUT_PLAIN(p, i, x) ((p)[i] = (x))
SCAN(scan, T, LOAD, STORE)
SCAN(scan_next, S, LOAD_PLAIN, PUT_PLAIN)

/// Combines a chunk: from its last head on, if it has any.
#define TOTAL(NAME, TYPE, GET)                                                                           \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(NAME)(                              \
      ulong n, const global TYPE* x, const global uchar* heads, global S* totals, global uchar* begun) { \
    local S part[GROUP];                                                                                 \
    local uint head[GROUP];                                                                              \
    const uint l = get_local_id(0);                                                                      \
    const ulong begin = get_group_id(0) * CHUNK, end = min(n, begin + CHUNK);                            \
    S total = NONE;                                                                                      \
    uint isBegun = 0;                                                                                    \
    if (heads) {                                                                                         \
      for (ulong base = begin; base < end; base += GROUP) {                                              \
        const bool isInside = base + l < end;                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
        part[l] = isInside ? GET(x, base + l) : NONE;                                                    \
        head[l] = isInside && heads[base + l];                                                           \
        FNO(scanOfGroup)(part, head);                                                                    \
        total = head[GROUP - 1] ? part[GROUP - 1] : FNO(scanBoth)(total, part[GROUP - 1]);               \
        isBegun |= head[GROUP - 1];                                                                      \
      }                                                                                                  \
    } else {                                                                                             \
      for (ulong base = begin; base < end; base += GROUP)                                                \
        if (base + l < end) total = FNO(scanBoth)(total, GET(x, base + l));                              \
      part[l] = total;                                                                                   \
      COMBINE_GROUP(part, l, GROUP, FNO(scanBoth))                                                       \
      total = part[0];                                                                                   \
    }                                                                                                    \
    if (l == 0) {                                                                                        \
      totals[get_group_id(0)] = total;                                                                   \
      if (begun) begun[get_group_id(0)] = (uchar)isBegun;                                                \
    }                                                                                                    \
  }

TOTAL(total, T, LOAD)
TOTAL(total_next, S, LOAD_PLAIN)

#undef GROUP
#undef CHUNK
#undef SCAN
#undef TOTAL
#undef PUT_PLAIN
