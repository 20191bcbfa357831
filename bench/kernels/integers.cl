// SPDX-License-Identifier: Apache-2.0
// This file has kernels of integer arithmetic: hashes, random numbers, division, bits.

__constant uint sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint rotate_right(uint x, uint bits) { return rotate(x, 32 - bits); }

// One message of at most 55 bytes for each work-item.
__kernel void sha256_short(__global const uchar* messages, __global const int* lengths, int stride,
                           __global uint* digests) {
  int item = get_global_id(0), length = lengths[item];
  uint w[64];
  for (int i = 0; i < 16; ++i) {
    uint word = 0;
    for (int j = 0; j < 4; ++j) {
      int position = 4 * i + j;
      uint byte = position < length ? messages[item * stride + position] : position == length ? 0x80 : 0;
      word = word << 8 | byte;
    }
    w[i] = word;
  }
  w[15] = length * 8;
  for (int i = 16; i < 64; ++i) {
    uint s0 = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint s1 = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a, e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab,
       h = 0x5be0cd19;
  for (int i = 0; i < 64; ++i) {
    uint t1 = h + (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) + bitselect(g, f, e) +
              sha256_constants[i] + w[i];
    uint t2 = (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  __global uint* digest = digests + item * 8;
  digest[0] = a + 0x6a09e667;
  digest[1] = b + 0xbb67ae85;
  digest[2] = c + 0x3c6ef372;
  digest[3] = d + 0xa54ff53a;
  digest[4] = e + 0x510e527f;
  digest[5] = f + 0x9b05688c;
  digest[6] = g + 0x1f83d9ab;
  digest[7] = h + 0x5be0cd19;
}

__kernel void murmur3(__global const uint* records, int words, uint seed, __global uint* hashes) {
  int item = get_global_id(0);
  uint hash = seed;
  for (int i = 0; i < words; ++i) {
    uint word = records[item * words + i];
    word *= 0xcc9e2d51U;
    word = rotate(word, 15u);
    hash ^= word * 0x1b873593U;
    hash = rotate(hash, 13u) * 5 + 0xe6546b64U;
  }
  hash ^= words * 4;
  hash = (hash ^ hash >> 16) * 0x85ebca6bU;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35U;
  hashes[item] = hash ^ hash >> 16;
}

uint4 xxhash_round(uint4 lanes, uint4 words) { return rotate(lanes + words * 2246822519U, (uint4)(13)) * 2654435761U; }

// Records of 16-byte stripes.
__kernel void xxhash32(__global const uint4* records, int stripes, uint seed, __global uint* hashes) {
  int item = get_global_id(0);
  uint4 lanes = (uint4)(seed + 2654435761U + 2246822519U, seed + 2246822519U, seed, seed - 2654435761U);
  for (int i = 0; i < stripes; ++i) lanes = xxhash_round(lanes, records[item * stripes + i]);
  lanes = rotate(lanes, (uint4)(1, 7, 12, 18));
  uint hash = lanes.x + lanes.y + lanes.z + lanes.w + stripes * 16;
  hash = (hash ^ hash >> 15) * 2246822519U;
  hash = (hash ^ hash >> 13) * 3266489917U;
  hashes[item] = hash ^ hash >> 16;
}

__kernel void crc32_table(__constant uint* table, __global const uchar* records, int bytes, __global uint* checksums) {
  int item = get_global_id(0);
  uint crc = 0xffffffffU;
  for (int i = 0; i < bytes; ++i) crc = table[(crc ^ records[item * bytes + i]) & 0xff] ^ crc >> 8;
  checksums[item] = ~crc;
}

__kernel void xorshift_pi(int samples, __global int* hits) {
  uint state = get_global_id(0) * 2654435761U + 88172645U;
  int inside = 0;
  for (int i = 0; i < samples; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    float x = (state & 0xffff) / 65536.0f, y = (state >> 16) / 65536.0f;
    if (x * x + y * y < 1.0f) ++inside;
  }
  hits[get_global_id(0)] = inside;
}

// How many bits of each record differ from the key.
__kernel void hamming_distance(__global const ulong* records, __constant ulong* wanted, int words,
                               __global int* distances) {
  int item = get_global_id(0), distance = 0;
  for (int i = 0; i < words; ++i) distance += popcount(records[item * words + i] ^ wanted[i]);
  distances[item] = distance;
}

__kernel void divide_chain(__global const int* numbers, __global const int* divisors, int rounds,
                           __global int* results) {
  int item = get_global_id(0);
  int number = numbers[item], divisor = divisors[item];
  for (int i = 0; i < rounds; ++i) {
    int quotient = number / divisor, remainder = number % divisor;
    number = number - quotient * 3 + remainder;
    divisor = (divisor & 0xffff) + 3;
  }
  results[item] = number;
}

__kernel void greatest_common_divisor(__global const uint* a, __global const uint* b, __global uint* divisors) {
  int item = get_global_id(0);
  uint x = a[item], y = b[item];
  while (y != 0) {
    uint rest = x % y;
    x = y;
    y = rest;
  }
  divisors[item] = x;
}

__kernel void byte_swap_sum(__global const uint* words, __global uint* sums, int rounds) {
  int item = get_global_id(0);
  uint sum = 0, word = words[item];
  for (int i = 0; i < rounds; ++i) {
    uint swapped = rotate(word & 0x00ff00ffU, 24u) | rotate(word & 0xff00ff00U, 8u);
    sum += clz(swapped) + mul_hi(swapped, 0x9e3779b9U);
    word = swapped + sum;
  }
  sums[item] = sum;
}

// The cost of a byte by its class, as tools for texts have it: separators, brackets and all others.
__kernel void byte_classes(__global const uchar* text, __global float* costs) {
  int item = get_global_id(0);
  int byte = text[item];
  float cost = byte == 9 || byte == 10 || byte == 32 ? sqrt((float)(item & 1023)) : (item & 255) * 0.5f;
  if (byte == 40 || byte == 91 || byte == 123) cost += 1.0f;
  else cost *= 3.0f;
  costs[item] = cost;
}
