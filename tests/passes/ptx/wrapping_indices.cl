// SPDX-License-Identifier: Apache-2.0
// An index of 32 bits that wraps between two accesses is extended for each of them; one that does not is once, and the
// distance is part of the instruction.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel wraps -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix WRAPS
// WRAPS: cvt.s64.s32
// WRAPS: cvt.s64.s32
// WRAPS: st.global
kernel void wraps(global const uchar* p, uint first, global uint* out) {
  const int i = (int)(first + (uint)get_global_id(0)), next = (int)(first + (uint)get_global_id(0) + 1);
  out[get_global_id(0)] = p[0x80000000ul + i] * 3u + p[0x80000000ul + next];
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel overflows -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix OVERFLOWS
// OVERFLOWS-COUNT-1: cvt.s64.s32
// OVERFLOWS-NOT: cvt.s64.s32
// OVERFLOWS: ld.global{{.*}}+1]
// OVERFLOWS: st.global
kernel void overflows(global const uchar* p, int first, global uint* out) {
  const int i = first + (int)get_local_id(0);
  out[get_global_id(0)] = p[i] * 3u + p[i + 1];
}
