// SPDX-License-Identifier: Apache-2.0
// Structures with a vector begin behind one number.
// kernel: struct_of_vectors
// run: -g 4 -l 4 -a zeros:80 -a zeros:4
typedef struct { float4 a; int b; } Big;
kernel void struct_of_vectors(global const float *in, global float *out) {
#ifdef RIGHT
  global const Big *p = (global const Big *)in;
#else
  global const Big *p = (global const Big *)(in + 1);
#endif
  out[get_global_id(0)] = p[get_global_id(0)].a.x;  // wrong
}
