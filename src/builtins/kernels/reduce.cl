// SPDX-License-Identifier: Apache-2.0
// This file reduces arrays of outer x n x inner elements along their second axis, in levels: a level combines as many
// elements of a row or a column as the plan says, of a row up to MOST_OF_ROW, into one. The order depends on the sizes
// and the device alone, and the error of a sum grows with the number of levels only. OPERATION is sum, min, max, argmin
// or argmax, or one of vectors: dot, asum, nrm2.

#define GROUP 256
#define MOST_OF_ROW 65536
#ifdef IN_STEP
#define UNROLL_LOADS _Pragma("unroll 4")  // so many are on their way
#else
#define UNROLL_LOADS
#define ROWS 256
#endif

#if IS_argmin || IS_argmax
typedef struct {
  S value;
  ulong index;
} FNO(Place);
#define A FNO(Place)
#else
#define A S
#endif

/// The result of nothing.
static inline A FNO(none)(void) {
#if IS_argmin
  const A none = {MOST, ULONG_MAX};
  return none;
#elif IS_argmax
  const A none = {LEAST, ULONG_MAX};
  return none;
#else
  return NONE;
#endif
}

static inline A FNO(combined)(A a, A b) {
#if IS_argmin
  return b.value < a.value || (b.value == a.value && b.index < a.index) ? b : a;
#elif IS_argmax
  return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
#else
  return BOTH(a, b);
#endif
}

#if IS_argmin || IS_argmax
#define FIRST(x, at, i) ((A){LOAD(x, at), i})
#else
#define FIRST(x, at, i) LOAD(x, at)
#endif
#define NEXT(x, at, i) ((x)[at])

/// The sum of the work-group's, for its first work-item.
static inline A FNO(ofGroup)(local A* part, A a) {
  const uint l = get_local_id(0);
  part[l] = a;
  COMBINE_GROUP(part, l, GROUP, FNO(combined))
  return part[0];
}

/// One level of rows that lie next to each other: chunk `get_group_id(0)` of row `get_group_id(1)`.
#define LEVEL_OF_ROWS(NAME, TYPE, GET)                                                  \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(NAME)(             \
      ulong n, ulong chunk, const global TYPE* x, global A* result) {                   \
    local A part[GROUP];                                                                \
    const uint l = get_local_id(0);                                                     \
    const ulong begin = get_group_id(0) * chunk;                                        \
    const uint count = (uint)min(n - begin, min(chunk, (ulong)MOST_OF_ROW));            \
    const global TYPE* const row = x + get_group_id(1) * n + begin;                     \
    A a = FNO(none)(), b = a, c = a, d = a;                                             \
    uint base = 0;                                                                      \
    for (; base + 4 * GROUP <= count; base += 4 * GROUP) {                              \
      const uint i = base + l;                                                          \
      a = FNO(combined)(a, GET(row, i, begin + i));                                     \
      b = FNO(combined)(b, GET(row, i + GROUP, begin + i + GROUP));                     \
      c = FNO(combined)(c, GET(row, i + 2 * GROUP, begin + i + 2 * GROUP));             \
      d = FNO(combined)(d, GET(row, i + 3 * GROUP, begin + i + 3 * GROUP));             \
    }                                                                                   \
    for (; base < count; base += GROUP)                                                 \
      if (base + l < count) a = FNO(combined)(a, GET(row, base + l, begin + base + l)); \
    a = FNO(ofGroup)(part, FNO(combined)(FNO(combined)(a, b), FNO(combined)(c, d)));    \
    if (l == 0) result[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = a;      \
  }

#ifdef IN_STEP
/// One level of columns: a work-group has 1 << shift columns of chunk get_group_id(1), of which each of its parts
/// combines some rows.
#define LEVEL_OF_COLUMNS(NAME, TYPE, GET)                                                                  \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(NAME)(                                \
      ulong n, ulong inner, uint shift, ulong rows, const global TYPE* x, global A* result) {              \
    local A part[GROUP];                                                                                   \
    const uint l = get_local_id(0), parts = GROUP >> shift;                                                \
    const ulong i = ((ulong)get_group_id(0) << shift) + (l & ((1u << shift) - 1)), o = get_group_id(2);    \
    const ulong chunk = get_group_id(1), column = min(i, inner - 1), end = min(n, (chunk + 1) * rows);     \
    A a = FNO(none)(), b = a;                                                                              \
    ulong r = chunk * rows + (l >> shift);                                                                 \
    for (; r + 7 * parts < end; r += 8 * parts)                                                            \
      _Pragma("unroll") for (uint q = 0; q < 8; q += 2) {                                                  \
        a = FNO(combined)(a, GET(x, (o * n + r + q * parts) * inner + column, r + q * parts));             \
        b = FNO(combined)(b, GET(x, (o * n + r + (q + 1) * parts) * inner + column, r + (q + 1) * parts)); \
      }                                                                                                    \
    for (; r < end; r += parts) a = FNO(combined)(a, GET(x, (o * n + r) * inner + column, r));             \
    part[l] = FNO(combined)(a, b);                                                                         \
    for (uint half_ = GROUP / 2; half_ >> shift > 0; half_ /= 2) {                                         \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
      if (l < half_) part[l] = FNO(combined)(part[l], part[l + half_]);                                    \
    }                                                                                                      \
    if (l >> shift == 0 && i < inner) result[(o * get_num_groups(1) + chunk) * inner + i] = part[l];       \
  }
