// SPDX-License-Identifier: Apache-2.0
// One structure more than the buffer holds is copied.
// kernel: whole_structures
// run: -g 5 -l 1 -a zeros:64 -a zeros:80 --type 0=uchar --type 1=uchar
typedef struct {
  float position[2];
  float mass;
  int id;
} Particle;
kernel void whole_structures(global const Particle *in, global Particle *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  if (i < 4)
#endif
    out[i] = in[i];  // wrong
}
