// SPDX-License-Identifier: Apache-2.0
// This file holds a kernel whose accesses have many types.
kernel void types(global const uint* words, global const int* numbers, global const uchar* bytes,
    global const short2* pairs,
                  global ulong* sums) {
  size_t i = get_global_id(0);
  sums[i] = words[i] + numbers[i] + bytes[i] + pairs[i].x + pairs[i].y;
}
