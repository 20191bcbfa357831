// SPDX-License-Identifier: Apache-2.0
// This file compares the integer builtins with the formulas of OpenCL C 3.0, 6.15.3, evaluated in 128 bits.
#include <gtest/gtest.h>

#include <algorithm>

#include "library/inputs.h"

namespace {

using Wide = __int128;

template <typename T>
constexpr int kBits = sizeof(T) * 8;

template <typename T>
Wide saturated(Wide value) {
  return std::clamp<Wide>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

/// The bits of x, without a sign.
template <typename T>
std::uint64_t pattern(T x) {
  return static_cast<std::make_unsigned_t<T>>(x);
}

// One reference for each builtin of integer.def, of the operand type T and operands widened.
namespace reference {
#define REFERENCE(name, ...) \
  template <typename T>      \
  Wide name(__VA_ARGS__)

REFERENCE(abs, Wide x) { return x < 0 ? -x : x; }
REFERENCE(clz, Wide x) {
  int count = 0;
  for (int bit = kBits<T> - 1; bit >= 0 && !(x >> bit & 1); --bit) ++count;
  return count;
}
REFERENCE(ctz, Wide x) {
  int count = 0;
  while (count < kBits<T> && !(x >> count & 1)) ++count;
  return count;
}
REFERENCE(popcount, Wide x) {
  int count = 0;
  for (int bit = 0; bit < kBits<T>; ++bit) count += static_cast<int>(x >> bit & 1);
  return count;
}
REFERENCE(bit_reverse, Wide x) {
  Wide reversed = 0;
  for (int bit = 0; bit < kBits<T>; ++bit) reversed |= (x >> bit & 1) << (kBits<T> - 1 - bit);
  return reversed;
}
REFERENCE(max, Wide x, Wide y) { return x > y ? x : y; }
REFERENCE(min, Wide x, Wide y) { return x < y ? x : y; }
REFERENCE(abs_diff, Wide x, Wide y) { return x < y ? y - x : x - y; }
REFERENCE(add_sat, Wide x, Wide y) { return saturated<T>(x + y); }
REFERENCE(sub_sat, Wide x, Wide y) { return saturated<T>(x - y); }
REFERENCE(hadd, Wide x, Wide y) { return (x + y) >> 1; }
REFERENCE(rhadd, Wide x, Wide y) { return (x + y + 1) >> 1; }
/// The product of two 64-bit unsigned numbers does not fit the signed Wide, its pattern does.
REFERENCE(mul_hi, Wide x, Wide y) {
  if constexpr (std::is_unsigned_v<T>) {
    return static_cast<Wide>((static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y)) >> kBits<T>);
  }
  return (x * y) >> kBits<T>;
}
REFERENCE(rotate, Wide x, Wide count) {
  std::uint64_t bits = pattern(static_cast<T>(x));
  int left = static_cast<int>(count & (kBits<T> - 1));
  return static_cast<Wide>(left == 0 ? bits : (bits << left) | (bits >> (kBits<T> - left)));
}
REFERENCE(clamp, Wide x, Wide low, Wide high) { return min<T>(max<T>(x, low), high); }
REFERENCE(mad_hi, Wide x, Wide y, Wide z) { return mul_hi<T>(x, y) + z; }
REFERENCE(mad_sat, Wide x, Wide y, Wide z) {
  if constexpr (sizeof(T) == 8 && std::is_unsigned_v<T>) {
    return mul_hi<T>(x, y) != 0 ? saturated<T>(Wide{1} << 64) : saturated<T>(x * y + z);
  }
  return saturated<T>(x * y + z);
}
#undef REFERENCE
}  // namespace reference

template <typename T>
struct Operands {
  std::vector<T> a = inputs<T>(), b = inputs<T>(), c = inputs<T>();
  Operands() {
    std::mt19937_64 generator(7);
    std::shuffle(b.begin(), b.end(), generator);
    std::shuffle(c.begin(), c.end(), generator);
  }
};

template <typename R, typename T, typename Call, typename Reference>
void compare(const char* name, const Operands<T>& in, Call call, Reference expected) {
  std::vector<R> out(in.a.size());
  int mismatches = 0;
  call(out.data(), static_cast<int>(out.size()), &mismatches);
  EXPECT_EQ(mismatches, 0) << name << ": lanes of a vector differ from the scalar";
  int wrong = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    R want = static_cast<R>(expected(i));
    if (out[i] != want && ++wrong <= 3) {
      ADD_FAILURE() << name << '<' << typeid(T).name() << ">(" << +in.a[i] << ", " << +in.b[i] << ", " << +in.c[i]
                    << ") is " << +out[i] << ", not " << +want;
    }
  }
  EXPECT_EQ(wrong, 0) << name;
}

}  // namespace

