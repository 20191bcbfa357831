// SPDX-License-Identifier: Apache-2.0
// Loops over the bits of a number: how many there are, where the first and the last one is, what they make together.

// A number of any length, 0 among them.
uint numberOf(int x) {
  const uint mixed = ((uint)x + 0x9E3779B9u) * 2654435761u;
  return x % 7 == 0 ? 0 : mixed >> ((uint)x & 31u);
}
ulong wideOf(int x) { return (ulong)numberOf(x) << 32 | numberOf(x + 1); }

__kernel void ones_cleared(__global const int* in, __global int* out, int n) {
  uint v = numberOf(in[GLOBAL_ID]), count = n;
  while (v) {
    v &= v - 1;
    count++;
  }
  ulong w = wideOf(in[GLOBAL_ID]);
  int wide = 0;
  for (; w != 0; w &= w - 1) wide += 3;
  int s = (int)numberOf(in[GLOBAL_ID] + n), positive = 0;
  while (s > 0) {
    s &= s - 1;
    positive--;
  }
  out[GLOBAL_ID] = (int)count * 10000 + wide * 100 + positive;
}

__kernel void ones_shifted_out(__global const int* in, __global int* out, int n) {
  uint v = numberOf(in[GLOBAL_ID]), count = 0, odd = 0, any = 0;
  while (v) {
    count += v & 1;
    odd ^= v & 1;
    v >>= 1;
  }
  ulong w = wideOf(in[GLOBAL_ID]);
  int wide = n;
  while (w) {
    if (w & 1) wide++;
    w >>= 1;
  }
  uchar b = (uchar)in[GLOBAL_ID];
  do {
    any += b & 1;
    b >>= 1;
  } while (b);
  out[GLOBAL_ID] = (int)(count * 10000 + odd * 1000 + any * 100) + wide;
}

__kernel void ones_of_some(__global const int* in, __global int* out, int n) {
  const uint v = numberOf(in[GLOBAL_ID]);
  uint u = v;
  int count = 0, low = 0, from = 0, odd = 0;
  for (int b = 0; b < 32; b++)
    if (v & (1u << b)) count++;
  for (int b = 0; b < 11; b++) {
    low += u & 1;
    u >>= 1;
  }
  for (int b = 5; b < 21; b++) from += (v >> b) & 1;
  for (int b = 0; b < 32; b++) odd = odd ^ (int)(v >> b & 1);
  out[GLOBAL_ID] = ((count * 100 + low) * 100 + from) * 10 + odd + (int)u + n;
}

__kernel void lengths(__global const int* in, __global int* out, int n) {
  uint v = numberOf(in[GLOBAL_ID]), a = v, b = v, c = v, d = v, e = v;
  int bits = 0, highest = 0, digits = 0, above = 0, parity = n;
  while (a) {
    a >>= 1;
    bits++;
  }
  while (b >>= 1) highest++;
  while (c) {
    c >>= 4;
    digits += 2;
  }
  while (d > 7) {
    d >>= 1;
    above++;
  }
  while (e) {
    e >>= 1;
    parity = !parity;
  }
  int s = (int)v, signedBits = 0;
  while (s > 0) {
    s >>= 1;
    signedBits++;
  }
  out[GLOBAL_ID] = ((((bits * 40 + highest) * 20 + digits) * 40 + above) * 2 + parity) * 40 + signedBits + (int)d;
}

__kernel void lengths_of_others(__global const int* in, __global int* out, int n) {
  ulong w = wideOf(in[GLOBAL_ID]);
  uchar b = (uchar)(in[GLOBAL_ID] * 5);
  ushort s = (ushort)numberOf(in[GLOBAL_ID]);
  int wide = n, bytes = 0, shorts = 0, zeros = 0;
  while (w) {
    w >>= 1;
    wide++;
  }
  while (b) {
    b >>= 1;
    bytes++;
  }
  while (s) {
    s = (ushort)(s << 1);
    shorts++;
  }
  ulong left = wideOf(in[GLOBAL_ID] + 3);
  while (left) {
    left <<= 1;
    zeros++;
  }
  out[GLOBAL_ID] = ((wide * 20 + bytes) * 20 + shorts) * 100 + zeros;
}

