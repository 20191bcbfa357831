// SPDX-License-Identifier: Apache-2.0
// This file is products of integers.
#include "arithmetic.h"
#include "lanes.h"

#include <algorithm>

namespace clarity::ptx {
namespace {

template <class T>
struct TwiceAsWide;
template <>
struct TwiceAsWide<std::int16_t> {
  using Type = std::int32_t;
};
template <>
struct TwiceAsWide<std::uint16_t> {
  using Type = std::uint32_t;
};
template <>
struct TwiceAsWide<std::int32_t> {
  using Type = std::int64_t;
};
template <>
struct TwiceAsWide<std::uint32_t> {
  using Type = std::uint64_t;
};
template <>
struct TwiceAsWide<std::int64_t> {
  using Type = __int128;
};
template <>
struct TwiceAsWide<std::uint64_t> {
  using Type = unsigned __int128;
};

template <class T>
struct Product {
  using Wide = TwiceAsWide<T>::Type;
  using Unsigned = std::make_unsigned_t<T>;
  // Products of 16 bits would be of int, and may overflow.
  static Wide whole(T a, T b) { return static_cast<Wide>(static_cast<Wide>(a) * static_cast<Wide>(b)); }
  static T low(T a, T b) { return static_cast<T>(std::uint64_t(a) * std::uint64_t(b)); }
  static T high(T a, T b) { return static_cast<T>(whole(a, b) >> (8 * sizeof(T))); }
  static T lowPlus(T a, T b, T c) { return static_cast<T>(Unsigned(low(a, b)) + Unsigned(c)); }
  static T highPlus(T a, T b, T c) { return static_cast<T>(Unsigned(high(a, b)) + Unsigned(c)); }
  static Wide wholePlus(T a, T b, Wide c) {
    return static_cast<Wide>(std::make_unsigned_t<Wide>(whole(a, b)) + std::make_unsigned_t<Wide>(c));
  }
  static T highPlusSaturated(T a, T b, T c) {
    const auto sum = static_cast<__int128>(high(a, b)) + c;
    return static_cast<T>(std::clamp<__int128>(sum, INT32_MIN, INT32_MAX));
  }
};

template <class T>
Handler narrowProduct(bool isHigh, bool isSum) {
  if (isSum) return isHigh ? each<&Product<T>::highPlus> : each<&Product<T>::lowPlus>;
  return isHigh ? each<&Product<T>::high> : each<&Product<T>::low>;
}

template <class T>
Handler wideProduct(bool isSum) {
  return isSum ? each<&Product<T>::wholePlus> : each<&Product<T>::whole>;
}

void product(Decoding& decoding, Type type, bool isSum) {
  const bool isSigned = type.kind == Kind::Signed;
  if (decoding.take("wide")) {
    const Type wide{type.kind, static_cast<std::uint8_t>(2 * type.bits)};
    if (type.bits == 16)
      decoding.in.run = isSigned ? wideProduct<std::int16_t>(isSum) : wideProduct<std::uint16_t>(isSum);
    else if (type.bits == 32)
      decoding.in.run = isSigned ? wideProduct<std::int32_t>(isSum) : wideProduct<std::uint32_t>(isSum);
    return isSum ? decoding.simple(wide, {type, type, wide}) : decoding.simple(wide, {type, type});
  }
  const bool isHigh = decoding.take("hi");
  if (!isHigh && !decoding.take("lo")) decoding.fail("it has none of .lo, .hi and .wide");
  if (isHigh && decoding.take("sat"))
    decoding.in.run = each<&Product<std::int32_t>::highPlusSaturated>;
  else if (type.bits == 16)
    decoding.in.run =
        isSigned ? narrowProduct<std::int16_t>(isHigh, isSum) : narrowProduct<std::uint16_t>(isHigh, isSum);
  else if (type.bits == 32)
    decoding.in.run =
        isSigned ? narrowProduct<std::int32_t>(isHigh, isSum) : narrowProduct<std::uint32_t>(isHigh, isSum);
  else if (type.bits == 64)
    decoding.in.run =
        isSigned ? narrowProduct<std::int64_t>(isHigh, isSum) : narrowProduct<std::uint64_t>(isHigh, isSum);
  isSum ? decoding.simple(type, {type, type, type}) : decoding.simple(type, {type, type});
}

/// Products of the low 24 bits.
template <class T, unsigned Shift>
T product24(T a, T b) {
  constexpr unsigned unused = 8;
  const auto cut = [](T x) { return std::int64_t{static_cast<T>(std::uint32_t(x) << unused)} >> unused; };
  return static_cast<T>((cut(a) * cut(b)) >> Shift);
}
template <class T, unsigned Shift>
T product24Plus(T a, T b, T c) {
  return static_cast<T>(std::uint32_t(product24<T, Shift>(a, b)) + std::uint32_t(c));
}

void product24s(Decoding& decoding, bool isSum) {
  const Type type = decoding.type();
  const bool isSigned = type.kind == Kind::Signed, isHigh = decoding.take("hi");
  if (!isHigh && !decoding.take("lo")) decoding.fail("it has neither .lo nor .hi");
  if (isSum) {
    decoding.in.run = isSigned
                          ? (isHigh ? each<&product24Plus<std::int32_t, 16>> : each<&product24Plus<std::int32_t, 0>>)
                          : (isHigh ? each<&product24Plus<std::uint32_t, 16>> : each<&product24Plus<std::uint32_t, 0>>);
    return decoding.simple(type, {type, type, type});
  }
  decoding.in.run = isSigned ? (isHigh ? each<&product24<std::int32_t, 16>> : each<&product24<std::int32_t, 0>>)
                             : (isHigh ? each<&product24<std::uint32_t, 16>> : each<&product24<std::uint32_t, 0>>);
  decoding.simple(type, {type, type});
}

template <class A, class B>
std::uint32_t dot4(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    c += static_cast<std::uint32_t>(static_cast<A>(a >> shift) * static_cast<B>(b >> shift));
  return c;
}

template <class A, class B, unsigned Shift>
std::uint32_t dot2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (unsigned i = 0; i < 2; ++i)
    c += static_cast<std::uint32_t>(static_cast<A>(a >> (16 * i)) * static_cast<B>(b >> (8 * i + Shift)));
  return c;
}

template <class A, class B>
Handler dotProduct(bool isOfFour, bool isHigh) {
  if (isOfFour) return each<&dot4<A, B>>;
  using Wide = std::conditional_t<std::is_signed_v<A>, std::int16_t, std::uint16_t>;
  return isHigh ? each<&dot2<Wide, B, 16>> : each<&dot2<Wide, B, 0>>;
}

template <bool IsOfFour>
void dots(Decoding& decoding) {
  const bool isHigh = decoding.take("hi");
  if (!isHigh) (void)decoding.take("lo");
  const bool a = decoding.type().kind == Kind::Signed, b = decoding.type().kind == Kind::Signed;
  decoding.in.run = a ? (b ? dotProduct<std::int8_t, std::int8_t>(IsOfFour, isHigh)
                           : dotProduct<std::int8_t, std::uint8_t>(IsOfFour, isHigh))
                      : (b ? dotProduct<std::uint8_t, std::int8_t>(IsOfFour, isHigh)
                           : dotProduct<std::uint8_t, std::uint8_t>(IsOfFour, isHigh));
  decoding.simple(b32, {b32, b32, b32});
}

}  // namespace

void integerProduct(Decoding& decoding, Type type) { product(decoding, type, false); }
void integerProductSum(Decoding& decoding, Type type) { product(decoding, type, true); }

void addProducts(Opcodes& opcodes) {
  opcodes["mul24"] = [](Decoding& decoding) { product24s(decoding, false); };
  opcodes["mad24"] = [](Decoding& decoding) { product24s(decoding, true); };
  opcodes["dp4a"] = dots<true>;
  opcodes["dp2a"] = dots<false>;
}

}  // namespace clarity::ptx
