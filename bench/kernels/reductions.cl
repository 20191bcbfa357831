// SPDX-License-Identifier: Apache-2.0
// This file has reductions and scans in local memory, one for each work-group.

__kernel void sum_local(__global const float* in, __global float* sums, __local float* shared) {
  int item = get_local_id(0);
  shared[item] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = get_local_size(0) / 2; distance > 0; distance >>= 1) {
    if (item < distance) shared[item] += shared[item + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) sums[get_group_id(0)] = shared[0];
}

__kernel void max_local(__global const int* in, __global int* maxima, __local int* shared) {
  int item = get_local_id(0);
  shared[item] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < get_local_size(0); distance *= 2) {
    int i = 2 * distance * item;
    if (i < get_local_size(0)) shared[i] = max(shared[i], shared[i + distance]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) maxima[get_group_id(0)] = shared[0];
}

// The first of the largest.
__kernel void argmax_local(__global const float* in, __global int* indices, __local float* values,
                           __local int* places) {
  int item = get_local_id(0);
  values[item] = in[get_global_id(0)];
  places[item] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = get_local_size(0) / 2; distance > 0; distance /= 2) {
    if (item < distance) {
      float other = values[item + distance];
      int place = places[item + distance];
      if (other > values[item] || (other == values[item] && place < places[item])) {
        values[item] = other;
        places[item] = place;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) indices[get_group_id(0)] = places[0];
}

__kernel void scan_hillis_steele(__global const int* in, __global int* out, __local int* a, __local int* b) {
  int item = get_local_id(0), items = get_local_size(0);
  a[item] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < items; distance *= 2) {
    b[item] = item >= distance ? a[item] + a[item - distance] : a[item];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local int* swapped = a;
    a = b;
    b = swapped;
  }
  out[get_global_id(0)] = a[item];
}

// Exclusive, over twice as many elements as the work-group has work-items.
__kernel void scan_blelloch(__global const int* in, __global int* out, __local int* tree) {
  int item = get_local_id(0), items = get_local_size(0), start = get_group_id(0) * items * 2;
  tree[2 * item] = in[start + 2 * item];
  tree[2 * item + 1] = in[start + 2 * item + 1];
  int distance = 1;
  for (int active = items; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < active) tree[distance * (2 * item + 2) - 1] += tree[distance * (2 * item + 1) - 1];
    distance *= 2;
  }
  if (item == 0) tree[2 * items - 1] = 0;
  for (int active = 1; active <= items; active *= 2) {
    distance /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < active) {
      int left = distance * (2 * item + 1) - 1, right = distance * (2 * item + 2) - 1;
      int value = tree[left];
      tree[left] = tree[right];
      tree[right] += value;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[start + 2 * item] = tree[2 * item];
  out[start + 2 * item + 1] = tree[2 * item + 1];
}

// Sums that begin anew wherever `starts` says, and at the start of the work-group.
__kernel void scan_segmented(__global const int* in, __global const uchar* starts, __global int* out, __local int* sums,
                             __local uchar* begun) {
  int item = get_local_id(0);
  sums[item] = in[get_global_id(0)];
  begun[item] = starts[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < get_local_size(0); distance *= 2) {
    int sum = sums[item];
    uchar has_begun = begun[item];
    if (item >= distance && !has_begun) {
      sum += sums[item - distance];
      has_begun = begun[item - distance];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[item] = sum;
    begun[item] = has_begun;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sums[item];
}

__kernel void median3(__global const float* in, __global float* out, int count) {
  int i = get_global_id(0);
  float a = in[max(i - 1, 0)], b = in[i], c = in[min(i + 1, count - 1)];
  out[i] = fmax(fmin(a, b), fmin(fmax(a, b), c));
}
