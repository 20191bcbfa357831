// SPDX-License-Identifier: Apache-2.0
// Work-groups write their tiles from the last one to the first, some of them to the same place.
// kernel: tiles_from_the_end
// run: -g 32,4 -l 8,2 -a iota:128 -a zeros:128
kernel void tiles_from_the_end(global const int *in, global int *out) {
  const int lx = get_local_id(0), ly = get_local_id(1), width = get_global_size(0);
  const int tile = get_num_groups(0) - 1 - get_group_id(0);
#ifdef RIGHT
  const int row = get_group_id(1) * 2 + ly;
#else
  const int row = get_group_id(1) + ly;
#endif
  out[row * width + tile * 8 + lx] = in[get_global_id(1) * width + get_global_id(0)];  // wrong
}