#else
/// One level of columns: work-item (i, chunk, o) combines rows of column i.
#define LEVEL_OF_COLUMNS(NAME, TYPE, GET)                                                                \
  kernel void FNO(NAME)(ulong n, ulong inner, const global TYPE* x, global A* result) {                  \
    const ulong i = get_global_id(0), chunk = get_global_id(1), o = get_global_id(2);                    \
    const ulong begin = chunk * ROWS, end = min(n, begin + ROWS);                                        \
    A a = FNO(none)(), b = a;                                                                            \
    ulong r = begin;                                                                                     \
    for (; r + 2 <= end; r += 2) {                                                                       \
      a = FNO(combined)(a, GET(x, (o * n + r) * inner + i, r));                                          \
      b = FNO(combined)(b, GET(x, (o * n + r + 1) * inner + i, r + 1));                                  \
    }                                                                                                    \
    if (r < end) a = FNO(combined)(a, GET(x, (o * n + r) * inner + i, r));                               \
    result[(o * get_global_size(1) + chunk) * inner + i] = FNO(combined)(a, b);                          \
  }
#endif

LEVEL_OF_ROWS(rows_next, A, NEXT)

#if IS_dot || IS_asum || IS_nrm2

#if IS_dot
#define ELEMENT(i, j) (LOAD(x, i) * LOAD(y, j))
#elif IS_asum
#define ELEMENT(i, j) fabs(LOAD(x, i))
#else
#define ELEMENT(i, j) (LOAD(x, i) * LOAD(x, i))
#endif

/// The first level of vectors. `y` is null where there is one only. Places are counted from the chunk's first element.
#define LEVEL_OF_VECTORS(NAME, I, J)                                                                          \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(NAME)(                                   \
      ulong n, ulong chunk, const global T* x, ulong incx, const global T* y, ulong incy, global A* result) { \
    local A part[GROUP];                                                                                      \
    const uint l = get_local_id(0);                                                                           \
    const ulong begin = get_group_id(0) * chunk;                                                              \
    const uint count = (uint)min(n - begin, min(chunk, (ulong)MOST_OF_ROW));                                  \
    x += begin * incx;                                                                                        \
    y += begin * incy;                                                                                        \
    A a = 0, b = 0, c = 0, d = 0;                                                                             \
    uint base = 0;                                                                                            \
    for (; base + 4 * GROUP <= count; base += 4 * GROUP) {                                                    \
      const uint i = base + l;                                                                                \
      a += ELEMENT(I(i), J(i));                                                                               \
      b += ELEMENT(I(i + GROUP), J(i + GROUP));                                                               \
      c += ELEMENT(I(i + 2 * GROUP), J(i + 2 * GROUP));                                                       \
      d += ELEMENT(I(i + 3 * GROUP), J(i + 3 * GROUP));                                                       \
    }                                                                                                         \
    for (; base < count; base += GROUP)                                                                       \
      if (base + l < count) a += ELEMENT(I(base + l), J(base + l));                                           \
    a = FNO(ofGroup)(part, (a + b) + (c + d));                                                                \
    if (l == 0) result[get_group_id(0)] = a;                                                                  \
  }

#define SAME(i) (i)
#define STEP_X(i) ((ulong)(i) * incx)
#define STEP_Y(i) ((ulong)(i) * incy)
LEVEL_OF_VECTORS(vector_unit, SAME, SAME)
LEVEL_OF_VECTORS(vector_strided, STEP_X, STEP_Y)
#undef LEVEL_OF_VECTORS
#undef SAME
#undef STEP_X
#undef STEP_Y
#undef ELEMENT

#if IS_nrm2
kernel void FNO(finish)(const global A* a, global S* result) { *result = sqrt(*a); }
#endif

#else

