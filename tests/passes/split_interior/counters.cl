// SPDX-License-Identifier: Apache-2.0
// A counter that an id is added to in more bits must not wrap either: that is the same for all work-items, and moves
// neither end of the interior.
// RUN: %clarity compile %s --emit native-ir --kernel wrapped --local 100 --print-after=split-interior -o /dev/null \
// RUN:   -- -cl-clarity-disable=instcombine 2>&1 | FileCheck %s

// CHECK-LABEL: define {{.*}} @wrapped(
// CHECK-NOT:     i64 poison
// CHECK:         region0.x.inner:
kernel void wrapped(global const int* in, global int* out, int n) {
  int all = 0;
  for (int i = 0; i < 16; i++) {
    const int from = i + get_local_id(0);
    for (int k = 0; k < 8; k++) {
      const int value = in[(from + k) % get_global_size(0)];
      if ((value & 7) == n % 8) continue;
      if (value % 5 == 4) break;
      all = all * 5 + (value & 15);
    }
  }
  out[get_global_id(0)] = all;
}
