// SPDX-License-Identifier: Apache-2.0
// Indices near the ends of their types, and what holds of them for those work-items only that pass a condition: the
// first of a packet may be another one.

#define INT_LEAST (-2147483647 - 1)
#define INT_MOST 2147483647
#define ROW_START (GLOBAL_ID - get_global_id(0))
// Which the compiler does not know.
#define OPAQUE(value) (n > 1000 ? 7 : (value))

__kernel void from_least(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), least = OPAQUE(INT_LEAST);
  __global const int* row = in + ROW_START;
  int value = 1;
  if (x >= n) {
    const int i = x - n + least;
    value = row[(long)i - INT_LEAST];
  }
  out[GLOBAL_ID] = value;
}

__kernel void from_most(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), most = OPAQUE(INT_MOST), w = get_global_size(0);
  __global const int* row = in + ROW_START;
  int value = 1;
  if (x >= n) {
    const int i = most - x + n;
    value = row[(long)i - INT_MOST + w - 1] * 3 + row[(long)INT_MOST - i];
  }
  out[GLOBAL_ID] = value;
}

__kernel void stored_from_least(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), least = OPAQUE(INT_LEAST);
  __global int* row = out + ROW_START;
  if (x >= n) {
    const int i = x - n + least;
    row[(long)i - INT_LEAST] = x * 5 + 1;
  }
}

__kernel void stored_from_most(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), most = OPAQUE(INT_MOST), w = get_global_size(0);
  __global int* row = out + ROW_START;
  if (x % 16 >= n && x + n < w) {
    const int i = most - x + n;
    row[(long)i - INT_MOST + w - 1] = x * 5 + 1;
  }
}

__kernel void stepping_from_least(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), least = OPAQUE(INT_LEAST), w = get_global_size(0);
  __global const int* row = in + ROW_START;
  int sum = 0;
  for (int k = 0; k < 3; ++k)
    if (x >= n + k) {
      const int i = x - n - k + least;
      sum = sum * 3 + row[(long)i - INT_LEAST];
    }
  if (x >= n && x + 10 < w)
    for (int i = x - n + least, k = 0; k <= n; ++k, i += 2) sum = sum * 3 + row[(long)i - INT_LEAST];
  out[GLOBAL_ID] = sum;
}

__kernel void chosen_from_least(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), least = OPAQUE(INT_LEAST);
  __global const int* row = in + ROW_START;
  const int i = x >= n ? x - n + least : least;
  const long j = x >= n ? (long)(x - n + least) : (long)least;
  out[GLOBAL_ID] = row[(long)i - INT_LEAST] * 3 + row[j - INT_LEAST] + (int)(j >> 3);
}

__kernel void every_second_from_least(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), least = OPAQUE(INT_LEAST), w = get_global_size(0);
  __global const int* row = in + ROW_START;
  int value = 1;
  if (x >= n && 2 * (x - n) < w) {
    const int i = 2 * x - 2 * n + least;
    value = row[(long)i - INT_LEAST];
  }
  out[GLOBAL_ID] = value;
}

__kernel void narrow_from_least(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), least = OPAQUE(-32768), w = get_global_size(0);
  __global const int* row = in + ROW_START;
  int value = 1;
  if (x >= n) {
    const short i = (short)(x - n + least);
    const unsigned short j = (unsigned short)(x - n);
    value = row[i + 32768] * 3 + row[j];
  }
  if (x % 16 >= n && x + n < w) {
    const short i = (short)(32767 - x + n - (n > 1000 ? 1 : 0));
    const signed char k = (signed char)(x % 16 - n - 128);
    value += row[32767 - i + n] * 5 + row[(k + 128) % w];
  }
  out[GLOBAL_ID] = value;
}

__kernel void unsigned_from_zero(__global const int* in, __global int* out, int n) {
  const uint x = get_global_id(0), far = n > 1000 ? 7 : n;
  __global const int* row = in + ROW_START;
  int value = 1;
  if (x >= far) {
    const uint i = x - far;
    const ulong j = i;
    value = row[i] * 3 + row[j] + (j < get_global_size(0) / 2 ? 7 : 0);
  }
  if (x >= far && (ulong)(x - far) < (ulong)(2 * n)) value += 1000;
  out[GLOBAL_ID] = value;
}

__kernel void compared_from_least(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), least = OPAQUE(INT_LEAST);
  int value = 1;
  if (x >= n && x - n + least < x + 5) value += 2;
  if (x >= n && (long)(x - n + least) < (long)x + INT_LEAST) value += 4;
  if (x >= n && (long)(x - n + least) < (long)INT_LEAST + 20) value += 8;
  out[GLOBAL_ID] = value;
}

__kernel void even_and_next(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), w = get_global_size(0);
  __global const int* row = in + ROW_START;
  int value = 1;
  if ((x & 1) == 0) {
    const int y = x | 1;
    if (y < w) value = row[y];
    if (y < w - n) value += row[y + n] * 3;
    if (y + n < w) value += 5 * row[(y + n) % w];
  }
  if (((x + n) & 1) == 0 && (((x + n) | 1) & 3) == 3) value += 1000;
  out[GLOBAL_ID] = value;
}

__kernel void sign_cleared(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), w = get_global_size(0);
  __global const int* row = in + ROW_START;
  int value = 1;
  if (x >= n) {
    const int i = (x - n) & 0x7fffffff;
    value = row[i];
    if (i < w - 2 * n) value += row[i + n] * 3;
  }
  out[GLOBAL_ID] = value;
}

__kernel void chosen_divisor(__global const int* in, __global int* out, int n) {
  const uint x = get_global_id(0), w = get_global_size(0), by = n > 3 ? 1 : 64u * n;
  __global const int* row = in + ROW_START;
  const int size = n == 2 ? 1 : 16 * n;
  out[GLOBAL_ID] = row[x / by] * 3 + row[x % by] * 5 + row[(int)x / size] + row[(int)x % size] * 7;
}

// The operands of the index are used nowhere else: in blocks behind conditions, in loops, by rows.
__kernel void terms_of_before(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int w = get_global_size(0), h = get_global_size(1), d = get_global_size(2);
  const int row = (z * h + y) * w, i = row + x;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
    out[i] = n;
    return;
  }
  int sum = in[i - w - 1] + in[i - w] * 3 + in[i + 1] * 5 + in[i + w - 1] * 7;
  for (int k = 0; k < n; ++k) {
    const int j = i - k * w;
    if (y >= k && x > k) sum = sum * 3 + in[j - k];
    if (z + 1 < d && in[i] % 2 == 0) sum += in[i + w * h];
  }
  out[i] = sum;
}
