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
  switch (activation) {
    case 1: value = fmax(value, (S)0); break;
    case 2: value = value / (1 + exp(-value)); break;
    case 3: value = value * (S)0.5 * (1 + erf(value * (S)M_SQRT1_2_F)); break;
    case 4: value = tanh(value); break;
    case 5: value = 1 / (1 + exp(-value)); break;
    default: break;
  }
  STORE(c, at, value);
}

/// Brings `width` x `depth` elements, `across` and `along` apart, to panel[along * WIDTH + across]; zeros behind the
/// ends. The nearer neighbours in memory are read by neighbouring work-items.
#define BRING(panel, WIDTH, DEPTH, x, across, along, width, depth, l, SIZE)                        \
  if ((along) == 1)                                                                                 \
    for (uint e_ = l; e_ < WIDTH * DEPTH; e_ += SIZE) {                                             \
      const uint p_ = e_ % DEPTH, q_ = e_ / DEPTH;                                                  \
      panel[p_ * WIDTH + q_] = q_ < (width) && p_ < (depth) ? LOAD(x, q_ * (across) + p_) : (S)0;    \
    }                                                                                               \
  else                                                                                              \
    for (uint e_ = l; e_ < WIDTH * DEPTH; e_ += SIZE) {                                             \
      const uint q_ = e_ % WIDTH, p_ = e_ / WIDTH;                                                  \
      panel[p_ * WIDTH + q_] = q_ < (width) && p_ < (depth) ? LOAD(x, q_ + p_ * (along)) : (S)0;     \
    }

#define SIDE 64
#define DEPTH 128
#define LINE 8

/// For processors with vectors: work-item l has column l of a block of 64 x 64, 8 rows at a time. Each element of b is
/// used 8 times, those of a are the same for all work-items.
kernel __attribute__((reqd_work_group_size(SIDE, 1, 1))) void FN(gemm_lines)(
    ulong m, ulong n, ulong k, S alpha, const global T* a, ulong arow, ulong acolumn, ulong stridea, const global T* b,
    ulong brow, ulong bcolumn, ulong strideb, S beta, global T* c, ulong ldc, ulong stridec, const global T* bias,
    uint activation) {
  local S panelA[DEPTH * SIDE];
  local S panelB[DEPTH * SIDE];
  const uint l = get_local_id(0);
  const ulong column = get_group_id(0) * SIDE, row = get_group_id(1) * SIDE, batch = get_group_id(2);
  const uint columns = (uint)min((ulong)SIDE, n - column), rows = (uint)min((ulong)SIDE, m - row);
  a += batch * stridea + row * arow;
  b += batch * strideb + column * bcolumn;
  S sums[SIDE];
  for (uint r = 0; r < SIDE; ++r) sums[r] = 0;
  for (ulong begin = 0; begin < k; begin += DEPTH) {
    const uint depth = (uint)min((ulong)DEPTH, k - begin);
    BRING(panelA, SIDE, DEPTH, (a + begin * acolumn), arow, acolumn, rows, depth, l, SIDE)
    BRING(panelB, SIDE, DEPTH, (b + begin * brow), bcolumn, brow, columns, depth, l, SIDE)
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < rows; r += LINE) {
      S s0 = sums[r], s1 = sums[r + 1], s2 = sums[r + 2], s3 = sums[r + 3];
      S s4 = sums[r + 4], s5 = sums[r + 5], s6 = sums[r + 6], s7 = sums[r + 7];
      for (uint p = 0; p < depth; ++p) {
        const S value = panelB[p * SIDE + l];
        const local S* const line = panelA + p * SIDE + r;
        s0 += line[0] * value;
        s1 += line[1] * value;
        s2 += line[2] * value;
        s3 += line[3] * value;
        s4 += line[4] * value;
        s5 += line[5] * value;
        s6 += line[6] * value;
        s7 += line[7] * value;
      }
      sums[r] = s0, sums[r + 1] = s1, sums[r + 2] = s2, sums[r + 3] = s3;
      sums[r + 4] = s4, sums[r + 5] = s5, sums[r + 6] = s6, sums[r + 7] = s7;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l >= columns) return;
  c += batch * stridec;
  for (uint r = 0; r < rows; ++r)
    FN(gemmStore)(sums[r], alpha, beta, c, (row + r) * ldc + column + l, bias, column + l, activation);
}

#undef DEPTH
#define DEPTH 16
#define OWN 4

/// For devices whose work-items run in step: 16 x 16 of them have a block of 64 x 64, 4 x 4 elements each.
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void FN(gemm_blocks)(
    ulong m, ulong n, ulong k, S alpha, const global T* a, ulong arow, ulong acolumn, ulong stridea, const global T* b,
    ulong brow, ulong bcolumn, ulong strideb, S beta, global T* c, ulong ldc, ulong stridec, const global T* bias,
    uint activation) {
  local S panelA[DEPTH * SIDE];
  local S panelB[DEPTH * SIDE];
  const uint x = get_local_id(0), y = get_local_id(1), l = y * 16 + x;
  const ulong column = get_group_id(0) * SIDE, row = get_group_id(1) * SIDE, batch = get_group_id(2);
  const uint columns = (uint)min((ulong)SIDE, n - column), rows = (uint)min((ulong)SIDE, m - row);
  a += batch * stridea + row * arow;
  b += batch * strideb + column * bcolumn;
  S sums[OWN][OWN];
  for (uint r = 0; r < OWN; ++r)
    for (uint j = 0; j < OWN; ++j) sums[r][j] = 0;
  for (ulong begin = 0; begin < k; begin += DEPTH) {
    const uint depth = (uint)min((ulong)DEPTH, k - begin);
    BRING(panelA, SIDE, DEPTH, (a + begin * acolumn), arow, acolumn, rows, depth, l, 256)
    BRING(panelB, SIDE, DEPTH, (b + begin * brow), bcolumn, brow, columns, depth, l, 256)
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = 0; p < DEPTH; ++p) {
      S fromA[OWN], fromB[OWN];
      for (uint r = 0; r < OWN; ++r) fromA[r] = panelA[p * SIDE + y * OWN + r];
      for (uint j = 0; j < OWN; ++j) fromB[j] = panelB[p * SIDE + x + j * 16];
      for (uint r = 0; r < OWN; ++r)
        for (uint j = 0; j < OWN; ++j) sums[r][j] += fromA[r] * fromB[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c += batch * stridec;
  for (uint r = 0; r < OWN; ++r)
    for (uint j = 0; j < OWN; ++j)
      if (y * OWN + r < rows && x + j * 16 < columns)
        FN(gemmStore)(sums[r][j], alpha, beta, c, (row + y * OWN + r) * ldc + column + x + j * 16, bias,
                      column + x + j * 16, activation);
}

#undef SIDE
#undef DEPTH
#undef LINE
#undef OWN
#undef BRING
