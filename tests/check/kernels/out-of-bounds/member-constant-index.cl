// SPDX-License-Identifier: Apache-2.0
// A constant index is one too large for an array in a structure.
// kernel: member_constant_index
// run: -g 4 -l 4 -a iota:16 -a zeros:4
// bounds: a private variable that is optimised away
struct Pair {
  int first[2];
  int second[2];
};
kernel void member_constant_index(global const int *in, global int *out) {
  const int i = get_global_id(0);
  struct Pair pair;
  for (int k = 0; k < 2; ++k) pair.first[k] = pair.second[k] = in[i];
#ifdef RIGHT
  out[i] = pair.first[1];
#else
  out[i] = pair.first[2];  // wrong
#endif
}
