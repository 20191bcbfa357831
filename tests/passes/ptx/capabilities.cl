// SPDX-License-Identifier: Apache-2.0
// Code that depends on the compute capability of a GPU.

// PTX is of version 8.0, which the CUDA driver of 12.0 takes, or of the first that has the GPU; a GPU that LLVM does
// not know gets that of the newest before it. All features together, for every GPU:
// RUN: for gpu in 50:8.0 53:8.0 60:8.0 61:8.0 70:8.0 75:8.0 80:8.0 90:8.0 100:8.6 120:8.7; do \
// RUN:   %clarity compile %s --processor sm_${gpu%:*} --emit asm --kernel everything --local 64 -- -cl-std=CL3.0 \
// RUN:     | FileCheck %s --check-prefix=VERSION -DVERSION=${gpu#*:} -DGPU=${gpu%:*} || exit 1; done
// RUN: for gpu in 52:8.0 62:8.0 72:8.0 86:8.0 87:8.0 88:9.0 89:8.0 101:8.6 103:8.8 110:9.0 121:8.8; do \
// RUN:   %clarity compile %s --processor sm_${gpu%:*} --emit asm --kernel sum --local 64 -- -cl-std=CL3.0 \
// RUN:     | FileCheck %s --check-prefix=VERSION -DVERSION=${gpu#*:} -DGPU=${gpu%:*} || exit 1; done
// RUN: for gpu in 54:53 76:75 91:90 104:103 119:110 122:121 130:121 999:121; do \
// RUN:   %clarity compile %s --processor sm_${gpu%:*} --emit asm --kernel sum --local 64 -- -cl-std=CL3.0 \
// RUN:     | FileCheck %s --check-prefix=TARGET -DGPU=${gpu#*:} || exit 1; done
// VERSION: .version [[VERSION]]
// VERSION: .target sm_[[GPU]]{{$}}
// TARGET: .target sm_[[GPU]]{{$}}
// RUN: { ! %clarity compile %s --processor sm_35 --emit asm; } 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: { ! %clarity compile %s --processor sm_9 --emit asm; } 2>&1 | FileCheck %s --check-prefix=NONE -DNAME=sm_9
// RUN: { ! %clarity compile %s --processor sm_90a --emit asm; } 2>&1 | FileCheck %s --check-prefix=NONE -DNAME=sm_90a
// RUN: { ! %clarity compile %s --processor sm_ --emit asm; } 2>&1 | FileCheck %s --check-prefix=NONE -DNAME=sm_
// OLD: there is no code for 'sm_35': compute capability 3.5; at least 5.0 is needed
// NONE: there is no processor '[[NAME]]'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
int exchange(int x) {
  x += sub_group_reduce_add(x) + sub_group_scan_exclusive_max(x) + sub_group_broadcast(x, 3);
  if (x & 1)
    x += sub_group_non_uniform_reduce_min(x) + (int)sub_group_ballot(x & 2).x + sub_group_shuffle_xor(x, 1u);
  else
    x -= sub_group_broadcast_first(x);
  return x + work_group_reduce_add(x) + work_group_scan_inclusive_min(x) + work_group_all(x) + sub_group_any(x);
}
float numbers(float x, double y, half z) {
  return exp(x) + pow(x, 3.3f) + (float)(sin(y) + sqrt(y) + y / 3) + (float)(fma(z, z, (half)x) / z + sqrt(z));
}
kernel void everything(global int* a, global float* f, global double* d, global half4* h, global char4* bytes,
                       local int* tile, volatile local uint* count, global long* l, int n) {
  const int i = get_global_id(0), own = get_local_id(0);
  event_t copied = async_work_group_copy(tile, a, 64, 0);
  wait_group_events(1, &copied);
  for (int k = 0; k < n; ++k) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < k) tile[own] += tile[own ^ k];
  }
  a[i] = exchange(tile[own]) + dot(bytes[i], bytes[i + 1]);
  f[i] = numbers(f[i], d[i], h[i].x);
  h[i] = fma(h[i], h[i + 1], h[i + 2]) + convert_half4(convert_float4(h[i]) * 0.3f);
  d[i] += convert_double(convert_half_rtz(d[i])) + l[i];
  l[i] = convert_long_sat(d[i]) + (long)clock_read_device();
  atomic_add(count, 3u);
  if (i == 0) printf("%d %f\n", a[0], f[0]);
}

