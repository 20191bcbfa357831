// SPDX-License-Identifier: Apache-2.0
// A volume whose dimensions are multiplied in the wrong order.
// kernel: volume_stride
// run: -g 4,4,4 -l 4,4,1 -a zeros:60 -a 4 -a 5 -a 3
kernel void volume_stride(global float *v, int nx, int ny, int nz) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
#ifdef RIGHT
  if (z >= nz) return;
#endif
  v[(z * ny + y) * nx + x] = 1.0f;  // wrong
}
