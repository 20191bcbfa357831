// SPDX-License-Identifier: Apache-2.0
// This file is the C++ face of the OpenCL C builtin library: its bitcode, the header that declares it, and the host
// functions that its code calls.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace clarity::builtins {

/// One source file of the library (math/exponential.cl, ...) as an LLVM bitcode module for spir64. A chapter calls no
/// other chapter: what it declares and does not define is a work-item primitive or one of runtimeSymbols().
struct Chapter {
  std::string_view name;     ///< the file's stem, e.g. "exponential"
  std::string_view bitcode;  ///< lives as long as the program
};

/// All chapters, in a fixed order, at most 64.
std::span<const Chapter> chapters();

/// The chapters that may define a function, as a bit mask over chapters(); 0 when the library has no builtin of that
/// name. The answer depends on the function's unmangled name only (all overloads of max, say), so that linking what a
/// module needs is: gather the masks of its undeclared functions, then link each of those chapters with LinkOnlyNeeded.
/// Reading every chapter takes about 10 ms, reading one 0.02 to 0.5 ms.
/// @param mangledName a name as clang declares it: _Z3maxDv4_fS_, or __to_global
std::uint64_t chaptersOf(std::string_view mangledName);

/// The text of clang's opencl-c-base.h, which a program's source sees as its first header.
std::string_view baseHeader();

/// A function of this process that compiled kernels call by name.
struct Symbol {
  const char* name;
  void* address;
};

/// Every external function that library code, or what LLVM lowers it to, can refer to.
std::span<const Symbol> runtimeSymbols();

}  // namespace clarity::builtins
