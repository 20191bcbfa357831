// SPDX-License-Identifier: Apache-2.0
// Loops whose work-items go through memory together, with steps as long as all of them.

__kernel void copies(__global const int* in, __global int* out, int n) {
  __global const uchar* bytes = (__global const uchar*)in;
  __global uchar* result = (__global uchar*)out;
  const int length = (int)GLOBAL_COUNT * 4 - n;
  for (int i = GLOBAL_ID; i < length; i += GLOBAL_COUNT) result[i] = bytes[i] + 1;
}

__kernel void sizes(__global const int* in, __global int* out, int n) {
  __global const short* halves = (__global const short*)in;
  __global short* result = (__global short*)out;
  const size_t length = GLOBAL_COUNT * 2;
  for (size_t i = GLOBAL_ID; i <= length - 1; i += GLOBAL_COUNT) result[i] = halves[i] * (short)n;
}

__kernel void sums(__global const int* in, __global int* out, int n) {
  uint sum = n, product = 1;
  for (uint i = get_global_id(0); i < GLOBAL_COUNT; i += get_global_size(0)) {
    sum += in[i];
    product = product * 3 + (uint)in[i];
  }
  out[GLOBAL_ID] = (int)(sum ^ product);
}

__kernel void turns(__global const int* in, __global int* out, int n) {
  int sum = 0, turn = 0, odd = 1;
  for (long i = get_global_id(0); i < (long)GLOBAL_COUNT - n; i += get_global_size(0), turn++, odd += 2) {
    if (in[i] % 3 == 0) continue;
    sum = (int)((uint)sum * 5 + (uint)in[i] * turn + odd);
  }
  out[GLOBAL_ID] = sum;
}

__kernel void none(__global const int* in, __global int* out, int n) {
  int last = n;
  for (int i = get_global_id(0); i < n - 100; i += get_global_size(0)) last = in[i];
  out[GLOBAL_ID] = last;
}

__kernel void twice(__global const int* in, __global int* out, int n) {
  uint sum = 0;
  for (int i = get_global_id(0); i < (int)GLOBAL_COUNT; i += get_global_size(0)) sum += in[i];
  const uint most = sum % 7 + 1;
  for (int i = get_global_id(0); i < (int)GLOBAL_COUNT; i += (int)get_global_size(0)) {
    const uint next = (uint)in[i] % most;
    sum = sum > next ? sum : next;
  }
  out[GLOBAL_ID] = (int)(sum + n);
}

__kernel void groups(__global const int* in, __global int* out, int n) {
  int sum = 0;
  const int step = get_num_groups(0) * get_local_size(0);
  for (int i = get_group_id(0) * get_local_size(0) + get_local_id(0); i < (int)GLOBAL_COUNT; i += step) sum ^= in[i] + n;
  out[GLOBAL_ID] = sum;
}

__kernel void after_a_barrier(__global const int* in, __global int* out, int n) {
  out[GLOBAL_ID] = n;
  barrier(CLK_GLOBAL_MEM_FENCE);
  uint sum = out[GLOBAL_ID];
  for (uint i = get_local_id(0); i < GLOBAL_COUNT; i += get_local_size(0)) sum = sum * 3 + (uint)in[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[GLOBAL_ID] = (int)sum;
}

__kernel void downwards(__global const int* in, __global int* out, int n) {
  uint sum = 0;
  for (uint i = (uint)GLOBAL_COUNT - 1 - (uint)get_global_id(0); i < GLOBAL_COUNT; i -= (uint)get_global_size(0)) sum = sum * 3 + (uint)in[i];
  out[GLOBAL_ID] = (int)sum + n;
}

__kernel void some_only(__global const int* in, __global int* out, int n) {
  uint sum = 1;
  if (get_global_id(0) % 3 != 1)
    for (uint i = get_global_id(0); i < GLOBAL_COUNT; i += get_global_size(0)) sum = sum * 3 + (uint)in[i];
  out[GLOBAL_ID] = (int)sum + n;
}
