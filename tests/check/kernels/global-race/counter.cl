// SPDX-License-Identifier: Apache-2.0
// All work-items add to one counter without an atomic function.
// kernel: counter
// run: -g 64 -l 16 -a iota:64 -a zeros:1
kernel void counter(global const int *in, global int *count) {
  if (in[get_global_id(0)] % 2 == 0)
#ifdef RIGHT
    atomic_inc(count);
#else
    *count += 1;  // wrong
#endif
}
