// SPDX-License-Identifier: Apache-2.0
// Slots of a queue are counted without an atomic function.
// kernel: queue_slot
// run: -g 32 -l 8 -a iota:32 -a zeros:32 -a zeros:1
kernel void queue_slot(global const int *in, global int *queue, global int *count) {
  const int v = in[get_global_id(0)];
  if (v % 3 == 0) {
#ifdef RIGHT
    const int at = atomic_inc(count);
#else
    const int at = (*count)++;  // wrong
#endif
#ifdef RIGHT
    queue[at] = v;
#else
    queue[at % 32] = v;  // also
#endif
  }
}