// char of OpenCL C is signed, as it is on this host.
static_assert(std::is_signed_v<char>);

extern "C" {
#define UNARY_OF(name, R, T) void apply_##name##_##T(const T*, R*, int, int*);
#define BINARY_OF(name, R, T) void apply_##name##_##T(const T*, const T*, R*, int, int*);
#define TERNARY_OF(name, R, T) void apply_##name##_##T(const T*, const T*, const T*, R*, int, int*);
#define EVALUATE(M, name, R, T) M(name, R, T)
#define UNARY(name, R) EVALUATE(UNARY_OF, name, R, T)
#define BINARY(name, R) EVALUATE(BINARY_OF, name, R, T)
#define TERNARY(name, R) EVALUATE(TERNARY_OF, name, R, T)
#include "library/each_integer.inc"
#undef UNARY_OF
#undef BINARY_OF
#undef TERNARY_OF
void apply_mul24_int(const int*, const int*, int*, int, int*);
void apply_mul24_uint(const uint*, const uint*, uint*, int, int*);
void apply_mad24_int(const int*, const int*, const int*, int*, int, int*);
void apply_upsample_char(const char*, const uchar*, short*, int, int*);
void apply_upsample_ushort(const ushort*, const ushort*, uint*, int, int*);
void apply_upsample_int(const int*, const uint*, long*, int, int*);
void fields_char(const char*, const char*, uint, uint, char*, char*, uchar*, int, int*);
void fields_ushort(const ushort*, const ushort*, uint, uint, ushort*, short*, ushort*, int, int*);
void fields_int(const int*, const int*, uint, uint, int*, int*, uint*, int, int*);
void fields_ulong(const ulong*, const ulong*, uint, uint, ulong*, long*, ulong*, int, int*);
uint dot_unsigned(uint, uint, uint);
int dot_signed(uint, uint, int);
int dot_mixed(uint, uint);
}