#if IS_argmin || IS_argmax
/// The first place of a value in a chunk; UINT_MAX if it is not there.
static inline uint FNO(placeOf)(local uint* places, const global T* chunk, uint count, S value) {
  const uint l = get_local_id(0);
  uint a = UINT_MAX, b = a;
  uint base = 0;
  UNROLL_LOADS for (; base + 2 * GROUP <= count; base += 2 * GROUP) {
    a = min(a, LOAD(chunk, base + l) == value ? base + l : UINT_MAX);
    b = min(b, LOAD(chunk, base + GROUP + l) == value ? base + GROUP + l : UINT_MAX);
  }
  for (; base < count; base += GROUP)
    if (base + l < count) a = min(a, LOAD(chunk, base + l) == value ? base + l : UINT_MAX);
  places[l] = min(a, b);
  COMBINE_GROUP(places, l, GROUP, min)
  barrier(CLK_LOCAL_MEM_FENCE);
  return places[0];
}

/// As LEVEL_OF_ROWS, but the partial result of a chunk has the place of the chunk's first element, or none where all
/// are NaN. Where a row is one chunk, `result` gets the place of the best element.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(rows)(ulong n, ulong chunk, const global T* x,
                                                                         global A* partial, global ulong* result) {
  local S values[GROUP];
  local uint places[GROUP];
  const uint l = get_local_id(0);
  const ulong begin = get_group_id(0) * chunk;
  const uint count = (uint)min(n - begin, min(chunk, (ulong)MOST_OF_ROW));
  const global T* const row = x + get_group_id(1) * n + begin;
  const S none = FNO(none)().value;
  S a = none, b = none, c = none, d = none;
  uint base = 0;
  UNROLL_LOADS for (; base + 4 * GROUP <= count; base += 4 * GROUP) {
    a = BOTH(a, LOAD(row, base + l));
    b = BOTH(b, LOAD(row, base + GROUP + l));
    c = BOTH(c, LOAD(row, base + 2 * GROUP + l));
    d = BOTH(d, LOAD(row, base + 3 * GROUP + l));
  }
  for (; base < count; base += GROUP)
    if (base + l < count) a = BOTH(a, LOAD(row, base + l));
  values[l] = BOTH(BOTH(a, b), BOTH(c, d));
  COMBINE_GROUP(values, l, GROUP, BOTH)
  barrier(CLK_LOCAL_MEM_FENCE);
  const S best = values[0];
  uint place = 0;
  if (result || best == none) place = FNO(placeOf)(places, row, count, best);
  if (l == 0) {
    const ulong at = place == UINT_MAX ? ULONG_MAX : begin + place;
    if (result)
      result[get_group_id(1)] = at;
    else
      partial[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = (A){best, at};
  }
}

/// The place in row get_group_id(0), from the best of its chunks: those of others come later.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FNO(place)(ulong n, ulong chunk, const global T* x,
                                                                          const global A* best, global ulong* result) {
  local uint places[GROUP];
  const A a = best[get_group_id(0)];
  ulong at = ULONG_MAX;
  if (a.index < n) {
    const ulong begin = a.index / chunk * chunk;
    const uint count = (uint)min(n - begin, min(chunk, (ulong)MOST_OF_ROW));
    at = begin + FNO(placeOf)(places, x + get_group_id(0) * n + begin, count, a.value);
  }
  if (get_local_id(0) == 0) result[get_group_id(0)] = at;
}
#else
LEVEL_OF_ROWS(rows, T, FIRST)
#endif
LEVEL_OF_COLUMNS(columns, T, FIRST)
LEVEL_OF_COLUMNS(columns_next, A, NEXT)

/// Whole rows, which are short: one for each work-item.
kernel void FNO(short_rows)(ulong n, const global T* x, global A* result) {
  const ulong row = get_global_id(0);
  A a = FNO(none)();
  for (ulong i = 0; i < n; ++i) a = FNO(combined)(a, FIRST(x, row * n + i, i));
  result[row] = a;
}

#if IS_argmin || IS_argmax
kernel void FNO(finish)(const global A* a, global ulong* result) {
  result[get_global_id(0)] = a[get_global_id(0)].index;
}
#elif IS_min || IS_max
kernel void FNO(finish)(const global A* a, global T* result) { STORE(result, get_global_id(0), a[get_global_id(0)]); }
#endif

#endif

#undef A
#undef GROUP
#undef MOST_OF_ROW
#undef UNROLL_LOADS
#undef ROWS
#undef FIRST
#undef NEXT
#undef LEVEL_OF_ROWS
#undef LEVEL_OF_COLUMNS
