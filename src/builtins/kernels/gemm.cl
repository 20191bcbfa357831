// SPDX-License-Identifier: Apache-2.0
// This file multiplies matrices: c = activation(alpha * a * b + beta * c + bias). Rows and columns of a and b are as
// far apart as the plan says, so that transposed ones need no code of their own. A work-group brings panels of both
// into local memory, as S and side by side in the order in which they are used.

/// Element (i, j) of the result from the sum of products.
static inline void FN(gemmStore)(S sum, S alpha, S beta, global T* c, ulong at, const global T* bias, ulong j,
                                 uint activation) {
  S value = alpha * sum;
  if (beta != 0) value += beta * LOAD(c, at);
  if (bias) value += LOAD(bias, j);
  ACTIVATE(value, activation)
  STORE(c, at, value);
}

/// Brings `width` x `depth` elements, `across` and `along` apart, to panel[along * WIDTH + across]; zeros behind the
/// ends. The nearer neighbours in memory are read by neighbouring work-items.
#define BRING(panel, WIDTH, DEPTH, x, across, along, width, depth, l, SIZE)                       \
  if ((along) == 1)                                                                               \
    for (uint e_ = l; e_ < WIDTH * DEPTH; e_ += SIZE) {                                           \
      const uint p_ = e_ % DEPTH, q_ = e_ / DEPTH;                                                \
      panel[p_ * WIDTH + q_] = q_ < (width) && p_ < (depth) ? LOAD(x, q_ * (across) + p_) : (S)0; \
    }                                                                                             \
  else                                                                                            \
    for (uint e_ = l; e_ < WIDTH * DEPTH; e_ += SIZE) {                                           \
      const uint q_ = e_ % WIDTH, p_ = e_ / WIDTH;                                                \
      panel[p_ * WIDTH + q_] = q_ < (width) && p_ < (depth) ? LOAD(x, q_ + p_ * (along)) : (S)0;  \
    }

#define DEPTH 128

kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void FN(gemm_lines)(
    ulong m, ulong n, ulong k, S alpha, const global T* a, ulong arow, ulong acolumn, ulong stridea, const global T* b,
    ulong brow, ulong bcolumn, ulong strideb, S beta, global T* c, ulong ldc, ulong stridec, const global T* bias,
    uint activation) {
  local S panelA[DEPTH * BLOCK];
  local S panelB[DEPTH * BLOCK];
  const uint l = get_local_id(0);
  const ulong column = get_group_id(0) * BLOCK, row = get_group_id(1) * BLOCK, batch = get_group_id(2);
  const uint columns = (uint)min((ulong)BLOCK, n - column), rows = (uint)min((ulong)BLOCK, m - row);
  a += batch * stridea + row * arow;
  b += batch * strideb + column * bcolumn;
  S sums[BLOCK];
  for (uint r = 0; r < BLOCK; ++r) sums[r] = 0;
  for (ulong begin = 0; begin < k; begin += DEPTH) {
    const uint depth = (uint)min((ulong)DEPTH, k - begin);
    BRING(panelA, BLOCK, DEPTH, (a + begin * acolumn), arow, acolumn, rows, depth, l, BLOCK)
    BRING(panelB, BLOCK, DEPTH, (b + begin * brow), bcolumn, brow, columns, depth, l, BLOCK)
    barrier(CLK_LOCAL_MEM_FENCE);
    ADD_LINES(sums, panelA, panelB, rows, depth, l)
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l >= columns) return;
  c += batch * stridec;
  for (uint r = 0; r < rows; ++r)
    FN(gemmStore)(sums[r], alpha, beta, c, (row + r) * ldc + column + l, bias, column + l, activation);
}

#undef DEPTH
#define DEPTH 16

kernel __attribute__((reqd_work_group_size(ACROSS, ACROSS, 1))) void FN(gemm_blocks)(
    ulong m, ulong n, ulong k, S alpha, const global T* a, ulong arow, ulong acolumn, ulong stridea, const global T* b,
    ulong brow, ulong bcolumn, ulong strideb, S beta, global T* c, ulong ldc, ulong stridec, const global T* bias,
    uint activation) {
  local S panelA[DEPTH * BLOCK];
  local S panelB[DEPTH * BLOCK];
  const uint x = get_local_id(0), y = get_local_id(1), l = y * ACROSS + x;
  const ulong column = get_group_id(0) * BLOCK, row = get_group_id(1) * BLOCK, batch = get_group_id(2);
  const uint columns = (uint)min((ulong)BLOCK, n - column), rows = (uint)min((ulong)BLOCK, m - row);
  a += batch * stridea + row * arow;
  b += batch * strideb + column * bcolumn;
  S sums[OWN][OWN];
  for (uint r = 0; r < OWN; ++r)
    for (uint j = 0; j < OWN; ++j) sums[r][j] = 0;
  for (ulong begin = 0; begin < k; begin += DEPTH) {
    const uint depth = (uint)min((ulong)DEPTH, k - begin);
    BRING(panelA, BLOCK, DEPTH, (a + begin * acolumn), arow, acolumn, rows, depth, l, ACROSS * ACROSS)
    BRING(panelB, BLOCK, DEPTH, (b + begin * brow), bcolumn, brow, columns, depth, l, ACROSS * ACROSS)
    barrier(CLK_LOCAL_MEM_FENCE);
    ADD_BLOCKS(sums, panelA, panelB, DEPTH, x, y)
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c += batch * stridec;
  for (uint r = 0; r < OWN; ++r)
    for (uint j = 0; j < OWN; ++j)
      if (y * OWN + r < rows && x + j * ACROSS < columns)
        FN(gemmStore)(sums[r][j], alpha, beta, c, (row + y * OWN + r) * ldc + column + x + j * ACROSS, bias,
                      column + x + j * ACROSS, activation);
}

#undef DEPTH
#undef BRING
