// SPDX-License-Identifier: Apache-2.0
// Images are memory: descriptors are parameters, of which members are read, and a texel of 32 bits is one access.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel invert -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel through -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel through -- -cl-std=CL3.0 -cl-opt-disable \
// RUN:   | FileCheck %s --check-prefix=PLAIN
// CHECK: .version 8.0
// CHECK: .param .align 8 .b8 clarity_kernel_param_0[184]
// CHECK-NOT: local
// CHECK: ld.global.nc.b32
// CHECK: st.global.b32
// PLAIN: .param .align 8 .b8 clarity_kernel_param_0[184]
kernel void invert(read_only image2d_t in, write_only image2d_t out, sampler_t nearest) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, 1.0f - read_imagef(in, at));
}

void copy(read_only image2d_t in, write_only image2d_t out, int2 at) { write_imagef(out, at, read_imagef(in, at)); }
kernel void through(read_only image2d_t in, write_only image2d_t out) {
  copy(in, out, (int2)(get_global_id(0), get_global_id(1)));
}

// More than 4096 bytes of parameters need a later PTX.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel many -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=LONG
// LONG: .version 8.1
#define FOUR(n) read_only image2d_t n##0, read_only image2d_t n##1, read_only image2d_t n##2, read_only image2d_t n##3
#define ADD(n) read_imagef(n##0, at) + read_imagef(n##1, at) + read_imagef(n##2, at) + read_imagef(n##3, at)
kernel void many(FOUR(a), FOUR(b), FOUR(c), FOUR(d), FOUR(e), FOUR(f), global float4* sums) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  sums[get_global_linear_id()] = ADD(a) + ADD(b) + ADD(c) + ADD(d) + ADD(e) + ADD(f);
}
