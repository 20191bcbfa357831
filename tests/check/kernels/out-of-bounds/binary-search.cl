// SPDX-License-Identifier: Apache-2.0
// The upper bound of a binary search begins at the number of elements and is read.
// kernel: binary_search
// run: -g 8 -l 8 -a iota:32 -a zeros:8 -a 32
kernel void binary_search(global const int *sorted, global int *out, int n) {
  const int wanted = (int)get_global_id(0) * 5;
#ifdef RIGHT
  int low = 0, high = n - 1;
#else
  int low = 0, high = n;
#endif
  while (low < high && sorted[high] > wanted) {  // wrong
    const int middle = (low + high) / 2;
    if (sorted[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  out[get_global_id(0)] = low;
}