__kernel void first_and_last(__global const int* in, __global int* out, int n) {
  const uint v = numberOf(in[GLOBAL_ID]);
  uint a = v, b = v, c = v, d = v;
  int leading = 0, trailing = 0, limited = 0, ones = 0;
  if (a == 0)
    leading = 32;
  else
    while (!(a & 0x80000000u)) {
      a <<= 1;
      leading++;
    }
  while (b && (b & 1) == 0) {
    b >>= 1;
    trailing++;
  }
  while (limited < 32 && !(c & 1)) {
    limited++;
    c >>= 1;
  }
  while (d & 1) {
    d >>= 1;
    ones++;
  }
  out[GLOBAL_ID] = (((leading * 40 + trailing) * 40 + limited) * 40 + ones) ^ (int)(a + b + c + d + (uint)n);
}

__kernel void sought(__global const int* in, __global int* out, int n) {
  const uint v = numberOf(in[GLOBAL_ID]);
  int down = 0, up = -1, middle = 0, masks = 0, zero = 0;
  for (int b = 31; b >= 0; b--) {
    if ((v >> b) & 1) break;
    down++;
  }
  for (int b = 0; b < 32; b++)
    if (v & (1u << b)) {
      up = b;
      break;
    }
  for (int b = 4; b < 20 && !(v & (1u << b)); b++) middle++;
  for (uint m = 1u << 30; m && !(v & m); m >>= 1) masks++;
  for (uint m = 2; m && (v & m); m <<= 1) zero++;
  out[GLOBAL_ID] = (((down * 40 + up) * 40 + middle) * 40 + masks) * 40 + zero + n;
}

// Places that begin again at 32, and a search that must not get there.
__kernel void sought_around(__global const int* in, __global int* out, int n) {
  const uint v = numberOf(in[GLOBAL_ID]) | 1u << (n & 15);
  int steps = 0, most = 0;
  for (int b = 20; steps < 40 && !(v >> (b & 31) & 1); b++) steps++;
  for (int b = 20; most < 12 && !(v >> (b & 31) & 1); b++) most++;
  out[GLOBAL_ID] = steps * 100 + most;
}

__kernel void gray_code(__global const int* in, __global int* out, int n) {
  uint v = numberOf(in[GLOBAL_ID]), plain = v, other = n, w = v;
  while (v >>= 1) plain ^= v;
  while (w) {
    other ^= w;
    w >>= 1;
  }
  ulong wide = wideOf(in[GLOBAL_ID]), all = 0;
  for (; wide; wide >>= 1) all ^= wide;
  out[GLOBAL_ID] = (int)(plain ^ other * 3 ^ (uint)all ^ (uint)(all >> 32) * 5);
}

// Stein's algorithm: the loops within one that stays.
__kernel void common_divisor(__global const int* in, __global int* out, int n) {
  uint a = numberOf(in[GLOBAL_ID]) | 2u, b = numberOf(in[GLOBAL_ID] + n) | 4u, shift = 0;
  while (!((a | b) & 1)) {
    a >>= 1;
    b >>= 1;
    shift++;
  }
  while (!(a & 1)) a >>= 1;
  while (b) {
    while (!(b & 1)) b >>= 1;
    if (a > b) {
      const uint t = a;
      a = b;
      b = t;
    }
    b -= a;
  }
  out[GLOBAL_ID] = (int)(a << shift);
}

// Loops that compute more than that stay.
__kernel void more_than_bits(__global const int* in, __global int* out, int n) {
  uint v = numberOf(in[GLOBAL_ID]), product = 1, sum = 0, w = v;
  while (v) {
    product = product * 3 + (uint)n;
    v &= v - 1;
  }
  while (w) {
    sum += w;
    w >>= 1;
  }
  out[GLOBAL_ID] = (int)(product ^ sum);
}
