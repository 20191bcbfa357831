// SPDX-License-Identifier: Apache-2.0
// Loops of neighbouring work-items decide whether a thread executes several of them, and how wide the block is.
// RUN: %clarity compile %s --processor sm_90 --report --kernel chunks --local 256 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHUNKS
// RUN: %clarity compile %s --processor sm_90 --report --kernel grid --local 256 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: %clarity compile %s --processor sm_90 --report --kernel parts --local 256 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PARTS
// RUN: %clarity compile %s --processor sm_90 --report --kernel lists --local 64 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LISTS
// RUN: %clarity compile %s --processor sm_90 --report --kernel along_x --local 16,16 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALONGX
// RUN: %clarity compile %s --processor sm_90 --report --kernel along_y --local 16,16 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALONGY

void sum_of_group(local float* s, float own, global float* out) {
  const uint lid = get_local_id(0);
  s[lid] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint part = get_local_size(0) / 2; part > 0; part /= 2) {
    if (lid < part) s[lid] += s[lid + part];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) out[get_group_id(0)] = s[0];
}

// Work-items at the end have no elements left: a block of several work-groups would loop for one of them alone.
// CHUNKS: kernel 'chunks'
// CHUNKS: some work-groups may loop for longer than others
kernel void chunks(global const float* a, global float* out, local float* s, uint n, uint each) {
  float sum = 0;
  uint at = get_global_id(0) * each;
  for (uint i = 0; i < each && at < n; ++i, ++at) sum += a[at];
  sum_of_group(s, sum, out);
}

// All work-items take as many iterations, or one more.
// GRID: kernel 'grid'
// GRID: they wait at barriers together
kernel void grid(global const float* a, global float* out, local float* s, uint n) {
  float sum = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) sum += a[i];
  sum_of_group(s, sum, out);
}

// Indices that only the launch knows keep local memory where it is.
void turn(local float* s, float own, global float* out, uint by) {
  s[get_local_id(0) ^ by] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[get_local_id(0)];
}

// Work-groups sum parts of one size; most of them do not end where the data does.
// PARTS: kernel 'parts'
// PARTS: they wait at barriers together
kernel void parts(global const float* a, global float* out, local float* s, uint n, uint size) {
  const uint first = get_group_id(0) * size;
  float sum = 0;
  for (uint i = first; i < min(first + size, n); ++i) sum += a[i * 256 + get_local_id(0)];
  turn(s, sum, out, n & 1);
}

// Each work-group has a list of its own length.
// LISTS: kernel 'lists'
// LISTS: some work-groups may loop for longer than others
kernel void lists(global const float* a, global const uint* ends, global float* out, local float* s) {
  const uint group = get_group_id(0);
  float sum = 0;
  for (uint i = ends[group]; i < ends[group + 1]; i += get_local_size(0)) sum += a[i + get_local_id(0)];
  turn(s, sum, out, group & 1);
}

// Neighbours along x read the same elements one iteration later: a wide block reads few that only one of them needs.
// ALONGX: kernel 'along_x'
// ALONGX: a block has 256 x 1 threads
kernel void along_x(global const float4* a, global float4* out, global const float* weights, int size, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0;
  for (int i = 0; i < size; ++i) sum += a[y * pitch + x + i] * weights[i];
  out[y * get_global_size(0) + x] = sum;
}

// ALONGY: kernel 'along_y'
// ALONGY: a block has 32 x 8 threads
kernel void along_y(global const float4* a, global float4* out, global const float* weights, int size, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0;
  for (int i = 0; i < size; ++i) sum += a[(y + i) * pitch + x] * weights[i];
  out[y * get_global_size(0) + x] = sum;
}
