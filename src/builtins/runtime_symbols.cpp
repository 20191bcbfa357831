// SPDX-License-Identifier: Apache-2.0
// This file returns the addresses of the host functions that compiled kernels may call: the math functions of
// runtime_math.def at every width, and functions that LLVM calls where the processor lacks an instruction (half
// conversions, fused multiply-add, rounding, divisions of 128 bits: LLVM counts the iterations of
// `for (ulong i = a; i <= b; i += 7)` by one) or memory is copied.
#include <cmath>
#include <cstring>
#include <vector>

#include "builtins/builtins.h"

// Functions of the compiler's support library. Half is passed in an SSE register, like _Float16.
extern "C" {
float __extendhfsf2(_Float16);
_Float16 __truncsfhf2(float);
_Float16 __truncdfhf2(double);
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
}

namespace clarity::builtins {
namespace {

template <typename Result, typename... Arguments>
void* address(Result (*function)(Arguments...)) {
  return reinterpret_cast<void*>(function);
}

template <typename T>
using Unary = T (*)(T);
template <typename T>
using Binary = T (*)(T, T);
template <typename T>
using Ternary = T (*)(T, T, T);

std::vector<Symbol> allSymbols() {
#define LIBRARY_1(name)                                              \
  Symbol{#name "f", address(static_cast<Unary<float>>(&std::name))}, \
      Symbol{#name, address(static_cast<Unary<double>>(&std::name))}
  std::vector<Symbol> symbols = {
      LIBRARY_1(ceil),
      LIBRARY_1(floor),
      LIBRARY_1(nearbyint),
      LIBRARY_1(rint),
      LIBRARY_1(round),
      LIBRARY_1(trunc),
      {"fmaf", address(static_cast<Ternary<float>>(&std::fma))},
      {"fma", address(static_cast<Ternary<double>>(&std::fma))},
      {"fmaxf", address(static_cast<Binary<float>>(&std::fmax))},
      {"fmax", address(static_cast<Binary<double>>(&std::fmax))},
      {"fminf", address(static_cast<Binary<float>>(&std::fmin))},
      {"fmin", address(static_cast<Binary<double>>(&std::fmin))},
      {"fmodf", address(static_cast<Binary<float>>(&std::fmod))},
      {"fmod", address(static_cast<Binary<double>>(&std::fmod))},
      {"memcpy", address(&std::memcpy)},
      {"memmove", address(&std::memmove)},
      {"memset", address(&std::memset)},
      {"__extendhfsf2", address(&__extendhfsf2)},
      {"__truncsfhf2", address(&__truncsfhf2)},
      {"__truncdfhf2", address(&__truncdfhf2)},
      {"__divti3", address(&__divti3)},
      {"__modti3", address(&__modti3)},
      {"__udivti3", address(&__udivti3)},
      {"__umodti3", address(&__umodti3)},
  };
  for (const VectorMath& function : vectorMath()) {
    symbols.push_back({function.name, function.address});
    if (function.lanes == 1) symbols.push_back({function.scalar, function.address});
  }
  return symbols;
}

}  // namespace

std::span<const Symbol> runtimeSymbols() {
  static const std::vector<Symbol> symbols = allSymbols();
  return symbols;
}

}  // namespace clarity::builtins
