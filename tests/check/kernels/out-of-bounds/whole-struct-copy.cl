// SPDX-License-Identifier: Apache-2.0
// A structure is copied to the element behind the last one.
// kernel: whole_struct_copy
// run: -g 16 -l 4 -a zeros:512 -a zeros:512 --type 0=uchar --type 1=uchar
typedef struct { float a; int b; float4 c; } Pair;
kernel void whole_struct_copy(global const Pair *from, global Pair *to) {
  const size_t i = get_global_id(0);
#ifdef RIGHT
  if (i + 1 < get_global_size(0))
#endif
  to[i + 1] = from[i];  // wrong
}
