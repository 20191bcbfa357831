// SPDX-License-Identifier: Apache-2.0
// Pointers on a private stack go too far.
// kernel: stack_of_pointers
// run: -g 4 -l 4 -a iota:8 -a zeros:4
kernel void stack_of_pointers(global const int *in, global int *out) {
  global const int *stack[8];
  int top = 0, sum = 0;
  stack[top++] = in;
  for (int k = 0; k < 4; ++k) {
    global const int *node = stack[--top];
    sum += *node;  // wrong
#ifdef RIGHT
    stack[top++] = node + 2;
#else
    stack[top++] = node + 3;
#endif
  }
  out[get_global_id(0)] = sum;
}
