// SPDX-License-Identifier: Apache-2.0
// This file scans vectors: OPERATION is sum, min or max. A first launch combines each chunk, a second one, which may be
// such a scan itself, scans these, and a third scans each chunk from there on. Where segments begin, by `heads`, what
// comes before is not combined.

#define GROUP 256

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
      uint isExclusive, uint chunk) {                                                                   \
    local S part[GROUP];                                                                                \
    local uint head[GROUP];                                                                             \
    const uint l = get_local_id(0);                                                                     \
    const ulong begin = get_group_id(0) * chunk, end = min(n, begin + chunk);                           \
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

#if IS_min
#define SCAN_OF_LINE sub_group_scan_inclusive_min
#define SCAN_BEFORE sub_group_scan_exclusive_min
#define TOTAL_OF_LINE sub_group_reduce_min
#elif IS_max
#define SCAN_OF_LINE sub_group_scan_inclusive_max
#define SCAN_BEFORE sub_group_scan_exclusive_max
#define TOTAL_OF_LINE sub_group_reduce_max
#else
#define SCAN_OF_LINE sub_group_scan_inclusive_add
#define SCAN_BEFORE sub_group_scan_exclusive_add
#define TOTAL_OF_LINE sub_group_reduce_add
#endif

/// Scans a chunk without segments on processors with vectors: a work-group is a sub-group, and scans line by line.
#define SCAN_LINES(NAME, TYPE, GET, PUT)                                                                             \
  kernel void FNO(NAME)(ulong n, const global TYPE* x, const global S* before, global TYPE* y, uint isExclusive,     \
                        uint chunk) {                                                                                \
    const uint width = get_local_size(0), l = get_local_id(0);                                                       \
    const ulong begin = get_group_id(0) * chunk;                                                                     \
    const uint count = (uint)min(n - begin, (ulong)chunk), whole = count - count % width;                            \
    x += begin;                                                                                                      \
    y += begin;                                                                                                      \
    S carry = before && begin > 0 ? before[get_group_id(0) - 1] : NONE;                                   \
    for (uint base = 0; base < whole; base += width) {                                                               \
      const S own = GET(x, base + l), sum = SCAN_OF_LINE(own);                                                       \
      PUT(y, base + l, FNO(scanBoth)(carry, isExclusive ? SCAN_BEFORE(own) : sum));                                  \
      carry = FNO(scanBoth)(carry, sub_group_broadcast(sum, width - 1));                                             \
    }                                                                                                                \
    if (whole < count) {                                                                                             \
      const bool isInside = whole + l < count;                                                                       \
      const S own = isInside ? GET(x, whole + l) : NONE;                                                  \
      const S result = FNO(scanBoth)(carry, isExclusive ? SCAN_BEFORE(own) : SCAN_OF_LINE(own));                     \
      if (isInside) PUT(y, whole + l, result);                                                                       \
    }                                                                                                                \
  }

SCAN_LINES(scan_lines, T, LOAD, STORE)
SCAN_LINES(scan_lines_next, S, LOAD_PLAIN, PUT_PLAIN)

/// Combines a chunk without segments there.
#define TOTAL_LINES(NAME, TYPE, GET)                                                                    \
  kernel void FNO(NAME)(ulong n, const global TYPE* x, global S* totals, uint chunk) {                  \
    const uint width = get_local_size(0), l = get_local_id(0);                                          \
    const ulong begin = get_group_id(0) * chunk;                                                        \
    const uint count = (uint)min(n - begin, (ulong)chunk);                                              \
    x += begin;                                                                                         \
    S a = NONE, b = NONE, c = NONE, d = NONE;                                                           \
    uint base = 0;                                                                                      \
    for (; base + 4 * width <= count; base += 4 * width) {                                              \
      a = FNO(scanBoth)(a, GET(x, base + l));                                                           \
      b = FNO(scanBoth)(b, GET(x, base + width + l));                                                   \
      c = FNO(scanBoth)(c, GET(x, base + 2 * width + l));                                               \
      d = FNO(scanBoth)(d, GET(x, base + 3 * width + l));                                               \
    }                                                                                                   \
    for (; base < count; base += width)                                                                 \
      if (base + l < count) a = FNO(scanBoth)(a, GET(x, base + l));                                     \
    const S total = TOTAL_OF_LINE(FNO(scanBoth)(FNO(scanBoth)(a, b), FNO(scanBoth)(c, d)));             \
    if (l == 0) totals[get_group_id(0)] = total;                                                        \
  }

TOTAL_LINES(total_lines, T, LOAD)
TOTAL_LINES(total_lines_next, S, LOAD_PLAIN)

/// Combines a chunk: from its last head on, if it has any.
#define TOTAL(NAME, TYPE, GET)                                                                           \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(NAME)(                              \
      ulong n, const global TYPE* x, const global uchar* heads, global S* totals, global uchar* begun,   \
      uint chunk) {                                                                                      \
    local S part[GROUP];                                                                                 \
    local uint head[GROUP];                                                                              \
    const uint l = get_local_id(0);                                                                      \
    const ulong begin = get_group_id(0) * chunk, end = min(n, begin + chunk);                            \
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
#undef SCAN
#undef SCAN_LINES
#undef SCAN_OF_LINE
#undef SCAN_BEFORE
#undef TOTAL_OF_LINE
#undef TOTAL_LINES
#undef TOTAL
#undef PUT_PLAIN
