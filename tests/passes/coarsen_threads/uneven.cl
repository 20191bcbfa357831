// SPDX-License-Identifier: Apache-2.0
// Kernels that cannot observe work-groups have blocks that suit warps where work-groups do not, or where the range is
// no multiple of them: one grid, in which threads beyond the range do nothing.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel series --local 256 --global 1000003 -- \
// RUN:   -cl-std=CL3.0 | FileCheck %s --check-prefixes=GUARD,ROW
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel series --local 1 --global 1000003 \
// RUN:   | FileCheck %s --check-prefixes=GUARD,ROW
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel series --local 20 --global 1048576 \
// RUN:   | FileCheck %s --check-prefix=WARPS
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel series --local 250 --global 1000000 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel waves --local 64,4 --global 1001,1003 -- \
// RUN:   -cl-std=CL3.0 | FileCheck %s --check-prefix=BLOCK
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel groups --local 256 --global 1000003 -- \
// RUN:   -cl-std=CL3.0 | FileCheck %s --check-prefix=ONE
//
// GUARD: define {{.*}}@
// GUARD: br i1 %{{.*}}, label %{{.*}}, label %common.ret
// ROW: cells=1,1,1 threads=256,1,1 groups=1 merged guarded"
// WARPS: cells=1,1,1 threads=256,1,1 groups=1 merged"
// BLOCK: cells=1,1,1 threads=32,8,1 groups=1 merged guarded"
// ONE: cells=1,1,1 threads=0,0,0

kernel void series(global float *out, uint n) {
  float sum = 0;
  const uint id = get_global_id(0);
  for (uint i = 1; i < n; ++i) sum += native_sin((float)(id * i));
  out[id] = sum;
}

kernel void waves(global float *out, uint n) {
  float sum = 0;
  const uint x = get_global_id(0), y = get_global_id(1);
  for (uint i = 1; i < n; ++i) sum += native_sin((float)(x * i)) + native_cos((float)(y * i));
  out[y * get_global_size(0) + x] = sum;
}

kernel void groups(global float *out, uint n) {
  float sum = 0;
  for (uint i = 1; i < n; ++i) sum += native_sin((float)(get_group_id(0) * i));
  out[get_global_id(0)] = sum;
}
