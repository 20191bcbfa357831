// SPDX-License-Identifier: Apache-2.0
// Math builtins become intrinsics or pure calls of the runtime, with nothing left of the library's own functions.
// CHECK-LABEL: @roots
// CHECK: call {{.*}}<4 x float> @llvm.sqrt.v4f32
// CHECK-NOT: call
// CHECK: ret void
kernel void roots(global float4 *p) { *p = sqrt(*p); }

// CHECK-LABEL: @fused
// CHECK: call {{.*}}<3 x double> @llvm.fma.v3f64
kernel void fused(global double3 *p) { *p = fma(*p, *p, *p); }

// CHECK-LABEL: @multiplyAdd
// CHECK: call {{.*}}float @llvm.fmuladd.f32
kernel void multiplyAdd(global float *p) { *p = mad(p[1], p[2], p[3]); }

// CHECK-LABEL: @lesser
// CHECK: fcmp olt <4 x float>
// CHECK-NEXT: select <4 x i1>
// CHECK-NEXT: store
kernel void lesser(global float4 *p) { *p = min(p[0], p[1]); }

// CHECK-LABEL: @sines
// CHECK-COUNT-4: call spir_func {{.*}}float @__clarity_sin_f32
// CHECK-NOT: __clarity_sin_f32
// CHECK: ret void
kernel void sines(global float4 *p) { *p = sin(*p); }

// CHECK-LABEL: @halves
// CHECK: fpext half {{.*}} to float
// CHECK: call spir_func {{.*}}float @__clarity_exp_f32
// CHECK: fptrunc float {{.*}} to half
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(global half *p) { *p = exp(*p); }

// CHECK: declare {{.*}}@__clarity_sin_f32(float {{.*}}) local_unnamed_addr #[[PURE:[0-9]+]]
// CHECK: attributes #[[PURE]] = { {{.*}}nounwind{{.*}}willreturn{{.*}}memory(none)
