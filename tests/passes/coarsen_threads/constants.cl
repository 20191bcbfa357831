// SPDX-License-Identifier: Apache-2.0
// Constants in the global address space of which an element is only known when the kernel runs: they lie in the
// program's block of global memory, and no name is left that PTX does not know.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel lookUp -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel lookUp -- -cl-std=CL3.0 -cl-opt-disable | FileCheck %s
// CHECK-NOT: .extern
// CHECK: clarity_variables
// CHECK-NOT: weights
global const uint4 weights[8] = {(uint4)(160), (uint4)(4), (uint4)(189), (uint4)(7),
                                 (uint4)(3),   (uint4)(1), (uint4)(250), (uint4)(2)};

kernel void lookUp(global uint4* values) {
  size_t i = get_global_id(0);
  values[i] += weights[values[i].x & 7];
}
