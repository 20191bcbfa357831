// SPDX-License-Identifier: Apache-2.0
// Counters of one byte each are shared by all work-groups.
// kernel: byte_counters
// run: -g 32 -l 8 -a zeros:4
kernel void byte_counters(global uchar *counters) {
#ifdef RIGHT
  if (get_global_id(0) < 4) counters[get_global_id(0)] += 8;
#else
  counters[get_local_id(0) % 4] += 1;  // wrong
#endif
}
