// SPDX-License-Identifier: Apache-2.0
// AMD's processors guess that a load reads what the same registers stored last, and do not notice that a register got
// its value from a vector register. Indices that lanes add one by one are copied once more there, and nowhere else.
// RUN: %clarity compile %s --kernel count --local 64 --emit asm -o - --processor znver4 \
// RUN:   | FileCheck %s --check-prefix=AMD
// RUN: %clarity compile %s --kernel count --local 64 --emit asm -o - --processor znver3 \
// RUN:   | FileCheck %s --check-prefix=AMD
// RUN: %clarity compile %s --kernel count --local 64 --emit asm -o - --processor icelake-server \
// RUN:   | FileCheck %s --check-prefix=OTHER
// RUN: %clarity compile %s --kernel count_signed --local 64 --emit asm -o - --processor znver4 \
// RUN:   | FileCheck %s --check-prefix=SIGNED
// RUN: %clarity compile %s --kernel count_bytes --local 64 --emit asm -o - --processor znver4 \
// RUN:   | FileCheck %s --check-prefix=BYTES
// RUN: %clarity compile %s --kernel count_long --local 64 --emit asm -o - --processor znver4 \
// RUN:   | FileCheck %s --check-prefix=LONG

// AMD: vpextr{{[bwd]}} $1, %xmm{{[0-9]+}}, %[[FROM:[a-z0-9]+]]
// AMD: movl %[[FROM]], %[[TO:r?[a-z0-9]+]]
// AMD-NOT: vpextr{{[bwd]}} ${{[0-9]+}}, %xmm{{[0-9]+}}, %[[TO]]
// AMD: incl (%r{{[a-z0-9]+}},%r{{[a-z0-9]+}},4)

// OTHER: vpextrd $1, %xmm{{[0-9]+}}, %[[FROM:[a-z0-9]+]]
// OTHER-NOT: movl
// OTHER: incl (%r{{[a-z0-9]+}},%r{{[a-z0-9]+}},4)
__kernel void count(__global const uint* keys, __local uint* bins, int per_item) {
  int item = get_local_id(0), items = get_local_size(0), group = get_group_id(0);
  for (int i = 0; i < per_item; ++i) atomic_inc(&bins[keys[(group * per_item + i) * items + item] >> 3 & 255]);
}

// An index that is extended with its sign is a copy in any case.
// SIGNED: vpextrd $1, %xmm{{[0-9]+}}, %[[FROM:[a-z0-9]+]]
// SIGNED-NEXT: movslq %[[FROM]], %[[TO:[a-z0-9]+]]
// SIGNED: incl (%r{{[a-z0-9]+}},%[[TO]],4)
__kernel void count_signed(__global const int* keys, __local uint* bins, int per_item) {
  int item = get_local_id(0), items = get_local_size(0), group = get_group_id(0);
  for (int i = 0; i < per_item; ++i) atomic_inc(&bins[(keys[(group * per_item + i) * items + item] * 5 ^ 3) >> 20]);
}

// The processor notices bytes and 64 bits.
// BYTES: vpextrb $1, %xmm{{[0-9]+}}, %[[FROM:[a-z0-9]+]]
// BYTES-NOT: movl
// BYTES: incl (%r{{[a-z0-9]+}},%r{{[a-z0-9]+}},4)
__kernel void count_bytes(__global const uchar* keys, __local uint* bins, int per_item) {
  int item = get_local_id(0), items = get_local_size(0), group = get_group_id(0);
  for (int i = 0; i < per_item; ++i) atomic_inc(&bins[(uchar)(keys[(group * per_item + i) * items + item] * 5 ^ 3)]);
}

// LONG: vpextrq $1, %xmm{{[0-9]+}}, %[[FROM:[a-z0-9]+]]
// LONG-NOT: mov
// LONG: incl (%r{{[a-z0-9]+}},%[[FROM]],4)
__kernel void count_long(__global const ulong* keys, __local uint* bins, int per_item) {
  int item = get_local_id(0), items = get_local_size(0), group = get_group_id(0);
  for (int i = 0; i < per_item; ++i) atomic_inc(&bins[(keys[(group * per_item + i) * items + item] ^ 3) >> 7 & 255]);
}
