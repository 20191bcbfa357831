// SPDX-License-Identifier: Apache-2.0
// Each work-item takes four elements at once, but there are as many work-items as elements.
// kernel: cast_to_vector
// run: -g 64 -l 16 -a iota:64 -a zeros:64 -a 64
kernel void cast_to_vector(global int *in, global int *out, int n) {
  const int i = get_global_id(0);
#ifdef RIGHT
  if (i >= n / 4) return;
#endif
  const int4 four = ((global int4 *)in)[i];  // wrong
  out[i] = four.x + four.y + four.z + four.w;
}
