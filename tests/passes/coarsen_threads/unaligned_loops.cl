// SPDX-License-Identifier: Apache-2.0
// A loop that is unrolled reads vectors where the first address is a multiple of theirs in all threads of a warp. The
// iterations that remain come last, also where the first one has a value that is no constant.
//
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel window --local 64 -o - \
// RUN:   | FileCheck %s --check-prefix=WINDOW
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel row --local 64 -o - \
// RUN:   | FileCheck %s --check-prefix=ROW

// WINDOW: vote.sync.all.pred
// WINDOW: ld.global.nc.v4.b32
kernel void window(global const int* restrict in, global int* restrict out, int n) {
  const int x = get_global_id(0), w = get_global_size(0), r = n % 4 + 1;
  uint sum = n;
  for (int k = x - r < 0 ? 0 : x - r; k <= (x + r < w ? x + r : w - 1); ++k) sum = sum * 3 + (uint)in[k];
  out[x] = sum;
}

// ROW: vote.sync.all.pred
// ROW: ld.global.nc.v4.b32
kernel void row(global const int* restrict in, global int* restrict out, int n) {
  const int x = get_global_id(0);
  uint sum = 0;
  for (int k = 0; k < n; ++k) sum = sum * 3 + (uint)in[x * n + k];
  out[x] = sum;
}
