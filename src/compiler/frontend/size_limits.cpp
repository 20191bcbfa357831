// SPDX-License-Identifier: Apache-2.0
// This file adds up the sizes of constants without overflow: portable IR may declare arrays that no memory holds.
#include "compiler/frontend/size_limits.h"
#include "compiler/ir/demangled_name.h"

#include "compiler/ir/primitives.h"

#include <fmt/format.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

namespace clarity::compiler {
namespace {

/// The bytes of all constants of a program together: they become part of the object of each kernel that uses them. So
/// much an object can hold beside code that reaches it, with room for the copies that are made of it.
constexpr std::uint64_t mostConstantBytes = 256 << 20;

std::uint64_t bytesOf(llvm::Type& type, const llvm::DataLayout& layout) {
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(&type))
    return llvm::SaturatingMultiply(array->getNumElements(), bytesOf(*array->getElementType(), layout));
  const auto* structure = llvm::dyn_cast<llvm::StructType>(&type);
  if (!structure) return type.isSized() ? layout.getTypeAllocSize(&type).getKnownMinValue() : 0;
  std::uint64_t sum = 0;
  for (llvm::Type* const element : structure->elements()) sum = llvm::SaturatingAdd(sum, bytesOf(*element, layout));
  return sum;
}

}  // namespace

std::string oversized(const llvm::Module& module) {
  std::uint64_t sum = 0;
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration() || variable.getAddressSpace() != constantAddressSpace) continue;
    const std::uint64_t bytes = bytesOf(*variable.getValueType(), module.getDataLayout());
    if (bytes > mostConstantBytes)
      return fmt::format("error: constant '{}' has {} bytes; the constants of a program may have {} bytes together\n",
                         demangledName(variable.getName()), bytes, mostConstantBytes);
    sum += bytes;
    if (sum > mostConstantBytes)
      return fmt::format(
          "error: the program's constants have more than {} bytes up to '{}'; they may have {} bytes "
          "together\n",
          sum - 1, demangledName(variable.getName()), mostConstantBytes);
  }
  return {};
}

}  // namespace clarity::compiler
