// SPDX-License-Identifier: Apache-2.0
// A method of a C++ template writes behind its array.
// kernel: cxx_method
// run: -g 8 -l 8 -a zeros:8
// build: -cl-std=clc++2021
// bounds: an array in a structure is not looked at
template <int N> struct Stack {
  int items[N];
  int top;
  Stack() : top(0) {}
  void push(int value) {
    items[top++] = value;  // wrong
  }
};
kernel void cxx_method(global int *out) {
  Stack<4> stack;
#ifdef RIGHT
  for (int i = 0; i < 4; ++i) stack.push(i);
#else
  for (int i = 0; i < 5; ++i) stack.push(i);
#endif
  out[get_global_id(0)] = stack.items[0];
}
