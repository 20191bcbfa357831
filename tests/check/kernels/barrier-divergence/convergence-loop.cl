// SPDX-License-Identifier: Apache-2.0
// Each work-item iterates until its own value has converged, with a barrier inside.
// kernel: convergence_loop
// run: -g 16 -l 8 -a iota:16 -a zeros:16
kernel void convergence_loop(global const float *in, global float *out) {
  local float s[8];
  const int l = get_local_id(0), i = get_global_id(0);
  float x = in[i];
#ifdef RIGHT
  for (int k = 0; k < 5; ++k) {
#else
  while (x > 1.0f) {  // also
#endif
    s[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);  // wrong
    x = 0.5f * s[l];
    barrier(CLK_LOCAL_MEM_FENCE);  // also
  }
  out[i] = x;
}
