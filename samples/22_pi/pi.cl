// SPDX-License-Identifier: Apache-2.0
// This file adds up rectangles under 4 / (1 + x * x), one sum per work-group. REAL is float or double, given with -D.
#ifdef NEEDS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void pi(__global REAL *sums, __local REAL *scratch, uint rectangles, REAL width) {
  size_t lid = get_local_id(0);
  REAL sum = 0;
  for (size_t i = get_global_id(0); i < rectangles; i += get_global_size(0)) {
    REAL x = ((REAL)i + (REAL)0.5) * width;
    sum += (REAL)4 / ((REAL)1 + x * x);
  }
  scratch[lid] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (size_t i = get_local_size(0) / 2; i > 0; i /= 2) {
    if (lid < i) {
      scratch[lid] += scratch[lid + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) {
    sums[get_group_id(0)] = scratch[0];
  }
}
