// SPDX-License-Identifier: Apache-2.0
// A view of C++ that is made with the size in bytes.
// kernel: cxx_span
// run: -g 8 -l 8 -a iota:8 -a zeros:8
// build: -cl-std=clc++2021
struct View {
  global const int *data;
  unsigned size;
  int last() const { return data[size - 1]; }  // wrong
};
kernel void cxx_span(global const int *in, global int *out) {
#ifdef RIGHT
  const View view{in, 8};
#else
  const View view{in, 8 * sizeof(int)};
#endif
  out[get_global_id(0)] = view.last();
}
