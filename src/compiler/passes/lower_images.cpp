// SPDX-License-Identifier: Apache-2.0
// This file replaces the opaque types of OpenCL C, function by function.
#include "compiler/passes/lower_images.h"

#include "compiler/ir/image_descriptor.h"
#include "compiler/ir/opaque_types.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

constexpr llvm::StringLiteral samplerOfProgram = "__translate_sampler_initializer";

bool isLowered(llvm::Type* type) { return lowered(type) != type; }

/// Whether parameters or the result change, those by value included.
bool hasOpaque(const llvm::Function& function) {
  const auto isByValue = [](const llvm::Argument& argument) {
    llvm::Type* const value = argument.getParamByValType();
    return value && isLowered(value);
  };
  return isLowered(function.getFunctionType()) || llvm::any_of(function.args(), isByValue);
}

/// Notes the facts about every image that a kernel is given.
void describe(llvm::Argument& image) {
  llvm::AttrBuilder attributes(image.getContext());
  attributes.addAttribute(llvm::Attribute::NoAlias);
  attributes.addAttribute(llvm::Attribute::ReadOnly);
  attributes.addAttribute(llvm::Attribute::NonNull);
  attributes.addAlignmentAttr(imageDescriptorAlign);
  attributes.addDereferenceableAttr(sizeof(ImageDescriptor));
  image.addAttrs(attributes);
}

/// A function with the same body and other types.
void lowerSignature(llvm::Function& function) {
  auto* type = llvm::cast<llvm::FunctionType>(lowered(function.getFunctionType()));
  auto* replacement = llvm::Function::Create(type, function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(), replacement);
  replacement->copyAttributesFrom(&function);
  replacement->copyMetadata(&function, 0);
  replacement->setComdat(function.getComdat());
  replacement->splice(replacement->begin(), &function);
  for (llvm::Argument& argument : function.args()) {
    llvm::Argument& parameter = *replacement->getArg(argument.getArgNo());
    parameter.takeName(&argument);
    const bool isImage = parameter.getType()->isPointerTy() && isLowered(argument.getType()) &&
                         parameter.getType()->getPointerAddressSpace() == constantAddressSpace;
    if (llvm::Type* const value = argument.getParamByValType(); value && isLowered(value)) {
      parameter.removeAttr(llvm::Attribute::ByVal);
      parameter.addAttr(llvm::Attribute::getWithByValType(value->getContext(), lowered(value)));
    }
    argument.mutateType(parameter.getType());
    argument.replaceAllUsesWith(&parameter);
    if (isImage && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) describe(parameter);
  }
  replacement->takeName(&function);
  function.replaceAllUsesWith(replacement);
  function.eraseFromParent();
}

/// A variable of local memory that holds reservations. It has no content of its own.
void lowerVariable(llvm::GlobalVariable& variable) {
  llvm::Type* type = lowered(variable.getValueType());
  auto* replacement = new llvm::GlobalVariable(*variable.getParent(), type, variable.isConstant(),
                                               variable.getLinkage(), llvm::UndefValue::get(type), "", &variable,
                                               variable.getThreadLocalMode(), variable.getAddressSpace());
  replacement->copyAttributesFrom(&variable);
  replacement->copyMetadata(&variable, 0);
  replacement->takeName(&variable);
  variable.replaceAllUsesWith(replacement);
  variable.eraseFromParent();
}

/// An element of an array of such values.
llvm::Constant* loweredAddress(llvm::GEPOperator& address) {
  llvm::SmallVector<llvm::Constant*, 4> indices;
  for (const llvm::Use& index : address.indices()) indices.push_back(llvm::cast<llvm::Constant>(index.get()));
  return llvm::ConstantExpr::getGetElementPtr(lowered(address.getSourceElementType()),
                                              llvm::cast<llvm::Constant>(address.getPointerOperand()), indices,
                                              address.getNoWrapFlags());
}

/// Values of no particular content have no other form.
llvm::Constant* loweredConstant(llvm::Constant& constant) {
  llvm::Type* type = lowered(constant.getType());
  if (llvm::isa<llvm::PoisonValue>(constant)) return llvm::PoisonValue::get(type);
  if (llvm::isa<llvm::UndefValue>(constant)) return llvm::UndefValue::get(type);
  return llvm::Constant::getNullValue(type);
}

void lowerInstruction(llvm::Instruction& instruction) {
  for (llvm::Use& operand : instruction.operands()) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get());
    if (!constant) continue;
    if (isLowered(constant->getType())) operand.set(loweredConstant(*constant));
    auto* address = llvm::dyn_cast<llvm::GEPOperator>(constant);
    if (address && isLowered(address->getSourceElementType())) operand.set(loweredAddress(*address));
  }
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    address->setSourceElementType(lowered(address->getSourceElementType()));
    address->setResultElementType(lowered(address->getResultElementType()));
  }
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    variable->setAllocatedType(lowered(variable->getAllocatedType()));
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    call->mutateFunctionType(llvm::cast<llvm::FunctionType>(lowered(call->getFunctionType())));
  else if (isLowered(instruction.getType()))
    instruction.mutateType(lowered(instruction.getType()));
}

void replaceSamplersOfProgram(llvm::Function& makes) {
  for (llvm::User* user : llvm::make_early_inc_range(makes.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateZExt(call->getArgOperand(0), builder.getInt64Ty()));
    call->eraseFromParent();
  }
  makes.eraseFromParent();
}

/// A pipe is its address.
void replacePipesOfStorage(llvm::Function& makes) {
  for (llvm::User* user : llvm::make_early_inc_range(makes.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
  makes.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses LowerImagesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::Function*, 16> opaque;
  for (llvm::Function& function : module)
    if (hasOpaque(function)) opaque.push_back(&function);
  llvm::SmallVector<llvm::GlobalVariable*, 4> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (isLowered(variable.getValueType())) variables.push_back(&variable);
  if (opaque.empty() && variables.empty()) return llvm::PreservedAnalyses::all();
  for (llvm::Function* function : opaque) lowerSignature(*function);
  for (llvm::GlobalVariable* variable : variables) lowerVariable(*variable);
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) lowerInstruction(instruction);
  if (llvm::Function* makes = module.getFunction(samplerOfProgram)) replaceSamplersOfProgram(*makes);
  for (const char* const name : {readPipeOfStorage, writePipeOfStorage})
    if (llvm::Function* makes = module.getFunction(name)) replacePipesOfStorage(*makes);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
