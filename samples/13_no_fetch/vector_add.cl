// SPDX-License-Identifier: Apache-2.0
// This file adds two vectors of uint.
__kernel void add(__global const uint *A, __global const uint *B, __global uint *C) {
  size_t id = get_global_id(0);
  C[id] = A[id] + B[id];
}
