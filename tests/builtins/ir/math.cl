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
// CHECK: call spir_func {{.*}}float @__clarity_tan_f32
// CHECK: fptrunc float {{.*}} to half
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(global half *p) { *p = tan(*p); }

// Code that is made of operations calls nothing and branches nowhere.
// CHECK-LABEL: @inlined
// CHECK-NOT: call {{.*}}@__clarity
// CHECK-NOT: br i1
// CHECK: ret void
kernel void inlined(global float *p, global int *q) {
  float x = p[0], whole;
  int exponent;
  p[1] = exp(x) + exp2(x) + exp10(x) + log(x) + log2(x) + log10(x) + sinpi(x) + cospi(x) + tanpi(x);
  p[2] = native_sin(x) + native_cos(x) + native_tan(x) + native_exp(x) + native_log(x) + native_powr(x, p[3]);
  p[3] = frexp(x, &exponent) + ldexp(x, q[0]) + logb(x) + nextafter(x, p[4]) + fract(x, &whole) + fdim(x, p[5]);
  p[4] = modf(x, &whole) + half_exp(x) + half_log(x) + rsqrt(x) + native_rsqrt(x);
  q[1] = ilogb(x) + exponent;
}

// CHECK-LABEL: @inlinedDoubles
// CHECK-NOT: call {{.*}}@__clarity
// CHECK-NOT: br i1
// CHECK: ret void
kernel void inlinedDoubles(global double *p) {
  double x = p[0];
  p[1] = exp(x) + exp2(x) + exp10(x) + expm1(x) + log(x) + log2(x) + log10(x) + log1p(x) + sinpi(x) + cospi(x);
  p[2] = asin(x) + acos(x) + atan(x) + atan2(x, p[3]) + sinh(x) + cosh(x) + tanh(x) + asinh(x) + acosh(x) + atanh(x);
  p[3] = erf(x) + erfc(x) + cbrt(x) + hypot(x, p[4]);
}

// Powers branch only for what they rarely need.
// CHECK-LABEL: @power
// CHECK-NOT: call {{.*}}@__clarity
// CHECK: br i1 {{.*}} !prof
// CHECK-NOT: !prof
// CHECK: ret void
kernel void power(global double *p) { p[0] = pow(p[1], p[2]); }

// CHECK-LABEL: @halfInMemory
// CHECK-NOT: call
// CHECK: fpext half {{.*}} to float
// CHECK-NOT: call
// CHECK: fptrunc float {{.*}} to half
// CHECK-NOT: call
// CHECK: ret void
kernel void halfInMemory(global half *p, global float *q) {
  q[0] = vload_half(0, p);
  vstore_half(q[1], 1, p);
}

// CHECK-LABEL: @doubles
// CHECK-NOT: call {{.*}}@__clarity
// CHECK-NOT: br i1
// CHECK: ret void
kernel void doubles(global double *p, global int *q) {
  double x = p[0], whole;
  int exponent;
  p[1] = sinpi(x) + cospi(x) + tanpi(x) + frexp(x, &exponent) + ldexp(x, q[0]) + logb(x) + nextafter(x, p[4]);
  p[2] = fract(x, &whole) + modf(x, &whole) + rsqrt(x);
  q[1] = ilogb(x) + exponent;
}

// CHECK: declare {{.*}}@__clarity_sin_f32(float {{.*}}) local_unnamed_addr #[[PURE:[0-9]+]]
// CHECK: attributes #[[PURE]] = { {{.*}}nounwind{{.*}}willreturn{{.*}}memory(none)
