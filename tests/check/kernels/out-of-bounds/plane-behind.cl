// SPDX-License-Identifier: Apache-2.0
// The last plane of a volume reads the one behind it.
// kernel: plane_behind
// run: -g 4,4,4 -l 2,2,2 -a iota:64 -a zeros:64
kernel void plane_behind(global const float *in, global float *out) {
  const size_t w = get_global_size(0), h = get_global_size(1), d = get_global_size(2);
  const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const size_t here = (z * h + y) * w + x;
#ifdef RIGHT
  out[here] = z + 1 < d ? in[here + w * h] : (float)d;
#else
  out[here] = in[here + w * h] + (float)d;  // wrong
#endif
}