TEST(Integer, EveryBuiltinTypeAndWidth) {
#define UNARY_OF(name, R, T)                                                                       \
  {                                                                                                \
    Operands<T> in;                                                                                \
    compare<R>(                                                                                    \
        #name, in, [&](R* out, int n, int* bad) { apply_##name##_##T(in.a.data(), out, n, bad); }, \
        [&](std::size_t i) { return reference::name<T>(in.a[i]); });                               \
  }
#define BINARY_OF(name, R, T)                                                                                   \
  {                                                                                                             \
    Operands<T> in;                                                                                             \
    compare<R>(                                                                                                 \
        #name, in, [&](R* out, int n, int* bad) { apply_##name##_##T(in.a.data(), in.b.data(), out, n, bad); }, \
        [&](std::size_t i) { return reference::name<T>(in.a[i], in.b[i]); });                                   \
  }
#define TERNARY_OF(name, R, T)                                                                                    \
  {                                                                                                               \
    Operands<T> in;                                                                                               \
    for (std::size_t i = 0; std::string_view(#name) == "clamp" && i < in.b.size(); ++i) {                         \
      if (in.b[i] > in.c[i]) std::swap(in.b[i], in.c[i]);                                                         \
    }                                                                                                             \
    compare<R>(                                                                                                   \
        #name, in,                                                                                                \
        [&](R* out, int n, int* bad) { apply_##name##_##T(in.a.data(), in.b.data(), in.c.data(), out, n, bad); }, \
        [&](std::size_t i) { return reference::name<T>(in.a[i], in.b[i], in.c[i]); });                            \
  }
#include "library/each_integer.inc"
}

TEST(Integer, TwentyFourBits) {
  Operands<int> in;
  for (auto* operand : {&in.a, &in.b}) {
    for (int& x : *operand) x = static_cast<int>(static_cast<uint>(x) << 8) >> 8;
  }
  auto product = [&](std::size_t i) { return static_cast<int>(static_cast<Wide>(in.a[i]) * in.b[i]); };
  compare<int>(
      "mul24", in, [&](int* out, int n, int* bad) { apply_mul24_int(in.a.data(), in.b.data(), out, n, bad); }, product);
  compare<int>(
      "mad24", in,
      [&](int* out, int n, int* bad) { apply_mad24_int(in.a.data(), in.b.data(), in.c.data(), out, n, bad); },
      [&](std::size_t i) { return static_cast<Wide>(product(i)) + in.c[i]; });
  Operands<uint> natural;
  for (auto* operand : {&natural.a, &natural.b}) {
    for (uint& x : *operand) x &= 0xffffff;
  }
  compare<uint>(
      "mul24", natural,
      [&](uint* out, int n, int* bad) { apply_mul24_uint(natural.a.data(), natural.b.data(), out, n, bad); },
      [&](std::size_t i) { return static_cast<Wide>(natural.a[i]) * natural.b[i]; });
}

TEST(Integer, Upsample) {
  Operands<char> bytes;
  auto low = inputs<uchar>();
  compare<short>(
      "upsample", bytes,
      [&](short* out, int n, int* bad) { apply_upsample_char(bytes.a.data(), low.data(), out, n, bad); },
      [&](std::size_t i) { return bytes.a[i] * 256 + low[i]; });
  Operands<ushort> words;
  compare<uint>(
      "upsample", words,
      [&](uint* out, int n, int* bad) { apply_upsample_ushort(words.a.data(), words.b.data(), out, n, bad); },
      [&](std::size_t i) { return (static_cast<Wide>(words.a[i]) << 16) + words.b[i]; });
  Operands<int> ints;
  auto lowInts = inputs<uint>();
  compare<long>(
      "upsample", ints,
      [&](long* out, int n, int* bad) { apply_upsample_int(ints.a.data(), lowInts.data(), out, n, bad); },
      [&](std::size_t i) { return static_cast<Wide>(ints.a[i]) * (Wide{1} << 32) + lowInts[i]; });
}

template <typename T, typename S, typename U>
void checkFields(void (*fields)(const T*, const T*, uint, uint, T*, S*, U*, int, int*)) {
  Operands<T> in;
  const int n = 256;
  std::vector<T> inserted(n);
  std::vector<S> extractedSigned(n);
  std::vector<U> extractedUnsigned(n);
  for (uint offset = 0; offset < kBits<T>; offset += 3) {
    for (uint size = 0; offset + size <= kBits<T>; ++size) {
      int mismatches = 0;
      fields(in.a.data(), in.b.data(), offset, size, inserted.data(), extractedSigned.data(), extractedUnsigned.data(),
             n, &mismatches);
      ASSERT_EQ(mismatches, 0);
      std::uint64_t ones = static_cast<std::uint64_t>((static_cast<unsigned __int128>(1) << size) - 1);
      for (int i = 0; i < n; ++i) {
        std::uint64_t base = pattern(in.a[i]), insert = pattern(in.b[i]);
        ASSERT_EQ(inserted[i], static_cast<T>((base & ~(ones << offset)) | ((insert & ones) << offset)))
            << "offset " << offset << " size " << size;
        std::uint64_t field = (base >> offset) & ones;
        ASSERT_EQ(extractedUnsigned[i], static_cast<U>(field)) << "offset " << offset << " size " << size;
        bool negative = size != 0 && (field >> (size - 1) & 1);
        ASSERT_EQ(extractedSigned[i], static_cast<S>(negative ? field | ~ones : field))
            << "offset " << offset << " size " << size;
      }
    }
  }
}

TEST(Integer, BitFields) {
  checkFields(&fields_char);
  checkFields(&fields_ushort);
  checkFields(&fields_int);
  checkFields(&fields_ulong);
}

TEST(Integer, DotProducts) {
  EXPECT_EQ(dot_unsigned(0xff02ff01, 0xff03ff04, 5), 255u * 255 + 6 + 255 * 255 + 4 + 5);
  EXPECT_EQ(dot_unsigned(0xffffffff, 0xffffffff, 0xffffffff), 0xffffffffu);
  EXPECT_EQ(dot_signed(0x80ff7f01, 0x80017f02, 10), 128 * 128 - 1 + 127 * 127 + 2 + 10);
  EXPECT_EQ(dot_signed(0x80808080, 0x80808080, 0x7fffffff), 0x7fffffff);
  EXPECT_EQ(dot_mixed(0x01020304, 0x05060708), 0);
  // Bytes of 255: unsigned times -1, less -1 times unsigned.
  EXPECT_EQ(dot_mixed(0xffffffff, 0x01010101), 4 * 255 + 4);
}
