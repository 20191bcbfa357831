// SPDX-License-Identifier: Apache-2.0
// Integer builtins and conversions become single intrinsics.
// CHECK-LABEL: @saturated
// CHECK: call {{.*}}<16 x i8> @llvm.uadd.sat.v16i8
kernel void saturated(global uchar16 *p) { *p = add_sat(p[0], p[1]); }

// CHECK-LABEL: @rotated
// CHECK: call {{.*}}i32 @llvm.fshl.i32
kernel void rotated(global uint *p) { *p = rotate(p[0], p[1]); }

// CHECK-LABEL: @lesser
// CHECK: call {{.*}}<2 x i64> @llvm.smin.v2i64
kernel void lesser(global long2 *p) { *p = min(p[0], p[1]); }

// CHECK-LABEL: @clamped
// CHECK: call {{.*}}<4 x i8> @llvm.fptoui.sat.v4i8.v4f32
kernel void clamped(global float4 *p, global uchar4 *q) { *q = convert_uchar4_sat(*p); }

// CHECK-LABEL: @rounded
// CHECK: call {{.*}}<8 x double> @llvm.rint.v8f64
// CHECK-NEXT: fptosi <8 x double> {{.*}} to <8 x i32>
kernel void rounded(global double8 *p, global int8 *q) { *q = convert_int8_rte(*p); }

// CHECK-LABEL: @selected
// CHECK: icmp slt <4 x i32>
// CHECK: select <4 x i1>
kernel void selected(global float4 *p, global int4 *q) { *p = select(p[0], p[1], *q); }

// CHECK-LABEL: @shuffled
// CHECK: shufflevector <4 x i32> {{.*}} <i32 3, i32 2, i32 1, i32 0>
// CHECK-NOT: extractelement
// CHECK: ret void
kernel void shuffled(global int4 *p) { *p = shuffle(*p, (uint4)(3, 2, 1, 0)); }
