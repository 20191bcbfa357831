// SPDX-License-Identifier: Apache-2.0
// This file is the C++ face of the OpenCL C builtin library: its bitcode, the header that declares it, and the host
// functions that its code calls.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace clarity::builtins {

/// A few dozen functions of one chapter (source file) of the library as an LLVM bitcode module for spir64. A page calls no
/// other page: what it declares and does not define is a work-item primitive or one of runtimeSymbols().
struct Page {
  std::string_view chapter;  ///< the source file's stem, e.g. "exponential"
  std::string_view bitcode;  ///< lives as long as the program
};

/// The number of pages; they are numbered from 0.
std::size_t pageCount();

Page page(std::size_t number);

/// The page that defines a function, empty when the library has no builtin of that name and kind (scalar or vector,
/// floating-point or not). Linking what a module needs is therefore: gather the pages of its undefined functions, then
/// link each of them with LinkOnlyNeeded. Reading a page takes some 0.03 ms; the whole library would take 10 ms.
/// @param mangledName a name as clang declares it: _Z3maxDv4_fS_, or __to_global
std::optional<std::size_t> pageOf(std::string_view mangledName);

/// The text of clang's opencl-c-base.h, which a program's source sees as its first header.
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
  const char* scalar;  ///< what it stands for, e.g. __clarity_sin_f32
  unsigned lanes;      ///< 1, 4, 8 or 16 of float; 1, 2, 4 or 8 of double
  const char* name;    ///< e.g. __clarity_sin_f32_v8: <8 x float> (<8 x float>), pure, C calling convention
  void* address;
};

/// The vector forms that this processor runs (AVX2 with FMA, or AVX-512; none on others). A function gives the same bits
/// (but for those of a NaN) for the same arguments at every number of lanes, 1 included; they may differ by an ulp or two
/// from those of the scalar symbol. A caller must hold the vector in one register: 16 lanes of float need 512-bit vectors
/// to be legal in it.
std::span<const VectorMath> vectorMath();

}  // namespace clarity::builtins
