// SPDX-License-Identifier: Apache-2.0
// This file emits instructions for products of matrices.
#include "compiler/nvptx/matrix_instructions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler::nvptx {
namespace {

using Values = llvm::SmallVector<llvm::Value*, 12>;

/// Appends the elements of a vector, as `type`.
void addElements(llvm::IRBuilder<>& builder, llvm::Value* vector, llvm::Type* type, Values& to) {
  const unsigned count = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  for (unsigned i = 0; i < count; ++i)
    to.push_back(builder.CreateBitCast(builder.CreateExtractElement(vector, i), type));
}

/// The members of an instruction's result as a vector.
llvm::Value* joined(llvm::IRBuilder<>& builder, llvm::Value* structure, llvm::Type* type) {
  llvm::Value* vector = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < llvm::cast<llvm::FixedVectorType>(type)->getNumElements(); ++i)
    vector = builder.CreateInsertElement(vector, builder.CreateExtractValue(structure, i), i);
  return vector;
}

llvm::Value* emitOfWords(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::Intrinsic::ID id, llvm::Type* word) {
  Values operands;
  addElements(builder, call.getArgOperand(0), word, operands);
  addElements(builder, call.getArgOperand(1), word, operands);
  addElements(builder, call.getArgOperand(2), builder.getFloatTy(), operands);
  return joined(builder, builder.CreateIntrinsic(id, {}, operands), call.getType());
}

llvm::Value* emitOfDoubles(llvm::IRBuilder<>& builder, llvm::CallInst& call, Capability capability) {
  llvm::Type* type = builder.getDoubleTy();
  Values a, b, c;
  addElements(builder, call.getArgOperand(0), type, a);
  addElements(builder, call.getArgOperand(1), type, b);
  addElements(builder, call.getArgOperand(2), type, c);
  if (capability >= firstWithLargeDoubleProducts) {
    Values operands = a;
    operands.append(b);
    operands.append(c);
    return joined(builder, builder.CreateIntrinsic(llvm::Intrinsic::nvvm_mma_m16n8k8_row_col_f64, {}, operands),
                  call.getType());
  }
  llvm::Value* result = llvm::PoisonValue::get(call.getType());
  for (unsigned half = 0; half < 2; ++half) {  // the upper and the lower 8 rows
    llvm::Value *first = c[2 * half], *second = c[2 * half + 1];
    for (unsigned k = 0; k < 2; ++k) {
      llvm::Value* sums = builder.CreateIntrinsic(llvm::Intrinsic::nvvm_mma_m8n8k4_row_col_f64, {},
                                                  {a[2 * k + half], b[k], first, second});
      first = builder.CreateExtractValue(sums, 0);
      second = builder.CreateExtractValue(sums, 1);
    }
    result = builder.CreateInsertElement(result, first, 2 * half);
    result = builder.CreateInsertElement(result, second, 2 * half + 1);
  }
  return result;
}

llvm::Value* emit(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef name, Capability capability) {
  using namespace llvm::Intrinsic;
  if (capability < firstWithMatrices) return llvm::PoisonValue::get(call.getType());  // no plan has it there
  if (name == "__clarity_mma_f16")
    return emitOfWords(builder, call, nvvm_mma_m16n8k16_row_col_f32_f32,
                       llvm::FixedVectorType::get(builder.getHalfTy(), 2));
  if (name == "__clarity_mma_bf16")
    return emitOfWords(builder, call, nvvm_mma_m16n8k16_row_col_bf16, builder.getInt32Ty());
  if (name == "__clarity_mma_f64") return emitOfDoubles(builder, call, capability);
  llvm::Value* place = call.getArgOperand(0);
  return joined(builder,
                builder.CreateIntrinsic(name == "__clarity_ldmatrix" ? nvvm_ldmatrix_sync_aligned_m8n8_x4_b16
                                                                     : nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16,
                                        {place->getType()}, {place}),
                call.getType());
}

}  // namespace

void emitMatrixInstructions(llvm::Module& module, Capability capability) {
  for (const char* name : {"__clarity_mma_f16", "__clarity_mma_bf16", "__clarity_mma_f64", "__clarity_ldmatrix",
                           "__clarity_ldmatrix_trans"}) {
    llvm::Function* function = module.getFunction(name);
    if (!function) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function->users())) {
      auto& call = *llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(&call);
      call.replaceAllUsesWith(emit(builder, call, name, capability));
      call.eraseFromParent();
    }
    function->eraseFromParent();
  }
}

}  // namespace clarity::compiler::nvptx
