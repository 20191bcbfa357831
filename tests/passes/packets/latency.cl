// SPDX-License-Identifier: Apache-2.0
// Packets side by side overlap their chains of operations: four where registers suffice, two with sixteen registers,
// where lanes leave a loop in different iterations and in long straight-line code, but not in short code. A branch that
// is rare counts as none.
// RUN: %clarity compile %s --report --local 256 --processor x86-64-v4 2>&1 | FileCheck %s --check-prefixes=CHECK,V4
// RUN: %clarity compile %s --report --local 256 --processor x86-64-v3 2>&1 | FileCheck %s --check-prefixes=CHECK,V3

// CHECK-LABEL: kernel 'roots'
// V4: packets of 16 work-items along x, tiles of 1 row of 4 packets
// V3: packets of 8 work-items along x, tiles of 1 row of 2 packets
// CHECK: divergent loop
__kernel void roots(__global const float* in, __global float* out, float limit) {
  int i = get_global_id(0);
  float x = in[i], root = x;
  while (fabs(root * root - x) > limit * x) root = 0.5f * (root + x / root);
  out[i] = root;
}

// CHECK-LABEL: kernel 'arcs'
// V4: packets of 16 work-items along x, tiles of 1 row of 4 packets
// V3: packets of 8 work-items along x, tiles of 1 row of 2 packets
__kernel void arcs(__global const float* in, __global float* out) {
  int i = get_global_id(0);
  out[i] = acos(sin(in[i]) * cos(log(in[i])) + erf(in[i]));
}

// CHECK-LABEL: kernel 'polynomial'
// CHECK: packets of {{[0-9]+}} work-items along x{{$}}
__kernel void polynomial(__global const float* in, __global float* out) {
  int i = get_global_id(0);
  out[i] = ((in[i] * 0.3f + 0.5f) * in[i] - 0.7f) * in[i];
}

// CHECK-LABEL: kernel 'seldom'
// V4: packets of 16 work-items along x, tiles of 1 row of 4 packets
// CHECK: divergent branch, depends on in[i] ({{.*}}): one side is rare and skipped where no work-item takes it
// CHECK-NOT: one work-item after the other
__kernel void seldom(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  float x = in[i], sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    x = x * 0.9f + 0.1f;
    if (__builtin_expect(x > 1e6f, 0)) sum += native_sin(x);
  }
  out[i] = x + sum;
}

// A loop that only stores waits for nothing: one packet. The comparison with its affine bound is one of scalars.
// CHECK-LABEL: kernel 'zeros'
// CHECK: packets of {{[0-9]+}} work-items along x{{$}}
// CHECK: divergent loop
__kernel void zeros(__global const uint* in, __global uint* out) {
  __local uint own[1000];
  for (int i = get_local_id(0); i < 1000; i += 256) own[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = own[in[get_global_id(0)] % 1000];
}

// A branch beside the innermost loop decides nothing of how often that runs: its chain has packets to hide it. Elements
// of a private array are in registers meanwhile.
// CHECK-LABEL: kernel 'beside'
// CHECK: packets of {{[0-9]+}} work-items along x, tiles of 1 row of 8 packets
// CHECK: divergent branch
__kernel void beside(__global float* data, float a, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    float values[8];
    for (int j = 0; j < 8; ++j) {
      values[j] = data[i + (k * 8 + j) * 4096];
      for (int l = 0; l < 64; ++l) values[j] = values[j] * values[j] + a;
    }
    float sum = 0;
    for (int j = 0; j < 8; j += 2) sum += values[j] * values[j + 1];
    if (sum == -1.0f) data[i + k * 4096] = sum;
  }
}

// A branch around the innermost loop decides how often that runs.
// CHECK-LABEL: kernel 'around'
// V3: packets of 8 work-items along x, tiles of 1 row of 2 packets
__kernel void around(__global float* data, float a, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    float x = data[i + k * 4096];
    if (x > a)
      for (int l = 0; l < 64; ++l) x = x * x + a;
    data[i + k * 4096] = x;
  }
}

// One chain of additions and multiplications in a loop without loads needs eight packets to keep two units busy.
// CHECK-LABEL: kernel 'powers'
// CHECK: packets of {{[0-9]+}} work-items along x, tiles of 1 row of 8 packets
__kernel void powers(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  float x = in[i];
  for (int k = 0; k < n; ++k) x = x * x + 0.1f;
  out[i] = x;
}

// Four do where the loop reads memory.
// CHECK-LABEL: kernel 'powers_of_numbers'
// CHECK: packets of {{[0-9]+}} work-items along x, tiles of 1 row of 4 packets
__kernel void powers_of_numbers(__global const float* in, __global float* out, int n, int count) {
  int i = get_global_id(0);
  float x = in[i];
  for (int k = 0; k < n; ++k) x = x * x + in[k * count + i];
  out[i] = x;
}

// Four do, too, where each iteration has enough operations.
// CHECK-LABEL: kernel 'orbit'
// V4: packets of 16 work-items along x, tiles of 1 row of 4 packets
__kernel void orbit(__global const float* in, __global float* out, int n, float c) {
  int i = get_global_id(0);
  float x = in[i], y = 0.0f;
  for (int k = 0; k < n; ++k) {
    float next = x * x - y * y + c;
    y = 2.0f * x * y + c;
    x = next;
  }
  out[i] = x + y;
}
