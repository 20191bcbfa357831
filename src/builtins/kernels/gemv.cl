// SPDX-License-Identifier: Apache-2.0
// This file multiplies matrices and vectors.

#define GROUP 64

/// A row for each work-group.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void FN(gemv_rows)(ulong n, S alpha, const global T* a,
                                                                             ulong lda, const global T* x, ulong incx,
                                                                             S beta, global T* y, ulong incy) {
  local S part[GROUP];
  const uint l = get_local_id(0);
  const ulong row = get_group_id(0);
  a += row * lda;
  S sum = 0;
  if (incx == 1) {
    S other = 0;
    ulong base = 0;
    for (; base + 2 * GROUP <= n; base += 2 * GROUP) {
      sum += LOAD(a, base + l) * LOAD(x, base + l);
      other += LOAD(a, base + GROUP + l) * LOAD(x, base + GROUP + l);
    }
    for (; base < n; base += GROUP)
      if (base + l < n) sum += LOAD(a, base + l) * LOAD(x, base + l);
    sum += other;
  } else {
    for (ulong i = l; i < n; i += GROUP) sum += LOAD(a, i) * LOAD(x, i * incx);
  }
  part[l] = sum;
  COMBINE_GROUP(part, l, GROUP, BOTH_sum)
  if (l == 0) STORE(y, row * incy, alpha * part[0] + (beta != 0 ? beta * LOAD(y, row * incy) : (S)0));
}

#define ROWS 256

kernel void FN(gemv_columns)(ulong m, ulong n, const global T* a, ulong lda, const global T* x, ulong incx,
                             global S* partial) {
  const ulong column = get_global_id(0), chunk = get_global_id(1), end = min(m, (chunk + 1) * ROWS);
  S sum = 0;
  for (ulong row = chunk * ROWS; row < end; ++row) sum += LOAD(a, row * lda + column) * LOAD(x, row * incx);
  partial[chunk * n + column] = sum;
}

kernel void FN(gemv_finish)(ulong chunks, ulong n, const global S* partial, S alpha, S beta, global T* y, ulong incy) {
  const ulong column = get_global_id(0), at = column * incy;
  S sum = 0;
  for (ulong chunk = 0; chunk < chunks; ++chunk) sum += partial[chunk * n + column];
  STORE(y, at, alpha * sum + (beta != 0 ? beta * LOAD(y, at) : (S)0));
}

#undef GROUP
#undef ROWS
