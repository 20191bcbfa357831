// SPDX-License-Identifier: Apache-2.0
// The calls of always_inline functions multiply: with all of them inlined, f0 would be there 2^24 times.
#define TREE(n, m) \
  static inline __attribute__((always_inline)) float f##n(float x, local float* t) { \
    return f##m(x + t[n], t) * f##m(x, t); \
  }
static inline __attribute__((always_inline)) float f0(float x, local float* t) { return x + t[0]; }
TREE(1, 0)
TREE(2, 1)
TREE(3, 2)
TREE(4, 3)
TREE(5, 4)
TREE(6, 5)
TREE(7, 6)
TREE(8, 7)
TREE(9, 8)
TREE(10, 9)
TREE(11, 10)
TREE(12, 11)
TREE(13, 12)
TREE(14, 13)
TREE(15, 14)
TREE(16, 15)
TREE(17, 16)
TREE(18, 17)
TREE(19, 18)
TREE(20, 19)
TREE(21, 20)
TREE(22, 21)
TREE(23, 22)
TREE(24, 23)
kernel void tree(global float* a) {
  local float t[32];
  t[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (a[0] > 1) a[0] = f24(a[0], t);
}
