// SPDX-License-Identifier: Apache-2.0
// This file multiplies N x N matrices, one row of C per work-item. N is given with -D.

// The work-item's row of A in local memory. No other work-item touches it, so no barrier is needed.
__kernel void rowLocal(__global const float *A, __global const float *B, __global float *C, __local float *rows) {
  size_t row = get_global_id(0);
  __local float *own = rows + get_local_id(0) * N;
  for (int k = 0; k < N; k++) {
    own[k] = A[row * N + k];
  }
  for (int j = 0; j < N; j++) {
    float sum = 0.0f;
    for (int k = 0; k < N; k++) {
      sum += own[k] * B[k * N + j];
    }
    C[row * N + j] = sum;
  }
}

// The row in private memory.
__kernel void rowPrivate(__global const float *A, __global const float *B, __global float *C) {
  size_t row = get_global_id(0);
  float own[N];
  for (int k = 0; k < N; k++) {
    own[k] = A[row * N + k];
  }
  for (int j = 0; j < N; j++) {
    float sum = 0.0f;
    for (int k = 0; k < N; k++) {
      sum += own[k] * B[k * N + j];
    }
    C[row * N + j] = sum;
  }
}

// The row in local memory, and a column of B at a time, which the work-group copies together.
__kernel void rowLocalColumn(__global const float *A, __global const float *B, __global float *C, __local float *rows,
                             __local float *column) {
  size_t row = get_global_id(0);
  int lid = get_local_id(0), size = get_local_size(0);
  __local float *own = rows + lid * N;
  for (int k = 0; k < N; k++) {
    own[k] = A[row * N + k];
  }
  for (int j = 0; j < N; j++) {
    for (int k = lid; k < N; k += size) {
      column[k] = B[k * N + j];
    }
    barrier(CLK_LOCAL_MEM_FENCE); // the column is complete
    float sum = 0.0f;
    for (int k = 0; k < N; k++) {
      sum += own[k] * column[k];
    }
    C[row * N + j] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); // all work-items have read it
  }
}

// The row in private memory, and a column of B at a time.
__kernel void rowPrivateColumn(__global const float *A, __global const float *B, __global float *C,
                               __local float *column) {
  size_t row = get_global_id(0);
  int lid = get_local_id(0), size = get_local_size(0);
  float own[N];
  for (int k = 0; k < N; k++) {
    own[k] = A[row * N + k];
  }
  for (int j = 0; j < N; j++) {
    for (int k = lid; k < N; k += size) {
      column[k] = B[k * N + j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; k < N; k++) {
      sum += own[k] * column[k];
    }
    C[row * N + j] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
