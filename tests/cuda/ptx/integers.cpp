// SPDX-License-Identifier: Apache-2.0
// This file is integer arithmetic but for products.
#include "decoding.h"
#include "lanes.h"

#include <algorithm>
#include <limits>

namespace clarity::ptx {
namespace {

template <class T>
using U = std::make_unsigned_t<T>;

template <class T>
struct Add {
  static T run(T a, T b) { return static_cast<T>(U<T>(a) + U<T>(b)); }
};
template <class T>
struct Sub {
  static T run(T a, T b) { return static_cast<T>(U<T>(a) - U<T>(b)); }
};
template <class T>
struct Div {
  // Results that PTX leaves open are as GPUs have them: all bits of a quotient by 0.
  static T run(T a, T b) {
    if (b == 0) return static_cast<T>(~U<T>{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(0 - U<T>(a));
    return static_cast<T>(a / b);
  }
};
template <class T>
struct Rem {
  static T run(T a, T b) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
template <class T>
struct Min {
  static T run(T a, T b) { return b < a ? b : a; }
};
template <class T>
struct Max {
  static T run(T a, T b) { return a < b ? b : a; }
};
/// With ".relu": no less than 0.
template <class T>
struct MinFromZero {
  static T run(T a, T b) { return std::max<T>(std::min(a, b), 0); }
};
template <class T>
struct MaxFromZero {
  static T run(T a, T b) { return std::max<T>(std::max(a, b), 0); }
};
template <class T>
struct Abs {
  static T run(T a) { return a < 0 ? static_cast<T>(0 - U<T>(a)) : a; }
};
template <class T>
struct Neg {
  static T run(T a) { return static_cast<T>(0 - U<T>(a)); }
};
template <class T>
struct Sad {
  static T run(T a, T b, T c) { return static_cast<T>(U<T>(c) + (a < b ? U<T>(b) - U<T>(a) : U<T>(a) - U<T>(b))); }
};

template <class T, T (*F)(T, T)>
std::uint32_t inHalves(std::uint32_t a, std::uint32_t b) {
  const auto part = [&](unsigned shift) {
    return std::uint32_t{static_cast<std::uint16_t>(F(static_cast<T>(a >> shift), static_cast<T>(b >> shift)))}
           << shift;
  };
  return part(0) | part(16);
}

template <template <class> class Operation>
Handler forType(Type type) {
  const bool isSigned = type.kind == Kind::Signed;
  switch (type.bits) {
    case 16: return isSigned ? each<&Operation<std::int16_t>::run> : each<&Operation<std::uint16_t>::run>;
    case 32: return isSigned ? each<&Operation<std::int32_t>::run> : each<&Operation<std::uint32_t>::run>;
    case 64: return isSigned ? each<&Operation<std::int64_t>::run> : each<&Operation<std::uint64_t>::run>;
    default: return nullptr;
  }
}

template <template <class> class Operation>
Handler forTypes(Type type) {
  if (type.count == 1) return forType<Operation>(type);
  return type.kind == Kind::Signed ? each<&inHalves<std::int16_t, &Operation<std::int16_t>::run>>
                                   : each<&inHalves<std::uint16_t, &Operation<std::uint16_t>::run>>;
}

template <template <class> class Operation>
Handler forSigned(Type type) {
  if (type.kind != Kind::Signed) return nullptr;
  return forTypes<Operation>(type);
}

template <Handler (*Choose)(Type)>
void two(Decoding& decoding, Type type) {
  decoding.in.run = Choose(type);
  decoding.simple(type, {type, type});
}

std::int32_t saturatedAdd(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(std::int64_t{a} + b, INT32_MIN, INT32_MAX));
}
std::int32_t saturatedSub(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(std::int64_t{a} - b, INT32_MIN, INT32_MAX));
}

/// Sums with the carry of the thread: TakesIn: uses it, GivesOut: sets it.
template <class T, bool IsSub, bool TakesIn, bool GivesOut>
void withCarry(Warp& warp, const Instruction& in, Lanes lanes) {
  T* const to = warp.at<T>(in.to[0]);
  const T *a = warp.at<T>(in.from[0]), *b = warp.at<T>(in.from[1]);
  forEachLane(lanes, [&](unsigned lane) {
    const unsigned __int128 y = b[lane], carried = TakesIn ? warp.carry >> lane & 1 : 0;
    const unsigned __int128 sum = IsSub ? a[lane] - y - carried : a[lane] + y + carried;
    to[lane] = static_cast<T>(sum);
    if (GivesOut) warp.carry = (warp.carry & ~(Lanes{1} << lane)) | Lanes(sum >> (8 * sizeof(T)) & 1) << lane;
  });
}

template <bool IsSub>
void carrying(Decoding& decoding, Type type, bool takesIn, bool givesOut) {
  const bool isWide = type.bits == 64;
  if (takesIn && givesOut)
    decoding.in.run =
        isWide ? withCarry<std::uint64_t, IsSub, true, true> : withCarry<std::uint32_t, IsSub, true, true>;
  else if (takesIn)
    decoding.in.run =
        isWide ? withCarry<std::uint64_t, IsSub, true, false> : withCarry<std::uint32_t, IsSub, true, false>;
  else
    decoding.in.run =
        isWide ? withCarry<std::uint64_t, IsSub, false, true> : withCarry<std::uint32_t, IsSub, false, true>;
  decoding.simple(type, {type, type});
}

}  // namespace

// "add", "sub" and others are of integers and of floats; floats.cpp takes those of floats.
void integerSum(Decoding& decoding, Type type, bool isSub) {
  if (decoding.take("cc"))
    isSub ? carrying<true>(decoding, type, false, true) : carrying<false>(decoding, type, false, true);
  else if (decoding.take("sat")) {
    decoding.in.run = isSub ? each<&saturatedSub> : each<&saturatedAdd>;
    decoding.simple(s32, {s32, s32});
  } else {
    isSub ? two<forTypes<Sub>>(decoding, type) : two<forTypes<Add>>(decoding, type);
  }
}
void integerDivision(Decoding& decoding, Type type) { two<forType<Div>>(decoding, type); }
void integerMin(Decoding& decoding, Type type) {
  const bool clamps = decoding.take("relu");
  clamps ? two<forSigned<MinFromZero>>(decoding, type) : two<forTypes<Min>>(decoding, type);
}
void integerMax(Decoding& decoding, Type type) {
  const bool clamps = decoding.take("relu");
  clamps ? two<forSigned<MaxFromZero>>(decoding, type) : two<forTypes<Max>>(decoding, type);
}
void integerAbs(Decoding& decoding, Type type) {
  decoding.in.run = forType<Abs>(type);
  decoding.simple(type, {type});
}
void integerNeg(Decoding& decoding, Type type) {
  decoding.in.run = forType<Neg>(type);
  decoding.simple(type, {type});
}

void addIntegers(Opcodes& opcodes) {
  opcodes["rem"] = [](Decoding& decoding) { two<forType<Rem>>(decoding, decoding.type()); };
  opcodes["sad"] = [](Decoding& decoding) {
    const Type type = decoding.type();
    decoding.in.run = forType<Sad>(type);
    decoding.simple(type, {type, type, type});
  };
  opcodes["addc"] = [](Decoding& decoding) {
    const bool givesOut = decoding.take("cc");
    carrying<false>(decoding, decoding.type(), true, givesOut);
  };
  opcodes["subc"] = [](Decoding& decoding) {
    const bool givesOut = decoding.take("cc");
    carrying<true>(decoding, decoding.type(), true, givesOut);
  };
}

}  // namespace clarity::ptx
