// SPDX-License-Identifier: Apache-2.0
// A private stack is pushed once too often.
// kernel: private_write
// run: -g 4 -l 4 -a zeros:4 -a 6
kernel void private_write(global int *out, int depth) {
  int stack[6], top = 0;
#ifdef RIGHT
  while (top < depth) stack[top++] = top;
#else
  while (top <= depth) stack[top++] = 1;  // wrong
#endif
  int total = 0;
  for (int k = 0; k < 6; ++k) total += stack[k];
  out[get_global_id(0)] = total;
}
