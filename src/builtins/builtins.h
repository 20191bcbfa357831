// SPDX-License-Identifier: Apache-2.0
// This file is the C++ interface of the OpenCL C builtin library: its bitcode, the header that declares it, and the
// host functions that its code calls.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace clarity::builtins {

/// A few dozen functions of one source file of the library as an LLVM bitcode module for spir64. It calls no other one,
/// but for the functions that access a texel: what else it declares and does not define is a work-item primitive or one
/// of runtimeSymbols().
struct LibraryModule {
  std::string_view source;   ///< the source file's stem, e.g. "exponential"
  std::string_view bitcode;  ///< lives as long as the program
};

/// The number of library modules; they are numbered from 0.
std::size_t moduleCount();

LibraryModule libraryModule(std::size_t number);

/// The library module that defines a function, empty when the library has no builtin of that name and kind (scalar or
/// vector, floating-point or not). Linking what a program needs is therefore: gather the library modules of its
/// undefined functions, then link each of them with LinkOnlyNeeded. Reading one takes some 0.03 ms; the whole library
/// would take 10 ms.
/// @param mangledName a name as clang declares it: _Z3maxDv4_fS_, or __to_global
std::optional<std::size_t> moduleOf(std::string_view mangledName);

/// Whether the library has a builtin of the name, for parameters of any types: _Z3max1SS_ and max, too.
bool hasName(std::string_view mangledName);

/// The first header of every program: clang's opencl-c-base.h, then constants.clh and declarations.clh.
std::string_view baseHeader();

/// A function of this process that compiled kernels call by name.
struct Symbol {
  const char* name;
  void* address;
};

/// Every external function that library code, or what LLVM lowers it to, can refer to, vector forms included.
std::span<const Symbol> runtimeSymbols();

/// The form of a runtime math function that computes several results at once.
struct VectorMath {
  const char* scalar;  ///< the scalar function, e.g. __clarity_sin_f32
  unsigned lanes;      ///< 1, 4, 8 or 16 of float; 1, 2, 4 or 8 of double
  const char* name;    ///< e.g. __clarity_sin_f32_v8: <8 x float> (<8 x float>), pure, C calling convention
  void* address;
};

/// The instruction set that determines the forms. Avx2 and Avx512 include fused multiply-add.
enum class VectorUnit { Sse2, Avx, Avx2, Avx512 };

/// That of this processor.
VectorUnit vectorUnit();

/// The forms for this processor: every function of runtime_math.def has a form of 1 lane and forms for vectors of 128
/// bits, with Avx of 256 and with Avx512 of 512 bits. A function returns the same bits (except those of a NaN) for the
/// same arguments at every number of lanes; the scalar symbol is the form of 1 lane. The vector must fit into one
/// register of the caller: for 16 lanes of float, 512-bit vectors must be legal in it.
std::span<const VectorMath> vectorMath();

/// The forms for another instruction set; those that the processor does not support must not be called.
std::span<const VectorMath> vectorMath(VectorUnit unit);

/// A function whose first parameter is float or double, or a vector of it.
struct MathFunction {
  std::string_view name;  ///< as a program writes it
  bool isDouble = false;
};
/// {"exp", false} for _Z3expf and _Z3expDv4_f. Nothing for functions of other types.
std::optional<MathFunction> mathFunction(std::string_view mangledName);

/// The name of the function that replaces a builtin, within the bounds of OpenCL C 3.0, section 7.4, that hold with the
/// program's options. Empty if there is none.
/// @param mangledName e.g. _Z3sinDv4_f, for which the result may be _Z21__clarity_relaxed_sinDv4_f
/// @param relaxed the program is built with -cl-unsafe-math-optimizations or -cl-fast-relaxed-math
/// @param avx512 the processor has AVX-512: forms of instructions that others lack come first
std::string formOf(std::string_view mangledName, bool relaxed, bool avx512);

}  // namespace clarity::builtins
