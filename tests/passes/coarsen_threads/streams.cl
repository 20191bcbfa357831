// SPDX-License-Identifier: Apache-2.0
// Kernels that only move neighbouring elements: a thread executes as many work-items as have 16 bytes to load or to
// store, a block apart, so that all of them are under way at once.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel add --local 256 \
// RUN:   | FileCheck %s --check-prefix=TWO
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel triad --local 256 \
// RUN:   | FileCheck %s --check-prefix=TWO
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel guarded --local 256 \
// RUN:   | FileCheck %s --check-prefix=TWO
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel copy --local 256 \
// RUN:   | FileCheck %s --check-prefix=FOUR
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel scale --local 64 \
// RUN:   | FileCheck %s --check-prefix=FOUR
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel reversed --local 256 \
// RUN:   | FileCheck %s --check-prefix=FOUR
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel fill --local 256 \
// RUN:   | FileCheck %s --check-prefix=FOUR
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel halves --local 256 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=EIGHT
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel rows --local 16,16 \
// RUN:   | FileCheck %s --check-prefix=ROWS
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel columns --local 16,16 \
// RUN:   | FileCheck %s --check-prefix=COLUMNS
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel add --local 64 --global 1000000 \
// RUN:   | FileCheck %s --check-prefix=PARTIAL
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel add --local 256 | FileCheck %s --check-prefix=PTX
//
// TWO: cells=2,1,1 threads=256,1,1 groups=1 merged
// FOUR: cells=4,1,1 threads=256,1,1 groups=1 merged
// EIGHT: cells=8,1,1 threads=128,1,1 groups=1 merged
// ROWS: cells=1,4,1 threads=32,8,1 groups=1 merged
// COLUMNS: cells=4,1,1 threads=8,32,1 groups=1 merged swapped
// PARTIAL: cells=2,1,1 threads=256,1,1 groups=1 merged guarded
//
// All loads come before what waits for them.
// PTX: .reqntid 256
// PTX-COUNT-4: ld.global
// PTX: add.rn.f32
// PTX-NOT: ld.global
kernel void add(global const float* a, global const float* b, global float* c) {
  const size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}
kernel void triad(global const float* a, global const float* b, global float* c, float s) {
  const int i = get_global_id(0);
  c[i] = a[i] + s * b[i];
}
kernel void guarded(global const int* a, global const int* b, global int* c, int n) {
  const int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
kernel void copy(global const float* a, global float* c) { c[get_global_id(0)] = a[get_global_id(0)]; }
kernel void scale(global int* c, int s) { c[get_global_id(0)] *= s; }
kernel void reversed(global const float* a, global float* c, int n) {
  const int i = get_global_id(0);
  c[i] = a[n - 1 - i];
}
kernel void fill(global float* c, float value) { c[get_global_id(0)] = value; }
kernel void halves(global const half* a, global half* c) { c[get_global_id(0)] = a[get_global_id(0)] * (half)2; }
kernel void rows(global const float* a, global float* c, int width) {
  const int i = get_global_id(1) * width + get_global_id(0);
  c[i] = a[i];
}
// Neighbours in memory differ in id 1: threads do, too.
kernel void columns(global const float* a, global float* c, int width) {
  const int i = get_global_id(0) * width + get_global_id(1);
  c[i] = a[i];
}

// Other kernels keep one work-item a thread: 16 bytes of a work-item, other addresses than neighbours',
// atomic additions, a loop, more arithmetic than that, a range of two dimensions that is no multiple of a block.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel wide --local 256 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel strided --local 256 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel gathered --local 256 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel counted --local 256 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel looped --local 256 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel computed --local 256 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel rows --local 10,10 --global 100,100 \
// RUN:   | FileCheck %s --check-prefix=ONE
// ONE: cells=1,1,1
kernel void wide(global const float4* a, global float4* c) { c[get_global_id(0)] = a[get_global_id(0)]; }
kernel void strided(global const float* a, global float* c) { c[get_global_id(0)] = a[3 * get_global_id(0)]; }
kernel void gathered(global const float* a, global const int* from, global float* c) {
  c[get_global_id(0)] = a[from[get_global_id(0)]];
}
kernel void counted(global const int* a, global int* places, global int* sum) {
  places[get_global_id(0)] = atomic_add(sum, a[get_global_id(0)]);
}
kernel void looped(global const float* a, global float* c, int n) {
  float sum = a[get_global_id(0)];
  for (int i = 0; i < n; ++i) sum = sum * sum + 1;
  c[get_global_id(0)] = sum;
}
kernel void computed(global const float* a, global float* c) { c[get_global_id(0)] = lgamma(a[get_global_id(0)]); }
