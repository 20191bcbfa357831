// SPDX-License-Identifier: Apache-2.0
// This file calls functions of groups.
#include "compiler/spirv/group_calls.h"

#include <llvm/IR/Constants.h>

namespace clarity::compiler::spirv {
namespace {

/// The type that a function of a group takes in place of another.
llvm::Type* passedAs(std::string_view name, llvm::Type* type, llvm::IRBuilder<>& builder) {
  if (type->isIntegerTy(1)) return builder.getInt32Ty();
  const bool isSmall = type->isIntegerTy(8) || type->isIntegerTy(16);
  return isSmall && name.starts_with("work_group_") ? builder.getInt32Ty() : type;
}

llvm::Value* callScalar(FunctionReader& in, std::string_view name, llvm::Value* value, bool isSigned,
                        llvm::ArrayRef<llvm::Value*> further) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Type* const type = value->getType();
  llvm::Type* const passed = passedAs(name, type, builder);
  const bool isBool = type->isIntegerTy(1);
  if (passed != type) value = builder.CreateIntCast(value, passed, isSigned && !isBool);
  Mangled mangled(name);
  mangled.add(*passed, isSigned);
  llvm::SmallVector<llvm::Value*, 4> arguments = {value};
  for (llvm::Value* const argument : further) {
    mangled.add(*argument->getType(), false);
    arguments.push_back(argument);
  }
  llvm::Value* const result = in.call(mangled.text(), passed, arguments);
  if (isBool) return builder.CreateIsNotNull(result);
  return passed == type ? result : builder.CreateIntCast(result, type, isSigned);
}

}  // namespace

llvm::Value* byComponents(FunctionReader& in, llvm::Value& value,
                          llvm::function_ref<llvm::Value*(llvm::Value*)> compute) {
  require(value.getType()->isIntOrIntVectorTy() || value.getType()->isFPOrFPVectorTy(), in.current(),
          "its value is not a number");
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  if (!vector) return compute(&value);
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value* made = llvm::PoisonValue::get(value.getType());
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    made = builder.CreateInsertElement(made, compute(builder.CreateExtractElement(&value, std::uint64_t(i))),
                                       std::uint64_t(i));
  return made;
}

llvm::Value* callGroup(FunctionReader& in, std::string_view name, llvm::Value& value, bool isSigned,
                       llvm::ArrayRef<llvm::Value*> further) {
  return byComponents(in, value, [&](llvm::Value* one) { return callScalar(in, name, one, isSigned, further); });
}

llvm::Value* callVote(FunctionReader& in, std::string_view name, llvm::Value& predicate) {
  llvm::IRBuilder<>& builder = in.builder();
  require(!predicate.getType()->isVectorTy(), in.current(), "its predicate is a vector");
  llvm::Value* const asked = builder.CreateZExt(&predicate, builder.getInt32Ty());
  return builder.CreateIsNotNull(
      in.call(Mangled(name).add(*asked->getType(), true).text(), builder.getInt32Ty(), {asked}));
}

std::string_view groupForm(FunctionReader& in, std::size_t index) {
  switch (in.current().as<GroupOperation>(index)) {
    case GroupOperation::Reduce: return "reduce";
    case GroupOperation::InclusiveScan: return "scan_inclusive";
    case GroupOperation::ExclusiveScan: return "scan_exclusive";
    default:
      refuse(in.current(), "the group operation {} is not possible here",
             nameOf(OperandKind::GroupOperation_, in.current()[index]));
  }
}

}  // namespace clarity::compiler::spirv
