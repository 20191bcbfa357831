// SPDX-License-Identifier: Apache-2.0
// An array in a structure in an array of structures is indexed with the wrong one of two counters.
// kernel: nested_structures
// run: -g 4 -l 2 -a zeros:192 -a zeros:4 --type 0=uchar
struct Joint {
  float angle[2];
  int kind;
};
struct Arm {
  struct Joint joints[4];
};
kernel void nested_structures(global const struct Arm *arms, global float *out) {
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
