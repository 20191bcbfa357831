// SPDX-License-Identifier: Apache-2.0
// A buffer that is only read goes through the read-only cache where no buffer that is written overlaps it, which the
// device finds out for each launch; a sum in global memory stays in a register; behind a barrier `restrict` does not
// hold.
// RUN: %clarity compile %s --processor sm_90 --kernel rows --emit asm -o - | FileCheck %s --check-prefix=ROWS
// RUN: %clarity compile %s --processor sm_90 --kernel rows --emit asm -o - -- -cl-clarity-disable=distinct-buffers \
// RUN:   | FileCheck %s --check-prefix=SHARED
// RUN: %clarity compile %s --processor sm_90 --kernel steps --local 64 --emit asm -o - \
// RUN:   | FileCheck %s --check-prefix=STEPS

// ROWS-NOT: ld.global.b32
// ROWS: ld.global.nc
// ROWS-NOT: ld.global.b32
// SHARED-NOT: ld.global.nc
// SHARED: st.global
kernel void rows(global float* out, global const float* a, global const float* b, int n) {
  const int i = get_global_id(0);
  out[i] = 0;
  for (int k = 0; k < n; ++k) out[i] += a[i * n + k] * b[k];
}

// The load is in the loop, between the barriers.
// STEPS: [[LOOP:.L__BB.*]]:
// STEPS: ld.global.b32
// STEPS-NEXT: bar.sync
// STEPS-NOT: ld.global.nc
kernel void steps(global int* restrict a, global int* restrict out, int n) {
  const int i = get_local_id(0);
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    sum = sum * 10 + a[0];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 3) a[0] = k;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  out[i] = sum;
}
