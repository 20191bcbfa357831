// SPDX-License-Identifier: Apache-2.0
// Bytes and halves of a word become floats without the unit of special functions, signed ones as words.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel parts -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel parts -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel parts -- -cl-std=CL3.0 \
// RUN:   -cl-clarity-disable=convert-bytes | FileCheck %s --check-prefix=WITHOUT
// CHECK: %[[W:.*]] = load i32
// CHECK-NOT: uitofp
// CHECK-DAG: call i32 @llvm.nvvm.prmt(i32 %[[W]], i32 1258291200, i32 29760)
// CHECK-DAG: call i32 @llvm.nvvm.prmt(i32 %[[W]], i32 1258291200, i32 29761)
// CHECK-DAG: call i32 @llvm.nvvm.prmt(i32 %[[W]], i32 1258291200, i32 29763)
// CHECK-DAG: call i32 @llvm.nvvm.prmt(i32 %[[W]], i32 1258291200, i32 29746)
// CHECK-DAG: call i32 @llvm.nvvm.prmt(i32 %[[W]], i32 1258291200, i32 29712)
// CHECK-NOT: uitofp
// PTX: prmt.b32
// WITHOUT-NOT: prmt
// WITHOUT: uitofp
kernel void parts(global const uint* in, global float* out) {
  size_t i = get_global_id(0);
  uint w = in[i];
  out[5 * i] = w & 255;
  out[5 * i + 1] = w >> 8 & 255;
  out[5 * i + 2] = w >> 24;
  out[5 * i + 3] = w >> 16;
  out[5 * i + 4] = w & 0xffff;
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel other -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: prmt
// OTHER: cvt.rn.f32.u32
kernel void other(global const uint* in, global float* out) {
  size_t i = get_global_id(0);
  out[2 * i] = in[i] >> 4 & 255;
  out[2 * i + 1] = in[i] & 1023;
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel signed_bytes -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=SIGNED
// SIGNED: cvt.rn.f32.s32
// SIGNED: cvt.rn.f32.s32
// SIGNED-NOT: cvt.rn.f32.s{{8|16}}
kernel void signed_bytes(global const char* in, global const short* halves, global float* out) {
  size_t i = get_global_id(0);
  out[i] = (float)in[i] * (float)halves[i];
}
