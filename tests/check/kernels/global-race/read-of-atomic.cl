// SPDX-License-Identifier: Apache-2.0
// A counter is added to by an atomic function, and read without one.
// kernel: read_of_atomic
// run: -g 32 -l 8 -a zeros:1 -a zeros:32
kernel void read_of_atomic(global int *next, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = atomic_inc(next);
#else
  atomic_inc(next);  // wrong
  out[i] = *next;    // wrong
#endif
}
