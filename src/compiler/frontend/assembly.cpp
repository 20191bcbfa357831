// SPDX-License-Identifier: Apache-2.0
// This file compares the operands of inline assembly with the registers that their constraints stand for.
#include "compiler/frontend/assembly.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>

namespace clarity::compiler {
namespace {

/// The registers of PTX by constraint, as in CUDA.
struct Register {
  char constraint;
  unsigned bits;
};
constexpr Register registers[] = {{'c', 8}, {'h', 16}, {'r', 32}, {'l', 64}, {'q', 128}, {'f', 32}, {'d', 64}};

std::string wrongWithOperand(unsigned number, const std::string& code, const llvm::Type& type,
                             const llvm::DataLayout& layout) {
  if (code == "n" || code == "i" || code == "s" || code == "X") return {};  // a constant
  const auto* found = std::ranges::find(registers, code.size() == 1 ? code[0] : '?', &Register::constraint);
  if (found == std::end(registers))
    return fmt::format("operand {} of the assembly has constraint '{}'; PTX has h, r, l, f, d and n", number, code);
  if (!type.isIntegerTy() && !type.isFloatingPointTy() && !type.isPointerTy())
    return fmt::format("operand {} of the assembly is neither a number nor a pointer", number);
  const unsigned bits = static_cast<unsigned>(layout.getTypeSizeInBits(const_cast<llvm::Type*>(&type)));
  if (bits == found->bits || (bits < found->bits && type.isIntegerTy())) return {};
  return fmt::format("operand {} of the assembly has {} bits, and constraint '{}' is a register of {}", number, bits,
                     found->constraint, found->bits);
}

/// The type of each result: a call with several returns a structure.
llvm::SmallVector<llvm::Type*, 4> resultsOf(const llvm::CallBase& assembly) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(assembly.getType()))
    return {structure->element_begin(), structure->element_end()};
  return {assembly.getType()};
}

}  // namespace

std::string wrongWithAssembly(const llvm::CallBase& assembly) {
  const llvm::DataLayout& layout = assembly.getModule()->getDataLayout();
  const llvm::SmallVector<llvm::Type*, 4> results = resultsOf(assembly);
  const auto constraints = llvm::cast<llvm::InlineAsm>(assembly.getCalledOperand())->ParseConstraints();
  unsigned number = 0, result = 0, argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo& constraint : constraints) {
    if (constraint.Type == llvm::InlineAsm::isClobber || constraint.Type == llvm::InlineAsm::isLabel) continue;
    const bool isResult = constraint.Type == llvm::InlineAsm::isOutput && !constraint.isIndirect;
    llvm::Type* const type = isResult                ? results[result++]
                             : constraint.isIndirect ? assembly.getParamElementType(argument++)
                                                     : assembly.getArgOperand(argument++)->getType();
    // An input that shares the register of an output is checked there.
    const bool isTied = constraint.Type == llvm::InlineAsm::isInput && constraint.hasMatchingInput();
    const std::string code = constraint.Codes.empty() ? std::string() : constraint.Codes.front();
    const bool isNumber = !code.empty() && llvm::all_of(code, [](char c) { return c >= '0' && c <= '9'; });
    if (!isTied && !isNumber && type)
      if (std::string wrong = wrongWithOperand(number, code, *type, layout); !wrong.empty()) return wrong;
    ++number;
  }
  return {};
}

}  // namespace clarity::compiler
