// SPDX-License-Identifier: Apache-2.0
// Loops in which every work-item reads along a row of its own, all of them with the same trip count.

// Rows of `length` elements that lie in the buffer, wherever the work-item is.
#define START_OF_ROW(length) ((int)(GLOBAL_ID * (length) % (GLOBAL_COUNT - (length) + 1)))
#define LENGTH_OF_ROW(most) ((int)((most) < (int)GLOBAL_COUNT ? (most) : (int)GLOBAL_COUNT))

__kernel void sums(__global const int* in, __global int* out, int n) {
  const int length = LENGTH_OF_ROW(n * 9), start = START_OF_ROW(length);
  uint sum = 0;
  for (int k = 0; k < length; k++) sum = sum * 3 + in[start + k] * in[k];
  out[GLOBAL_ID] = (int)sum;
}

__kernel void bytes(__global const int* in, __global int* out, int n) {
  const int length = LENGTH_OF_ROW(n * 5), start = START_OF_ROW(length);
  __global const unsigned char* row = (__global const unsigned char*)(in + start);
  uint sum = 7;
  for (int k = 0; k < 4 * length; k++) sum = sum * 5 + row[k];
  out[GLOBAL_ID] = (int)sum;
}

__kernel void pointers(__global const int* in, __global int* out, int n) {
  const int length = LENGTH_OF_ROW(n * 7);
  __global const int* at = in + START_OF_ROW(length);
  int sum = n;
  for (int k = length; k > 0; k--) sum ^= *at++ * k;
  out[GLOBAL_ID] = sum;
}

__kernel void written(__global const int* in, __global int* out, int n) {
  const int length = LENGTH_OF_ROW(n * 6), rows = GLOBAL_COUNT / length, id = GLOBAL_ID;
  if (id >= rows) return;
  for (int k = 0; k < length; k++) out[id * length + k] = in[k * rows + id] - k;
}

__kernel void recurrences(__global const int* in, __global int* out, int n) {
  const int length = LENGTH_OF_ROW(n * 6 + 2), rows = GLOBAL_COUNT / length, id = GLOBAL_ID;
  if (id >= rows) return;
  out[id * length] = 1;
  for (int k = 1; k < length; k++)
    out[id * length + k] = (int)((uint)out[id * length + k - 1] * 3 + in[id * length + k]);
}

__kernel void fixed_length(__global const int* in, __global int* out, int n) {
  uint sum = n;
  if (GLOBAL_COUNT >= 5) {
    const int start = START_OF_ROW(5);
    for (int k = 0; k < 5; k++) sum = sum * 7 + in[start + k];
  }
  out[GLOBAL_ID] = (int)sum;
}

__kernel void product(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), w = get_global_size(0),
            h = get_global_size(1);
  __global const int* plane = in + z * w * h;
  int sum = n;
  for (int k = 0; k < w && k < h; k++) sum += plane[y * w + k] * plane[k * w + x];
  out[GLOBAL_ID] = sum;
}

// Where every other turn writes depends on the work-item and not on what is read.
__kernel void alternating(__global const int* in, __global int* out, int n) {
  const int length = LENGTH_OF_ROW(n * 9), start = START_OF_ROW(length), half_of_them = GLOBAL_COUNT / 2,
            id = GLOBAL_ID, l = LOCAL_ID;
  if (id >= half_of_them) return;
  uint sum = n;
  for (int k = 0; k < length; k++) {
    sum = sum * 3 + in[start + k];
    out[(((k >> 1) + l) & 1) * half_of_them + id] = (int)sum;
  }
}

// As many elements as are left when rows are read by 16, 8 or 4.
__kernel void short_rows(__global const int* in, __global int* out, int n) {
  for (int most = n; most <= 4 * n; most += n) {
    const int length = LENGTH_OF_ROW(most), start = START_OF_ROW(length);
    uint sum = most;
    for (int k = 0; k < length; k++) sum = sum * 3 + in[start + k];
    out[GLOBAL_ID] = (int)(most == n ? sum : (uint)out[GLOBAL_ID] * 5 + sum);
  }
}

// Loops over parts of an array that the work-item's id says the begin and the end of.
#define IN_BUFFER(index) ((uint)(index) % (uint)GLOBAL_COUNT)

__kernel void own_parts(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID, count = GLOBAL_COUNT, length = LENGTH_OF_ROW(n * 3), parts = count / length;
  uint sum = n;
  if (id < parts)
    for (int i = id * length; i < (id + 1) * length; i++) sum = sum * 3 + in[i];
  for (int i = id * n - 7; i <= id * n - 7 + n * 2; i += 3) sum = sum * 5 + in[IN_BUFFER(i)];
  out[id] = (int)sum;
}

