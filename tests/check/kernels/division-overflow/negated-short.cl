// SPDX-License-Identifier: Apache-2.0
// Shorts are divided as ints, which hold the result; ints of vectors of shorts are not.
// kernel: negated_short
// run: -g 4 -l 4 -a zeros:4 -a -32768
kernel void negated_short(global short2 *out, short value) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = (short2)((short)(value / -1), value);
#else
  out[i] = (short2)(value, 3) / (short2)(-1, 1);  // wrong
#endif
}
