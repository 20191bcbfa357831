// SPDX-License-Identifier: Apache-2.0
// This file multiplies two N x N matrices of int by blocks in local memory. N and Blk, the number of blocks in a row,
// are given with -D.
#define BSIDE (N / Blk)

__kernel void mul(__global int A[N][N], __global int B[N][N], __global int C[N][N]) {
  int globalRow = get_global_id(0);
  int globalCol = get_global_id(1);
  int localRow = get_local_id(0);
  int localCol = get_local_id(1);

  __local int ALocal[BSIDE][BSIDE];
  __local int BLocal[BSIDE][BSIDE];

  int sum = 0;
  for (int block = 0; block < Blk; block++) {
    ALocal[localRow][localCol] = A[globalRow][block * BSIDE + localCol];
    BLocal[localRow][localCol] = B[block * BSIDE + localRow][globalCol];
    barrier(CLK_LOCAL_MEM_FENCE);
    // inner product
    for (int k = 0; k < BSIDE; k++)
      sum += ALocal[localRow][k] * BLocal[k][localCol];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[globalRow][globalCol] = sum;
}
