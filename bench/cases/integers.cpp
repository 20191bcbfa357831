// SPDX-License-Identifier: Apache-2.0
// This file describes the kernels of integer arithmetic (kernels/integers.cl).
#include <array>
#include <bit>
#include <cmath>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, as SHA-256 defines its constants.
std::array<std::uint32_t, 64> sha256Constants() {
  std::array<std::uint32_t, 64> constants{};
  std::size_t found = 0;
  for (unsigned candidate = 2; found < constants.size(); ++candidate) {
    bool prime = true;
    for (unsigned divisor = 2; divisor * divisor <= candidate; ++divisor) prime &= candidate % divisor != 0;
    if (!prime) continue;
    const long double root = std::cbrt(static_cast<long double>(candidate));
    constants[found++] = static_cast<std::uint32_t>((root - std::floor(root)) * 0x1p32L);
  }
  return constants;
}

using Digest = std::array<std::uint32_t, 8>;
constexpr Digest sha256Start = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

Digest sha256(const std::array<std::uint32_t, 64>& constants, const std::uint8_t* message, std::size_t length) {
  std::uint8_t block[64] = {};
  std::memcpy(block, message, length);
  block[length] = 0x80;
  std::uint32_t w[64];
  for (int i = 0; i < 16; ++i)
    w[i] = block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
  w[15] = static_cast<std::uint32_t>(length * 8);
  for (int i = 16; i < 64; ++i)
    w[i] = w[i - 16] + (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
           (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
  auto [a, b, c, d, e, f, g, h] = sha256Start;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t t1 =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const std::uint32_t t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  Digest digest = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] += sha256Start[i];
  return digest;
}

void sha256Short(Problem& p) {
  const std::size_t messages = p.size(2000, 50000), stride = 64;
  const auto* texts = p.input(randomIntegers<std::uint8_t>(messages * stride, 1, 0, 255));
  const auto* lengths = p.input(randomIntegers<std::int32_t>(messages, 2, 0, 55));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(stride));
  auto* digests = p.output<std::uint32_t>(messages * 8);
  p.items(messages);
  p.needs(static_cast<double>(messages), Unit::Steps);
  p.host([=] {
    const auto constants = sha256Constants();
    parallelFor(messages, [=](std::size_t item) {
      const Digest digest = sha256(constants, texts + item * stride, static_cast<std::size_t>(lengths[item]));
      std::ranges::copy(digest, digests + item * 8);
    });
  });
}

void murmur3(Problem& p) {
  const std::size_t records = p.size(5000, 500000), words = 8;
  const auto* data = p.input(randomIntegers<std::uint32_t>(records * words, 3, 0, 0xffffffff));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(words));
  const auto seed = p.scalar<std::uint32_t>(0x9747b28c);
  auto* hashes = p.output<std::uint32_t>(records);
  p.items(records);
  p.needs(static_cast<double>(records * words) * 4, Unit::Bytes);
  p.host([=] {
    parallelFor(records, [=](std::size_t item) {
      std::uint32_t hash = seed;
      for (std::size_t i = 0; i < words; ++i) {
        hash ^= std::rotl(data[item * words + i] * 0xcc9e2d51U, 15) * 0x1b873593U;
        hash = std::rotl(hash, 13) * 5 + 0xe6546b64U;
      }
      hash ^= static_cast<std::uint32_t>(words * 4);
      hash = (hash ^ hash >> 16) * 0x85ebca6bU;
      hash = (hash ^ hash >> 13) * 0xc2b2ae35U;
      hashes[item] = hash ^ hash >> 16;
    });
  });
}

void xxhash32(Problem& p) {
  const std::size_t records = p.size(5000, 300000), stripes = 4;
  const auto* data = p.input(randomIntegers<std::uint32_t>(records * stripes * 4, 4, 0, 0xffffffff));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(stripes));
  const auto seed = p.scalar<std::uint32_t>(77);
  auto* hashes = p.output<std::uint32_t>(records);
  p.items(records);
  p.needs(static_cast<double>(records * stripes) * 16, Unit::Bytes);
  p.host([=] {
    parallelFor(records, [=](std::size_t item) {
      constexpr std::uint32_t prime1 = 2654435761U, prime2 = 2246822519U, prime3 = 3266489917U;
      std::uint32_t lanes[4] = {seed + prime1 + prime2, seed + prime2, seed, seed - prime1};
      for (std::size_t i = 0; i < stripes; ++i)
        for (std::size_t lane = 0; lane < 4; ++lane)
          lanes[lane] = std::rotl(lanes[lane] + data[(item * stripes + i) * 4 + lane] * prime2, 13) * prime1;
      std::uint32_t hash =
          std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
      hash += static_cast<std::uint32_t>(stripes * 16);
      hash = (hash ^ hash >> 15) * prime2;
      hash = (hash ^ hash >> 13) * prime3;
      hashes[item] = hash ^ hash >> 16;
    });
  });
}

std::vector<std::uint32_t> crcTable() {
  std::vector<std::uint32_t> table(256);
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320U : crc >> 1;
    table[i] = crc;
  }
  return table;
}

void crc32Table(Problem& p) {
  const std::size_t records = p.size(2000, 100000), bytes = 64;
  const auto* table = p.input(crcTable());
  const auto* data = p.input(randomIntegers<std::uint8_t>(records * bytes, 5, 0, 255));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(bytes));
  auto* checksums = p.output<std::uint32_t>(records);
  p.items(records);
  p.needs(static_cast<double>(records * bytes), Unit::Bytes);
  p.host([=] {
    parallelFor(records, [=](std::size_t item) {
      std::uint32_t crc = 0xffffffffU;
      for (std::size_t i = 0; i < bytes; ++i) crc = table[(crc ^ data[item * bytes + i]) & 0xff] ^ crc >> 8;
      checksums[item] = ~crc;
    });
  });
}

