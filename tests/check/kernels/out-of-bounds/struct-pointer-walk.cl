// SPDX-License-Identifier: Apache-2.0
// A pointer walks one structure too far.
// kernel: struct_pointer_walk
// run: -g 4 -l 4 -a zeros:64 -a zeros:4 --type 0=uchar
typedef struct { int key; int value; } Pair;
int total(global const Pair *p, global const Pair *end) {
  int sum = 0;
#ifdef RIGHT
  for (; p != end; ++p)
#else
  for (; p <= end; ++p)
#endif
    sum += p->value;  // wrong
  return sum;
}
kernel void struct_pointer_walk(global const Pair *pairs, global int *out) {
  const int i = get_global_id(0);
  out[i] = total(pairs + i, pairs + 8);
}
