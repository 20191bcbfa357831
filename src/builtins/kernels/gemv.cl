// SPDX-License-Identifier: Apache-2.0
// This file multiplies matrices and vectors.

#define GROUP 64

/// A row for each work-group, for devices whose work-items run in step.
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

#define LINES 8

/// LINES rows for each work-group, which is a sub-group: elements of x are used that often.
kernel void FN(gemv_lines)(ulong m, ulong n, S alpha, const global T* a, ulong lda, const global T* x, ulong incx,
                           S beta, global T* y, ulong incy) {
  const uint l = get_local_id(0), width = get_local_size(0);
  const ulong row = get_group_id(0) * LINES;
  const global T* line[LINES];
  S sums[LINES];
  for (uint i = 0; i < LINES; ++i) {
    line[i] = a + min(row + i, m - 1) * lda;
    sums[i] = 0;
  }
  if (incx == 1) {
    for (ulong p = l; p < n; p += width) {
      const S value = LOAD(x, p);
      for (uint i = 0; i < LINES; ++i) sums[i] += LOAD(line[i], p) * value;
    }
  } else {
    for (ulong p = l; p < n; p += width) {
      const S value = LOAD(x, p * incx);
      for (uint i = 0; i < LINES; ++i) sums[i] += LOAD(line[i], p) * value;
    }
  }
  for (uint i = 0; i < LINES; ++i) {
    const S sum = alpha * sub_group_reduce_add(sums[i]);
    if (l == 0 && row + i < m) {
      const ulong at = (row + i) * incy;
      STORE(y, at, sum + (beta != 0 ? beta * LOAD(y, at) : (S)0));
    }
  }
}

/// A column for each work-item, in chunks of rows. Where there is one chunk only, `partial` is null.
kernel void FN(gemv_columns)(ulong m, ulong n, S alpha, const global T* a, ulong lda, const global T* x, ulong incx,
                             S beta, global T* y, ulong incy, global S* partial, ulong rows) {
  const ulong column = get_global_id(0), chunk = get_global_id(1), end = min(m, (chunk + 1) * rows);
  S s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  ulong row = chunk * rows;
  for (; row + 4 <= end; row += 4) {
    const global T* const from = a + row * lda + column;
    const global T* const by = x + row * incx;
    s0 += LOAD(from, 0) * LOAD(by, 0);
    s1 += LOAD(from, lda) * LOAD(by, incx);
    s2 += LOAD(from, 2 * lda) * LOAD(by, 2 * incx);
    s3 += LOAD(from, 3 * lda) * LOAD(by, 3 * incx);
  }
  for (; row < end; ++row) s0 += LOAD(a, row * lda + column) * LOAD(x, row * incx);
  const S sum = (s0 + s1) + (s2 + s3);
  if (partial)
    partial[chunk * n + column] = sum;
  else
    STORE(y, column * incy, alpha * sum + (beta != 0 ? beta * LOAD(y, column * incy) : (S)0));
}

#ifdef IN_STEP
#define ITEMS 256  // of a work-group
#define LANES 32
#define PARTS (ITEMS / LANES)
#define EACH (16 / sizeof(R))            // columns of a work-item
#define AT_ONCE (sizeof(R) == 2 ? 4 : 8)  // rows whose elements are on their way
#define COLUMNS (LANES * EACH)           // as in built_in/matrices.cpp

/// The same for devices whose work-items run in step: a work-group has COLUMNS columns of a chunk, of whose rows each
/// of PARTS parts of the work-group takes every PARTS-th.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void FN(gemv_blocks)(
    ulong m, ulong n, S alpha, const global T* a, ulong lda, const global T* x, ulong incx, S beta, global T* y,
    ulong incy, global S* partial, ulong rows) {
  typedef R Run __attribute__((ext_vector_type(EACH)));
  local S part[PARTS][COLUMNS];
  const uint l = get_local_id(0), lane = l % LANES;
  const ulong first = get_group_id(0) * COLUMNS, own = first + lane * EACH;
  const ulong chunk = get_group_id(1), end = min(m, (chunk + 1) * rows);
  S sums[EACH];
#pragma unroll
  for (uint j = 0; j < EACH; ++j) sums[j] = 0;
  ulong row = chunk * rows + l / LANES;
  if (first + COLUMNS <= n && lda % EACH == 0 && ((size_t)a & 15) == 0) {
    for (; row + (AT_ONCE - 1) * PARTS < end; row += AT_ONCE * PARTS) {
      Run runs[AT_ONCE];
      S values[AT_ONCE];
#pragma unroll
      for (uint r = 0; r < AT_ONCE; ++r) runs[r] = *(const global Run*)(a + (row + r * PARTS) * lda + own);
#pragma unroll
      for (uint r = 0; r < AT_ONCE; ++r) values[r] = LOAD(x, (row + r * PARTS) * incx);
#pragma unroll
      for (uint r = 0; r < AT_ONCE; ++r) {
        R elements[EACH];
#pragma unroll
        for (uint j = 0; j < EACH; ++j) elements[j] = runs[r][j];
#pragma unroll
        for (uint j = 0; j < EACH; ++j) sums[j] += LOAD((const private T*)elements, j) * values[r];
      }
    }
  }
  for (; row < end; row += PARTS) {
    const S value = LOAD(x, row * incx);
#pragma unroll
    for (uint j = 0; j < EACH; ++j) sums[j] += LOAD(a + row * lda, min(own + j, n - 1)) * value;
  }
#pragma unroll
  for (uint j = 0; j < EACH; ++j) part[l / LANES][lane * EACH + j] = sums[j];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint column = l; column < COLUMNS && first + column < n; column += ITEMS) {
    S sum = 0;
#pragma unroll
    for (uint p = 0; p < PARTS; ++p) sum += part[p][column];
    const ulong at = first + column;
    if (partial)
      partial[chunk * n + at] = sum;
    else
      STORE(y, at * incy, alpha * sum + (beta != 0 ? beta * LOAD(y, at * incy) : (S)0));
  }
}
#undef ITEMS
#undef LANES
#undef PARTS
#undef EACH
#undef AT_ONCE
#undef COLUMNS
#endif

kernel void FN(gemv_finish)(ulong chunks, ulong n, const global S* partial, S alpha, S beta, global T* y, ulong incy) {
  const ulong column = get_global_id(0), at = column * incy;
  S sum = 0;
  for (ulong chunk = 0; chunk < chunks; ++chunk) sum += partial[chunk * n + column];
  STORE(y, at, alpha * sum + (beta != 0 ? beta * LOAD(y, at) : (S)0));
}

#undef GROUP
#undef LINES
