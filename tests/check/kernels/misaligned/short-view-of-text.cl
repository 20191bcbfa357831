// SPDX-License-Identifier: Apache-2.0
// Two-byte characters begin behind a byte of length.
// kernel: short_view_of_text
// run: -g 4 -l 4 -a zeros:32 -a zeros:4
kernel void short_view_of_text(global const uchar *text, global ushort *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  global const ushort *letters = (global const ushort *)(text + 2);
#else
  global const ushort *letters = (global const ushort *)(text + 1);
#endif
  out[i] = letters[i];  // wrong
}
