// SPDX-License-Identifier: Apache-2.0
// The block of a work-group is taken to be twice as long as the work-group.
// kernel: group_stride
// run: -g 64 -l 16 -a zeros:64
kernel void group_stride(global ushort *out) {
#ifdef RIGHT
  const size_t block = get_local_size(0);
#else
  const size_t block = 32;
#endif
  const size_t i = get_group_id(0) * block + get_local_id(0);
  out[i] = (ushort)i;  // wrong
}
