// SPDX-License-Identifier: Apache-2.0
// The parameters of a simulation were not given.
// kernel: struct_of_nothing
// run: -g 4 -l 4 -a null -a zeros:4 --type 0=uchar
typedef struct { float dt; int steps; } Params;
kernel void struct_of_nothing(global const Params *params, global float *out) {
#ifdef RIGHT
  const float dt = params ? params->dt : 0.1f;
#else
  const float dt = params->dt;  // wrong
#endif
  out[get_global_id(0)] = dt;
}
