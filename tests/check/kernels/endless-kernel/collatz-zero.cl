// SPDX-License-Identifier: Apache-2.0
// A Collatz sequence of zero never reaches one.
// kernel: collatz_zero
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void collatz_zero(global const uint *in, global uint *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  uint n = in[i] + 1;
#else
  uint n = in[i];
#endif
  uint steps = 0;
  while (n != 1) {  // wrong
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  out[i] = steps;
}
