// SPDX-License-Identifier: Apache-2.0
// A pointer to a variable of a block is used behind the block.
// kernel: ended_scope
// run: -g 16 -a iota:16 -a zeros:16
kernel void ended_scope(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int limit = 9;
  int *p = &limit;
#ifdef RIGHT
  int doubled = 2 * in[i];
  if (in[i] > 3) p = &doubled;
#else
  if (in[i] > 3) {
    int doubled = 2 * in[i];
    p = &doubled;
  }
#endif
  out[i] = *p + 1;  // wrong
}