void xorshiftPi(Problem& p) {
  const std::size_t items = p.size(1000, 8000);
  const int samples = p.scalar<std::int32_t>(1000);
  auto* hits = p.output<std::int32_t>(items);
  p.items(items);
  p.needs(static_cast<double>(items) * samples, Unit::Steps);
  p.host([=] {
    parallelFor(items, [=](std::size_t item) {
      std::uint32_t state = static_cast<std::uint32_t>(item) * 2654435761U + 88172645U;
      std::int32_t inside = 0;
      for (int i = 0; i < samples; ++i) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        const float x = static_cast<float>(state & 0xffff) / 65536.0F, y = static_cast<float>(state >> 16) / 65536.0F;
        inside += x * x + y * y < 1;
      }
      hits[item] = inside;
    });
  });
}

void hammingDistance(Problem& p) {
  const std::size_t records = p.size(5000, 300000), words = 8;
  const auto* data = p.input(randomIntegers<std::uint64_t>(records * words, 6, 0, ~std::uint64_t{0}));
  const auto* wanted = p.input(randomIntegers<std::uint64_t>(words, 7, 0, ~std::uint64_t{0}));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(words));
  auto* distances = p.output<std::int32_t>(records);
  p.items(records);
  p.needs(static_cast<double>(records * words) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(records, [=](std::size_t item) {
      std::int32_t distance = 0;
      for (std::size_t i = 0; i < words; ++i) distance += std::popcount(data[item * words + i] ^ wanted[i]);
      distances[item] = distance;
    });
  });
}

void divideChain(Problem& p) {
  const std::size_t count = p.size(5000, 200000);
  const auto* numbers = p.input(randomIntegers<std::int32_t>(count, 8, 0, 0x3fffffff));
  const auto* divisors = p.input(randomIntegers<std::int32_t>(count, 9, 4, 1000000));
  const int rounds = p.scalar<std::int32_t>(16);
  auto* results = p.output<std::int32_t>(count);
  p.items(count);
  p.needs(static_cast<double>(count) * rounds, Unit::Steps);
  p.host([=] {
    parallelFor(count, [=](std::size_t item) {
      std::int32_t number = numbers[item], divisor = divisors[item];
      for (int i = 0; i < rounds; ++i) {
        number = number - number / divisor * 3 + number % divisor;
        divisor = (divisor & 0xffff) + 3;
      }
      results[item] = number;
    });
  });
}

void greatestCommonDivisor(Problem& p) {
  const std::size_t count = p.size(5000, 300000);
  const auto* a = p.input(randomIntegers<std::uint32_t>(count, 10, 1, 0xffffffff));
  const auto* b = p.input(randomIntegers<std::uint32_t>(count, 11, 1, 0xffffffff));
  auto* divisors = p.output<std::uint32_t>(count);
  p.items(count);
  p.needs(static_cast<double>(count), Unit::Steps);
  p.host([=] {
    parallelFor(count, [=](std::size_t item) {
      std::uint32_t x = a[item], y = b[item];
      while (y != 0) {
        const std::uint32_t rest = x % y;
        x = y, y = rest;
      }
      divisors[item] = x;
    });
  });
}

void byteSwapSum(Problem& p) {
  const std::size_t count = p.size(5000, 300000);
  const auto* words = p.input(randomIntegers<std::uint32_t>(count, 12, 0, 0xffffffff));
  auto* sums = p.output<std::uint32_t>(count);
  const int rounds = p.scalar<std::int32_t>(32);
  p.items(count);
  p.needs(static_cast<double>(count) * rounds, Unit::Steps);
  p.host([=] {
    parallelFor(count, [=](std::size_t item) {
      std::uint32_t sum = 0, word = words[item];
      for (int i = 0; i < rounds; ++i) {
        const std::uint32_t swapped = std::byteswap(word);
        const std::uint64_t product = std::uint64_t{swapped} * 0x9e3779b9U;
        sum += static_cast<std::uint32_t>(std::countl_zero(swapped)) + static_cast<std::uint32_t>(product >> 32);
        word = swapped + sum;
      }
      sums[item] = sum;
    });
  });
}

void byteClasses(Problem& p) {
  const std::size_t count = p.size(100000, 4000000);
  const auto* text = p.input(randomIntegers<std::uint8_t>(count, 11, 8, 127));
  auto* costs = p.output<float>(count, {.relative = 1e-6});
  p.items(count);
  p.needs(static_cast<double>(count), Unit::Steps);
  p.host([=] {
    parallelFor(count, [=](std::size_t item) {
      const int byte = text[item];
      const bool separates = byte == 9 || byte == 10 || byte == 32;
      const float cost = separates ? std::sqrt(static_cast<float>(item & 1023)) : static_cast<float>(item & 255) * 0.5F;
      costs[item] = byte == 40 || byte == 91 || byte == 123 ? cost + 1 : cost * 3;
    });
  });
}

}  // namespace

std::vector<Case> integersCases() {
  return {{"integers", "sha256_short", "", sha256Short},
          {"integers", "murmur3", "", murmur3},
          {"integers", "xxhash32", "", xxhash32},
          {"integers", "crc32_table", "", crc32Table},
          {"integers", "xorshift_pi", "", xorshiftPi},
          {"integers", "hamming_distance", "", hammingDistance},
          {"integers", "divide_chain", "", divideChain},
          {"integers", "greatest_common_divisor", "", greatestCommonDivisor},
          {"integers", "byte_swap_sum", "", byteSwapSum},
          {"integers", "byte_classes", "", byteClasses}};
}

}  // namespace bench
