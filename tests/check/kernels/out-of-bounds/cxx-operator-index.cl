// SPDX-License-Identifier: Apache-2.0
// A matrix of C++ whose operator takes column and row the other way round.
// kernel: cxx_operator_index
// run: -g 8 -l 8 -a iota:8 -a zeros:8
// build: -cl-std=clc++2021
// bounds: an array in a structure is not looked at
template <int R, int C> struct Matrix {
  float m[R * C];
  float &operator()(int row, int column) { return m[row * C + column]; }
};
kernel void cxx_operator_index(global const float *in, global float *out) {
  const int i = get_global_id(0);
  Matrix<2, 4> a;
  for (int k = 0; k < 8; ++k) a.m[k] = in[k];
#ifdef RIGHT
  out[i] = a(i / 4, i % 4);
#else
  out[i] = a(i % 4, i / 4);  // wrong
#endif
}
