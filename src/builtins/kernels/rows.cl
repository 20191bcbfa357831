// SPDX-License-Identifier: Apache-2.0
// This file normalises the rows of matrices: softmax, its logarithm, and layer norm. A work-group has a row;
// on processors with vectors it is one sub-group.

#define GROUP 256

/// Combines the work-group's values, for all of its work-items.
#define OF_ROW(NAME, combine)                        \
  static inline S FN(NAME)(local S* part, S value) { \
    const uint l = get_local_id(0);                  \
    barrier(CLK_LOCAL_MEM_FENCE);                    \
    part[l] = value;                                 \
    COMBINE_GROUP(part, l, GROUP, combine)           \
    barrier(CLK_LOCAL_MEM_FENCE);                    \
    return part[0];                                  \
  }

OF_ROW(sumOfRow, BOTH_sum)
OF_ROW(greatestOfRow, fmax)

/// The same of a work-group that is a sub-group.
#define SUM_OF_LINE(value) sub_group_reduce_add(value)
#define GREATEST_OF_LINE(value) sub_group_reduce_max(value)
#define SUM_OF_GROUP(value) FN(sumOfRow)(part, value)
#define GREATEST_OF_GROUP(value) FN(greatestOfRow)(part, value)

/// Whether y can hold a value of S until it is finished.
#define IS_KEPT PASTE(IS_KEPT_, SUFFIX)
#define IS_KEPT_f32 1
#define IS_KEPT_f64 1
#define IS_KEPT_f16 0
#define IS_KEPT_bf16 0

#define SOFTMAX(SIZE, SUM, GREATEST)                                         \
  const uint l = get_local_id(0);                                            \
  x += get_group_id(0) * ldx;                                                \
  y += get_group_id(0) * ldy;                                                \
  S greatest = -INFINITY, other = greatest;                                  \
  for (ulong i = l; i < columns; i += 2 * SIZE) {                            \
    greatest = fmax(greatest, LOAD(x, i));                                   \
    if (i + SIZE < columns) other = fmax(other, LOAD(x, i + SIZE));          \
  }                                                                          \
  greatest = GREATEST(fmax(greatest, other));                                \
  S sum = 0;                                                                 \
  for (ulong i = l; i < columns; i += SIZE) {                                \
    const S power = exp(LOAD(x, i) - greatest);                              \
    sum += power;                                                            \
    if (IS_KEPT && !isLog) STORE(y, i, power);                               \
  }                                                                          \
  sum = SUM(sum);                                                            \
  if (isLog) {                                                               \
    const S offset = greatest + log(sum);                                    \
    for (ulong i = l; i < columns; i += SIZE) STORE(y, i, LOAD(x, i) - offset); \
  } else {                                                                   \
    const S factor = 1 / sum;                                                \
    for (ulong i = l; i < columns; i += SIZE)                                \
      STORE(y, i, (IS_KEPT ? LOAD(y, i) : exp(LOAD(x, i) - greatest)) * factor); \
  }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(softmax)(ulong columns, const global T* x, ulong ldx,
                                                                           global T* y, ulong ldy, uint isLog) {
  local S part[GROUP];
  SOFTMAX(GROUP, SUM_OF_GROUP, GREATEST_OF_GROUP)
}
kernel void FN(softmax_lines)(ulong columns, const global T* x, ulong ldx, global T* y, ulong ldy, uint isLog) {
  SOFTMAX(get_local_size(0), SUM_OF_LINE, GREATEST_OF_LINE)
}

#ifdef IN_STEP
/// The same of rows of EACH elements for each of ITEMS work-items at most, which stay in registers.
#define SOFTMAX_HELD(NAME, ITEMS, EACH)                                                                       \
  kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void FN(NAME)(                                \
      ulong columns, const global T* x, ulong ldx, global T* y, ulong ldy, uint isLog) {                  \
    const uint l = get_local_id(0), some = (uint)columns;                                                 \
    x += get_group_id(0) * ldx;                                                                           \
    y += get_group_id(0) * ldy;                                                                           \
    S v[EACH], greatest = -INFINITY, sum = 0;                                                             \
    _Pragma("unroll") for (uint e = 0; e < EACH; ++e) v[e] =                                              \
        l + e * ITEMS < some ? LOAD(x, l + e * ITEMS) : (S)-INFINITY;                                     \
    _Pragma("unroll") for (uint e = 0; e < EACH; ++e) greatest = fmax(greatest, v[e]);                    \
    greatest = work_group_reduce_max(greatest);                                                           \
    _Pragma("unroll") for (uint e = 0; e < EACH; ++e) {                                                   \
      const S power = exp(v[e] - greatest);                                                               \
      sum += l + e * ITEMS < some ? power : 0;                                                            \
      if (!isLog) v[e] = power;                                                                           \
    }                                                                                                     \
    sum = work_group_reduce_add(sum);                                                                     \
    const S factor = 1 / sum, offset = greatest + log(sum);                                               \
    _Pragma("unroll") for (uint e = 0; e < EACH; ++e)                                                     \
        if (l + e * ITEMS < some) STORE(y, l + e * ITEMS, isLog ? v[e] - offset : v[e] * factor);         \
  }
SOFTMAX_HELD(softmax_held4, 256, 4)
SOFTMAX_HELD(softmax_held8, 256, 8)
SOFTMAX_HELD(softmax_held16, 256, 16)
SOFTMAX_HELD(softmax_held32, 512, 16)
SOFTMAX_HELD(softmax_held64, 1024, 16)
#undef SOFTMAX_HELD
#endif

#define LAYER_NORM(SIZE, SUM)                                                                             \
  const uint l = get_local_id(0);                                                                         \
  x += get_group_id(0) * ldx;                                                                             \
  y += get_group_id(0) * ldy;                                                                             \
  S sum = 0, other = 0;                                                                                   \
  for (ulong i = l; i < columns; i += 2 * SIZE) {                                                         \
    sum += LOAD(x, i);                                                                                    \
    if (i + SIZE < columns) other += LOAD(x, i + SIZE);                                                   \
  }                                                                                                       \
  const S mean = SUM(sum + other) / columns;                                                              \
  S squares = 0;                                                                                          \
  for (ulong i = l; i < columns; i += SIZE) squares += (LOAD(x, i) - mean) * (LOAD(x, i) - mean);         \
  const S factor = 1 / sqrt(SUM(squares) / columns + epsilon);                                            \
  for (ulong i = l; i < columns; i += SIZE) {                                                             \
    S value = (LOAD(x, i) - mean) * factor;                                                               \
    if (scale) value *= LOAD(scale, i);                                                                   \
    if (shift) value += LOAD(shift, i);                                                                   \
    STORE(y, i, value);                                                                                   \
  }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(layer_norm)(
    ulong columns, const global T* x, ulong ldx, const global T* scale, const global T* shift, S epsilon, global T* y,
    ulong ldy) {
  local S part[GROUP];
  LAYER_NORM(GROUP, SUM_OF_GROUP)
}
kernel void FN(layer_norm_lines)(ulong columns, const global T* x, ulong ldx, const global T* scale,
                                 const global T* shift, S epsilon, global T* y, ulong ldy) {
  LAYER_NORM(get_local_size(0), SUM_OF_LINE)
}

#undef SUM_OF_LINE
#undef GREATEST_OF_LINE
#undef SUM_OF_GROUP
#undef GREATEST_OF_GROUP
#undef SOFTMAX
#undef IS_KEPT
#undef LAYER_NORM
#undef GROUP
#undef OF_ROW
