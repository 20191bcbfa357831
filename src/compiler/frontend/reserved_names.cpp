// SPDX-License-Identifier: Apache-2.0
// This file finds names and removes marks. Portable IR that the front end wrote has the front end's marks, and is read
// again.
#include "compiler/frontend/reserved_names.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/demangled_name.h"
#include "compiler/ir/program_functions.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <string_view>

namespace clarity::compiler {
namespace {

constexpr llvm::StringLiteral markPrefix = "clarity-";
constexpr llvm::StringLiteral metadataPrefix = "clarity.";

/// "_Z17__clarity_barrierj", "user.__clarity_barrier" and "__clarity_barrier".
bool isReserved(llvm::StringRef name) {
  name.consume_front(programPrefix);
  if (unsigned length = 0; name.consume_front("_Z") && name.consumeInteger(10, length)) return false;
  return name.starts_with(reservedPrefix);
}

bool isOfFrontEnd(llvm::StringRef mark) {
  static constexpr std::string_view marks[] = {firstUseAttribute, blockAttribute, capturedAttribute, builtinAttribute,
                                               requiredSubGroupsMetadata};
  return llvm::is_contained(marks, std::string_view(mark));
}

llvm::AttributeMask marksIn(llvm::AttributeSet attributes) {
  llvm::AttributeMask marks;
  for (const llvm::Attribute attribute : attributes)
    if (attribute.isStringAttribute() && attribute.getKindAsString().starts_with(markPrefix) &&
        !isOfFrontEnd(attribute.getKindAsString()))
      marks.addAttribute(attribute);
  return marks;
}

}  // namespace

std::string reservedNameIn(const llvm::Module& module) {
  const auto sentence = [](llvm::StringRef name) {
    return fmt::format("'{}': names that begin with {} are the implementation's", demangledName(name), reservedPrefix);
  };
  for (const llvm::GlobalValue& value : module.global_values())
    if (isReserved(value.getName())) return sentence(value.getName());
  for (const llvm::Function& function : module)
    if (const llvm::StringRef name = function.getFnAttribute(builtinAttribute).getValueAsString(); isReserved(name))
      return sentence(name);
  return {};
}

void dropMarks(llvm::Function& function) {
  function.removeFnAttrs(marksIn(function.getAttributes().getFnAttrs()));
  for (unsigned i = 0; i < function.arg_size(); ++i)
    function.removeParamAttrs(i, marksIn(function.getAttributes().getParamAttrs(i)));
  llvm::SmallVector<llvm::StringRef, 16> names;
  function.getContext().getMDKindNames(names);
  llvm::SmallVector<unsigned, 16> kinds;
  for (unsigned kind = 0; kind < names.size(); ++kind)
    if (names[kind].starts_with(metadataPrefix)) kinds.push_back(kind);
  for (const unsigned kind : kinds)
    if (!isOfFrontEnd(names[kind])) function.setMetadata(kind, nullptr);
  if (kinds.empty()) return;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    for (const unsigned kind : kinds) instruction.setMetadata(kind, nullptr);
}

}  // namespace clarity::compiler
