// SPDX-License-Identifier: Apache-2.0
// A kernel with a block of more than 200 accesses of memory.
#define ROW(r) out[(r) * width + x] = in[(r) * width + x] + (r);
#define ROWS(r) ROW(r) ROW(r + 1) ROW(r + 2) ROW(r + 3) ROW(r + 4) ROW(r + 5) ROW(r + 6) ROW(r + 7)
__kernel void rows(__global int* out, __global const int* in, int width) {
  int x = get_global_id(0);
  ROWS(0) ROWS(8) ROWS(16) ROWS(24) ROWS(32) ROWS(40) ROWS(48) ROWS(56)
  ROWS(64) ROWS(72) ROWS(80) ROWS(88) ROWS(96) ROWS(104) ROWS(112) ROWS(120)
}
