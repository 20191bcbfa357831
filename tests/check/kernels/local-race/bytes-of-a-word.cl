// SPDX-License-Identifier: Apache-2.0
// Work-items write bytes of their own, and one reads the whole word too early.
// kernel: bytes_of_a_word
// run: -g 8 -l 4 -a zeros:2
kernel void bytes_of_a_word(global uint *out) {
  local uchar bytes[4] __attribute__((aligned(4)));
  bytes[get_local_id(0)] = (uchar)get_global_id(0);  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (get_local_id(0) == 0) out[get_group_id(0)] = *(local uint *)bytes;  // wrong
}
