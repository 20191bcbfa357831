// SPDX-License-Identifier: Apache-2.0
// A helper function reads one more coordinate than a structure has.
// kernel: array_of_structs_next
// run: -g 16 -l 4 -a zeros:256 -a zeros:16 --type 0=uchar
// bounds: an array in a structure is not looked at
typedef struct { float position[3]; float mass; } Particle;
float length2(global const Particle *p, int dims) {
  float s = 0;
  for (int d = 0; d < dims; ++d)
    s += p->position[d] * p->position[d];  // wrong
  return s;
}
kernel void array_of_structs_next(global const Particle *particles, global float *out) {
#ifdef RIGHT
  const int dims = 3;
#else
  const int dims = 4;
#endif
  out[get_global_id(0)] = length2(particles + get_global_id(0), dims);
}
