// SPDX-License-Identifier: Apache-2.0
// Four products of bytes and their sum are one instruction: in the functions of integer dot products and where a
// program writes the products itself.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel functions --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=FUNCTIONS
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel sums --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=SUMS
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel own --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=OWN
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel other --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel sums --local 64 -- -cl-std=CL3.0 \
// RUN:   -cl-clarity-disable=dot-products | FileCheck %s --check-prefix=OTHER

// FUNCTIONS-DAG: dp4a.u32.u32
// FUNCTIONS-DAG: dp4a.s32.s32
// FUNCTIONS-DAG: dp4a.{{u32.s32|s32.u32}}
// FUNCTIONS: ret;
kernel void functions(global const uint* a, global const uint* b, global int* out, global uint* unsigned_out) {
  const int i = get_global_id(0);
  unsigned_out[i] = dot_4x8packed_uu_uint(a[i], b[i]);
  out[2 * i] = dot_acc_sat_4x8packed_ss_int(a[i], b[i], out[2 * i]);
  out[2 * i + 1] = dot_4x8packed_us_int(a[i], b[i]);
}

// The sum so far is what the instruction adds to.
// SUMS: dp4a.s32.s32 [[SUM:%r[0-9]+]], {{.*}}, [[SUM]]
kernel void sums(global const char4* a, global const char4* b, global int* out, int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += dot(a[k], b[get_global_id(0) + k]);
  out[get_global_id(0)] = sum;
}

// OWN-COUNT-2: dp4a.u32.u32
// OWN-NOT: mul
// OWN: st.global
kernel void own(global const uchar4* a, global const uchar4* b, global int* out) {
  const int i = get_global_id(0);
  const uchar4 x = a[i], y = b[i], z = a[i + 1];
  out[i] = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w + 5 + z.x * z.x + z.y * z.y + z.z * z.z + z.w * z.w;
}

// Elements in other places, three products, or one of them twice are none.
// OTHER-NOT: dp4a
kernel void other(global const uchar4* a, global const uchar4* b, global int* out) {
  const int i = get_global_id(0);
  const uchar4 x = a[i], y = b[i];
  out[3 * i] = x.x * y.y + x.y * y.x + x.z * y.z + x.w * y.w;
  out[3 * i + 1] = x.x * y.x + x.y * y.y + x.z * y.z;
  out[3 * i + 2] = x.x * y.x + x.x * y.x + x.z * y.z + x.w * y.w;
}
