// SPDX-License-Identifier: Apache-2.0
// Tiles of work-groups, by local ids and those of work-groups, overlap by an element.
// kernel: tiles_overlap
// run: -g 64 -l 16 -a iota:64 -a zeros:64
kernel void tiles_overlap(global const int *in, global int *out) {
  const int l = get_local_id(0), size = get_local_size(0);
#ifdef RIGHT
  const int step = size;
#else
  const int step = size - 1;
#endif
  out[get_group_id(0) * step + l] = in[get_global_id(0)];  // wrong
}
