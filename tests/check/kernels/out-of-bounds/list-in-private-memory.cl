// SPDX-License-Identifier: Apache-2.0
// The last element of a list in private memory points behind it.
// kernel: list_in_private_memory
// run: -g 4 -l 4 -a zeros:4
// bounds: a pointer from memory is not looked at
typedef struct Node { int value[2]; struct Node *next; } Node;
kernel void list_in_private_memory(global int *out) {
  Node nodes[3];
  for (int k = 0; k < 3; ++k) {
    nodes[k].value[0] = nodes[k].value[1] = k;
    nodes[k].next = &nodes[k + 1];
  }
#ifdef RIGHT
  nodes[2].next = 0;
#endif
  int sum = 0, n = 0;
  for (Node *p = nodes; p && n < 4; p = p->next, ++n)  // also
    sum += p->value[0];  // wrong
  out[get_global_id(0)] = sum;
}
