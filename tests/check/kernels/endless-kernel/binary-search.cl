// SPDX-License-Identifier: Apache-2.0
// A binary search whose lower bound does not move.
// kernel: binary_search
// run: -g 4 -l 4 -a iota:16 -a zeros:4
kernel void binary_search(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int low = 0, high = 16;
  while (high - low > 1) {  // wrong
    const int middle = (low + high) / 2;
#ifdef RIGHT
    if (in[middle] <= i + 5) low = middle; else high = middle;
#else
    if (in[middle] <= i + 5) low = (low + middle) / 2; else high = middle;
#endif
  }
  out[i] = low;
}
