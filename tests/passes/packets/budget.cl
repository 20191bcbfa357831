// SPDX-License-Identifier: Apache-2.0
// A large kernel of bytes comes to fewer lanes: those of 32 bits before those of 64.
// RUN: %clarity compile %s --report --processor x86-64-v3 -- -cl-clarity-compile-budget=5000 2>&1 | FileCheck %s

// CHECK: kernel 'mixed' is large: {{.*}} in packets of 8 work-items, one at a time
uchar doubled(uchar v) { return (uchar)(v << 1) ^ (v & 0x80 ? 0x1b : 0); }
__kernel void mixed(__global uchar* blocks, __global const uchar* table, __global const uchar* keys) {
  uchar v[16], w[16];
  const int at = get_global_id(0) * 16;
  for (int i = 0; i < 16; ++i) v[i] = blocks[at + i];
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 16; ++i) w[i] = table[v[i * 5 % 16]];
    for (int i = 0; i < 16; i += 4)
      for (int j = 0; j < 4; ++j)
        v[i + j] = doubled(w[i + j]) ^ doubled(w[i + (j + 1) % 4]) ^ w[i + (j + 1) % 4] ^ w[i + (j + 2) % 4] ^
                   w[i + (j + 3) % 4] ^ keys[round * 16 + i + j];
  }
  for (int i = 0; i < 16; ++i) blocks[at + i] = v[i];
}
