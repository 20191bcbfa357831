// SPDX-License-Identifier: Apache-2.0
// This file mangles names.
#include "compiler/spirv/mangle.h"

#include <fmt/format.h>
#include <llvm/IR/DerivedTypes.h>

#include <algorithm>

namespace clarity::compiler::spirv {
namespace {

std::string letterOf(const llvm::Type& scalar, bool isSigned) {
  if (scalar.isHalfTy()) return "Dh";
  if (scalar.isFloatTy()) return "f";
  if (scalar.isDoubleTy()) return "d";
  switch (scalar.getScalarSizeInBits()) {
    case 1: return "b";
    case 8: return isSigned ? "c" : "h";
    case 16: return isSigned ? "s" : "t";
    case 32: return isSigned ? "i" : "j";
    case 64: return isSigned ? "l" : "m";
    default: return fmt::format("D{}{}_", isSigned ? 'B' : 'U', scalar.getScalarSizeInBits());  // _BitInt
  }
}

std::string wordOf(const llvm::Type& scalar, bool isSigned) {
  if (scalar.isHalfTy()) return "half";
  if (scalar.isFloatTy()) return "float";
  if (scalar.isDoubleTy()) return "double";
  const unsigned bits = scalar.getScalarSizeInBits();
  const char* const word = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
  return isSigned ? word : fmt::format("u{}", word);
}

std::string baseOf(const llvm::Type& type, bool isSigned) {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector) return letterOf(type, isSigned);
  return fmt::format("Dv{}_{}", vector->getNumElements(), letterOf(*vector->getElementType(), isSigned));
}

/// The prefixes of a pointer: what qualifies what it points to, and P.
std::vector<std::string> pointerPrefixes(unsigned addressSpace, std::string_view qualifiers) {
  std::vector<std::string> prefixes;
  constexpr std::string_view atomic = "U7_Atomic";
  const bool isAtomic = qualifiers.ends_with(atomic);
  if (isAtomic) {
    prefixes.emplace_back(atomic);
    qualifiers.remove_suffix(atomic.size());
  }
  const std::string space = addressSpace == 0 ? "" : fmt::format("U3AS{}", addressSpace);
  if (!space.empty() || !qualifiers.empty()) prefixes.push_back(fmt::format("{}{}", space, qualifiers));
  prefixes.emplace_back("P");
  return prefixes;
}

std::string sourceName(std::string_view name) { return fmt::format("{}{}", name.size(), name); }

}  // namespace

std::string openclName(const llvm::Type& type, bool isSigned) {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector) return wordOf(type, isSigned);
  return fmt::format("{}{}", wordOf(*vector->getElementType(), isSigned), vector->getNumElements());
}

Mangled::Mangled(std::string_view function) : text_("_Z" + sourceName(function)) {}

std::string Mangled::substituted(const std::string& whole) const {
  const auto found = std::ranges::find(seen_, whole);
  if (found == seen_.end()) return {};
  const auto index = found - seen_.begin();
  if (index == 0) return "S_";
  constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";  // 37 candidates are never reached
  return fmt::format("S{}_", digits[static_cast<std::size_t>(index - 1) % digits.size()]);
}

void Mangled::append(std::string base, bool isBuiltin, const std::vector<std::string>& prefixes) {
  hasParameters_ = true;
  std::vector<std::string> wholes;  // from the inside out
  if (!isBuiltin) wholes.push_back(base);
  std::string whole = base;
  for (const std::string& prefix : prefixes) wholes.push_back(whole = prefix + whole);
  // The outermost candidate that has been seen is substituted; what is around it is written out.
  std::size_t known = wholes.size();
  while (known > 0 && substituted(wholes[known - 1]).empty()) --known;
  const std::size_t firstPrefix = wholes.size() - prefixes.size();
  std::string inner = known > 0 ? substituted(wholes[known - 1]) : std::move(base);
  for (std::size_t i = std::max(known, firstPrefix); i < wholes.size(); ++i) inner = prefixes[i - firstPrefix] + inner;
  text_ += inner;
  for (std::size_t i = known; i < wholes.size(); ++i) seen_.push_back(wholes[i]);
}

Mangled& Mangled::add(const llvm::Type& type, bool isSigned) {
  append(baseOf(type, isSigned), !type.isVectorTy(), {});
  return *this;
}

Mangled& Mangled::addPointer(const llvm::Type& pointee, bool isSigned, unsigned addressSpace,
                             std::string_view qualifiers) {
  append(baseOf(pointee, isSigned), !pointee.isVectorTy(), pointerPrefixes(addressSpace, qualifiers));
  return *this;
}

Mangled& Mangled::addVoidPointer(unsigned addressSpace, std::string_view qualifiers) {
  append("v", true, pointerPrefixes(addressSpace, qualifiers));
  return *this;
}

Mangled& Mangled::addNamed(std::string_view name) {
  append(sourceName(name), false, {});
  return *this;
}

Mangled& Mangled::addNamedPointer(std::string_view name, unsigned addressSpace) {
  append(sourceName(name), false, pointerPrefixes(addressSpace, {}));
  return *this;
}

std::string Mangled::text() const { return hasParameters_ ? text_ : text_ + "v"; }

}  // namespace clarity::compiler::spirv
