// SPDX-License-Identifier: Apache-2.0
// Below compute capability 7.0 threads of a warp that have parted come together where all ways meet only: a barrier or
// a function of a sub-group that the optimiser leads two ways to gets a place behind their meeting.
// RUN: for kernel in reduced barriers early loop; do for gpu in 50 62; do \
// RUN:   %clarity compile %s --processor sm_$gpu --emit native-ir --kernel $kernel --local 64 -- -cl-std=CL3.0 \
// RUN:     -cl-clarity-tile=1x1 | FileCheck %s --check-prefix=NESTED || exit 1; \
// RUN:   %clarity compile %s --processor sm_$gpu --emit asm --kernel $kernel --local 64 -- -cl-std=CL3.0 > %t \
// RUN:     || exit 1; done; done
// RUN: for kernel in reduced barriers early loop; do \
// RUN:   %clarity compile %s --processor sm_70 --emit native-ir --kernel $kernel --local 64 -- -cl-std=CL3.0 \
// RUN:     -cl-clarity-tile=1x1 | FileCheck %s --check-prefix=WRITTEN || exit 1; done
// RUN: for kernel in apart guarded rounds none; do \
// RUN:   %clarity compile %s --processor sm_62 --emit native-ir --kernel $kernel --local 64 -- -cl-std=CL3.0 \
// RUN:     -cl-clarity-tile=1x1 | FileCheck %s --check-prefix=WRITTEN || exit 1; done
// NESTED: Flow
// WRITTEN: define
// WRITTEN-NOT: Flow

// RUN: %clarity compile %s --processor sm_62 --emit native-ir --kernel barriers --local 64 -- -cl-std=CL3.0 \
// RUN:   -cl-clarity-tile=1x1 | FileCheck %s --check-prefix=BARRIER
// BARRIER: br i1 {{.*}}, label %if.end.i, label %[[MEETING:Flow[0-9]*]]
// BARRIER: [[MEETING]]:
// BARRIER: br i1 {{.*}}, label %[[ALL:if.then[0-9.a-z]*]], label
// BARRIER: [[ALL]]: {{.*}}preds = %[[MEETING]]{{$}}
// BARRIER: barrier.cta.sync
kernel void barriers(global int* a, local int* t, int n) {
  const int i = get_local_id(0);
  int x = a[i];
  bool go = n > 5;  // and if not, it is not for the odd ones
  if (i & 1) {
    for (int k = 0; k < x; ++k) a[i + 128] += x * k;
    go = true;
  }
  if (go) {
    t[i] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += t[i ^ 1];
  }
  a[i] = x;
}

kernel void reduced(global int* a, int n) {
  const int i = get_local_id(0);
  int x = a[i];
  bool go = n > 5;
  if (i & 1) {
    for (int k = 0; k < x; ++k) a[i + 128] += x * k;
    go = true;
  }
  if (go) x += sub_group_reduce_add(x);
  a[i] = x;
}

kernel void early(global int* a, local int* t, int m) {
  const int i = get_local_id(0);
  int x = a[i];
  if (i & 1) {
    for (int k = 0; k < x; ++k) a[i + 128] += x * k;
    if (m > 7) return;
  }
  t[i] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = x + t[i ^ 1];
}

kernel void loop(global int* a, local int* t, int n, int m) {
  const int i = get_local_id(0);
  int x = a[i];
  for (int j = 0; j < n; ++j) {
    t[i] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += t[i ^ j];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i & 1) {
      for (int k = 0; k < x; ++k) a[i + 128] += x * k;
      if (m > 7 + j) break;
    }
  }
  a[i] = x;
}

// Each branch has its own.
kernel void apart(global int* a) {
  const int i = get_local_id(0);
  int x = a[i];
  if (i & 1)
    x += sub_group_non_uniform_reduce_add(x);
  else if (i & 2)
    x += sub_group_non_uniform_reduce_max(x);
  a[i] = x;
}

kernel void guarded(global int* a, local int* t, int n) {
  const int i = get_local_id(0);
  if (i < n) {
    t[i] = a[i];
    if (a[i + 64] > 3) t[i] += a[i + 128];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) a[i] = t[n - i];
}

kernel void rounds(global int* a, local int* t, int n) {
  const int i = get_local_id(0);
  t[i] = a[i];
  for (int k = 1; k < n; k *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i % (2 * k) == 0) t[i] += t[i + k];
  }
  if (i == 0) a[0] = t[0];
}

// Without such an instruction ways may go as they like.
kernel void none(global int* a, int n) {
  const int i = get_local_id(0);
  int x = a[i];
  bool go = n > 5;
  if (i & 1) {
    for (int k = 0; k < x; ++k) a[i + 128] += x * k;
    go = true;
  }
  if (go) x += a[i + 256];
  a[i] = x;
}
