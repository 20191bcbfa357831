// SPDX-License-Identifier: Apache-2.0
// A loop that stores a sum by compare and exchange forgets the start of the sum.
// kernel: exchanged_value
// run: -g 4 -a zeros:1 -a iota:4
kernel void exchanged_value(volatile global uint *a, global const uint *in) {
  uint sum;  // also
#ifdef RIGHT
  sum = 0;
#endif
  for (int k = 0; k < 4; ++k) sum += in[k];
  uint old = *in;
  while (true) {
    const uint seen = atomic_cmpxchg(a, old, sum);  // wrong
    if (seen == old || seen == 6) break;
    old = seen;
  }
}
