// SPDX-License-Identifier: Apache-2.0
// This file reads attributes that are numbers.
#include "compiler/attributes.h"

#include <llvm/IR/Function.h>

namespace clarity::compiler {
namespace {

template <typename Number>
std::optional<Number> numberIn(const llvm::Function& function, const char* attribute) {
  Number number;
  if (function.getFnAttribute(attribute).getValueAsString().getAsInteger(10, number)) return std::nullopt;
  return number;
}

}  // namespace

unsigned subGroupSizeOf(const llvm::Function& kernel) {
  return numberIn<unsigned>(kernel, subGroupSizeAttribute).value_or(0);
}

std::optional<std::uint64_t> knownLocalSize(const llvm::Function& function, unsigned dimension) {
  return numberIn<std::uint64_t>(function, localSizeAttributes[dimension]);
}

void forgetLocalSize(llvm::Function& function, unsigned dimension) {
  function.removeFnAttr(localSizeAttributes[dimension]);
}

std::uint64_t interleavedGroups(const llvm::Function& function) {
  return numberIn<std::uint64_t>(function, interleavedGroupsAttribute).value_or(1);
}

unsigned lanesAlong(const llvm::Function& function) {
  return numberIn<unsigned>(function, lanesAlongAttribute).value_or(0);
}

}  // namespace clarity::compiler
