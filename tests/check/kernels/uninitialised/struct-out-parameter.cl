// SPDX-License-Identifier: Apache-2.0
// A function fills two of three members, and the third is the result.
// kernel: struct_out_parameter
// run: -g 8 -l 8 -a iota:8 -a zeros:8
typedef struct { float t; int hit; int id; } Hit;
void trace(float x, Hit *hit) {
  hit->t = x;
#ifdef RIGHT
  hit->hit = x > 3.0f;
#else
  if (x > 3.0f) hit->hit = 1;
#endif
  hit->id = 7;
}
kernel void struct_out_parameter(global const float *in, global float *out) {
  const int i = get_global_id(0);
  Hit hit;  // also
  trace(in[i], &hit);
  out[i] = hit.hit ? hit.t : -1.0f;  // wrong
}
