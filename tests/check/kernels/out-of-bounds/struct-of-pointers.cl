// SPDX-License-Identifier: Apache-2.0
// Pointers and an index are handed over in a structure.
// kernel: struct_of_pointers
// run: -g 4 -l 4 -a iota:4 -a zeros:4
typedef struct { global const int *from; global int *to; int n; } Work;
void work(const Work *w) {
  const int i = get_global_id(0);
  w->to[i] = w->from[i + w->n];  // wrong
}
kernel void struct_of_pointers(global const int *in, global int *out) {
#ifdef RIGHT
  const Work w = {in, out, 0};
#else
  const Work w = {in, out, 1};
#endif
  work(&w);
}
