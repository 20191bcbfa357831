// SPDX-License-Identifier: Apache-2.0
// One work-item publishes data by a plain flag.
// kernel: done_flag_plain
// run: -g 16 -l 4 -a iota:16 -a zeros:16 -a zeros:1
kernel void done_flag_plain(global const int *in, global int *data, volatile global int *ready) {
  const int i = get_global_id(0);
#ifdef RIGHT
  data[i] = in[i];
#else
  if (i == 0) {
    data[0] = 42;
    *ready = 1;  // wrong
  } else if (*ready) {  // wrong
    data[i] = in[i];
  }
#endif
}
