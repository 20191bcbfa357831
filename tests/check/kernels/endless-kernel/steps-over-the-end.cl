// SPDX-License-Identifier: Apache-2.0
// A loop steps by two over the number that ends it.
// kernel: steps_over_the_end
// run: -g 2 -l 2 -a zeros:2 -a 7
kernel void steps_over_the_end(global uint *out, int n) {
  uint sum = 0;
#ifdef RIGHT
  for (int i = 0; i < n; i += 2) sum += i;
#else
  for (int i = 0; i != n; i += 2) sum += i;  // wrong
#endif
  out[get_global_id(0)] = sum;
}
