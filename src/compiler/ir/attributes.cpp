// SPDX-License-Identifier: Apache-2.0
// This file reads attributes that hold numbers.
#include "compiler/ir/attributes.h"

#include "compiler/ir/strip_marks.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
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

std::vector<LocalVariable> localVariablesOf(const llvm::Function& function) {
  llvm::SmallVector<llvm::StringRef, 8> variables;
  function.getFnAttribute(localArraysAttribute).getValueAsString().split(variables, ';', -1, false);
  std::vector<LocalVariable> all;
  for (const llvm::StringRef text : variables) {  // "tile,0,1024,4"
    llvm::SmallVector<llvm::StringRef, 4> parts;
    text.split(parts, ',');
    LocalVariable variable{.name = parts.front()};
    if (parts.size() == 4 && !parts[1].getAsInteger(10, variable.offset) &&
        !parts[2].getAsInteger(10, variable.bytes) && !parts[3].getAsInteger(10, variable.elementBytes))
      all.push_back(variable);
  }
  return all;
}

std::uint64_t boxSideOf(const llvm::Function& kernel) {
  return numberIn<std::uint64_t>(kernel, boxAttribute).value_or(0);
}

unsigned lanesAlong(const llvm::Function& function) {
  return numberIn<unsigned>(function, lanesAlongAttribute).value_or(0);
}

}  // namespace clarity::compiler
