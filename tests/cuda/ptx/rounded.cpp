// SPDX-License-Identifier: Apache-2.0
// This file is arithmetic of float and double with the roundings other than to nearest: the host's.
#include "arithmetic.h"
#include "lanes.h"

#include <cfenv>
#include <cmath>

#pragma STDC FENV_ACCESS ON

namespace clarity::ptx {
namespace {

template <class T, Sum Operation>
void rounded(Warp& warp, const Instruction& in, Lanes lanes) {
  T* const to = warp.at<T>(in.to[0]);
  const auto of = [&](std::size_t source, unsigned lane) { return warp.at<T>(in.from[source])[lane]; };
  const int before = std::fegetround();
  std::fesetround(static_cast<int>(in.target));
  forEachLane(lanes, [&](unsigned lane) {
    switch (Operation) {
      case Sum::Add: to[lane] = of(0, lane) + of(1, lane); break;
      case Sum::Sub: to[lane] = of(0, lane) - of(1, lane); break;
      case Sum::Mul: to[lane] = of(0, lane) * of(1, lane); break;
      case Sum::Fma: to[lane] = std::fma(of(0, lane), of(1, lane), of(2, lane)); break;
      case Sum::Div: to[lane] = of(0, lane) / of(1, lane); break;
      case Sum::Sqrt: to[lane] = std::sqrt(of(0, lane)); break;
      case Sum::Rcp: to[lane] = T(1) / of(0, lane); break;
    }
  });
  std::fesetround(before);
}

template <class T>
Handler ofType(Sum operation) {
  switch (operation) {
    case Sum::Add: return rounded<T, Sum::Add>;
    case Sum::Sub: return rounded<T, Sum::Sub>;
    case Sum::Mul: return rounded<T, Sum::Mul>;
    case Sum::Fma: return rounded<T, Sum::Fma>;
    case Sum::Div: return rounded<T, Sum::Div>;
    case Sum::Sqrt: return rounded<T, Sum::Sqrt>;
    case Sum::Rcp: return rounded<T, Sum::Rcp>;
  }
}

}  // namespace

Handler roundedSum(Type type, Sum operation) {
  return type.bits == 64 ? ofType<double>(operation) : ofType<float>(operation);
}

}  // namespace clarity::ptx
