// SPDX-License-Identifier: Apache-2.0
// This file lowers types, part by part.
#include "compiler/ir/opaque_types.h"

#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DerivedTypes.h>

namespace clarity::compiler {

llvm::Type* lowered(llvm::Type* type) {
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return llvm::ArrayType::get(lowered(array->getElementType()), array->getNumElements());
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {  // what a block has captured
    llvm::SmallVector<llvm::Type*, 8> members;
    for (llvm::Type* member : structure->elements()) members.push_back(lowered(member));
    if (llvm::equal(members, structure->elements())) return type;
    return llvm::StructType::get(type->getContext(), members, structure->isPacked());
  }
  if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
    llvm::SmallVector<llvm::Type*, 8> parameters;
    for (llvm::Type* parameter : function->params()) parameters.push_back(lowered(parameter));
    return llvm::FunctionType::get(lowered(function->getReturnType()), parameters, function->isVarArg());
  }
  const auto* opaque = llvm::dyn_cast<llvm::TargetExtType>(type);
  if (!opaque) return type;
  if (opaque->getName() == "spirv.Image") return llvm::PointerType::get(type->getContext(), constantAddressSpace);
  if (opaque->getName() == "spirv.Pipe") return llvm::PointerType::get(type->getContext(), globalAddressSpace);
  if (opaque->getName() == "spirv.Sampler" || opaque->getName() == "spirv.ReserveId" ||
      opaque->getName() == "spirv.Queue" || opaque->getName() == "spirv.DeviceEvent")
    return llvm::Type::getInt64Ty(type->getContext());
  return type;
}

}  // namespace clarity::compiler
