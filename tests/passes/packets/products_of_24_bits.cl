// SPDX-License-Identifier: Apache-2.0
// An index that mul24 or mad24 computes is affine, as with `*`: its accesses are consecutive, or a known distance
// apart, and stay so behind a barrier.
// RUN: %clarity compile %s --report --local 64,1 --processor x86-64-v4 2>&1 | FileCheck %s

// CHECK-LABEL: kernel 'rows'
// CHECK: load float in[mad24(y, pitch, x - 1)]: consecutive
// CHECK: store float out[mul24(y, pitch) + x]: consecutive
__kernel void rows(__global const float* in, __global float* out, int pitch, int border) {
  int x = (int)get_global_id(0) - border, y = get_global_id(1);
  out[mul24(y, pitch) + x] = in[mad24(y, pitch, x - 1)];
}

// CHECK-LABEL: kernel 'bytes'
// CHECK: store uchar *target: consecutive
__kernel void bytes(__global const uchar* in, __global uchar* out, int pitch, int offset, int end,
                    __local uchar* row) {
  int i = get_local_id(0), x = i + 62 * get_group_id(0) - 1, y = get_global_id(1);
  __global uchar* target = out + mad24(y, pitch, mad24(x, (int)sizeof(uchar), offset));
  row[i] = in[mad24(y, pitch, clamp(x, 0, end - 1))];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i > 0 && i < 63) *target = (uchar)((row[i - 1] + row[i + 1]) / 2);
}
