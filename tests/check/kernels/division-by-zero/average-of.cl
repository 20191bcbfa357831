// SPDX-License-Identifier: Apache-2.0
// An average of no elements is taken.
// kernel: average_of
// run: -g 16 -l 4 -a iota:16 -a zeros:16
int average(int sum, int count) {
#ifdef RIGHT
  if (count == 0) return 0;
#endif
  return sum / count;  // wrong
}
int chosen_average(global const int *in, int limit) {
  int sum = 0, count = 0;
  for (int k = 0; k < 16; ++k)
    if (in[k] < limit) {
      sum += in[k];
      ++count;
    }
  return average(sum, count);
}
kernel void average_of(global const int *in, global int *out) {
  out[get_global_id(0)] = chosen_average(in, get_global_id(0));
}
