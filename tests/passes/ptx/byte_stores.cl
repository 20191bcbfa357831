// SPDX-License-Identifier: Apache-2.0
// The low byte of a float's bits is stored from a register of 16 bits: from one of 32 CUDA's assembler converts it.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel low_byte -- -cl-std=CL3.0 | FileCheck %s
// CHECK: cvt.u16.u32 %byte0, %r{{[0-9]+}}; st.global.b8 {{.*}}, %byte0; }
// CHECK-NOT: st.global.b8 {{.*}}, %r{{[0-9]}}
kernel void low_byte(global uchar* out, global const float* in) {
  size_t i = get_global_id(0);
  out[i] = (uchar)as_uint(fma(in[i], 255.0f, 0x1.8p23f));
}
