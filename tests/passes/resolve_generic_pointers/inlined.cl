// SPDX-License-Identifier: Apache-2.0
// A function that takes a generic pointer asks where it leads: once it is inlined, the answer is known for each call.
// RUN: %clarity compile %s --emit kernel-ir -o - -- -cl-std=CL2.0 | FileCheck %s
// RUN: %clarity compile %s --emit kernel-ir -o - -- -cl-std=CL2.0 -cl-clarity-disable=resolve-generic-pointers \
// RUN:   | FileCheck %s --check-prefix=ASKED

// CHECK-LABEL: define {{.*}} @sums
// CHECK-NOT: call {{.*}} @__clarity_is_local
// CHECK: ret void
// ASKED: call {{.*}} @__clarity_is_local
float sum(const float* values, int count) {
  float result = 0;
  for (int i = 0; i < count; ++i) result += to_local(values) ? values[i] : 2 * values[i];
  return result;
}
kernel void sums(global const float* in, global float* out, local float* own, int count) {
  own[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sum(own, count) + sum(in, count);
}
