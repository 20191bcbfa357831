// SPDX-License-Identifier: Apache-2.0
// A packet runs what one of its work-items does, and gathers there: where conditions on data let few of them go on,
// each runs its own way alone.
// RUN: %clarity compile %s --report --local 64 --processor znver4 2>&1 | FileCheck %s

// CHECK-LABEL: kernel 'visit'
// CHECK: one work-item at a time, as packets would cost
// A step of a search in a graph: few places are on the front, and of their neighbours few are new.
kernel void visit(global const int2* places, global const int* edges, global const uchar* front, global uchar* next,
                  global const uchar* seen, global int* cost, int count) {
  int id = get_global_id(0);
  if (id < count && front[id])
    for (int i = places[id].x; i < places[id].x + places[id].y; ++i)
      if (!seen[edges[i]]) {
        cost[edges[i]] = cost[id] + 1;
        next[edges[i]] = 1;
      }
}

// CHECK-LABEL: kernel 'nearest'
// CHECK: one work-item at a time, as packets would cost
// Candidates that pass tests of one kind after the other.
kernel void nearest(global const int* first, global const int* shape, global const float* limits, global float* out) {
  int id = get_global_id(0);
  float best = 1e30f;
  for (int i = first[id]; i < first[id + 1]; ++i) {
    int kind = shape[i];
    if (kind == 1) {
      float low = limits[kind + i], high = limits[shape[kind + i]];
      if (low < high) {
        float middle = limits[shape[i + 2]];
        if (middle < best) best = middle * limits[shape[i + 3]];
      }
    }
  }
  out[id] = best;
}

// CHECK-LABEL: kernel 'sum'
// CHECK: packets of 16 work-items along x
// The same loop without conditions.
kernel void sum(global const int* first, global const int* shape, global const float* limits, global float* out) {
  int id = get_global_id(0);
  float all = 0;
  for (int i = first[id]; i < first[id + 1]; ++i) {
    float low = limits[shape[i]], at = sin(low);
    all += sqrt(at) * exp(low) + log(low + at) * at;
  }
  out[id] = all;
}

// CHECK-LABEL: kernel 'inside'
// CHECK: packets of 16 work-items along x
// Conditions on ids let nearly all work-items go on.
kernel void inside(global const int* at, global const float* in, global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0)
    if (x < width - 1)
      if (y > 0)
        if (y < height - 1) out[y * width + x] = in[at[y * width + x]] * in[at[y * width + x - 1]] + 1;
}
