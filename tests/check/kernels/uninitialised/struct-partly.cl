// SPDX-License-Identifier: Apache-2.0
// One member of a structure is never set.
// kernel: struct_partly
// run: -g 4 -l 4 -a zeros:128 --type 0=uchar
typedef struct { int id; float weight; int2 at; } Item;
kernel void struct_partly(global Item *out) {
  const int i = get_global_id(0);
  Item item;
  item.id = i;
  item.at = (int2)(i, i);
#ifdef RIGHT
  item.weight = 1;
#endif
  out[i] = item;  // wrong
}
