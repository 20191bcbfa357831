// SPDX-License-Identifier: Apache-2.0
// A byte behind those of a word in a union is read.
// kernel: union_bytes
// run: -g 8 -l 8 -a iota:8 -a zeros:8
typedef union { uint word; uchar byte[4]; } Word;
kernel void union_bytes(global const uint *in, global uint *out) {
  Word w;
  w.word = in[get_global_id(0)];
  uint s = 0;
#ifdef RIGHT
  for (int k = 3; k >= 0; --k)
#else
  for (int k = 4; k >= 1; --k)
#endif
    s = s * 256 + w.byte[k];  // wrong
  out[get_global_id(0)] = s;
}
