// SPDX-License-Identifier: Apache-2.0
// A warp executes a work-group whose local memory lies in registers: no local memory, no barrier, shuffles instead.
// tests/nvptx executes such code.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel halves --local 256 \
// RUN:   | FileCheck %s --check-prefix=HALVES
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel strides --local 256 \
// RUN:   | FileCheck %s --check-prefix=STRIDES
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel fenced --local 64 \
// RUN:   | FileCheck %s --check-prefix=FENCED
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel turned --local 256 \
// RUN:   | FileCheck %s --check-prefix=TURNED
// RUN: %clarity compile %s --processor sm_90 --report --kernel halves --local 256 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REPORT

// Eight loads of a thread, three levels in the thread, five by a shuffle each.
// HALVES: .reqntid 128, 1, 1
// HALVES-COUNT-8: ld.global
// HALVES-NOT: bar.
// HALVES-NOT: .shared
// HALVES-COUNT-5: shfl.sync.idx.b32
// HALVES-NOT: shfl
// HALVES: ret;
// REPORT: kernel 'halves', line [[#@LINE+5]]
// REPORT: a warp executes a work-group, a thread 8 of its work-items
// REPORT: line [[#@LINE+5]]: element of local memory that the thread has in a register
// REPORT: line [[#@LINE+5]]: barrier left out
// REPORT: line [[#@LINE+6]]: element of local memory that another thread has in a register: comes by a shuffle
kernel void halves(global const float* in, global float* out, local float* s) {
  const uint lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = get_local_size(0) / 2; k > 0; k >>= 1) {
    if (lid < k) s[lid] += s[lid + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) out[get_group_id(0)] = s[0];
}

// The work-items whose elements are stored do it: those with even numbers, and so on.
// STRIDES: .reqntid 128, 1, 1
// STRIDES-NOT: .shared
// STRIDES: shfl.sync.idx.b32
// STRIDES-NOT: .shared
// STRIDES: ret;
kernel void strides(global const int* in, global int* out, local int* s) {
  const uint lid = get_local_id(0), size = get_local_size(0);
  s[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 1; k < size; k *= 2) {
    const uint i = 2 * k * lid;
    if (i < size) s[i] = max(s[i], s[i + k]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) out[get_group_id(0)] = s[0];
}

// A barrier that also orders global memory stays, as the warp's.
// FENCED: .reqntid 128, 1, 1
// FENCED: bar.warp.sync
// FENCED: ret;
kernel void fenced(global int* data, global int* out, local int* s) {
  const int lid = get_local_id(0), base = get_group_id(0) * 64;
  s[lid] = data[base + lid];
  data[base + lid] = s[lid] + 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[base + lid] = data[base + 63 - lid] + s[lid ^ 33];
}

// Work-items store elements that others have: local memory stays.
// TURNED: st.shared
// TURNED: bar.sync
// TURNED: ret;
kernel void turned(global const int* in, global int* out, local int* s) {
  const int lid = get_local_id(0);
  s[255 - lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[lid];
}
