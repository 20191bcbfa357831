// SPDX-License-Identifier: Apache-2.0
// A structure is stored of which a member was never set.
// kernel: struct_stored_whole
// run: -g 8 -l 8 -a iota:8 -a zeros:64 --type 1=uchar
typedef struct { float x; int id; } Item;
kernel void struct_stored_whole(global const float *in, global Item *out) {
  const int i = get_global_id(0);
  Item item;  // also
  item.x = in[i];
#ifdef RIGHT
  item.id = i;
#endif
  if (item.id > 3)  // wrong
    item.x = 0;
  item.id = i;
  out[i] = item;
}
