// SPDX-License-Identifier: Apache-2.0
// This file adds two vectors, one element per work-item.
__kernel void VectorAdd(__global const float *a, __global const float *b, __global float *c, int iNumElements) {
  // find my global index and handle the data at this index
  int iGID = get_global_id(0);

  if (iGID < iNumElements) {
    c[iGID] = a[iGID] + b[iGID];
  }
}
