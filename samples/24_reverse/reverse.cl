// SPDX-License-Identifier: Apache-2.0
// This file stores d_a reversed in d_b, directly and slice by slice in local memory.
__kernel void reverseGlobal(__global const int *d_a, __global int *d_b, uint n) {
  uint i = get_global_id(0);
  if (i < n) {
    d_b[n - 1 - i] = d_a[i];
  }
}

__kernel void reverseLocal(__global const int *d_a, __global int *d_b, uint n, __local int *slice) {
  uint lid = get_local_id(0);
  uint first = get_group_id(0) * get_local_size(0);     // of this work-group's slice
  uint length = min((uint)get_local_size(0), n - first); // the last slice may be shorter

  // reverse the slice in local memory
  if (lid < length) {
    slice[length - 1 - lid] = d_a[first + lid];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // the slice goes to the mirrored place
  if (lid < length) {
    d_b[n - first - length + lid] = slice[lid];
  }
}
