// SPDX-License-Identifier: Apache-2.0
// Loops of the kernel that run around the loop over work-items: neighbours read neighbouring elements, the loop
// strides.

__kernel void columns(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), w = get_global_size(0), h = GLOBAL_COUNT / w;
  uint sum = 0;
  int k;
  for (k = 0; k < h; k++) sum = sum * 3 + in[k * w + x];
  out[GLOBAL_ID] = (int)sum + k * n;
}

__kernel void columns_nested(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), w = get_global_size(0), h = GLOBAL_COUNT / w;
  int sum = x, last = -1;
  for (int turn = 0; turn < n; turn++) {
    for (int k = turn % h; k < h; k++) {
      last = in[k * w + x];
      sum += last * (turn + 1) - in[k];
    }
    if (sum > 100000) sum -= last;
  }
  out[GLOBAL_ID] = sum ^ last;
}

__kernel void columns_behind_a_branch(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), w = get_global_size(0), h = GLOBAL_COUNT / w;
  int sum = in[GLOBAL_ID];
  if (sum % 2 == 0) sum += 1000;
  for (int k = h - 1; k >= 0; k--) sum ^= in[k * w + x] + k;
  if (sum % 3 == 0) return;
  for (int k = 0; k < h; k++) sum += in[k * w + x] * n;
  out[GLOBAL_ID] = sum;
}

__kernel void columns_and_barrier(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int x = get_global_id(0), w = get_global_size(0), h = GLOBAL_COUNT / w, l = LOCAL_ID;
  int sum = 0;
  for (int k = 0; k < h; k++) sum += in[k * w + x] * (k + n);
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = t[LOCAL_COUNT - 1 - l];
  for (int k = 0; k < h; k++) sum -= in[k * w + x];
  out[GLOBAL_ID] = sum;
}

// Each work-group strides through a part of the buffer, from an element of its own on.
__kernel void part_of_group(__global const int* in, __global int* out, int n) {
  const size_t l = get_local_id(0), step = get_local_size(0), part = step * 3 - 1;
  const size_t begin = get_group_id(0) * part, count = get_global_size(0);
  const size_t end = begin + part < count ? begin + part : count;
  uint sum = n;
  for (size_t i = begin + l; i < end; i += step) sum = sum * 3 + in[i];
  out[GLOBAL_ID] = (int)sum;
}

// Neighbouring elements are carried around loops together: what is done to all alike, what is not, and what has another
// use than the store.
__kernel void pairs(__global const int* in, __global int* out, int n) {
  const int pairs = GLOBAL_COUNT / 2, i = GLOBAL_ID;
  if (i >= pairs) {
    if (2 * pairs == i) out[i] = n;
    return;
  }
  uint a = 1, b = 2;
  for (int k = 0; k < n; ++k) {
    const uint x = in[2 * i], y = in[2 * i + 1];
    a = a * 3 + (x ^ (uint)k);
    b = b * 3 + (y ^ (uint)k);
  }
  out[2 * i] = (int)a;
  out[2 * i + 1] = (int)b;
}

__kernel void quads(__global const int* in, __global int* out, int n) {
  const int quads = GLOBAL_COUNT / 4, i = GLOBAL_ID;
  if (i >= quads) {
    if (i >= 4 * quads) out[i] = i;
    return;
  }
  uint s[4] = {3, 3, 3, 3}, t[4] = {0, 1, 2, 3}, all = 0;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 4; ++j) {
      const uint x = in[4 * i + j];
      s[j] = (s[j] + x) * (uint)(k + 5);
      t[j] = t[j] * 7 + x + s[j];
      all += n % 2 ? s[j] : 1;
    }
  for (int j = 0; j < 4; ++j) out[4 * i + j] = (int)(s[j] ^ t[j] ^ (n > 4 ? all : 0u));
}

__kernel void swapped_pairs(__global const int* in, __global int* out, int n) {
  const int pairs = GLOBAL_COUNT / 2, i = GLOBAL_ID;
  if (i >= pairs) {
    if (2 * pairs == i) out[i] = -n;
    return;
  }
  uint a = in[2 * i + 1], b = in[2 * i];
  for (int k = 0; k < n; ++k) {
    const uint before = a;
    a = b + 5;
    b = before + 5;
  }
  out[2 * i] = (int)a;
  out[2 * i + 1] = (int)b;
}

// A scope with variables that break, continue, return and its end leave, in a function and in a loop around it.
int first_of(__global const int* in, int from, int n, int* seen) {
  for (int k = 0; k < 8; k++) {
    const int value = in[(from + k) % GLOBAL_COUNT];
    int weight = value & 7;
    if (weight == n % 8) continue;
    if (value % 5 == 4) return weight + k;
    for (int j = 0; j < 3; j++) {
      int bits = value >> j;
      if (j > n % 4) break;
      if ((bits & 3) == (GLOBAL_ID & 3)) return bits & 255;
      *seen += bits & 15;
    }
    if (k == n + 2) break;
  }
  return -1;
}