__kernel void own_parts_of_sizes(__global const int* in, __global int* out, int n) {
  const size_t id = GLOBAL_ID, count = GLOBAL_COUNT;
  const uint length = LENGTH_OF_ROW(n * 5);
  uint sum = n;
  if (id < count / length)
    for (size_t i = id * length; i < (id + 1) * length; i++) sum = sum * 3 + in[i];
  for (size_t i = id * 8; i < id * 8 + 8; i += 2) sum = sum * 7 + in[i % count];
  out[id] = (int)sum;
}

// Parts whose end is below their begin, modulo 2^32 or at all.
__kernel void own_parts_that_wrap(__global const int* in, __global int* out, int n) {
  const uint id = GLOBAL_ID, begin = id * 0x40000001u - 3u;
  uint sum = n;
  for (uint i = begin; i != begin + (uint)n * 2u; ++i) sum = sum * 3 + in[IN_BUFFER(i)];
  for (uint i = begin; i < begin + (uint)n; ++i) sum = sum * 5 + in[IN_BUFFER(i)];
  const int from = (int)id * 3 - 40;
  for (int i = from; i < from - n; ++i) sum += 1;
  for (int i = from; i <= from + n; ++i) sum = sum * 7 + in[IN_BUFFER(i)];
  out[id] = (int)sum;
}

// Unsigned parts, which a launch may have no room for: factors that let few work-items' parts wrap, or most.
__kernel void own_unsigned_parts(__global const int* in, __global int* out, int n) {
  const uint id = GLOBAL_ID, length = LENGTH_OF_ROW(n * 3), parts = (uint)GLOBAL_COUNT / length, x = get_global_id(0);
  uint sum = n;
  if (id < parts)
    for (uint i = id * length; i < (id + 1) * length; i++) sum = sum * 3 + in[i];
  const uint wide = (0x9E3779B1u * (uint)(n & 3)) ^ 5u;
  for (uint i = x * wide; i < x * wide + n; i += 2) sum = sum * 5 + in[IN_BUFFER(i)];
  for (uint i = x * wide; i < (x + 1u) * wide; i += wide / 3u + 1u) sum = sum * 7 + in[IN_BUFFER(i)];
  const ulong far = (0x9E3779B97F4A7C15ul * (ulong)(n & 3)) ^ 5ul, wide_id = get_global_id(0);
  int steps = 0;
  for (ulong i = wide_id * far; i < (wide_id + 1) * far; i++) {
    if (steps++ > 5) break;
    sum += (uint)(i % 1000ul);
  }
  for (ulong i = wide_id * far; i < wide_id * far + n; i++) sum = sum * 3 + in[IN_BUFFER(i % 1000ul)];
  out[id] = (int)sum;
}

// The last parts end at the end of the array, or begin behind it.
__kernel void own_parts_with_tail(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID, x = get_global_id(0), count = GLOBAL_COUNT, length = LENGTH_OF_ROW(n * 3);
  const int limit = count - n % 3, begin = id * length, after = begin + length, end = after < limit ? after : limit;
  uint sum = n;
  for (int i = begin; i < end; i++) sum = sum * 3 + in[i];
  const int few = n + 1, last = few * x + few < count - 5 ? few * x + few : count - 5;
  for (int i = x * few; i < last; i += 2) sum = sum * 5 + in[i];
  const size_t start = x * (size_t)(uint)n, next = start + (uint)n, stop = next < (size_t)limit ? next : (size_t)limit;
  for (size_t i = start; i < stop; i++) sum = sum * 7 + in[i];
  out[id] = (int)sum;
}

__kernel void own_parts_left_early(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID, length = LENGTH_OF_ROW(n * 4), start = START_OF_ROW(length);
  int i = start, found = -1;
  for (; i < start + length; i++) {
    if ((in[i] & 7) == 3) {
      found = i;
      break;
    }
  }
  out[id] = found * 2 + i;
}

// The last group's rest goes to the first groups.
__kernel void own_parts_of_groups(__global const int* in, __global int* out, int n) {
  const int group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
  const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
  const int count = GLOBAL_COUNT, each = count / groups, rest = count % groups;
  const int begin = group * each + (group < rest ? group : rest), more = group < rest ? 1 : 0;
  uint sum = n;
  for (int i = begin; i < begin + each + more; i++) sum = sum * 3 + in[i];
  const int few = (count - 3) / groups, left = (count - 3) % groups;
  const int start = group * few + (group < left ? group : left);
  for (int i = start; i < start + few + (group < left); i++) sum = sum * 5 + in[i];
  out[GLOBAL_ID] = (int)sum;
}

// Where work-items share out what does not divide evenly.
__kernel void own_parts_with_rest(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID, length = LENGTH_OF_ROW(n * 6), start = START_OF_ROW(length);
  uint sum = n;
  for (int i = start; i < start + (length - 1) + (id % 3 == 1); i++) sum = sum * 3 + in[i];
  out[id] = (int)sum;
}
