// SPDX-License-Identifier: Apache-2.0
// Functions too large for LLVM's inliner become part of a kernel in packets, and what they do with private arrays
// vectors. A program may keep them, and a kernel that would become too large keeps its calls.
// DEFINE: %{compile} = %clarity compile %s --processor x86-64-v4 --emit native-ir -o - --kernel
// RUN: %{compile} mixed | FileCheck %s --check-prefix=MIXED
// RUN: %{compile} kept | FileCheck %s --check-prefix=KEPT
// RUN: %{compile} large | FileCheck %s --check-prefix=CALLS
// RUN: %{compile} mixed -- -cl-clarity-disable=inline-calls | FileCheck %s --check-prefix=CALLS
#define ROUND(i) v[(i) & 7] += rotate(v[((i) + 3) & 7] ^ v[((i) + 5) & 7], (i) % 31u) * v[((i) + 1) & 7];
#define ROUNDS4(i) ROUND(i) ROUND(i + 1) ROUND(i + 2) ROUND(i + 3)
#define ROUNDS16(i) ROUNDS4(i) ROUNDS4(i + 4) ROUNDS4(i + 8) ROUNDS4(i + 12)
#define ROUNDS64(i) ROUNDS16(i) ROUNDS16(i + 16) ROUNDS16(i + 32) ROUNDS16(i + 48)
void mix(uint *v) { ROUNDS64(0) ROUNDS64(64) ROUNDS64(128) ROUNDS64(192) }
__attribute__((noinline)) void mixApart(uint *v) { ROUNDS64(0) }

// MIXED-LABEL: define void @clarity_entry(
// MIXED-NOT: call {{.*}}mix
// MIXED: mul <16 x i32>
kernel void mixed(global uint *a, int n) {
  uint v[8];
  const size_t id = get_global_id(0);
  for (int i = 0; i < 8; ++i) v[i] = a[id + i];
  mix(v);
  v[n & 7] ^= n;
  mix(v);
  a[id] = v[n >> 29];
}

// KEPT: call {{.*}}mixApart
kernel void kept(global uint *a, int n) {
  uint v[8];
  const size_t id = get_global_id(0);
  for (int i = 0; i < 8; ++i) v[i] = a[id + i];
  mixApart(v);
  a[id] = v[n & 7];
}

// CALLS: call {{.*}}mix
#define MIX4 mix(v); v[n & 7] ^= 1; mix(v); v[n & 3] ^= 2; mix(v); v[n & 7] ^= 3; mix(v); v[n & 3] ^= 4;
#define MIX16 MIX4 MIX4 MIX4 MIX4
kernel void large(global uint *a, int n) {
  uint v[8];
  const size_t id = get_global_id(0);
  for (int i = 0; i < 8; ++i) v[i] = a[id + i];
  MIX16 MIX16
  a[id] = v[n & 7];
}
