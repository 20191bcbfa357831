// SPDX-License-Identifier: Apache-2.0
// A report is about what becomes of images, not about the functions that read them.
// RUN: %clarity compile %s --processor sm_90 --report -- -cl-std=CL3.0 2>&1 | FileCheck %s
// CHECK: kernel 'weighted', line [[#@LINE+5]]
// CHECK-NOT: not inlined
// CHECK: a thread executes 1 x 8 work-items
// CHECK: line [[#@LINE+7]]: one load serves 8 work-items of a thread
// CHECK: line [[#@LINE+6]]: a warp's addresses
kernel void weighted(read_only image2d_t in, write_only image2d_t out, constant float* weights) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int y = 0; y < 5; ++y)
    sum += weights[y] * read_imagef(in, nearest, at + (int2)(0, y));
  write_imagef(out, at, sum);
}
