// SPDX-License-Identifier: Apache-2.0
// Chars in a vector are shifted as chars, not as ints.
// kernel: vector_of_chars
// run: -g 8 -l 8 -a zeros:8 -a 9
kernel void vector_of_chars(global uchar4 *out, uchar bits) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = convert_uchar4(convert_uint4((uchar4)(255)) >> (uint)bits);
#else
  out[i] = (uchar4)(255) >> bits;  // wrong
#endif
}
