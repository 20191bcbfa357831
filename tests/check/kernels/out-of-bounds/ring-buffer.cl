// SPDX-License-Identifier: Apache-2.0
// The end of a ring is not wrapped around.
// kernel: ring_buffer
// run: -g 4 -l 4 -a iota:32 -a zeros:4
typedef struct Ring { int slots[4]; unsigned head, count; } Ring;
void put(Ring *r, int v) {
#ifdef RIGHT
  r->slots[(r->head + r->count) % 4] = v;
#else
  r->slots[r->head + r->count] = v;  // wrong
#endif
  if (r->count < 4) r->count++;
  else r->head = (r->head + 1) % 4;
}
kernel void ring_buffer(global const int *in, global int *out) {
  Ring r = {{0, 0, 0, 0}, 0, 0};
  int g = get_global_id(0);
  for (int i = 0; i < 8; i++) put(&r, in[g * 8 + i]);
  out[g] = r.slots[r.head];
}
