// SPDX-License-Identifier: Apache-2.0
// This file replaces calls of mathematical intrinsics.
#include "compiler/passes/lower_math_intrinsics.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <string>
#include <string_view>

namespace clarity::compiler {
namespace {

/// OpenCL's function for an intrinsic; empty for one that stays or is composed below.
std::string_view functionFor(llvm::Intrinsic::ID intrinsic) {
  switch (intrinsic) {
    case llvm::Intrinsic::acos: return "acos";
    case llvm::Intrinsic::asin: return "asin";
    case llvm::Intrinsic::atan: return "atan";
    case llvm::Intrinsic::atan2: return "atan2";
    case llvm::Intrinsic::cos: return "cos";
    case llvm::Intrinsic::cosh: return "cosh";
    case llvm::Intrinsic::exp: return "exp";
    case llvm::Intrinsic::exp10: return "exp10";
    case llvm::Intrinsic::exp2: return "exp2";
    case llvm::Intrinsic::ldexp: return "ldexp";
    case llvm::Intrinsic::log: return "log";
    case llvm::Intrinsic::log10: return "log10";
    case llvm::Intrinsic::log2: return "log2";
    case llvm::Intrinsic::pow: return "pow";
    case llvm::Intrinsic::powi: return "pown";
    case llvm::Intrinsic::sin: return "sin";
    case llvm::Intrinsic::sinh: return "sinh";
    case llvm::Intrinsic::tan: return "tan";
    case llvm::Intrinsic::tanh: return "tanh";
    default: return {};
  }
}

bool isLowered(llvm::Intrinsic::ID intrinsic) {
  switch (intrinsic) {
    case llvm::Intrinsic::frexp:
    case llvm::Intrinsic::llrint:
    case llvm::Intrinsic::llround:
    case llvm::Intrinsic::lrint:
    case llvm::Intrinsic::lround:
    case llvm::Intrinsic::modf:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::sincos: return true;
    default: return !functionFor(intrinsic).empty();
  }
}

/// The name of a builtin for parameters of such types: _Z3powDv4_fS_, _Z5ldexpfi.
std::string mangled(std::string_view function, llvm::ArrayRef<llvm::Value*> arguments) {
  std::string name = fmt::format("_Z{}{}", function.size(), function);
  for (const auto& [index, argument] : llvm::enumerate(arguments)) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(argument->getType());
    if (vector && index != 0 && vector == arguments.front()->getType()) {
      name += "S_";
      continue;
    }
    if (vector) name += fmt::format("Dv{}_", vector->getNumElements());
    const llvm::Type& element = *argument->getType()->getScalarType();
    name += element.isFloatTy() ? "f" : element.isDoubleTy() ? "d" : element.isHalfTy() ? "Dh" : "i";
  }
  return name;
}

class Lowering {
public:
  explicit Lowering(llvm::IntrinsicInst& call) : call_(call), builder_(&call) {}

  void run() {
    llvm::SmallVector<llvm::Value*, 2> arguments(call_.args());
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(arguments.front()->getType());
    llvm::Value* const result =
        vector && !isOpenCLs(*vector) ? laneByLane(arguments, vector->getNumElements()) : whole(arguments);
    call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
  }

private:
  static bool isOpenCLs(const llvm::FixedVectorType& vector) {
    return llvm::is_contained({2, 3, 4, 8, 16}, static_cast<int>(vector.getNumElements()));
  }

  /// The result of one lane is a value or a structure of values, as that of the whole is.
  llvm::Value* laneByLane(llvm::ArrayRef<llvm::Value*> arguments, unsigned lanes) {
    llvm::Value* result = llvm::PoisonValue::get(call_.getType());
    for (unsigned lane = 0; lane < lanes; ++lane) {
      llvm::SmallVector<llvm::Value*, 2> scalars;
      for (llvm::Value* argument : arguments)
        scalars.push_back(argument->getType()->isVectorTy() ? builder_.CreateExtractElement(argument, lane) : argument);
      llvm::Value* const one = whole(scalars);
      if (!one->getType()->isStructTy()) {
        result = builder_.CreateInsertElement(result, one, lane);
        continue;
      }
      for (unsigned field = 0; field < one->getType()->getStructNumElements(); ++field)
        result = builder_.CreateInsertValue(result,
                                            builder_.CreateInsertElement(builder_.CreateExtractValue(result, field),
                                                                         builder_.CreateExtractValue(one, field), lane),
                                            field);
    }
    return result;
  }

