// SPDX-License-Identifier: Apache-2.0
// This file makes instructions of AVX-512 of the functions that stand for them.
#include "compiler/passes/lower_processor_functions.h"

#include "compiler/ir/processor_functions.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

namespace clarity::compiler {
namespace {

using Arguments = llvm::SmallVector<llvm::Value*, 2>;

constexpr unsigned currentRounding = 4;  // _MM_FROUND_CUR_DIRECTION
/// The intervals [3/4, 3/2), with NaN for negative numbers, and [1, 2), of the magnitude.
constexpr unsigned balanced = 0b1111, ofMagnitude = 0b0100;
constexpr unsigned tableSize = 16;

/// The intrinsics for registers of 128, 256 and 512 bits, of float and of double.
struct RegisterIntrinsics {
  llvm::Intrinsic::ID singles[3], doubles[3];
  std::optional<unsigned> immediate;
  bool roundsByMode = false;  ///< that of 512 bits has the rounding mode as an operand
};

RegisterIntrinsics instructionFor(ProcessorOperation operation) {
  using namespace llvm::Intrinsic;
  constexpr RegisterIntrinsics significand = {
      {x86_avx512_mask_getmant_ps_128, x86_avx512_mask_getmant_ps_256, x86_avx512_mask_getmant_ps_512},
      {x86_avx512_mask_getmant_pd_128, x86_avx512_mask_getmant_pd_256, x86_avx512_mask_getmant_pd_512},
      balanced,
      true};
  RegisterIntrinsics mantissa = significand;
  mantissa.immediate = ofMagnitude;
  switch (operation) {
    case ProcessorOperation::Exponent:
      return {{x86_avx512_mask_getexp_ps_128, x86_avx512_mask_getexp_ps_256, x86_avx512_mask_getexp_ps_512},
              {x86_avx512_mask_getexp_pd_128, x86_avx512_mask_getexp_pd_256, x86_avx512_mask_getexp_pd_512},
              {},
              true};
    case ProcessorOperation::Significand: return significand;
    case ProcessorOperation::Mantissa: return mantissa;
    case ProcessorOperation::Reciprocal:
      return {{x86_avx512_rcp14_ps_128, x86_avx512_rcp14_ps_256, x86_avx512_rcp14_ps_512},
              {x86_avx512_rcp14_pd_128, x86_avx512_rcp14_pd_256, x86_avx512_rcp14_pd_512},
              {}};
    case ProcessorOperation::ReciprocalRoot:
      return {{x86_avx512_rsqrt14_ps_128, x86_avx512_rsqrt14_ps_256, x86_avx512_rsqrt14_ps_512},
              {x86_avx512_rsqrt14_pd_128, x86_avx512_rsqrt14_pd_256, x86_avx512_rsqrt14_pd_512},
              {}};
    case ProcessorOperation::Scale:
      return {{x86_avx512_mask_scalef_ps_128, x86_avx512_mask_scalef_ps_256, x86_avx512_mask_scalef_ps_512},
              {x86_avx512_mask_scalef_pd_128, x86_avx512_mask_scalef_pd_256, x86_avx512_mask_scalef_pd_512},
              {},
              true};
    case ProcessorOperation::Choose:  // of registers of 512 bits only
      return {{0, 0, x86_avx512_permvar_sf_512}, {0, 0, x86_avx512_vpermi2var_pd_512}, {}};
  }
  llvm_unreachable("an operation without an instruction");
}

unsigned lanesOf(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector ? vector->getNumElements() : 1;
}

class RegisterOperation {
public:
  RegisterOperation(llvm::CallInst& call, ProcessorOperation operation, unsigned registerBits)
      : builder_(&call),
        instruction_(instructionFor(operation)),
        element_(call.getType()->getScalarType()),
        elementBits_(element_->getScalarSizeInBits()),
        least_((operation == ProcessorOperation::Choose ? 512 : 128) / elementBits_),
        most_(std::max(registerBits / elementBits_, least_)) {
    if (operation != ProcessorOperation::Choose) return;
    for (const llvm::Use& argument : llvm::drop_begin(call.args())) {
      auto* constant = llvm::cast<llvm::Constant>(argument.get());
      table_.push_back(constant->getType()->isVectorTy() ? constant->getSplatValue() : constant);
    }
  }

  /// For as many numbers as the arguments have.
  llvm::Value* of(const Arguments& arguments) {
    llvm::Type* const type = arguments.front()->getType();
    const unsigned lanes = lanesOf(*type);
    // By steps: LLVM cannot generate code for three elements that are placed among sixteen.
    if (const auto even = static_cast<unsigned>(llvm::PowerOf2Ceil(lanes)); lanes != even)
      return part(of(widened(arguments, lanes, even)), 0, lanes);
    if (lanes > most_) return halves(arguments, lanes);
    const unsigned whole = std::max(least_, lanes);
    if (lanes == whole) return inRegister(arguments, whole);
    llvm::Value* const result = inRegister(widened(arguments, lanes, whole), whole);
    return type->isVectorTy() ? part(result, 0, lanes) : builder_.CreateExtractElement(result, builder_.getInt64(0));
  }

private:
  llvm::Value* part(llvm::Value* vector, unsigned first, unsigned lanes) {
    llvm::SmallVector<int, 16> places(lanes);
    std::iota(places.begin(), places.end(), static_cast<int>(first));
    return builder_.CreateShuffleVector(vector, places);
  }

