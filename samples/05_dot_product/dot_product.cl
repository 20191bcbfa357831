// SPDX-License-Identifier: Apache-2.0
// This file computes partial dot products: one per work-item, or one per work-group with local memory.
__kernel void DotProductNaive(__global const float *a, __global const float *b, __global float *c, int iNumElements) {
  size_t iGID = get_global_id(0);
  float sum = 0.0f;

  for (size_t index = iGID; index < (size_t)iNumElements; index += get_global_size(0)) {
    sum += a[index] * b[index];
  }
  c[iGID] = sum;
}

__kernel void DotProductShared(__global const float *a, __global const float *b, __global float *c,
                               __local float *ProductsWG, int iNumElements) {
  size_t iGID = get_global_id(0); // work-item global index
  int iLID = get_local_id(0);     // work-item local index
  int iWGID = get_group_id(0);    // work-group index
  int iWGS = get_local_size(0);   // how many work-items are in the work-group, a power of two

  float temp = 0.0f;
  while (iGID < (size_t)iNumElements) {
    temp += a[iGID] * b[iGID];
    iGID += get_global_size(0);
  }
  ProductsWG[iLID] = temp;

  // wait for all work-items of the work-group
  barrier(CLK_LOCAL_MEM_FENCE);

  // summation reduction
  int i = iWGS / 2;
  while (i != 0) {
    if (iLID < i) {
      ProductsWG[iLID] += ProductsWG[iLID + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    i = i / 2;
  }

  // store the partial dot product into global memory
  if (iLID == 0) {
    c[iWGID] = ProductsWG[0];
  }
}
