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
  for (int i = get_group_id(0) * get_local_size(0) + get_local_id(0); i < (int)GLOBAL_COUNT; i += step)
    sum ^= in[i] + n;
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
  for (uint i = (uint)GLOBAL_COUNT - 1 - (uint)get_global_id(0); i < GLOBAL_COUNT; i -= (uint)get_global_size(0))
    sum = sum * 3 + (uint)in[i];
  out[GLOBAL_ID] = (int)sum + n;
}

__kernel void some_only(__global const int* in, __global int* out, int n) {
  uint sum = 1;
  if (get_global_id(0) % 3 != 1)
    for (uint i = get_global_id(0); i < GLOBAL_COUNT; i += get_global_size(0)) sum = sum * 3 + (uint)in[i];
  out[GLOBAL_ID] = (int)sum + n;
}

// Work-groups that meet at barriers around such loops.
__kernel void dots(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(uint, all, 256);
  const uint l = get_local_id(0), size = get_local_size(0);
  uint sum = n;
  for (uint i = get_global_id(0); i < GLOBAL_COUNT - n / 2; i += get_global_size(0)) sum = sum * 3 + (uint)in[i];
  all[LOCAL_ID] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = size / 2; k > 0; k >>= 1) {
    if (l < k) all[LOCAL_ID] += all[LOCAL_ID + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GLOBAL_ID] = (int)(all[0] ^ all[LOCAL_ID] ^ (uint)get_group_id(0) << 20);
}

__kernel void local_histogram(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(uint, bins, 16);
  LOCAL_VARIABLE(uint, most);
  if (LOCAL_ID == 0) {
    most = 0;
    for (int i = 0; i < 16; i++) bins[i] = get_group_id(0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < (int)GLOBAL_COUNT; i += get_num_groups(0) * get_local_size(0))
    atomic_inc(&bins[(in[i] * n) & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LOCAL_ID < 16) atomic_max(&most, bins[LOCAL_ID]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = (int)(most * 100 + bins[LOCAL_ID & 15]);
}

// Each work-group has a bound of its own, and takes some barriers alone.
__kernel void own_bounds(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(uint, all, 256);
  const uint mine = LOCAL_ID, count = LOCAL_COUNT, bound = GLOBAL_COUNT / (get_group_id(0) % 3 + 1);
  uint sum = 0;
  for (uint i = GLOBAL_ID; i < GLOBAL_COUNT; i += get_global_size(0)) sum += (uint)in[i];
  for (uint i = GLOBAL_ID; i < bound; i += get_global_size(0)) sum = sum * 5 + (uint)in[i];
  all[mine] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_group_id(0) % 2 == (uint)n % 2) {
    all[(mine + 1) % count] ^= 77;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += all[(mine + 2) % count];
  }
  out[GLOBAL_ID] = (int)sum;
}

// The same number in local memory and in y, where there is none; places as sums of group and local ids.
__kernel void places(__global const int* in, __global int* out, int n) {
  LOCAL_VARIABLE(uint, first);
  uint sum = get_local_id(1) * 1000 + get_group_id(1) * 100;
  if (LOCAL_ID == 0) first = get_group_id(0) * get_local_size(0) + get_global_id(1);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint start = first;
  for (uint i = start + get_local_id(0); i < GLOBAL_COUNT; i += get_global_size(0)) sum += (uint)in[i] * n;
  for (uint i = get_local_id(0); i < GLOBAL_COUNT; i += get_local_size(0)) sum ^= (uint)in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LOCAL_ID == LOCAL_COUNT - 1) first = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = (int)(sum + first + start + get_global_id(1));
}

// One of two places, the same choice for all work-items.
__kernel void chosen_alike(__global const int* in, __global int* out, int n) {
  const int x = GLOBAL_ID, last = (int)GLOBAL_COUNT - 1;
  uint sum = 0;
  for (int k = 0; k < n; ++k) {
    const int c = x - k, before = k == 0 ? c : c - 1, after = k == n - 1 ? x : x + k;
    if (before >= 0 && after <= last) sum = sum * 3 + in[before] + in[after];
  }
  const uint at = n > 2 ? (uint)x : (uint)(last - x);
  out[x] = (int)(sum + in[at]);
}
