// SPDX-License-Identifier: Apache-2.0
// This file declares how clang mangles OpenCL's builtin functions (the Itanium C++ ABI, section 5.1, with address
// spaces as vendor qualifiers): `float4 fmax(float4, float4)` is _Z4fmaxDv4_fS_.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Type;
}

namespace clarity::compiler::spirv {

/// The ends of OpenCL C's names of conversions, by FPRoundingMode.
inline constexpr std::string_view roundingSuffixes[] = {"_rte", "_rtz", "_rtp", "_rtn"};

/// "uint4": OpenCL C's name of a number or a vector of numbers.
std::string openclName(const llvm::Type& type, bool isSigned);

/// Builds a mangled name, one parameter after another.
class Mangled {
public:
  explicit Mangled(std::string_view function);

  /// A number or a vector of numbers. LLVM's integers have no sign.
  Mangled& add(const llvm::Type& type, bool isSigned);
  /// A pointer to a number or a vector. Qualifiers in clang's order: "VK" for volatile const, "VU7_Atomic".
  Mangled& addPointer(const llvm::Type& pointee, bool isSigned, unsigned addressSpace,
                      std::string_view qualifiers = {});
  /// A pointer to void.
  Mangled& addVoidPointer(unsigned addressSpace, std::string_view qualifiers = {});
  /// A type that has a name of its own: "ocl_image2d_ro", "memory_order". `addressSpace` is that of what a pointer to
  /// the type points to.
  Mangled& addNamed(std::string_view name);
  Mangled& addNamedPointer(std::string_view name, unsigned addressSpace);

  /// The whole name; "v" stands for no parameters.
  std::string text() const;

private:
  /// Appends a parameter: a base, and what stands before it from the inside out. A base is no candidate of
  /// substitution if it is a builtin type of the ABI.
  void append(std::string base, bool isBuiltin, const std::vector<std::string>& prefixes);
  std::string substituted(const std::string& whole) const;

  std::string text_;
  bool hasParameters_ = false;
  std::vector<std::string> seen_;  ///< the candidates, in full
};

}  // namespace clarity::compiler::spirv
