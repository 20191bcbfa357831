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

/// Matrices as they are, where they are small: k is at most SLICE. Rows of b lie one after the other, and so do the
/// elements of those of a.
kernel void FN(gemm_direct)(ulong m, ulong n, uint k, S alpha, const global T* a, ulong arow, ulong stridea,
                            const global T* b, ulong brow, ulong strideb, S beta, global T* c, ulong ldc,
                            ulong stridec, const global T* bias, uint activation, uint height) {
  const ulong column = get_global_id(0), row = get_group_id(1) * height, batch = get_group_id(2);
  const uint rows = (uint)min((ulong)height, m - row);
  if (column >= n) return;
  a += batch * stridea + row * arow;
  b += batch * strideb + column;
  c += batch * stridec;
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

#define ITEMS 256  // of a work-group
#define TALL 128   // as in built_in/matrices.cpp
#define RUN 4      // elements next to each other of a work-item's rows and columns
#define GAP 64     // elements from one run to the next
#define WIDE PASTE(WIDE_, SUFFIX)
#define DEEP PASTE(DEEP_, SUFFIX)
#define PITCH (TALL + 4)  // rows of elements that are written together are in other banks of local memory
#define DOWN (TALL / 16)
#define BESIDE (WIDE / 16)
#if !defined WIDE_f32
#define WIDE_f32 128
#define DEEP_f32 16
#define WIDE_f16 WIDE_f32
#define DEEP_f16 DEEP_f32
#define WIDE_bf16 WIDE_f32
#define DEEP_bf16 DEEP_f32
#define WIDE_f64 64
#define DEEP_f64 8
#endif

/// A work-item's part of a panel of `width` lines, which are `across` apart in memory, and DEEP elements of each, which
/// are `along` apart: elements that are `p` and `q` steps from the first. Neighbours in memory are neighbours' parts.
typedef struct {
  const global T* from;
  ulong step;   // to the next element
  ulong onward; // to the next panel
  uint p, q, stepP, stepQ, width;
} FN(Part);

static inline FN(Part) FN(partOf)(uint l, uint most, uint width, const global T* x, ulong across, ulong along) {
  FN(Part) part;
  const bool isAlong = along == 1;
  part.p = isAlong ? l % DEEP : l / most;
  part.q = isAlong ? l / DEEP : l % most;
  part.stepP = isAlong ? 0 : ITEMS / most;
  part.stepQ = isAlong ? ITEMS / DEEP : 0;
  part.from = x + part.q * across + part.p * along;
  part.step = part.stepP * along + part.stepQ * across;
  part.onward = DEEP * along;
  part.width = width;
  return part;
}

#define FETCH(next, part, depth)                                                                           \
  _Pragma("unroll") for (uint i_ = 0; i_ < sizeof(next) / sizeof(next[0]); ++i_)                            \
      next[i_] = part.q + i_ * part.stepQ < part.width && part.p + i_ * part.stepP < (depth) ?              \
          LOAD(part.from, i_ * part.step) : (S)0;                                                           \
  part.from += part.onward;
#define PUT(panel, pitch, part, next)                                                                      \
  _Pragma("unroll") for (uint i_ = 0; i_ < sizeof(next) / sizeof(next[0]); ++i_)                            \
      (panel)[(part.p + i_ * part.stepP) * (pitch) + part.q + i_ * part.stepQ] = next[i_];

/// The same for large matrices: a block of TALL x WIDE, of which a work-item has DOWN x BESIDE sums, in runs. While a
/// panel is used the next one is on its way.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void FN(gemm_tiles)(
    ulong m, ulong n, ulong k, S alpha, const global T* a, ulong arow, ulong acolumn, ulong stridea, const global T* b,
    ulong brow, ulong bcolumn, ulong strideb, S beta, global T* c, ulong ldc, ulong stridec, const global T* bias,
    uint activation) {
  typedef S Run __attribute__((ext_vector_type(RUN)));
  local S panels[2 * DEEP * (PITCH + WIDE)] __attribute__((aligned(RUN * sizeof(S))));
  local S* const panelsA = panels;
  local S* const panelsB = panels + 2 * DEEP * PITCH;
  const uint l = get_local_id(0);
  // Warps of 8 x 4 work-items read the fewest elements of both panels.
  const uint x = l % 8 + l / 32 % 2 * 8, y = l / 8 % 4 + l / 64 * 4;
  const ulong column = get_group_id(0) * WIDE, row = get_group_id(1) * TALL, batch = get_group_id(2);
  const uint columns = (uint)min((ulong)WIDE, n - column), rows = (uint)min((ulong)TALL, m - row);
  FN(Part) partA = FN(partOf)(l, TALL, rows, a + batch * stridea + row * arow, arow, acolumn);
  FN(Part) partB = FN(partOf)(l, WIDE, columns, b + batch * strideb + column * bcolumn, bcolumn, brow);
  S nextA[DEEP * TALL / ITEMS], nextB[DEEP * WIDE / ITEMS];
  S sums[DOWN][BESIDE];
#pragma unroll
  for (uint r = 0; r < DOWN; ++r)
#pragma unroll
    for (uint j = 0; j < BESIDE; ++j) sums[r][j] = 0;
  uint depth = (uint)min((ulong)DEEP, k);
  FETCH(nextA, partA, depth)
  FETCH(nextB, partB, depth)
  uint which = 0;
  for (ulong begin = 0; begin < k; begin += DEEP) {
    local S* const panelA = panelsA + which * (DEEP * PITCH);
    local S* const panelB = panelsB + which * (DEEP * WIDE);
    PUT(panelA, PITCH, partA, nextA)
    PUT(panelB, WIDE, partB, nextB)
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong left = k - begin;
    depth = left > DEEP ? (uint)min((ulong)DEEP, left - DEEP) : 0;
    FETCH(nextA, partA, depth)
    FETCH(nextB, partB, depth)
#pragma unroll
    for (uint p = 0; p < DEEP; ++p) {
      Run fromA[DOWN / RUN], fromB[BESIDE / RUN];
#pragma unroll
      for (uint i = 0; i < DOWN / RUN; ++i)
        fromA[i] = *(const local Run*)(panelA + p * PITCH + i * GAP + y * RUN);
#pragma unroll
      for (uint i = 0; i < BESIDE / RUN; ++i)
        fromB[i] = *(const local Run*)(panelB + p * WIDE + i * GAP + x * RUN);
#pragma unroll
      for (uint r = 0; r < DOWN; ++r)
#pragma unroll
        for (uint j = 0; j < BESIDE; ++j) sums[r][j] += fromA[r / RUN][r % RUN] * fromB[j / RUN][j % RUN];
    }
    which ^= 1;
  }
  c += batch * stridec;
  // 16 rows at a time go through local memory, so that neighbours store neighbours.
#pragma unroll
  for (uint r = 0; r < DOWN; ++r) {
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < BESIDE; ++j) panels[y * WIDE + j / RUN * GAP + x * RUN + j % RUN] = sums[r][j];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (uint e = l; e < 16 * WIDE; e += ITEMS) {
      const uint i = r / RUN * GAP + e / WIDE * RUN + r % RUN, j = e % WIDE;
      if (i < rows && j < columns)
        FN(gemmStore)(panels[e], alpha, beta, c, (row + i) * ldc + column + j, bias, column + j, activation);
    }
  }
}

#undef ITEMS
#undef TALL
#undef RUN
#undef GAP
#undef WIDE
#undef DEEP
#undef PITCH
#undef DOWN
#undef BESIDE
#undef FETCH
#undef PUT
