// SPDX-License-Identifier: Apache-2.0
// vstore4 goes through a null pointer.
// kernel: vector_store
// run: -g 16 -l 4 -a null -a 1
kernel void vector_store(global float *out, float value) {
#ifdef RIGHT
  if (out)
#endif
    vstore4((float4)(value), get_global_id(0), out);  // wrong
}
