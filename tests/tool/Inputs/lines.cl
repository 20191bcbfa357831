// SPDX-License-Identifier: Apache-2.0
// This file has lines that tests look for.
constant char name[] = __FILE__;

void put(global int *p, int i, int value) {
  p[i] = value;
}

kernel void wild(ulong address, global int *out) {
  int i = get_global_id(0);
  put((global int *)address, i, 2);
#ifdef WRONG
  missing = 1;
#endif
  put(out, i, name[0]);
}
