// SPDX-License-Identifier: Apache-2.0
// Atomic operations on different addresses run lane by lane. Regions with them keep the lanes of a register, whether
// they consist mostly of them or have enough to compute beside them.
// RUN: %clarity compile %s --report --local 128 --processor x86-64-v4 2>&1 | FileCheck %s

// CHECK-LABEL: kernel 'scatter_by_digit'
// CHECK: region 2, lines 16 to 18: packets of 16 work-items along x
// CHECK: atomic_inc(&next[key >> shift & 255]): one work-item after the other
// CHECK: store uint sorted[atomic_inc(&next[key >> shift & 255])]: scatter instruction
__kernel void scatter_by_digit(__global const uint* keys, int per_item, int shift, __global const uint* places,
                               __global uint* sorted) {
  __local uint next[256];
  int item = get_local_id(0), items = get_local_size(0), group = get_group_id(0);
  for (int i = item; i < 256; i += items) next[i] = places[group * 256 + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < per_item; ++i) {
    uint key = keys[(group * per_item + i) * items + item];
    sorted[atomic_inc(&next[key >> shift & 255])] = key;
  }
}

// CHECK-LABEL: kernel 'bin_particles'
// CHECK: packets of 16 work-items along x
// CHECK: atomic_add(&bins[y * 8 + x], 1u): one work-item after the other
__kernel void bin_particles(__global const float2* at, __global ushort* rank, __local uint* bins, int per_item) {
  int item = get_local_id(0), items = get_local_size(0), group = get_group_id(0);
  for (int i = 0; i < per_item; ++i) {
    int k = (group * per_item + i) * items + item;
    int x = (int)(at[k].x * 8) & 7, y = (int)(at[k].y * 8) & 7;
    rank[k] = atomic_add(&bins[y * 8 + x], 1u);
  }
}

// CHECK-LABEL: kernel 'count'
// CHECK: packets of 16 work-items along x
__kernel void count(__global const uint* keys, __local uint* bins, int per_item) {
  int item = get_local_id(0), items = get_local_size(0), group = get_group_id(0);
  for (int i = 0; i < per_item; ++i) atomic_inc(&bins[keys[(group * per_item + i) * items + item] & 255]);
}

// CHECK-LABEL: kernel 'escape_times'
// CHECK: packets of 16 work-items along x
__kernel void escape_times(__global const float2* points, __local uint* bins) {
  float2 c = points[get_global_id(0)], z = c;
  uint steps = 0;
  for (int i = 0; i < 255; ++i) {
    float2 square = z * z;
    if (square.x + square.y > 4) break;
    z = (float2)(square.x - square.y, 2 * z.x * z.y) + c;
    ++steps;
  }
  atomic_inc(&bins[steps]);
}

// A loop around an exchange, which work-items leave one by one, is left to each of them.
// CHECK-LABEL: kernel 'sum_at'
// CHECK-NEXT: one work-item at a time, as packets would cost
// CHECK-NEXT: atomic_cmpxchg(sum, old, new): would run one work-item after the other, with too little to compute
__kernel void sum_at(__global const float* x, __global const int* places, volatile __global uint* sums) {
  int item = get_global_id(0);
  volatile __global uint* sum = sums + places[item];
  uint old, new;
  do {
    old = *sum;
    new = as_uint(as_float(old) + x[item]);
  } while (atomic_cmpxchg(sum, old, new) != old);
}
