// SPDX-License-Identifier: Apache-2.0
// The last work-group is smaller than the others, and takes its own size for theirs.
// kernel: last_group_is_smaller
// run: -g 20 -l 16 -a iota:20 -a zeros:32
// build: -cl-std=CL3.0
kernel void last_group_is_smaller(global const int *in, global int *out) {
#ifdef RIGHT
  const size_t size = get_enqueued_local_size(0);
#else
  const size_t size = get_local_size(0);
#endif
  out[get_group_id(0) * size + get_local_id(0)] = in[get_global_id(0)];  // wrong
}