__kernel void scopes_left(__global const int* in, __global int* out, int n) {
  int all = 0;
  for (int i = 0; i < 16; i++) {
    int shared = in[i % GLOBAL_COUNT], seen = 0;
    if (shared % 7 == 6) break;
    const int mine = shared + in[GLOBAL_ID];
    if (mine % 3 != 0) {
      int part = first_of(in, i + LOCAL_ID, n, &seen);
      if (part < 0) continue;
      all += part * 3;
    }
    all = all * 5 + seen;
  }
  out[GLOBAL_ID] = all;
}

// No work-item differs from another: all store the same.
__kernel void without_ids(__global const int* in, __global int* out, int n) {
  int last[4] = {n, n + 1, n + 2, n + 3};
  for (int i = 0; i < (n & 1) + 2; i++) {
    last[i & 3] += in[i] & 0xffff;
    out[i] = last[(i + 1) & 3] * 5 - last[0];
  }
}

// Loops whose iterations all do the same, as those of programs that measure.
__kernel void repeated(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID;
  int last = 5, sum = id, before = 3;
  for (int i = 0; i < n * 3; i++) {
    last = in[id] * 7 + n;
    sum += in[id] & 15;
  }
  for (int i = n; i > id; i--) last ^= 0;
  for (int i = 0; i < id % 4; i++) out[id] = last + i * 0;
  for (int i = id % 3; i < 2; i++) before = last;
  int k = 0;
  do {
    before += (in[id] & 1) ? 2 : 0;
    k++;
  } while (k < id % 5);
  if (id % 4 == 0) out[id] = 9;
  out[id] = (int)((uint)out[id] * 3u + (uint)sum * 5u + (uint)before * 7u + (uint)last);
}

__kernel void repeated_around(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID, count = GLOBAL_COUNT;
  int found = -1;
  uint sum = 1;
  for (int r = 0; r < n + 1; r++) {
    sum = 0;
    for (int k = 0; k < n; k++) sum = sum * 3 + in[(id + k) % count];
    out[id] = (int)sum;
    for (float t = 0.0f; t < 4.0f; t += 0.5f) found = in[id];
    if (found % 5 == 2) {
      found = id;
      break;
    }
  }
  out[id] = (int)((uint)out[id] * 3u + (uint)found);
}

__kernel void repeated_additions(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID;
  out[id] = in[id];
  for (int i = 0; i < n; i++) out[id] += 3;
  for (int i = 0; i < id % 7; i++) out[id]++;
  for (uint i = 5; i < (uint)in[id] % 9u; i++) out[id] -= n;
}

// A loop inside moves or sums up what the iteration before has left.
__kernel void repeated_moves(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID, count = GLOBAL_COUNT;
  int own[16], other[16];
  for (int i = 0; i < 16; i++) own[i] = in[(id + i) % count], other[i] = i;
  for (int r = 0; r < n; r++)
    for (int k = 0; k < 8 + id % 8; k++) own[k] = own[k + 1 - k / 15];
  for (int r = 0; r < id % 4; r++)
    for (int k = 15; k > 0; k--) other[k] = other[k - 1] + 1;
  for (int r = 0; r < n; r++)
    for (int k = 0; k + 1 < 16; k += 2) {
      other[k] = own[k + 1];
      own[k] = other[k + 1];
    }
  for (int r = 0; r < n; r++) {
    int* end = own + n;
    for (int* p = own; p != end; p++) p[0] = p[1];
  }
  uint sum = 0;
  for (int i = 0; i < 16; i++) sum = sum * 31u + (uint)own[i] * 7u + (uint)other[i];
  out[id] = (int)sum;
}

// The number of iterations up to a last one may have a bit more than the counter: it is divided with 128 bits.
__kernel void steps_to_last(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID, count = GLOBAL_COUNT;
  const ulong first = (ulong)(id % 10), last = first + (ulong)n;
  uint sum = 0;
  if (in[id] % 3) {
    ulong i = first;
    do {
      sum = sum * 5 + (uint)in[i % (ulong)count];
      i += 7;
    } while (i <= last);
  }
  out[id] = (int)sum;
}

// Each iteration adds to the next element of a ring of 16.
__kernel void ring(__global const int* in, __global int* out, int n) {
  const uint id = GLOBAL_ID, count = GLOBAL_COUNT;
  if (id >= count / 16) return;
  const uint begin = (uint)get_group_id(0) * (id + (uint)n), end = max(begin + 16u, (uint)n + 200u);
  int at = 0;
  for (uint i = begin; i < end; i++) out[id * 16 + (at++ & 15)] += (int)i;
}
