// SPDX-License-Identifier: Apache-2.0
// Where the size of the work-group is known, so are the ends of its rows: they are cut where it pays, or not at all,
// ahead of time.
// RUN: %clarity compile %s --emit native-ir --local 256 --kernel scan --processor x86-64-v4 \
// RUN:   --print-after=split-interior -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCAN
// RUN: %clarity compile %s --emit native-ir --local 72 --kernel scan --processor x86-64-v4 \
// RUN:   --print-after=split-interior -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: %clarity compile %s --emit native-ir --local 256 --kernel smooth --processor x86-64-v4 \
// RUN:   --print-after=split-interior -o /dev/null 2>&1 | FileCheck %s --check-prefix=SMOOTH

// The right end is empty: there is no loop over two ends.
// SCAN-NOT: %second
// SCAN: region1.x:
// SCAN: %{{.*}} = phi i32 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %region1.x.next ]
// SCAN: %[[NEXT]] = add {{.*}}, 1
// SCAN-NEXT: icmp ult i32 %[[NEXT]], 16
// SCAN-NOT: %second
// SHORT-NOT: .inner:
// SHORT: region1.x:
// SHORT-NOT: .inner:
__kernel void scan(__global const int* in, __global int* out) {
  __local int own[256], sums[256];
  int item = get_local_id(0);
  own[item] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[item] = item >= 16 ? own[item] + own[item - 16] : own[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sums[255 - item];
}

// LLVM compares the id with 0 and with 255 by a switch in 8 bits.
// SMOOTH: ends:
// SMOOTH-NEXT: phi i1
// SMOOTH-NEXT: select i1 %{{.*}}, i32 240, i32 0
// SMOOTH-NEXT: select i1 %{{.*}}, i32 256, i32 16
// SMOOTH: region1.x.next.inner:
__kernel void smooth(__global const float* in, __global float* out) {
  __local float own[256], sums[256];
  int item = get_local_id(0), items = get_local_size(0);
  own[item] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item > 0 && item < items - 1) sums[item] = own[item - 1] + own[item] + own[item + 1];
  else sums[item] = own[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sums[255 - item];
}