  llvm::Value* whole(llvm::ArrayRef<llvm::Value*> arguments) {
    llvm::Value* const x = arguments.front();
    switch (call_.getIntrinsicID()) {
      case llvm::Intrinsic::frexp: return frexp(x);
      case llvm::Intrinsic::modf: return modf(x);
      case llvm::Intrinsic::sincos: return pair(builtin("sin", {x}), builtin("cos", {x}));
      case llvm::Intrinsic::roundeven: return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::rint, x);
      case llvm::Intrinsic::lrint:
      case llvm::Intrinsic::llrint: return integer(llvm::Intrinsic::rint, x);
      case llvm::Intrinsic::lround:
      case llvm::Intrinsic::llround: return integer(llvm::Intrinsic::round, x);
      case llvm::Intrinsic::powi: return builtin("pown", {x, asWide(arguments[1], x)});
      default: return builtin(functionFor(call_.getIntrinsicID()), arguments);
    }
  }

  llvm::Value* builtin(std::string_view function, llvm::ArrayRef<llvm::Value*> arguments,
                       llvm::Type* result = nullptr) {
    llvm::SmallVector<llvm::Type*, 2> types;
    for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
    if (!result) result = types.front();
    llvm::FunctionCallee callee = call_.getModule()->getOrInsertFunction(
        mangled(function, arguments), llvm::FunctionType::get(result, types, /*isVarArg=*/false));
    auto& declaration = *llvm::cast<llvm::Function>(callee.getCallee());
    declaration.setCallingConv(llvm::CallingConv::SPIR_FUNC);
    llvm::CallInst* const made = builder_.CreateCall(callee, arguments);
    made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    return made;
  }

  /// A scalar in every lane of a vector like `like`.
  llvm::Value* asWide(llvm::Value* scalar, const llvm::Value* like) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(like->getType());
    return vector && !scalar->getType()->isVectorTy() ? builder_.CreateVectorSplat(vector->getNumElements(), scalar)
                                                      : scalar;
  }

  llvm::Value* pair(llvm::Value* first, llvm::Value* second) {
    llvm::Value* const both =
        llvm::PoisonValue::get(llvm::StructType::get(call_.getContext(), {first->getType(), second->getType()}));
    return builder_.CreateInsertValue(builder_.CreateInsertValue(both, first, 0), second, 1);
  }

  llvm::Type* resultOf(const llvm::Value& x) const {
    llvm::Type* const element = call_.getType()->getScalarType();
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x.getType());
    return vector ? llvm::FixedVectorType::get(element, vector->getNumElements()) : element;
  }

  llvm::Value* integer(llvm::Intrinsic::ID rounding, llvm::Value* x) {
    return builder_.CreateFPToSI(builder_.CreateUnaryIntrinsic(rounding, x), resultOf(*x));
  }

  /// An infinity has the fraction 0.
  llvm::Value* modf(llvm::Value* x) {
    llvm::Value* const integral = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x);
    llvm::Value* const rest = builder_.CreateSelect(
        builder_.CreateFCmpOEQ(x, integral), llvm::ConstantFP::get(x->getType(), 0), builder_.CreateFSub(x, integral));
    return pair(builder_.CreateCopySign(rest, x), integral);
  }

  /// The exponent that brings |x| into [0.5, 1), and x brought there; zeros, infinities and NaN stay.
  llvm::Value* frexp(llvm::Value* x) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
    llvm::Type* exponents = builder_.getInt32Ty();
    if (vector) exponents = llvm::FixedVectorType::get(exponents, vector->getNumElements());
    llvm::Value* const zero = llvm::ConstantFP::get(x->getType(), 0);
    llvm::Value* const magnitude = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    llvm::Value* const moves =
        builder_.CreateAnd(builder_.CreateFCmpONE(x, zero),
                           builder_.CreateFCmpOLT(magnitude, llvm::ConstantFP::getInfinity(x->getType())));
    llvm::Value* const one = llvm::ConstantInt::get(exponents, 1);
    llvm::Value* const exponent = builder_.CreateSelect(
        moves, builder_.CreateAdd(builtin("ilogb", {x}, exponents), one), llvm::ConstantInt::get(exponents, 0));
    return pair(builtin("ldexp", {x, builder_.CreateNeg(exponent)}), exponent);
  }

  llvm::IntrinsicInst& call_;
  llvm::IRBuilder<> builder_;
};

}  // namespace

llvm::PreservedAnalyses LowerMathIntrinsicsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::IntrinsicInst*, 8> calls;
  for (llvm::Function& function : module)
    if (function.isIntrinsic() && isLowered(function.getIntrinsicID()))
      for (llvm::User* user : function.users())
        if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user)) calls.push_back(call);
  for (llvm::IntrinsicInst* call : calls) Lowering(*call).run();
  return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
