// SPDX-License-Identifier: Apache-2.0
// This file multiplies two arrays and adds up the products, one sum per work-group.
kernel void ArrayMultReduce(global const float *dA, global const float *dB, local float *prods, global float *dC,
                            int numElements) {
  int gid = get_global_id(0);       // 0 .. total_array_size-1
  int numItems = get_local_size(0); // # work-items per work-group
  int tnum = get_local_id(0);       // work-item number in this work-group, 0 .. numItems-1
  int wgNum = get_group_id(0);      // which work-group number this is in

  prods[tnum] = gid < numElements ? dA[gid] * dB[gid] : 0.0f; // multiply the two arrays together

  // now add them up - come up with one sum per work-group
  for (int offset = 1; offset < numItems; offset *= 2) {
    int mask = 2 * offset - 1;
    barrier(CLK_LOCAL_MEM_FENCE); // wait for all work-items to get here
    if ((tnum & mask) == 0) {     // bit-by-bit and'ing tells us which work-items need to do work now
      prods[tnum] += prods[tnum + offset];
    }
  }

  barrier(CLK_LOCAL_MEM_FENCE);
  if (tnum == 0)
    dC[wgNum] = prods[0];
}
