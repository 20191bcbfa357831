// SPDX-License-Identifier: Apache-2.0
// A stack of a tree traversal that is too small for the depth.
// kernel: private_stack
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void private_stack(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int stack[4];
  int top = 0, seen = 0;
  stack[top++] = 1;
  while (top > 0 && seen < 40) {
    const int node = stack[--top];  // also
    ++seen;
#ifdef RIGHT
    if (node < 4) {
#else
    if (node < 16) {
#endif
      stack[top++] = 2 * node;  // also
      stack[top++] = 2 * node + 1;  // wrong
    }
  }
  out[i] = seen + in[i];
}
