// SPDX-License-Identifier: Apache-2.0
// A member of a structure is never set, and the structure is stored.
// kernel: member
// run: -g 4 -l 4 -a iota:4 -a zeros:96 --type 1=uchar
typedef struct {
  int key;
  char kind;  // three bytes behind it are no member
  float weight;
  float3 place;
} Entry;
kernel void member(global const int *in, global Entry *out) {
  const int i = get_global_id(0);
  Entry entry;  // also
  entry.key = in[i];
  entry.kind = 'a';
  entry.place = (float3)(1.0f, 2.0f, 3.0f);
#ifdef RIGHT
  entry.weight = 1.0f;
#endif
  if (i < 2) out[i] = entry;  // wrong
}
