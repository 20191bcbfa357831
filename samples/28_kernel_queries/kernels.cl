// SPDX-License-Identifier: Apache-2.0
// This file contains kernels with arguments of all kinds, for queries.
__kernel void scale(__global const float *restrict in, __global float *out, float factor) {
  size_t i = get_global_id(0);
  out[i] = in[i] * factor;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void rotate64(__global int *data, __local int *scratch,
                                                                      __constant int *offset) {
  int lid = get_local_id(0);
  scratch[lid] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = scratch[(lid + offset[0]) & 63];
}

// A task: one work-item that does it all.
__kernel void fibonacci(__global uint *numbers, uint count) {
  for (uint i = 0; i < count; i++)
    numbers[i] = i < 2 ? i : numbers[i - 1] + numbers[i - 2];
}
