// SPDX-License-Identifier: Apache-2.0
// An array in a structure in an array of structures is left, but not the buffer.
// kernel: nested_inside
// run: -g 2 -l 2 -a zeros:192 -a zeros:2 --type 0=uchar
// bounds: an array in a structure is not looked at
struct Joint {
  int kind;
  float angle[2];
};
struct Arm {
  struct Joint joints[4];
};
kernel void nested_inside(global const struct Arm *arms, global float *out) {
  const int i = get_global_id(0);
  float sum = 0.0f;
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k < 2; ++k)
#ifdef RIGHT
      sum += arms[i].joints[j].angle[k];
#else
      sum += arms[i].joints[j].angle[j];  // wrong
#endif
  out[i] = sum;
}
