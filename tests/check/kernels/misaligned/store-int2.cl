// SPDX-License-Identifier: Apache-2.0
// A pair of ints is stored behind a header of one int.
// kernel: store_int2
// run: -g 8 -l 8 -a zeros:32
kernel void store_int2(global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  vstore2((int2)(i, -i), i, out + 1);
#else
  ((global int2 *)(out + 1))[i] = (int2)(i, -i);  // wrong
#endif
}
