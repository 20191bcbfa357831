// SPDX-License-Identifier: Apache-2.0
// This file has kernels that sort and count, with atomics and in local memory.

__kernel void bitonic_step(__global uint* elements, uint distance, uint run) {
  uint item = get_global_id(0);
  uint first = 2 * item - (item & (distance - 1));
  uint second = first + distance;
  uint a = elements[first], b = elements[second];
  bool ascending = (first & run) == 0;
  if ((a > b) == ascending) {
    elements[first] = b;
    elements[second] = a;
  }
}

// Each work-group sorts twice as many elements as it has work-items.
__kernel void bitonic_local(__global uint* elements, __local uint* block) {
  uint item = get_local_id(0), items = get_local_size(0), start = get_group_id(0) * items * 2;
  block[item] = elements[start + item];
  block[item + items] = elements[start + item + items];
  for (uint run = 2; run <= 2 * items; run *= 2) {
    for (uint distance = run / 2; distance > 0; distance /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint first = 2 * item - (item & (distance - 1));
      uint second = first + distance;
      uint a = block[first], b = block[second];
      if ((a > b) == ((first & run) == 0)) {
        block[first] = b;
        block[second] = a;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  elements[start + item] = block[item];
  elements[start + item + items] = block[item + items];
}

// How often each value of 8 bits occurs among the keys of each work-group.
__kernel void radix_count(__global const uint* keys, int per_item, int shift, __global uint* counts) {
  __local uint bins[256];
  int item = get_local_id(0), items = get_local_size(0), group = get_group_id(0);
  for (int i = item; i < 256; i += items) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < per_item; ++i) atomic_inc(&bins[keys[(group * per_item + i) * items + item] >> shift & 255]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < 256; i += items) counts[group * 256 + i] = bins[i];
}

// Puts the keys of each work-group at its places of each value.
__kernel void radix_scatter(__global const uint* keys, int per_item, int shift, __global const uint* places,
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

__kernel void histogram_global(__global const uchar* pixels, __global uint* bins) {
  atomic_inc(&bins[pixels[get_global_id(0)]]);
}

__kernel void histogram_local(__global const uchar* pixels, int count, __global uint* bins) {
  __local uint own[256];
  int item = get_local_id(0), items = get_local_size(0);
  for (int i = item; i < 256; i += items) own[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) atomic_inc(&own[pixels[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < 256; i += items) atomic_add(&bins[i], own[i]);
}

// 32 bins for each work-item, without atomics until the end.
__kernel void histogram_private(__global const uchar* pixels, int count, __global uint* bins, __local uint* all) {
  int item = get_local_id(0), items = get_local_size(0);
  for (int i = 0; i < 32; ++i) all[i * items + item] = 0;
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) ++all[(pixels[i] >> 3) * items + item];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 32) {
    uint sum = 0;
    for (int i = 0; i < items; ++i) sum += all[item * items + i];
    atomic_add(&bins[item], sum);
  }
}
