// SPDX-License-Identifier: Apache-2.0
// A private structure's array is written behind its end by a function.
// kernel: private_member
// run: -g 4 -l 4 -a zeros:4 -a 4
// bounds: an array in a structure is not looked at
struct Stack {
  int size;
  int values[4];
  int spare[4];
};
void push(struct Stack *stack, int value) {
#ifdef RIGHT
  if (stack->size < 4)
#endif
    stack->values[stack->size++] = value;  // wrong
}
kernel void private_member(global int *out, int count) {
  struct Stack stack;
  stack.size = 0;
  for (int k = 0; k <= count; ++k) push(&stack, k);
  out[get_global_id(0)] = stack.values[0] + stack.size;
}