  /// Its first elements again where there are none.
  llvm::Value* widen(llvm::Value* value, unsigned lanes, unsigned whole) {
    if (!value->getType()->isVectorTy()) return builder_.CreateVectorSplat(whole, value);
    llvm::SmallVector<int, 16> places(whole, 0);
    std::iota(places.begin(), places.begin() + lanes, 0);
    return builder_.CreateShuffleVector(value, places);
  }

  Arguments widened(const Arguments& arguments, unsigned lanes, unsigned whole) {
    Arguments all;
    for (llvm::Value* argument : arguments) all.push_back(widen(argument, lanes, whole));
    return all;
  }

  llvm::Value* halves(const Arguments& arguments, unsigned lanes) {
    const unsigned half = lanes / 2;
    Arguments lower, upper;
    for (llvm::Value* argument : arguments) {
      lower.push_back(part(argument, 0, half));
      upper.push_back(part(argument, half, half));
    }
    llvm::Value *const first = of(lower), *const second = of(upper);
    llvm::SmallVector<int, 32> places(lanes);
    std::iota(places.begin(), places.end(), 0);
    return builder_.CreateShuffleVector(first, second, places);
  }

  /// The element of the table that the low bits of each index name.
  llvm::Value* chosen(llvm::Value* index) {
    llvm::Value* const bits =
        builder_.CreateBitCast(index, index->getType()->getWithNewType(builder_.getIntNTy(elementBits_)));
    const llvm::ArrayRef<llvm::Constant*> table(table_);
    if (element_->isFloatTy())
      return builder_.CreateIntrinsic(instruction_.singles[2], {llvm::ConstantVector::get(table), bits});
    llvm::Constant *const lower = llvm::ConstantVector::get(table.take_front(tableSize / 2)),
                          *const upper = llvm::ConstantVector::get(table.drop_front(tableSize / 2));
    return builder_.CreateIntrinsic(instruction_.doubles[2], {lower, bits, upper});
  }

  llvm::Value* inRegister(const Arguments& arguments, unsigned lanes) {
    if (!table_.empty()) return chosen(arguments.front());
    const unsigned bits = lanes * elementBits_, size = bits == 512 ? 2 : bits == 256 ? 1 : 0;
    llvm::SmallVector<llvm::Value*, 6> operands(llvm::ArrayRef<llvm::Value*>{arguments});
    if (instruction_.immediate) operands.push_back(builder_.getInt32(*instruction_.immediate));
    operands.push_back(llvm::Constant::getNullValue(arguments.front()->getType()));
    operands.push_back(llvm::Constant::getAllOnesValue(builder_.getIntNTy(std::max(lanes, 8U))));
    if (size == 2 && instruction_.roundsByMode) operands.push_back(builder_.getInt32(currentRounding));
    return builder_.CreateIntrinsic((element_->isFloatTy() ? instruction_.singles : instruction_.doubles)[size],
                                    operands);
  }

  llvm::IRBuilder<> builder_;
  RegisterIntrinsics instruction_;
  llvm::Type* element_;
  unsigned elementBits_, least_, most_;  ///< lanes of an instruction
  llvm::SmallVector<llvm::Constant*, tableSize> table_;
};

/// Those that are in the lanes of registers.
llvm::iterator_range<llvm::Use*> variablesOf(llvm::CallInst& call, ProcessorOperation operation) {
  return operation == ProcessorOperation::Choose ? llvm::make_range(call.arg_begin(), call.arg_begin() + 1)
                                                 : call.args();
}

/// Calls of one function in one block for elements of the same vectors, and the results of all elements.
using Together = std::map<std::tuple<llvm::BasicBlock*, llvm::Function*, std::vector<llvm::Value*>>, llvm::Value*>;

/// The result of a call whose arguments are the same element of vectors of one type; nullptr: of other arguments.
llvm::Value* elementOf(llvm::CallInst& call, ProcessorOperation operation, unsigned registerBits, Together& known) {
  using namespace llvm::PatternMatch;
  llvm::Value* place = nullptr;
  std::vector<llvm::Value*> vectors;
  for (const llvm::Use& argument : variablesOf(call, operation)) {
    llvm::Value *vector = nullptr, *index = nullptr;
    if (!match(argument.get(), m_ExtractElt(m_Value(vector), m_Value(index))) || !llvm::isa<llvm::ConstantInt>(index) ||
        !llvm::isa<llvm::FixedVectorType>(vector->getType()) || (place && place != index) ||
        (!vectors.empty() && vectors.front()->getType() != vector->getType()))
      return nullptr;
    place = index;
    vectors.push_back(vector);
  }
  std::vector<llvm::Value*> all(call.arg_begin(), call.arg_end());
  std::ranges::copy(vectors, all.begin());
  llvm::Value*& results = known[{call.getParent(), call.getCalledFunction(), all}];
  if (!results)
    results = RegisterOperation(call, operation, registerBits).of(Arguments(vectors.begin(), vectors.end()));
  return llvm::IRBuilder<>(&call).CreateExtractElement(results, place);
}

}  // namespace

llvm::PreservedAnalyses LowerProcessorFunctionsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  Together together;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto operation = call ? processorOperationOf(*call) : std::nullopt;
    if (!operation) continue;
    llvm::Value* result = elementOf(*call, *operation, registerBits, together);
    if (!result)
      result = RegisterOperation(*call, *operation, registerBits).of(Arguments(variablesOf(*call, *operation)));
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
