// SPDX-License-Identifier: Apache-2.0
// Loops that copy to local memory use the instruction that nothing waits for until a barrier.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel asynchronous --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel own --local 64 | FileCheck %s --check-prefix=OWN
// RUN: %clarity compile %s --processor sm_75 --emit asm --kernel own --local 64 | FileCheck %s --check-prefix=PLAIN
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel own --local 64 -- -cl-clarity-disable=copy-async \
// RUN:   | FileCheck %s --check-prefix=PLAIN
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel bytes --local 64 | FileCheck %s --check-prefix=PLAIN
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel again --local 64 | FileCheck %s --check-prefix=PLAIN
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel changed --local 64 | FileCheck %s --check-prefix=PLAIN
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel written --local 64 \
// RUN:   | FileCheck %s --check-prefix=WRITTEN
// PLAIN-NOT: cp.async

// CHECK: cp.async.cg.shared.global
// CHECK: cp.async.wait_all
// CHECK: bar{{.*}}sync
kernel void asynchronous(global const float4* in, global float* out, local float4* part, int n) {
  event_t event = async_work_group_copy(part, in + get_group_id(0) * n, n, 0);
  wait_group_events(1, &event);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += part[(i + get_local_id(0)) % n].x;
  out[get_global_id(0)] = sum;
}

// OWN: cp.async.ca.shared.global {{.*}}, 4;
// OWN: cp.async.wait_all
// OWN: bar{{.*}}sync
// OWN-NOT: cp.async
kernel void own(global const int* in, global int* out, local int* part, int n) {
  const int lid = get_local_id(0);
  for (int i = lid; i < n; i += get_local_size(0)) part[i] = in[get_group_id(0) * n + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 3 + part[i ^ lid & 7];
  out[get_global_id(0)] = sum;
}

// No instruction copies a byte.
kernel void bytes(global const char* in, global int* out, local char* part, int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) part[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_local_id(0) ^ 1];
}

// The last copy to a place has to be the last one there.
kernel void again(global const int* in, global int* out, local int* part, int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) part[i & 127] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_local_id(0) ^ 1];
}

// No copy.
kernel void changed(global const int* in, global int* out, local int* part, int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) part[i] = in[i] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_local_id(0) ^ 1];
}

// Memory that is copied must not change before it is.
// WRITTEN: cp.async.ca.shared.global {{.*}}, 4;
// WRITTEN: cp.async.wait_all
// WRITTEN: st.global
// WRITTEN: bar{{.*}}sync
kernel void written(global int* in, global int* out, local int* part, int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) part[i] = in[get_group_id(0) * n + i];
  in[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_local_id(0) ^ 1];
}

// The second loop may copy to where the first one still does.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel twice --local 64 | FileCheck %s --check-prefix=TWICE
// TWICE: cp.async.ca.shared.global
// TWICE: cp.async.wait_all
// TWICE: cp.async.ca.shared.global
// TWICE: cp.async.wait_all
// TWICE: bar{{.*}}sync
kernel void twice(global const int* in, global const int* other, global int* out, local int* part, int n, int m) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) part[i] = in[get_group_id(0) * n + i];
  for (int i = get_local_id(0); i < m; i += get_local_size(0)) part[i] = other[get_group_id(0) * n + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_local_id(0) ^ 1];
}

// To memory of two arguments both go on.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel two --local 64 | FileCheck %s --check-prefix=TWO
// TWO: cp.async.ca.shared.global
// TWO: cp.async.wait_all
// TWO-NOT: cp.async
// TWO: bar{{.*}}sync
kernel void two(global const int* in, global const int* other, global int* out, local int* part, local int* rest,
                int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) part[i] = in[get_group_id(0) * n + i];
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) rest[i] = other[get_group_id(0) * n + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_local_id(0) ^ 1] + rest[get_local_id(0) ^ 2];
}
