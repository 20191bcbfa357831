// SPDX-License-Identifier: Apache-2.0
// The code of small launches tells its end: when all threads of the block have come to it, one makes what they have
// written known to others, and writes a number to the host's memory.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel ends --local 64 --global 64 | FileCheck %s
// CHECK: .param .align 8 .b8 clarity_kernel_param_1[208]
// CHECK: ld.param.b64 [[FLAG:%rd[0-9]+]], [{{.*}}+192];
// CHECK: bar{{.*}}.sync{{.*}} 0;
// CHECK: mov.u32 {{.*}}, %tid.z;
// CHECK: fence.acq_rel.sys;
// CHECK: ld.param.b32 [[NUMBER:%r[0-9]+]], [{{.*}}+200];
// CHECK: st.relaxed.sys.global.b32 {{\[}}[[FLAG]]], [[NUMBER]];
kernel void ends(global int* data) {
  const size_t i = get_local_id(0);
  if (data[i] > 5) return;  // whatever its threads have done
  data[i + 64] = 7;
}

// That of large ones does not.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel ends --local 64 --global 4096 \
// RUN:   | FileCheck %s --check-prefix=LARGE
// LARGE-NOT: .sys
// LARGE: ret;
