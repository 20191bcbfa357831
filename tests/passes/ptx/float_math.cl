// SPDX-License-Identifier: Apache-2.0
// Functions of float use the approximate instructions of GPUs where their bounds allow it, scalars and vectors alike.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel exponential -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=EXP
// EXP: .entry
// EXP-COUNT-3: ex2.approx.ftz.f32
// EXP-NOT: ex2
kernel void exponential(global float* x, global float2* y) {
  size_t i = get_global_id(0);
  x[i] = exp(x[i]);
  y[i] = exp(y[i]);
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel power -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=POW
// POW: .entry
// POW-NOT: f64
kernel void power(global float* x) {
  size_t i = get_global_id(0);
  x[i] = pow(x[i], 2.5f);
}

// Angles up to 2^16 without the function for large ones.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel angle -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=SIN
// SIN: .func{{.*}}angleOfLarge
// SIN: .entry
// SIN: call{{.*}}angleOfLarge
kernel void angle(global float* x) {
  size_t i = get_global_id(0);
  x[i] = sin(x[i]);
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel root -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=ROOT
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel root -- -cl-std=CL3.0 \
// RUN:   -cl-fp32-correctly-rounded-divide-sqrt | FileCheck %s --check-prefix=EXACT
// ROOT: sqrt.approx.f32
// EXACT: sqrt.rn.f32
kernel void root(global float* x) {
  size_t i = get_global_id(0);
  x[i] = sqrt(x[i]);
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel native -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=NATIVE
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel usual -- -cl-std=CL3.0 -cl-fast-relaxed-math \
// RUN:   | FileCheck %s --check-prefix=NATIVE
// NATIVE-DAG: sin.approx
// NATIVE-DAG: ex2.approx.ftz
kernel void native(global float* x) {
  size_t i = get_global_id(0);
  x[i] = native_sin(x[i]) + native_exp(x[i]);
}
kernel void usual(global float* x) {
  size_t i = get_global_id(0);
  x[i] = sin(x[i]) + exp(x[i]);
}
