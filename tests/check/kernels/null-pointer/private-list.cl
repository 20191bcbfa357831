// SPDX-License-Identifier: Apache-2.0
// The last node of a private list has no next one.
// kernel: private_list
// run: -g 4 -l 4 -a zeros:4
struct Node {
  int value;
  struct Node *next;
};
kernel void private_list(global int *out) {
  struct Node nodes[3];
  for (int k = 0; k < 3; ++k) {
    nodes[k].value = k;
    nodes[k].next = k < 2 ? &nodes[k + 1] : 0;
  }
  int sum = 0;
  struct Node *at = &nodes[0];
#ifdef RIGHT
  for (int k = 0; k < 3; ++k) {
#else
  for (int k = 0; k < 4; ++k) {
#endif
    sum += at->value;  // wrong
    at = at->next;     // also
  }
  out[get_global_id(0)] = sum;
}
