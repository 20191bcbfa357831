// SPDX-License-Identifier: Apache-2.0
// This file adds two vectors of any length with a fixed number of work-items.
__kernel void VectorAddArbitrary(__global const float *a, __global const float *b, __global float *c,
                                 int iNumElements) {
  // find my global index
  size_t iGID = get_global_id(0);

  while (iGID < (size_t)iNumElements) {
    c[iGID] = a[iGID] + b[iGID];
    iGID += get_global_size(0);
  }
}
