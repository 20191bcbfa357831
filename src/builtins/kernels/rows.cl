// SPDX-License-Identifier: Apache-2.0
// This file normalises the rows of matrices: softmax, its logarithm, and layer norm. A work-group has a row.

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

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(softmax)(ulong columns, const global T* x, ulong ldx,
                                                                           global T* y, ulong ldy, uint isLog) {
  local S part[GROUP];
  const uint l = get_local_id(0);
  x += get_group_id(0) * ldx;
  y += get_group_id(0) * ldy;
  S greatest = -INFINITY;
  for (ulong i = l; i < columns; i += GROUP) greatest = fmax(greatest, LOAD(x, i));
  greatest = FN(greatestOfRow)(part, greatest);
  S sum = 0;
  for (ulong i = l; i < columns; i += GROUP) sum += exp(LOAD(x, i) - greatest);
  sum = FN(sumOfRow)(part, sum);
  const S offset = greatest + log(sum), factor = 1 / sum;
  for (ulong i = l; i < columns; i += GROUP) {
    const S value = LOAD(x, i);
    STORE(y, i, isLog ? value - offset : exp(value - greatest) * factor);
  }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(layer_norm)(
    ulong columns, const global T* x, ulong ldx, const global T* scale, const global T* shift, S epsilon, global T* y,
    ulong ldy) {
  local S part[GROUP];
  const uint l = get_local_id(0);
  x += get_group_id(0) * ldx;
  y += get_group_id(0) * ldy;
  S sum = 0;
  for (ulong i = l; i < columns; i += GROUP) sum += LOAD(x, i);
  const S mean = FN(sumOfRow)(part, sum) / columns;
  S squares = 0;
  for (ulong i = l; i < columns; i += GROUP) squares += (LOAD(x, i) - mean) * (LOAD(x, i) - mean);
  const S factor = 1 / sqrt(FN(sumOfRow)(part, squares) / columns + epsilon);
  for (ulong i = l; i < columns; i += GROUP) {
    S value = (LOAD(x, i) - mean) * factor;
    if (scale) value *= LOAD(scale, i);
    if (shift) value += LOAD(shift, i);
    STORE(y, i, value);
  }
}

#undef GROUP
#undef OF_ROW
