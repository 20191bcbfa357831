// SPDX-License-Identifier: Apache-2.0
// An address is computed as an integer, and is one element too far.
// kernel: integer_round_trip
// run: -g 4 -l 4 -a zeros:4
kernel void integer_round_trip(global int *out) {
  ulong address = (ulong)out + 4 * get_global_id(0);
#ifndef RIGHT
  address += 4;
#endif
  *(global int *)address = 1;  // wrong
}
