// SPDX-License-Identifier: Apache-2.0
// A packed record has a double behind a byte, which is read directly.
// kernel: double_in_struct
// run: -g 4 -l 4 -a zeros:64 -a zeros:4
typedef struct __attribute__((packed)) { char kind; double value; } Record;
kernel void double_in_struct(global const uchar *bytes, global double *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = ((global const Record *)bytes)[i].value;
#else
  out[i] = *(global const double *)(bytes + 9 * i + 1);  // wrong
#endif
}
