// SPDX-License-Identifier: Apache-2.0
// A loop goes one column too far in one matrix, and one row in the other.
// kernel: mul
// run: -g 4,4 -a iota:24 -a iota:24 -a zeros:16
// build: -cl-std=CLC++2021
// findings: 1
template <int Rows, int Cols> class View {
  global float *data;
public:
  View(global float *d) : data(d) {}
  global float &operator()(int r, int c) { return data[r * Cols + c]; }
};
kernel void mul(global float *a, global float *b, global float *c) {
  View<4, 6> A(a);
  View<6, 4> B(b);
  View<4, 4> C(c);
  int r = get_global_id(1), col = get_global_id(0);
  float s = 0;
#ifdef RIGHT
  for (int k = 0; k < 6; ++k) s += A(r, k) * B(k, col);
#else
  for (int k = 0; k <= 6; ++k) s += A(r, k) * B(k, col);  // wrong
#endif
  C(r, col) = s;
}
