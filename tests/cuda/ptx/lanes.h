// SPDX-License-Identifier: Apache-2.0
// This file makes handlers of instructions from functions of one thread's values. Where all threads of a warp execute
// an instruction, the compiler makes a loop with the host's vectors of it.
#pragma once

#include "warp.h"

#include <type_traits>
#include <utility>

namespace clarity::ptx {

template <class R, class... A, std::size_t... I>
inline void eachLane(Warp& warp, const Instruction& in, Lanes lanes, R (*)(A...), auto function,
                     std::index_sequence<I...>) {
  R* const to = warp.at<R>(in.to[0]);
  const std::tuple<const A*...> from{warp.at<A>(in.from[I])...};
  if (lanes == allLanes) {
    // A destination is a source, or apart from it.
#pragma clang loop vectorize(assume_safety)
    for (unsigned lane = 0; lane < warpSize; ++lane) to[lane] = function(std::get<I>(from)[lane]...);
  } else {
    forEachLane(lanes, [&](unsigned lane) { to[lane] = function(std::get<I>(from)[lane]...); });
  }
}

template <class R, class... A>
constexpr std::size_t countOf(R (*)(A...)) {
  return sizeof...(A);
}

/// A handler: to[0] = function(from[0], ...), for types as the function has them.
template <auto Function>
void each(Warp& warp, const Instruction& in, Lanes lanes) {
  constexpr auto pointer = +Function;
  eachLane(
      warp, in, lanes, pointer, [](auto... values) { return Function(values...); },
      std::make_index_sequence<countOf(pointer)>());
}

template <class R, class... A, std::size_t... I>
inline void eachPredicate(Warp& warp, const Instruction& in, Lanes lanes, R (*)(A...), auto function,
                          std::index_sequence<I...>, Lanes& result) {
  const std::tuple<const A*...> from{warp.at<A>(in.from[I])...};
  if (lanes == allLanes) {
    std::uint32_t bits[warpSize];
#pragma clang loop vectorize(assume_safety)
    for (unsigned lane = 0; lane < warpSize; ++lane) bits[lane] = function(std::get<I>(from)[lane]...) ? 1u << lane : 0;
    for (const std::uint32_t bit : bits) result |= bit;
  } else {
    forEachLane(lanes, [&](unsigned lane) { result |= Lanes{function(std::get<I>(from)[lane]...)} << lane; });
  }
}

/// The threads for which a function of from[0], ... holds.
template <auto Function>
Lanes holdsFor(Warp& warp, const Instruction& in, Lanes lanes) {
  constexpr auto pointer = +Function;
  Lanes result = 0;
  eachPredicate(
      warp, in, lanes, pointer, [](auto... values) { return Function(values...); },
      std::make_index_sequence<countOf(pointer)>(), result);
  return result;
}

}  // namespace clarity::ptx
