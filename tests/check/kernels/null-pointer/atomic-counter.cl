// SPDX-License-Identifier: Apache-2.0
// A counter that was not given is counted.
// kernel: atomic_counter
// run: -g 16 -l 4 -a iota:16 -a null
void count(global int *counter) {
#ifdef RIGHT
  if (!counter) return;
#endif
  atomic_inc(counter);  // wrong
}
kernel void atomic_counter(global const int *in, global int *counter) {
  if (in[get_global_id(0)] > 7) count(counter);
}
