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

/// Every external function that library code, or what LLVM lowers it to, can refer to.
std::span<const Symbol> runtimeSymbols();

}  // namespace clarity::builtins
