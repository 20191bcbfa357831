// SPDX-License-Identifier: Apache-2.0
// A time stamp of 8 bytes lies behind a number of 4.
// kernel: long_behind_int
// run: -g 4 -l 4 -a iota:64 -a zeros:4
kernel void long_behind_int(global const uchar *records, global ulong *times) {
  const int i = get_global_id(0);
#ifdef RIGHT
  global const uchar *record = records + i * 16;
  times[i] = *(global const ulong *)(record + 8);
#else
  global const uchar *record = records + i * 16;
  times[i] = *(global const ulong *)(record + 4);  // wrong
#endif
}
