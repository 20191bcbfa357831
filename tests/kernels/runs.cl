// SPDX-License-Identifier: Apache-2.0
// Accesses that lie side by side in one work-item, or from row to row, while neighbours lie apart.

__kernel void transposed(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), w = get_global_size(0),
            h = get_global_size(1);
  out[(z * w + x) * h + y] = in[GLOBAL_ID] * n;
}

__kernel void transposed_in_local_memory(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 512);
  const int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2), w = get_local_size(0),
            h = get_local_size(1);
  t[(lz * h + ly) * (w + 1) + lx] = in[GLOBAL_ID] + n;
  barrier(CLK_LOCAL_MEM_FENCE);
  // The work-item reads where the one at its place in the transposed group wrote.
  const int at = ly * w + lx, x = at / h, y = at % h;
  out[GLOBAL_ID] = t[(lz * h + y) * (w + 1) + x] + t[(lz * h + ly) * (w + 1) + lx] * 3;
}

__kernel void columns_of_a_square(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 16 * 17);
  const int lx = get_local_id(0) % 16, ly = get_local_id(1) % 16;
  t[ly * 17 + lx] = (lx * 31 + ly * 7) * n;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lx < (int)get_local_size(1) && ly < (int)get_local_size(0) && lx < 16 && ly < 16 && get_local_id(2) == 0)
    out[GLOBAL_ID] = t[lx * 17 + ly] + in[GLOBAL_ID];
  else
    out[GLOBAL_ID] = 5;
}

__kernel void four_at_an_index(__global const int* in, __global int* out, int n) {
  const int count = GLOBAL_COUNT / 4;
  if (count == 0) {
    out[GLOBAL_ID] = 1;
    return;
  }
  const int at = in[GLOBAL_ID] * n % count * 4;
  out[GLOBAL_ID] = in[at] + 2 * in[at + 1] - 3 * in[at + 2] + 5 * in[at + 3];
}

__kernel void seven_at_an_index(__global const int* in, __global int* out, int n) {
  const int count = GLOBAL_COUNT / 9;
  int sum = n;
  if (count > 0) {
    const int at = in[GLOBAL_ID] % count * 9;
    sum +=
        in[at] + 2 * in[at + 1] - 3 * in[at + 2] + 5 * in[at + 3] - 7 * in[at + 5] + 11 * in[at + 6] - 13 * in[at + 7];
  }
  out[GLOBAL_ID] = sum;
}

__kernel void six_of_each_nine(__global const int* in, __global int* out, int n) {
  const int at = GLOBAL_ID * 9;
  if (at + 9 > (int)GLOBAL_COUNT) {
    if (GLOBAL_ID >= GLOBAL_COUNT / 9 * 9) out[GLOBAL_ID] = -1;
    return;
  }
  const int a = in[at], b = in[at + 1], c = in[at + 2], d = in[at + 4], e = in[at + 5], f = in[at + 8];
  out[at] = b;
  out[at + 1] = a;
  out[at + 2] = f + n;
  out[at + 3] = c - d;
  out[at + 4] = e * a;
  out[at + 5] = d;
  out[at + 6] = b ^ c;
  out[at + 7] = 7;
  out[at + 8] = e;
}

__kernel void chosen_column(__global const int* in, __global int* out, int n) {
  // Lanes choose their row; within it every lane reads along y.
  const int h = get_global_size(1), w = get_global_size(0), row = in[get_global_id(0)] % w;
  out[GLOBAL_ID] = in[row * h + get_global_id(1)] - n;
}

