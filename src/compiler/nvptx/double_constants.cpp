// SPDX-License-Identifier: Apache-2.0
// This file collects the constants of a module.
#include "compiler/nvptx/double_constants.h"

#include "compiler/ir/cost_model.h"
#include "compiler/nvptx/address_spaces.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace clarity::compiler::nvptx {
namespace {

/// Whether an instruction of the GPU has no room for it.
bool isLong(const llvm::ConstantFP& constant) {
  return constant.getType()->isDoubleTy() &&
         static_cast<std::uint32_t>(constant.getValueAPF().bitcastToAPInt().getZExtValue()) != 0;
}

/// Whether the operands of an instruction may be any values.
bool takesValues(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::BinaryOperator, llvm::FCmpInst>(instruction)) return true;
  const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return false;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum: return true;
    default: return false;
  }
}

class ConstantMemory {
public:
  explicit ConstantMemory(llvm::Module& module) : module_(module) {}

  void use(llvm::Function& function) {
    for (llvm::BasicBlock& block : function) {
      llvm::DenseMap<const llvm::ConstantFP*, llvm::Value*> loaded;
      for (llvm::Instruction& instruction : block) {
        if (!takesValues(instruction)) continue;
        for (llvm::Use& operand : instruction.operands()) {
          auto* const constant = llvm::dyn_cast<llvm::ConstantFP>(&operand);
          if (!constant || !isLong(*constant)) continue;
          llvm::Value*& value = loaded[constant];
          if (!value) value = load(*constant, instruction);
          if (!value) return;
          operand.set(value);
        }
      }
    }
  }

  /// Makes the variable. False if there are no constants for it.
  bool finish() {
    if (places_.empty()) return false;
    llvm::SmallVector<llvm::Constant*> values;
    for (const auto& [constant, place] : places_) values.push_back(constant);
    auto* const type = llvm::ArrayType::get(llvm::Type::getDoubleTy(module_.getContext()), values.size());
    auto* const variable = new llvm::GlobalVariable(
        module_, type, /*isConstant=*/true, llvm::GlobalValue::InternalLinkage, llvm::ConstantArray::get(type, values),
        "clarity.doubles", nullptr, llvm::GlobalValue::NotThreadLocal, constantSpace,
        /*isExternallyInitialized=*/true);  // or the code generator's own passes would bring the constants back
    variable->setAlignment(llvm::Align(sizeof(double)));
    first_->replaceAllUsesWith(variable);
    first_->eraseFromParent();
    return true;
  }

private:
  /// A load ahead of an instruction; null if there is no more room.
  llvm::Value* load(llvm::ConstantFP& constant, llvm::Instruction& before) {
    if (places_.size() >= cost::mostDoubleConstants) return nullptr;
    llvm::LLVMContext& context = module_.getContext();
    if (!first_)
      first_ = new llvm::GlobalVariable(module_, llvm::Type::getDoubleTy(context), /*isConstant=*/true,
                                        llvm::GlobalValue::ExternalLinkage, nullptr, "", nullptr,
                                        llvm::GlobalValue::NotThreadLocal, constantSpace);
    const std::size_t place = places_.try_emplace(&constant, places_.size()).first->second;
    llvm::IRBuilder<> builder(&before);
    llvm::LoadInst* const load = builder.CreateAlignedLoad(
        builder.getDoubleTy(), builder.CreateConstInBoundsGEP1_64(builder.getDoubleTy(), first_, place),
        llvm::Align(sizeof(double)));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
    return load;
  }

  llvm::Module& module_;
  llvm::MapVector<llvm::ConstantFP*, std::size_t> places_;
  llvm::GlobalVariable* first_ = nullptr;  ///< in place of the variable, whose size is not known yet
};

}  // namespace

llvm::PreservedAnalyses LoadDoubleConstantsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  ConstantMemory memory(module);
  for (llvm::Function& function : module) memory.use(function);
  return memory.finish() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
