// SPDX-License-Identifier: Apache-2.0
// This file transposes a matrix of `rows` x `columns`, directly and through tiles in local memory (TILE given with -D).
__kernel void transposeNaive(__global const float *in, __global float *out, uint rows, uint columns) {
  uint column = get_global_id(0), row = get_global_id(1);
  if (column < columns && row < rows) {
    out[(size_t)column * rows + row] = in[(size_t)row * columns + column];
  }
}

__kernel void transposeTiled(__global const float *in, __global float *out, uint rows, uint columns) {
  __local float tile[TILE][TILE + 1];
  uint lx = get_local_id(0), ly = get_local_id(1);
  uint firstColumn = get_group_id(0) * TILE, firstRow = get_group_id(1) * TILE;

  // collaborative load: neighbours read neighbours
  if (firstColumn + lx < columns && firstRow + ly < rows) {
    tile[ly][lx] = in[(size_t)(firstRow + ly) * columns + firstColumn + lx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // the tile's place in the result is mirrored, and neighbours write neighbours again
  if (firstRow + lx < rows && firstColumn + ly < columns) {
    out[(size_t)(firstColumn + ly) * rows + firstRow + lx] = tile[lx][ly];
  }
}
