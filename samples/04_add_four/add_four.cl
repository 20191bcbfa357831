// SPDX-License-Identifier: Apache-2.0
// This file adds four vectors, one element per work-item.
__kernel void VectorAddFour(__global const float *a, __global const float *b, __global const float *c,
                            __global const float *d, __global float *e, int iNumElements) {
  int iGID = get_global_id(0);

  if (iGID < iNumElements) {
    e[iGID] = a[iGID] + b[iGID] + c[iGID] + d[iGID];
  }
}
