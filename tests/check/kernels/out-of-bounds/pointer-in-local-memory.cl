// SPDX-License-Identifier: Apache-2.0
// Work-items hand each other pointers in local memory, one of which is behind the buffer.
// kernel: pointer_in_local_memory
// run: -g 4 -l 4 -a iota:4 -a zeros:4
// bounds: a pointer from memory is not looked at
kernel void pointer_in_local_memory(global const int *in, global int *out) {
  typedef global const int *Start;
  local Start starts[4];
  const int l = get_local_id(0);
#ifdef RIGHT
  starts[l] = in + l;
#else
  starts[l] = in + l + 1;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = *starts[3 - l];  // wrong
}
