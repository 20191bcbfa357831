// SPDX-License-Identifier: Apache-2.0
// This file moves elements as they are: fill, gather, scatter, transpose.

kernel void FN(fill_unit)(S value, global T* x) { STORE(x, get_global_id(0), value); }

kernel void FN(fill_strided)(S value, global T* x, ulong incx) { STORE(x, get_global_id(0) * incx, value); }

kernel void FN(gather)(ulong width, const global R* x, ulong rows, const global uint* index, global R* y) {
  const size_t column = get_global_id(0), i = get_global_id(1);
  const uint row = index[i];
  if (row < rows) y[i * width + column] = x[row * width + column];
}

kernel void FN(gather_one)(const global R* x, ulong rows, const global uint* index, global R* y) {
  const size_t i = get_global_id(0);
  const uint row = index[i];
  if (row < rows) y[i] = x[row];
}

kernel void FN(scatter)(ulong width, const global R* x, const global uint* index, global R* y, ulong rows) {
  const size_t column = get_global_id(0), i = get_global_id(1);
  const uint row = index[i];
  if (row < rows) y[row * width + column] = x[i * width + column];
}

kernel void FN(scatter_one)(const global R* x, const global uint* index, global R* y, ulong rows) {
  const size_t i = get_global_id(0);
  const uint row = index[i];
  if (row < rows) y[row] = x[i];
}

#define SIDE 64
#define LINES 4

/// For devices whose work-items run in step: a work-group of 64 x 4 turns tiles of 64 x 64 in local memory, so that
/// rows are read and written in order, and all elements of a work-item are on their way at once. A row of the tile has
/// one element more, because its columns would otherwise lie in the same banks.
kernel __attribute__((reqd_work_group_size(SIDE, LINES, 1))) void FN(transpose)(ulong rows, ulong columns,
                                                                                 const global R* a, ulong lda,
                                                                                 global R* b, ulong ldb, ulong stridea,
                                                                                 ulong strideb) {
  local R tile[SIDE][SIDE + 1];
  const uint x = get_local_id(0), y = get_local_id(1);
  const ulong column = get_group_id(0) * SIDE, row = get_group_id(1) * SIDE, batch = get_group_id(2);
  const uint down = (uint)min(rows - row, (ulong)SIDE), across = (uint)min(columns - column, (ulong)SIDE);
  const bool isWhole = down == SIDE && across == SIDE;
  a += batch * stridea + (row + y) * lda + column + x;
  b += batch * strideb + (column + y) * ldb + row + x;
  if (isWhole) {
    R own[SIDE / LINES];
#pragma unroll
    for (uint i = 0; i < SIDE / LINES; ++i) own[i] = a[i * LINES * lda];
#pragma unroll
    for (uint i = 0; i < SIDE / LINES; ++i) tile[y + i * LINES][x] = own[i];
  } else {
    for (uint i = 0; i < SIDE / LINES; ++i)
      if (y + i * LINES < down && x < across) tile[y + i * LINES][x] = a[i * LINES * lda];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (isWhole) {
#pragma unroll
    for (uint i = 0; i < SIDE / LINES; ++i) b[i * LINES * ldb] = tile[x][y + i * LINES];
  } else {
    for (uint i = 0; i < SIDE / LINES; ++i)
      if (y + i * LINES < across && x < down) b[i * LINES * ldb] = tile[x][y + i * LINES];
  }
}

#undef SIDE
#undef LINES
#define SIDE 64
#define RUN 16

/// For processors with vectors: a work-item turns a row of a tile of 64 x 64, as much at a time as vectors can turn.
kernel __attribute__((reqd_work_group_size(SIDE, 1, 1))) void FN(transpose_lines)(ulong rows, ulong columns,
                                                                                  const global R* a, ulong lda,
                                                                                  global R* b, ulong ldb,
                                                                                  ulong stridea, ulong strideb) {
  const size_t row = get_global_id(0), column = get_group_id(1) * SIDE, batch = get_group_id(2);
  if (row >= rows) return;
  a += batch * stridea + row * lda + column;
  b += batch * strideb + column * ldb + row;
  const uint count = (uint)min((ulong)SIDE, columns - column);
  uint c = 0;
  for (; c + RUN <= count; c += RUN) {
    R line[RUN];
    for (uint j = 0; j < RUN; ++j) line[j] = a[c + j];
    for (uint j = 0; j < RUN; ++j) b[(c + j) * ldb] = line[j];
  }
  for (; c < count; ++c) b[c * ldb] = a[c];
}

#undef SIDE
#undef RUN
