// SPDX-License-Identifier: Apache-2.0
// Work-groups with barriers: four in step, each with its own local memory; or rows of one in a thread.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel tree --local 256 | FileCheck %s --check-prefix=TREE
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel tile --local 16,16 \
// RUN:   | FileCheck %s --check-prefix=TILE
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel parted --local 256 \
// RUN:   | FileCheck %s --check-prefix=PARTED

// Four loads ahead of the first barrier, and as many barriers as one work-group has.
// TREE: .reqntid 256, 1, 1
// TREE-COUNT-4: ld.global{{(.nc)?}}.b32
// TREE: st.shared
// TREE-COUNT-9: bar.sync 0
// TREE-NOT: bar.sync
// TREE: ret;
kernel void tree(global const float* in, global float* out, local float* s, int n) {
  const uint lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = get_local_size(0) / 2; k > 0; k >>= 1) {
    if (lid < k) s[lid] += s[lid + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) out[get_group_id(0)] = s[n];
}

// One warp executes the work-group: its barriers are those of the warp.
// TILE: .reqntid 16, 2, 1
// TILE: bar.warp.sync
// TILE-NOT: bar.sync
// TILE: ret;
kernel void tile(global const float* a, global const float* b, global float* c, int n) {
  local float ta[16][16], tb[16][16];
  const int col = get_global_id(0), row = get_global_id(1), x = get_local_id(0), y = get_local_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum += ta[y][k] * tb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}

// Work-groups may diverge ahead of the barrier: each has its own block.
// PARTED: .reqntid 256, 1, 1
// PARTED: bar.sync
kernel void parted(global float* a, local float* s, int n) {
  const uint lid = get_local_id(0);
  s[lid] = a[get_global_id(0)];
  if ((int)get_group_id(0) < n) {
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = s[(lid + n) % 256];
  }
}
