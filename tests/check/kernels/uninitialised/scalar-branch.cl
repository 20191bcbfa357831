// SPDX-License-Identifier: Apache-2.0
// A variable is set in one branch only and decides another one.
// kernel: scalar_branch
// run: -g 16 -l 16 -a iota:16 -a zeros:16
kernel void scalar_branch(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  int limit = 4;
#else
  int limit;  // also
#endif
  if (in[i] > 8) limit = 2;
  out[i] = 1;
  if (limit > 3) out[i] = 2;  // wrong
}
