// SPDX-License-Identifier: Apache-2.0
// An angle that is made of 24 bits is not large: no branch, and sine and cosine share its reduction.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel of_bits -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel of_bits -- -cl-std=CL3.0 \
// RUN:   -cl-clarity-disable=fold-compares | FileCheck %s --check-prefix=LARGE
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel of_sum -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel of_ints -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=LARGE
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel of_memory -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=LARGE
// CHECK-NOT: angleOfLarge
// CHECK: .entry
// CHECK-NOT: bra
// CHECK-NOT: angleOfLarge
// LARGE: angleOfLarge
kernel void of_bits(global const uint* bits, global float2* out) {
  size_t i = get_global_id(0);
  float angle = 2.0f * M_PI_F * ((bits[i] >> 8) / 16777216.0f);
  out[i] = (float2)(sin(angle), cos(angle));
}

kernel void of_sum(global const short* numbers, global float* out) {
  size_t i = get_global_id(0);
  out[i] = sin(fma((float)numbers[2 * i], 0.25f, -fabs((float)numbers[2 * i + 1])) + 3.0f);
}

// These may be large: 2^31 and anything.
kernel void of_ints(global const int* numbers, global float* out) {
  size_t i = get_global_id(0);
  out[i] = sin((float)numbers[i]);
}
kernel void of_memory(global const float* numbers, global float* out) {
  size_t i = get_global_id(0);
  out[i] = sin(numbers[i] * 0.5f);
}
