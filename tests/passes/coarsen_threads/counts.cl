// SPDX-License-Identifier: Apache-2.0
// A buffer that a kernel only counts in has a copy for each block, in shared memory, which the block adds to the
// buffer at its end. Blocks execute one tile after the other, as many apart as there are blocks.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel histogram --local 256 --global 1048576 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel histogram --local 100 --global 1000000 \
// RUN:   | FileCheck %s --check-prefix=TILE
// RUN: %clarity compile %s --processor sm_90 --report 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel sums --local 256 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel reads --local 256 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel groups --local 256 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel watched --local 256 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel unwatched --local 256 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=TILE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel histogram --local 256 -- \
// RUN:   -cl-clarity-disable=coarsen | FileCheck %s --check-prefix=ONE

// CHECK: st.shared
// CHECK: bar{{.*}}sync
// CHECK: .shared.{{inc|add}}.u32
// CHECK: bar{{.*}}sync
// CHECK: .global.add.u32
// TILE: cells=4,1,1 threads=256,1,1 groups=1 merged guarded counts
// REPORT: kernel 'histogram'
// REPORT: a block counts in shared memory and adds its counts to the buffer at its end: it only counts in a buffer
kernel void histogram(global const uchar* in, global uint* bins) { atomic_inc(&bins[in[get_global_id(0)]]); }

// Not: two buffers, a result that is used, a kernel that asks for its work-group, a scope that has the host look on.
// ONE: cells=1,1,1 threads=0,0,0
kernel void sums(global const int* in, global int* sum, global int* most) {
  atomic_add(sum, in[get_global_id(0)]);
  atomic_max(most, in[get_global_id(0)]);
}
kernel void reads(global const uchar* in, global uint* bins, global uint* places) {
  places[get_global_id(0)] = atomic_inc(&bins[in[get_global_id(0)]]);
}
kernel void groups(global const uchar* in, global uint* bins) {
  atomic_inc(&bins[in[get_global_id(0)] ^ get_group_id(0)]);
}
#if __OPENCL_C_VERSION__ >= 300
kernel void watched(global const uchar* in, volatile global atomic_uint* bins) {
  atomic_fetch_add_explicit(&bins[in[get_global_id(0)]], 1, memory_order_relaxed, memory_scope_all_svm_devices);
}
kernel void unwatched(global const uchar* in, volatile global atomic_uint* bins) {
  atomic_fetch_add_explicit(&bins[in[get_global_id(0)]], 1, memory_order_relaxed, memory_scope_device);
}
#endif
