// SPDX-License-Identifier: Apache-2.0
// This file finds the names of types and memory.
#include "compiler/reports/names.h"
#include "compiler/ir/demangled_name.h"

#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

#include <cctype>

namespace clarity::compiler {

std::string typeName(const llvm::Type& type, bool isUnsigned) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    return typeName(*vector->getElementType(), isUnsigned) + std::to_string(vector->getNumElements());
  if (type.isHalfTy()) return "half";
  if (type.isFloatTy()) return "float";
  if (type.isDoubleTy()) return "double";
  if (type.isPointerTy()) return "pointer";
  if (type.isStructTy()) return "structure";
  if (type.isArrayTy()) return "array";
  const std::string sign = isUnsigned ? "u" : "";
  switch (type.isIntegerTy() ? type.getIntegerBitWidth() : 0) {
    case 1: return "bool";
    case 8: return sign + "char";
    case 16: return sign + "short";
    case 32: return sign + "int";
    case 64: return sign + "long";
    default: break;
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  type.print(out);
  return text;
}

bool declaredUnsigned(const llvm::Value& pointer, const llvm::Type& type) {
  const auto* argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(&pointer, 0));
  const llvm::MDNode* names = argument ? argument->getParent()->getMetadata("kernel_arg_base_type") : nullptr;
  if (!names || argument->getArgNo() >= names->getNumOperands()) return false;
  const auto* text = llvm::dyn_cast<llvm::MDString>(names->getOperand(argument->getArgNo()));
  return text && text->getString().take_while([](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
  }) == typeName(*type.getScalarType(), true);
}

std::string objectName(const llvm::Value& pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(&pointer, 0);
  if (const std::string name = variableName(*object); !name.empty()) return fmt::format("'{}'", name);
  if (llvm::isa<llvm::AllocaInst>(object)) return "private memory";
  if (const auto* call = llvm::dyn_cast<llvm::Instruction>(object);
      call && primitiveOf(*call) == Primitive::LocalMemory)
    return "local memory";
  if (!llvm::isa<llvm::GlobalVariable>(object) || !object->hasName()) return "memory";
  llvm::StringRef name = object->getName();
  name.consume_front("cl.");  // place-global-variables
  return fmt::format("'{}'", demangledName(name));
}

bool isSpilled(const llvm::Value& pointer) {
  const auto* call = llvm::dyn_cast<llvm::Instruction>(llvm::getUnderlyingObject(&pointer, 0));
  return call && primitiveOf(*call) == Primitive::BarrierSpillArea;
}

bool isOfPrintf(const llvm::Value& pointer) {
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0));
  return variable && llvm::any_of(variable->users(), [](const llvm::User* user) {
           const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
           return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "__clarity_printf";
         });
}

}  // namespace clarity::compiler
