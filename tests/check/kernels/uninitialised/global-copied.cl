// SPDX-License-Identifier: Apache-2.0
// A value that was never written is copied, which does no harm, and then decides a branch.
// kernel: global_copied
// run: -g 4 -l 4 -a new:8 -a new:8 -a zeros:4
kernel void global_copied(global const int *in, global int *copy, global int *out) {
  const int i = get_global_id(0);
  copy[i] = in[i];
#ifndef RIGHT
  if (copy[i] > 0) out[i] = 1;  // wrong
#endif
}
