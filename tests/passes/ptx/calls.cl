// SPDX-License-Identifier: Apache-2.0
// Functions become part of the kernel, and then their arrays registers; a program may keep them. Cases of a `switch`
// are found by comparisons.
// RUN: %clarity compile %s --processor sm_90 --kernel mixed --emit asm -o - | FileCheck %s --check-prefix=MIXED
// RUN: %clarity compile %s --processor sm_90 --kernel kept --emit asm -o - | FileCheck %s --check-prefix=KEPT
// RUN: %clarity compile %s --processor sm_90 --kernel cases --emit asm -o - | FileCheck %s --check-prefix=CASES
#define ROUND(i) v[(i) & 7] += rotate(v[((i) + 3) & 7] ^ v[((i) + 5) & 7], (i) % 31u) * v[((i) + 1) & 7];
#define ROUNDS4(i) ROUND(i) ROUND(i + 1) ROUND(i + 2) ROUND(i + 3)
#define ROUNDS16(i) ROUNDS4(i) ROUNDS4(i + 4) ROUNDS4(i + 8) ROUNDS4(i + 12)
#define ROUNDS64(i) ROUNDS16(i) ROUNDS16(i + 16) ROUNDS16(i + 32) ROUNDS16(i + 48)
void mix(uint *v) { ROUNDS64(0) ROUNDS64(64) }
__attribute__((noinline)) void mixApart(uint *v) { ROUNDS64(0) }

// MIXED-NOT: .local
// MIXED-NOT: call
// MIXED: ret;
kernel void mixed(global uint *a) {
  uint v[8];
  const size_t id = get_global_id(0) * 8;
  for (int i = 0; i < 8; ++i) v[i] = a[id + i];
  mix(v);
  v[0] ^= a[0];
  mix(v);
  v[1] ^= a[1];
  mix(v);
  for (int i = 0; i < 8; ++i) a[id + i] = v[i];
}

// KEPT: call.uni
kernel void kept(global uint *a) {
  uint v[8];
  const size_t id = get_global_id(0) * 8;
  for (int i = 0; i < 8; ++i) v[i] = a[id + i];
  mixApart(v);
  for (int i = 0; i < 8; ++i) a[id + i] = v[i];
}

// CASES-NOT: brx
// CASES: ret;
kernel void cases(global int *a, global const int *code, int n) {
  int x = a[get_global_id(0)];
  for (int i = 0; i < n; ++i) switch (code[i]) {
      case 0: x += i; break;
      case 1: x *= 3; break;
      case 2: x ^= n; break;
      case 3: x = x << 3 | x >> 5; break;
      case 4: x -= i * i; break;
      case 5: x = ~x; break;
      case 6: x = x / 7; break;
      default: x = -x;
    }
  a[get_global_id(0)] = x;
}
