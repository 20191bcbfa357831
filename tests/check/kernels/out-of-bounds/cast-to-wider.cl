// SPDX-License-Identifier: Apache-2.0
// A buffer of int is read as long with the index of int.
// kernel: cast_to_wider
// run: -g 64 -l 16 -a iota:64 -a zeros:64
kernel void cast_to_wider(global int *in, global long *out) {
  const int i = get_global_id(0);
  global long *wide = (global long *)in;
#ifdef RIGHT
  out[i] = wide[i / 2];
#else
  out[i] = wide[i];  // wrong
#endif
}
