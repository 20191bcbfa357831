// SPDX-License-Identifier: Apache-2.0
// An array in a structure is read behind its last element, within the structure.
// kernel: member_array
// run: -g 8 -l 4 -a zeros:256 -a zeros:8 --type 0=uchar
// bounds: an array in a structure is not looked at
struct Node {
  int items[4];
  int count;
  int rest[3];
};
kernel void member_array(global const struct Node *nodes, global int *out) {
  const int i = get_global_id(0);
  int total = 0;
#ifdef RIGHT
  for (int k = 0; k < 4; ++k) total += nodes[i].items[k];
#else
  for (int k = 0; k <= 4; ++k) total += nodes[i].items[k];  // wrong
#endif
  out[i] = total;
}
