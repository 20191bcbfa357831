// SPDX-License-Identifier: Apache-2.0
// This file multiplies square matrices, one element per work-item: from global memory, and by tiles in local memory.
__kernel void matrixmulNaive(__global const float *matrixA, __global const float *matrixB, __global float *matrixC,
                             int N) {
  // global index
  int xGID = get_global_id(0); // column in NDRange
  int yGID = get_global_id(1); // row in NDRange

  float dotprod = 0.0f;
  for (int i = 0; i < N; i++) {
    dotprod += matrixA[yGID * N + i] * matrixB[i * N + xGID];
  }
  matrixC[yGID * N + xGID] = dotprod;
}

__kernel void matrixmulTiled(__global const float *matrixA, __global const float *matrixB, __global float *matrixC,
                             int N) {
  // local memory to fit the tiles
  __local float matrixAsub[TILE_WIDTH][TILE_WIDTH];
  __local float matrixBsub[TILE_WIDTH][TILE_WIDTH];

  // global index
  int xGID = get_global_id(0); // column in NDRange
  int yGID = get_global_id(1); // row in NDRange

  // local index
  int xLID = get_local_id(0); // column in tile
  int yLID = get_local_id(1); // row in tile

  float dotprod = 0.0f;
  for (int tile = 0; tile < N / TILE_WIDTH; tile++) {
    // collaborative loading of tiles into local memory
    matrixAsub[yLID][xLID] = matrixA[yGID * N + (xLID + tile * TILE_WIDTH)];
    matrixBsub[yLID][xLID] = matrixB[(yLID + tile * TILE_WIDTH) * N + xGID];

    // make sure the tiles are loaded
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < TILE_WIDTH; i++) {
      dotprod += matrixAsub[yLID][i] * matrixBsub[i][xLID];
    }

    // wait for the other work-items to finish before loading the next tiles
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  matrixC[yGID * N + xGID] = dotprod;
}
