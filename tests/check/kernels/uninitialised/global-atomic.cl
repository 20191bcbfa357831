// SPDX-License-Identifier: Apache-2.0
// A counter in a new buffer is counted up.
// kernel: global_atomic
// run: -g 8 -l 4 -a iota:8 -a new:1
kernel void global_atomic(global const int *in, global int *count) {
#ifdef RIGHT
  if (get_global_id(0) == 0) atomic_xchg(count, 0);
#endif
  if (in[get_global_id(0)] & 1) atomic_add(count, 1);  // wrong
}
