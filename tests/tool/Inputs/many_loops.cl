// SPDX-License-Identifier: Apache-2.0
// Two hundred loops, one after the other, in the loop over work-items.
#define LOOP(k)                         \
  for (int i = 0; i < n; ++i) {         \
    sum = sum * 33 + a[i * 7 + id + k]; \
    if (sum & 1) sum ^= a[i + k];       \
  }
#define FIVE(k) LOOP(k) LOOP(k + 1) LOOP(k + 2) LOOP(k + 3) LOOP(k + 4)
#define FIFTY(k) \
  FIVE(k)        \
  FIVE(k + 5) FIVE(k + 10) FIVE(k + 15) FIVE(k + 20) FIVE(k + 25) FIVE(k + 30) FIVE(k + 35) FIVE(k + 40) FIVE(k + 45)

__kernel void loops(__global const int* a, __global int* out, int n) {
  int id = get_global_id(0), sum = 0;
  FIFTY(0)
  FIFTY(50)
  FIFTY(100)
  FIFTY(150)
  out[id] = sum;
}
