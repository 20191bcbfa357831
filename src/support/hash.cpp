// SPDX-License-Identifier: Apache-2.0
// This file mixes 16 bytes in each step into two accumulators with 64x64 to 128-bit multiplications; each accumulator
// depends on all bytes.
#include "support/hash.h"

#include <bit>
#include <cstring>

namespace clarity::support {
namespace {

constexpr std::uint64_t odd[4] = {0x9e3779b97f4a7c15ull, 0xc2b2ae3d27d4eb4full, 0xd6e8feb86659fd93ull,
                                  0xa0761d6478bd642full};

/// Both halves of the product folded together: every bit of the result depends on every bit of the factors.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t word(const char* bytes) {
  std::uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

std::string Hash128::hex() const {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (int i = 0; i < 16; ++i) {
    text[15 - i] = digits[(high >> (4 * i)) & 15];
    text[31 - i] = digits[(low >> (4 * i)) & 15];
  }
  return text;
}

// The old accumulator is added to the product, so that a factor of zero does not erase earlier input.
void Hasher::block(std::uint64_t first, std::uint64_t second) {
  one_ = fold(first ^ odd[0] ^ one_, second ^ odd[1]) + std::rotl(one_, 23);
  two_ = fold(second ^ odd[2] ^ two_, first ^ odd[3]) + std::rotl(two_, 29);
}

Hasher& Hasher::add(std::string_view bytes) {
  block(bytes.size(), odd[3]);
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 16; at += 16, left -= 16) block(word(at), word(at + 8));
  if (left) {
    char tail[16] = {};
    std::memcpy(tail, at, left);
    block(word(tail), word(tail + 8));
  }
  return *this;
}

Hasher& Hasher::add(std::uint64_t number) {
  block(number, odd[2]);
  return *this;
}

Hash128 Hasher::finish() const {
  Hasher last = *this;
  last.block(one_, two_);
  last.block(std::rotl(two_, 32), one_);
  return {fold(last.one_ ^ odd[0], last.two_ ^ odd[1]), fold(last.two_ ^ odd[2], last.one_ ^ odd[3])};
}

Hash128 hashOf(std::string_view bytes) { return Hasher().add(bytes).finish(); }

}  // namespace clarity::support
