// SPDX-License-Identifier: Apache-2.0
// Where the boundary costs masks only, the interior must be long enough to be worth a copy: shorter without mask
// registers.
// RUN: %clarity compile %s --emit native-ir --local 512 --processor x86-64-v3 \
// RUN:   --print-after=split-interior -o /dev/null 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: %clarity compile %s --emit native-ir --local 512 --processor x86-64-v4 \
// RUN:   --print-after=split-interior -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGISTERS
// VECTORS: icmp sge i64 %{{.*}}, 192
// REGISTERS: icmp sge i64 %{{.*}}, 256
__kernel void shifted(__global const int* in, __global int* out, int distance) {
  __local int own[512];
  int item = get_local_id(0);
  own[item] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = item >= distance ? own[item] + own[item - distance] : own[item];
}