// Half is computed in float where the GPU computes none: a fused multiply-add is rounded once all the same, by way of a
// float that is odd where it is inexact.
// RUN: %clarity compile %s --processor sm_52 --emit asm --kernel sum --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefixes=WIDE,ODD
// RUN: %clarity compile %s --processor sm_52 --emit asm --kernel sum --local 64 -- -cl-std=CL3.0 -cl-opt-disable \
// RUN:   | FileCheck %s --check-prefix=WIDE
// RUN: %clarity compile %s --processor sm_53 --emit asm --kernel sum --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=NARROW
// WIDE-NOT: {{(add|mul|fma).*\.f16}}
// WIDE: cvt.f32.f16
// ODD: mul.rn.f32
// ODD: add.rn.f32
// ODD: sub.rn.f32
// WIDE: cvt.rn.f16.f32
// WIDE-NOT: {{(add|mul|fma).*\.f16}}
// WIDE: ret;
// NARROW: fma.rn.f16
// NARROW: ret;
kernel void sum(global const half* a, global half* b) {
  const int i = get_global_id(0);
#ifdef FP_FAST_FMA_HALF
  b[i] = fma(a[i], a[i + 64], b[i]);
#else
  b[i] = fma(a[i], a[i + 64], b[i]) + 1;
#endif
}

// RUN: %clarity compile %s --processor sm_60 --emit asm --kernel products --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=SINGLE
// RUN: %clarity compile %s --processor sm_61 --emit asm --kernel products --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=FOUR
// SINGLE-NOT: dp4a
// SINGLE: ret;
// FOUR: dp4a.s32.s32
kernel void products(global const char4* a, global int* b) {
  const int i = get_global_id(0);
  b[i] += dot(a[i], a[i + 64]);
}

// Below 7.0 an instruction of a warp is for threads that execute it together; from then on a function of the whole
// sub-group takes its threads from a vote, for which all of them wait. Where all work-items of the work-group come, its
// threads are known.
// RUN: %clarity compile %s --processor sm_62 --emit asm --kernel together --local 48 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=JOINED
// RUN: %clarity compile %s --processor sm_70 --emit asm --kernel together --local 48 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=APART
// JOINED-NOT: vote.sync
// JOINED: activemask.b32
// JOINED-NOT: vote.sync
// JOINED: ret;
// APART-NOT: activemask
// APART: vote.sync.ballot.b32
// APART-NOT: activemask
// APART: ret;
kernel void together(global int* a) {
  const int i = get_global_id(0);
  if (get_sub_group_id() == 1) a[i] = sub_group_reduce_add(a[i]);
}
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel uniform --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=UNIFORM
// UNIFORM-NOT: {{activemask|vote}}
// UNIFORM: redux.sync.add.s32
// UNIFORM-NOT: {{activemask|vote}}
// UNIFORM: ret;
kernel void uniform(global int* a) {
  const int i = get_global_id(0);
  a[i] = sub_group_reduce_add(a[i]);
}

// The code of small launches tells its end from 7.0 on.
// RUN: %clarity compile %s --processor sm_62 --emit asm --kernel ends --local 64 --global 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=SILENT
// RUN: %clarity compile %s --processor sm_70 --emit asm --kernel ends --local 64 --global 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=TOLD
// SILENT-NOT: bar.sync
// SILENT: ret;
// TOLD: bar.sync
kernel void ends(global int* a) { a[get_local_id(0)] = 7; }

// More than 4096 bytes of parameters.
// RUN: { ! %clarity compile %s --processor sm_62 --emit asm --kernel long_parameters -- -cl-std=CL3.0 -D LONG; } 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LONG
// RUN: %clarity compile %s --processor sm_70 --emit asm --kernel long_parameters -- -cl-std=CL3.0 -D LONG \
// RUN:   | FileCheck %s --check-prefix=VERSION -DVERSION=8.1 -DGPU=70
// LONG: error: kernel 'long_parameters' has {{[0-9]+}} bytes of arguments
// LONG-SAME: of which GPUs of compute capability 6.2 take 3888
#ifdef LONG
#define FOUR(n) read_only image2d_t n##0, read_only image2d_t n##1, read_only image2d_t n##2, read_only image2d_t n##3
kernel void long_parameters(FOUR(a), FOUR(b), FOUR(c), FOUR(d), FOUR(e), FOUR(f), global float4* sums) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  sums[get_global_linear_id()] = read_imagef(a0, at) + read_imagef(b3, at) + read_imagef(f2, at);
}
#endif
