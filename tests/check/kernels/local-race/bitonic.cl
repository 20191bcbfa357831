// SPDX-License-Identifier: Apache-2.0
// A sorting network compares and exchanges without a barrier between its stages.
// kernel: bitonic
// run: -g 16 -l 16 -a iota:16 -a zeros:16
kernel void bitonic(global const int *in, global int *out) {
  local int keys[16];
  const int l = get_local_id(0);
  keys[l] = in[15 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int size = 2; size <= 16; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const int partner = l ^ stride;
      if (partner > l && (keys[l] > keys[partner]) == ((l & size) == 0)) {  // wrong
        const int key = keys[l];                                            // also
        keys[l] = keys[partner];                                            // wrong
        keys[partner] = key;                                                // wrong
      }
#ifdef RIGHT
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
#ifndef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[l] = keys[l];
}