__kernel void back_to_front(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const uint l = LOCAL_ID, last = LOCAL_COUNT - 1;
  t[last - l] = in[GLOBAL_ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint other = LOCAL_COUNT - l;
  other -= 1;
  out[GLOBAL_ID] = t[l] * n - t[other];
}

// Four neighbours for each work-item that has them, in int arithmetic on 64-bit ids.
__kernel void four_each(__global const int* in, __global int* out, int n) {
  const int base = GLOBAL_ID * 4;
  int v[4];
  if (base + 3 >= GLOBAL_COUNT) return;
  for (int i = 0; i < 4; i++) v[i] = in[base + i];
  for (int i = 0; i < 4; i++) v[i] = v[i] * n + v[(i + 1) % 4];
  for (int i = 0; i < 4; i++) out[base + i] = v[i];
}

// The same where only some work-items come: all that lies between is accessed, or not, or bytes of it.
__kernel void some_of_four(__global const int* in, __global int* out, int n) {
  const int base = GLOBAL_ID * 4;
  if (base + 3 >= GLOBAL_COUNT) return;
  if (in[GLOBAL_ID] % 3 == 1) {
    const int a = in[base], b = in[base + 1], c = in[base + 2], d = in[base + 3];
    out[base] = a * n + 1;
    out[base + 1] = b * n + 2;
    out[base + 2] = c * n + 3;
    out[base + 3] = d * n + 4;
  } else if (in[GLOBAL_ID] % 3 == 2) {
    out[base + 3] = in[base];
    out[base + 2] = in[base + 1];
    out[base + 1] = in[base + 2];
    out[base] = in[base + 3];
  }
}

__kernel void some_of_three(__global const int* in, __global int* out, int n) {
  const int base = GLOBAL_ID * 3;
  if (base + 2 >= GLOBAL_COUNT || in[GLOBAL_ID] % 5 == 0) return;
  const int a = in[base], b = in[base + 1], c = in[base + 2];
  out[base] = a ^ n;
  out[base + 1] = b ^ c;
  out[base + 2] = c - a;
}

__kernel void some_of_nine(__global const int* in, __global int* out, int n) {
  const int base = GLOBAL_ID * 9;
  if (base + 8 >= GLOBAL_COUNT) return;
  int sum = 0;
  for (int i = 0; i < in[GLOBAL_ID] % 7; ++i) {
    sum += in[base + 1] * i + in[base + 2] - in[base + 3] + in[base + 4] * n;
    out[base + 5] = sum;
    out[base + 6] = sum * 3 - in[base + 8];
  }
  if (sum % 2) out[base] = in[base + 7];
}

__kernel void some_bytes(__global const int* in, __global int* out, int n) {
  const int base = GLOBAL_ID * 16;
  if (base + 15 >= GLOBAL_COUNT * 4) return;
  __global const uchar* from = (__global const uchar*)in;
  __global uchar* to = (__global uchar*)out;
  uchar v[16];
  for (int i = 0; i < 16; ++i) v[i] = from[base + i];
  if (v[3] % 4 == 2) return;
  for (int i = 0; i < 16; ++i) v[i] = (uchar)(v[i] + v[(i + 5) % 16] * n);
  for (int i = 0; i < 16; ++i) to[base + i] = v[i];
}

__kernel void some_at_an_index(__global const int* in, __global int* out, int n) {
  const int count = GLOBAL_COUNT / 4, id = GLOBAL_ID;
  if (id >= count || in[id] % 4 == 3) return;
  const int from = (id * 7 + n) % count * 4, to = (count - 1 - id) * 4;
  int v[4];
  for (int i = 0; i < 4; ++i) v[i] = in[from + i] - i;
  for (int i = 0; i < 4; ++i) out[to + i] = v[i] * v[3 - i];
}

// Each work-item reads and writes its own elements in turns.
__kernel void in_turns(__global const int* in, __global int* out, int n) {
  const int at = GLOBAL_ID * 8;
  if (at + 8 > (int)GLOBAL_COUNT) {
    if (GLOBAL_ID >= GLOBAL_COUNT / 8 * 8) out[GLOBAL_ID] = -1;
    return;
  }
  __global int* p = out + at;
  p[4] ^= in[at] * n;
  p[0] ^= p[3] + in[at + 1];
  p[1] ^= p[4] + in[at + 2];
  p[2] ^= p[5] + in[at + 3];
  if (p[1] % 3 == 0) {
    p[1] = -p[1];
    p[4] = p[2] + n;
  }
  p[6] = p[0] - p[4];
}

__kernel void bytes_in_turns(__global const int* in, __global int* out, int n) {
  const int at = GLOBAL_ID * 4;
  if (at + 4 > (int)GLOBAL_COUNT) {
    if (GLOBAL_ID >= GLOBAL_COUNT / 4 * 4) out[GLOBAL_ID] = -1;
    return;
  }
  __global int* p = out + at;
  __global unsigned char* bytes = (__global unsigned char*)p;
  p[0] = in[at] * n;
  bytes[5] = bytes[2] + 1;
  p[2] = p[1] ^ in[at + 1];
  bytes[9] = bytes[4] ^ bytes[8];
  p[3] = p[0] ^ p[2];
}

__kernel void swapped_in_local_memory(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, pairs, 2 * 256);
  const int at = LOCAL_ID * 2;
  if (LOCAL_COUNT > 256) return;
  pairs[at] = in[GLOBAL_ID];
  pairs[at + 1] = in[GLOBAL_ID] * n;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int first = pairs[at];
  pairs[at] = pairs[at + 1] - n;
  out[GLOBAL_ID] = pairs[at] * 3;
  pairs[at + 1] = first;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = (at + 2) % (2 * (int)LOCAL_COUNT);
  out[GLOBAL_ID] ^= pairs[other] + 5 * pairs[other + 1];
}

__kernel void transposed_sums(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), w = get_global_size(0),
            h = get_global_size(1);
  uint value = in[GLOBAL_ID], sum = 0, other = 1;
  for (int k = 0; k < (n & 7); k++) {
    sum = sum * 3 + value;
    other = other * 5 ^ sum;
  }
  out[(z * w + x) * h + y] = (int)(sum + other);
}

__kernel void transposed_steps(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 512);
  const int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2), w = get_global_size(0),
            h = get_global_size(1), lw = get_local_size(0), lh = get_local_size(1);
  t[(lz * lw + lx) * lh + ly] = in[GLOBAL_ID] * n;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint all = 0;
  for (int step = 0; step < 3; step++) {
    uint sum = step;
    for (int k = 0; k < lh; k++) sum = sum * 3 + t[(lz * lw + lx) * lh + (k < step ? ly : k)];
    all = all * 7 + sum + ly;
    out[((int)get_global_id(2) * w + (int)get_global_id(0)) * h + (int)get_global_id(1)] = (int)all;
  }
}
