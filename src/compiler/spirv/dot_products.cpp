// SPDX-License-Identifier: Apache-2.0
// This file reads dot products of integers (SPIR-V 1.6, section 3.49.13; SPV_KHR_integer_dot_product).
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace clarity::compiler::spirv {
namespace {

enum class Signs { Signed, Unsigned, Mixed };

/// A vector, or four bytes in an integer of 32 bits.
llvm::Value& factorsAt(FunctionReader& in, std::size_t index) {
  llvm::Value& given = integerAt(in, index);
  if (given.getType()->isVectorTy()) return given;
  require(given.getType()->isIntegerTy(32), in.current(), "operand {} is neither a vector nor four bytes", index + 1);
  return *in.builder().CreateBitCast(&given, llvm::FixedVectorType::get(in.builder().getInt8Ty(), 4));
}

llvm::Value* productSum(FunctionReader& in, Signs signs) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& left = factorsAt(in, 0);
  llvm::Value& right = factorsAt(in, 1);
  const auto* const factors = llvm::dyn_cast<llvm::FixedVectorType>(left.getType());
  require(factors && left.getType() == right.getType(), in.current(), "its operands have different types");
  llvm::Type* const result = in.resultType().llvm;
  require(result->isIntegerTy() && result->getScalarSizeInBits() >= factors->getScalarSizeInBits(), in.current(),
          "its result is narrower than its factors");
  llvm::Type* const wide = llvm::FixedVectorType::get(result, factors->getNumElements());
  llvm::Value* const products = builder.CreateMul(builder.CreateIntCast(&left, wide, signs != Signs::Unsigned),
                                                  builder.CreateIntCast(&right, wide, signs == Signs::Signed));
  llvm::Value* sum = builder.CreateExtractElement(products, std::uint64_t(0));
  for (unsigned i = 1; i < factors->getNumElements(); ++i)
    sum = builder.CreateAdd(sum, builder.CreateExtractElement(products, std::uint64_t(i)));
  return sum;
}

template <Signs signs>
llvm::Value* dotProduct(FunctionReader& in) {
  return productSum(in, signs);
}

/// Operands: the factors, and what their product is added to.
template <Signs signs>
llvm::Value* accumulate(FunctionReader& in) {
  llvm::Value& sum = integerAt(in, 2);
  requireResult(in, sum.getType());
  return in.builder().CreateBinaryIntrinsic(
      signs == Signs::Unsigned ? llvm::Intrinsic::uadd_sat : llvm::Intrinsic::sadd_sat, productSum(in, signs), &sum);
}

}  // namespace

void addDotProducts(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::SDot, dotProduct<Signs::Signed>);
  set(Op::UDot, dotProduct<Signs::Unsigned>);
  set(Op::SUDot, dotProduct<Signs::Mixed>);
  set(Op::SDotAccSat, accumulate<Signs::Signed>);
  set(Op::UDotAccSat, accumulate<Signs::Unsigned>);
  set(Op::SUDotAccSat, accumulate<Signs::Mixed>);
}

}  // namespace clarity::compiler::spirv
