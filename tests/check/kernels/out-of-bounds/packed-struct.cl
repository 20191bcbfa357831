// SPDX-License-Identifier: Apache-2.0
// The last packed structure is cut off.
// kernel: packed_struct
// run: -g 4 -l 4 -a zeros:19 -a zeros:4
typedef struct __attribute__((packed)) { uchar tag; int value; } Packed;
kernel void packed_struct(global const uchar *in, global int *out) {
  global const Packed *p = (global const Packed *)in;
  const int i = get_global_id(0);
#ifdef RIGHT
  if (i < 3) out[i] = p[i].value;
#else
  out[i] = p[i].value;  // wrong
#endif
}
