// SPDX-License-Identifier: Apache-2.0
// An array that is not the first member of a structure is read behind its end, within the structure.
// kernel: member_behind_count
// run: -g 8 -l 4 -a zeros:256 -a zeros:8 --type 0=uchar
// bounds: an array in a structure is not looked at
struct Node {
  int count;
  int items[4];
  int rest[3];
};
kernel void member_behind_count(global const struct Node *nodes, global int *out) {
  const int i = get_global_id(0);
  int total = 0;
#ifdef RIGHT
  for (int k = 0; k < 4; ++k) total += nodes[i].items[k];
#else
  for (int k = 0; k <= 4; ++k) total += nodes[i].items[k];  // wrong
#endif
  out[i] = total;
}
