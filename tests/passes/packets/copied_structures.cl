// SPDX-License-Identifier: Apache-2.0
// Structures that are only copied, from places that an array names or to them: each work-item copies its own where
// processors gather slowly. Where they are also changed, packets gain.
// RUN: %clarity compile %s --report --local 64 --processor znver4 2>&1 | FileCheck %s --check-prefixes=CHECK,SLOW
// RUN: %clarity compile %s --report --local 64 --processor x86-64-v4 2>&1 | FileCheck %s --check-prefixes=CHECK,FAST
typedef struct {
  float real, imaginary, x, y, z, weight;
} Sample;

// CHECK-LABEL: kernel 'collect'
// SLOW: one work-item at a time, as packets would cost
// FAST: packets of 16 work-items along x
__kernel void collect(__global const uint* at, __global const Sample* in, __global Sample* out) {
  out[get_global_id(0)] = in[at[get_global_id(0)]];
}

// CHECK-LABEL: kernel 'distribute'
// SLOW: one work-item at a time, as packets would cost
// FAST: packets of 16 work-items along x
__kernel void distribute(__global const uint* at, __global const Sample* in, __global Sample* out) {
  out[at[get_global_id(0)]] = in[get_global_id(0)];
}

// CHECK-LABEL: kernel 'turn'
// CHECK: packets of 16 work-items along x
__kernel void turn(__global const uint* at, __global const Sample* in, __global Sample* out, float sine, float cosine) {
  Sample sample = in[at[get_global_id(0)]];
  const float real = sample.real * cosine - sample.imaginary * sine;
  sample.imaginary = sample.real * sine + sample.imaginary * cosine;
  sample.real = real;
  sample.x *= sample.weight;
  sample.y *= sample.weight;
  sample.z *= sample.weight;
  out[get_global_id(0)] = sample;
}
