// SPDX-License-Identifier: Apache-2.0
// This file multiplies matrices: c = activation(alpha * a * b + beta * c + bias). Rows and columns of a and b are as
// far apart as the plan says, so that transposed ones need no code of their own. Devices whose work-items
// run in step bring panels of both into local memory, as S and side by side in the order in which they are used; for
// processors with vectors they are packed so once.

/// Element (i, j) of the result from the sum of products.
static inline void FN(gemmStore)(S sum, S alpha, S beta, global T* c, ulong at, const global T* bias,
                                 ulong atBias, uint activation) {
  S value = alpha * sum;
  if (beta != 0) value += beta * LOAD(c, at);
  if (bias) value += LOAD(bias, atBias);
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

#define LINES 8
#define ROWS 128
#define SLICE 192

/// For processors with vectors. A work-group has as many columns as it has work-items, and up to ROWS rows, of which 8
/// are computed at a time: each element of b is used 8 times, those of a are the same for all work-items.

/// Writes the work-group's sums.
#define GEMM_STORE(BIAS)               \
  for (uint r = 0; r < rows; ++r)      \
    FN(gemmStore)(sums[r], alpha, beta, c, (row + r) * ldc + column, bias, BIAS, activation);

/// The parameters of kernels that read matrices as they are: the elements of rows of a and b lie side by side.
#define GEMM_PLAIN                                                                                           \
  ulong m, ulong n, uint k, S alpha, const global T *a, ulong arow, ulong stridea, const global T *b,        \
      ulong brow, ulong strideb, S beta, global T *c, ulong ldc, ulong stridec, const global T *bias,        \
      uint activation, uint height

/// The work-item's column and the work-group's rows: a begins with the first of these, b with the column.
#define GEMM_OF_GROUP                                                                             \
  const ulong column = get_global_id(0), row = get_group_id(1) * height, batch = get_group_id(2); \
  const uint rows = (uint)min((ulong)height, m - row);                                            \
  if (column >= n) return;                                                                        \
  a += batch * stridea + row * arow;                                                              \
  b += batch * strideb + column;                                                                  \
  c += batch * stridec;

/// Small matrices, and those of few rows.
kernel void FN(gemm_direct)(GEMM_PLAIN) {
  GEMM_OF_GROUP
  S sums[ROWS];
  for (uint r = 0; r < rows; r += LINES) {
    const global T* line[LINES];
    S s[LINES];
    for (uint i = 0; i < LINES; ++i) {
      line[i] = a + min(r + i, rows - 1) * arow;
      s[i] = 0;
    }
    for (uint p = 0; p < k; ++p) {
      const S value = LOAD(b, p * brow);
      for (uint i = 0; i < LINES; ++i) s[i] += LOAD(line[i], p) * value;
    }
    for (uint i = 0; i < LINES; ++i) sums[r + i] = s[i];
  }
  GEMM_STORE(column)
}

/// Matrices of middle size: each work-item keeps a slice of its column of b, which lies in the first-level cache while
/// all rows use it. So nothing waits for packed matrices.
kernel void FN(gemm_slices)(GEMM_PLAIN) {
  GEMM_OF_GROUP
  S sums[ROWS], own[SLICE];
  for (uint r = 0; r < rows; ++r) sums[r] = 0;
  for (uint first = 0; first < k; first += SLICE) {
    const uint some = min((uint)SLICE, k - first);
    for (uint p = 0; p < some; ++p) own[p] = LOAD(b, (first + p) * brow);
    for (uint r = 0; r < rows; r += LINES) {
      const global T* line[LINES];
      S s[LINES];
      for (uint i = 0; i < LINES; ++i) {
        line[i] = a + min(r + i, rows - 1) * arow + first;
        s[i] = sums[r + i];
      }
      for (uint p = 0; p < some; ++p)
        for (uint i = 0; i < LINES; ++i) s[i] += LOAD(line[i], p) * own[p];
      for (uint i = 0; i < LINES; ++i) sums[r + i] = s[i];
    }
  }
  GEMM_STORE(column)
}

/// Brings a or b into the order of use, as S: panels of `width` rows of a, or columns of b, which are `across` apart
/// and have k elements that are `along` apart. Element p of line q of a panel is at p * width + q. Panels are full:
/// behind the last line it is repeated. Here work-items lie side by side across the lines.
kernel void FN(gemm_pack_across)(ulong lines, ulong k, const global T* x, ulong across, ulong along, ulong stride,
                                 global S* packed, uint depth) {
  const uint width = get_local_size(0), l = get_local_id(0);
  const ulong panel = get_group_id(0), begin = get_group_id(1) * depth, batch = get_group_id(2);
  const uint some = (uint)min((ulong)depth, k - begin);
  x += batch * stride + min(panel * width + l, lines - 1) * across + begin * along;
  packed += ((batch * get_num_groups(0) + panel) * k + begin) * width + l;
  for (uint p = 0; p < some; ++p) packed[p * width] = LOAD(x, p * along);
}

/// The same with work-items side by side along the lines, which each take LINES of them.
kernel void FN(gemm_pack_along)(ulong lines, ulong k, const global T* x, ulong across, ulong along, ulong stride,
                                global S* packed, uint width) {
  const ulong p = get_global_id(0), first = get_global_id(1) * LINES, batch = get_global_id(2);
  const ulong padded = get_global_size(1) * LINES;
  x += batch * stride + p * along;
  packed += batch * padded * k + (first / width * k + p) * width + first % width;
  S own[LINES];
  for (uint q = 0; q < LINES; ++q) own[q] = LOAD(x, min(first + q, lines - 1) * across);
  for (uint q = 0; q < LINES; ++q) packed[q] = own[q];
}

/// Packed matrices: elements `begin` to `begin + depth` of their k. `partial` has the sums of those before, unless
/// begin is 0, and gets these unless they are the last. A slice of a panel of b stays in the first-level cache while
/// all rows use it. Panels begin at column `firstColumn`; the bias of a result is at row * biasRow + column *
/// biasColumn.
kernel void FN(gemm_panels)(ulong m, ulong n, ulong k, ulong begin, uint depth, S alpha, const global S* a,
                            ulong stridea, const global S* b, ulong strideb, S beta, global T* c, ulong ldc,
                            ulong stridec, const global T* bias, ulong biasRow, ulong biasColumn, uint activation,
                            uint height, global S* partial, ulong firstColumn, ulong firstBatch) {
  const uint width = get_local_size(0), l = get_local_id(0);
  const ulong panel = get_group_id(0), column = firstColumn + panel * width + l, row = get_group_id(1) * height;
  const ulong batch = get_group_id(2);
  const uint rows = (uint)min((ulong)height, m - row);
  a += batch * stridea + row * k + begin * LINES;
  b += batch * strideb + (panel * k + begin) * width + l;
  c += (firstBatch + batch) * stridec;
  partial += ((batch * get_num_groups(1) * height + row) * get_num_groups(0) + panel) * width + l;
  const ulong apart = get_num_groups(0) * width;
  S sums[ROWS];
  for (uint r = 0; r < rows; ++r) sums[r] = begin ? partial[r * apart] : (S)0;
  for (uint first = 0; first < depth; first += SLICE) {
    const uint some = min((uint)SLICE, depth - first);
    for (uint r = 0; r < rows; r += LINES) {
      const global S* const line = a + r * k + first * LINES;
      const global S* const value = b + first * width;
      S s[LINES];
      for (uint i = 0; i < LINES; ++i) s[i] = sums[r + i];
      for (uint p = 0; p < some; ++p)
        for (uint i = 0; i < LINES; ++i) s[i] += line[p * LINES + i] * value[p * width];
      for (uint i = 0; i < LINES; ++i) sums[r + i] = s[i];
    }
  }
  if (begin + depth < k) {
    for (uint r = 0; r < rows; ++r) partial[r * apart] = sums[r];
    return;
  }
  if (column < n) GEMM_STORE((row + r) * biasRow + column * biasColumn)
}

#undef LINES
#undef ROWS
#undef SLICE
#undef GEMM_STORE
#undef GEMM_PLAIN
#undef GEMM_OF_GROUP

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
