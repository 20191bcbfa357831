// SPDX-License-Identifier: Apache-2.0
// Stores are ordinary ones where the kernel soon writes again, and non-temporal to planes that are far apart.
// RUN: %clarity compile %s --report --processor x86-64-v3 2>&1 | FileCheck %s

// CHECK-LABEL: kernel 'near'
// CHECK: store float out[i]: consecutive{{$}}
// CHECK: store float out[i + 16]: consecutive{{$}}
kernel void near(global const float* in, global float* out) {
  int i = get_global_id(0);
  float v = in[i];
  out[i] = v;
  out[i + 16] = v * v;
}

// CHECK-LABEL: kernel 'planes'
// CHECK: store float out[i]: consecutive; non-temporal in large launches
// CHECK: store float out[i + 65536]: consecutive; non-temporal in large launches
kernel void planes(global const float* in, global float* out) {
  int i = get_global_id(0);
  float v = in[i];
  out[i] = v;
  out[i + 65536] = v * v;
}

// The fields of a structure lie between those of neighbours.
// CHECK-LABEL: kernel 'fields'
// CHECK: store float {{.*}}non-temporal in large launches
// CHECK: store float {{.*}}non-temporal in large launches
kernel void fields(global const float* in, global float* out) {
  int i = get_global_id(0);
  float v = in[i];
  out[2 * i] = v;
  out[2 * i + 1] = v * v;
}
