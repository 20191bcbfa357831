// SPDX-License-Identifier: Apache-2.0
// Large work-groups whose work-items wait at barriers in a loop: threads have several work-items where they still fill
// warps, and one where they would not.
// RUN: for size in 512 576 1024; do \
// RUN:   %clarity compile %s --processor sm_90 --emit native-ir --kernel rounds --local $size -- -cl-std=CL3.0 \
// RUN:     | FileCheck %s --check-prefix=SEVERAL || exit 1; done
// RUN: for size in 513 520 544 600 1000 1023; do \
// RUN:   %clarity compile %s --processor sm_90 --emit native-ir --kernel rounds --local $size -- -cl-std=CL3.0 \
// RUN:     | FileCheck %s --check-prefix=ONE || exit 1; done
// SEVERAL: cells={{[248]}},1,1
// ONE-NOT: cells={{[248]}},1,1
kernel void rounds(global int* out, local int* from, local int* to, int rounds) {
  int i = get_local_id(0);
  from[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = 0; r < rounds; r++) {
    to[i] = i > r ? from[i - 1] + 1 : from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (r == rounds - 1) break;
    from[i] = to[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = to[i];
}
