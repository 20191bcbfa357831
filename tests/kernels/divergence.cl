// SPDX-License-Identifier: Apache-2.0
// Control flow that differs between work-items, without barriers.

// A uniform inner loop inside a loop that some work-items have left.
__kernel void inner_loop_after_break(__global const int* in, __global int* out, int n) {
  int mine = in[GLOBAL_ID], sum = 0;
  for (int i = 0; i < 10; i++) {
    if (mine % 10 == i) break;
    for (int j = 0; j < n; j++) sum += j + i;
    mine += 3;
  }
  out[GLOBAL_ID] = sum * 100 + mine;
}

__kernel void nested_breaks(__global const int* in, __global int* out, int n) {
  int mine = in[GLOBAL_ID], sum = 0;
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 8; j++) {
      if ((mine + j) % 5 == 0) continue;
      if ((mine * j) % 11 == 1) break;
      sum += i ^ j;
      if (sum > 50 * n) goto out_of_both;
    }
    mine += sum;
  }
out_of_both:
  out[GLOBAL_ID] = sum - mine;
}

__kernel void switches(__global const int* in, __global int* out, int n) {
  int mine = in[GLOBAL_ID], r = 0;
  for (int i = 0; i < n; i++) {
    switch ((mine + i) % 7) {
      case 0: r += 1; break;
      case 1: r *= 2;  // falls through
      case 2: r += 5; break;
      case 3:
        if (mine & 1) {
          r -= 3;
          break;
        }  // falls through
      case 5: mine += 4; break;
      default: r ^= mine;
    }
  }
  out[GLOBAL_ID] = r;
}

__kernel void early_out(__global const int* in, __global int* out, int n) {
  const int i = GLOBAL_ID;
  out[i] = 0;
  if (in[i] % 3 == 0) return;
  if (in[i] % 3 == 1) {
    out[i] = n;
    return;
  }
  int v = in[i];
  while (v > 1) v = v % 2 ? v * 3 + 1 > 100000 ? 1 : v * 3 + 1 : v / 2, out[i]++;
}

// The loop's counter wraps in 32 bits, and ids come as 64.
__kernel void strided(__global const int* in, __global int* out, int n) {
  int sum = 0;
  for (size_t i = GLOBAL_ID; i < GLOBAL_COUNT * 2; i += GLOBAL_COUNT) sum += in[i % GLOBAL_COUNT] * (int)i;
  for (uint i = 4294967290u; i != 3; i++) sum += i * n;
  out[GLOBAL_ID] = sum;
}

__kernel void divisions(__global const int* in, __global int* out, int n) {
  const int i = GLOBAL_ID, v = in[i];
  int r = 0;
  if (i % 4 != 0) r = v / (i % 4) + v % (i % 4);  // by zero in the inactive lanes
  if (n != 0) r += v / n;
  out[i] = r;
}

__kernel void two_dimensions(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  const int at = (get_global_id(2) * get_global_size(1) + y) * w;
  out[at + x] = in[at + (x + n) % w] * 3 + (int)(get_local_id(0) + 10 * get_local_id(1) + 100 * get_group_id(0) +
                                                 1000 * get_group_id(1) + get_num_groups(1));
}

__constant int table[5] = {3, 1, 4, 1, 5};
int pick(int i) { return table[i % 5]; }

__kernel void constants_and_helpers(__global const int* in, __global int* out, int n) {
  const int i = GLOBAL_ID;
  out[i] = pick(i) * in[i] + pick(n) + table[(i + n) % 5];
}

__kernel void floats(__global const int* in, __global int* out, int n) {
  float x = in[GLOBAL_ID] * 0.25f, y = x + n;
  double d = x;
  for (int i = 0; i < n; i++) {
    y = y * 0.5f + x / (i + 1.0f);
    d = d * 1.5 - y;
    if (y > 1000.0f) y = -y;
  }
  out[GLOBAL_ID] = (int)y + (int)(d / 1000000.0);
}

// Sides of branches without code: work-items that pass by keep what they have.
__kernel void one_sided(__global const int* in, __global int* out, int n) {
  const int a = in[GLOBAL_ID], count = GLOBAL_COUNT;
  int sum = 0, last = 7, kept = a;
  for (int i = 0; i < n + 5; i++) {
    const int b = in[(GLOBAL_ID + i) % count] & 0xffff;
    if ((b ^ i) & 1) {
      sum += b * (i + 1);
      last = b;
    } else if (b > 5) {
    } else {
      sum ^= i;
    }
    if (a < b) continue;
    kept = kept * 3 + b;
    if ((sum & 15) == 9) break;
  }
  out[GLOBAL_ID] = sum * 3 + last + kept * 5;
}

// Both sides, and some of the ways of a switch, end with stores to the same places, in bytes and in pairs.
__kernel void stores_on_all_sides(__global const int* in, __global int* out, int n) {
  const int a = in[GLOBAL_ID];
  __global uchar* bytes = (__global uchar*)(out + GLOBAL_ID);
  bytes[3] = 1;
  switch (a & 7) {
    case 0:
      if (a > 40) bytes[0] = 9;
      else bytes[0] = (uchar)(a >> 1);
      break;
    case 1: bytes[0] = (uchar)a; break;
    case 2:
      bytes[1] = 5;
      bytes[0] = (uchar)n;
      break;
    case 3: bytes[1] = (uchar)(a * n); break;
    case 4: return;
    default: bytes[0] = bytes[3] + 1; break;
  }
  if (a & 16) {
    bytes[2] = (uchar)(a ^ n);
    bytes[3] = bytes[2] + 1;
  } else {
    bytes[2] = 3;
    bytes[3] = (uchar)(a + n);
  }
}

// Primes by trial: the masks of a loop with two exits go from block to block.
__kernel void two_exits(__global const int* in, __global int* out, int n) {
  const uint a = (uint)in[GLOBAL_ID] % 4000 + 3;
  uint prime = 1, trials = 0;
  if (a % 2 == 0)
    prime = 0;
  else
    for (uint d = 3; d * d <= a; d += 2) {
      if (a % d == 0) {
        prime = 0;
        break;
      }
      trials += d % (uint)(n + 2);
    }
  out[GLOBAL_ID] = (int)(prime * 100000 + trials);
}
