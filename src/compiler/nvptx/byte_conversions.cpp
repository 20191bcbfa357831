// SPDX-License-Identifier: Apache-2.0
// This file finds conversions of bytes and halves of words.
#include "compiler/nvptx/byte_conversions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace clarity::compiler::nvptx {
namespace {

/// 2^23, in whose mantissa an integer below 2^23 is itself.
constexpr std::uint32_t bitsOfUnit = 0x4B000000;
constexpr float unit = 0x1p23F;

/// One byte or half of a word.
struct Piece {
  llvm::Value* word;
  unsigned first, bytes;  ///< in the word
};

/// Zero-extended, as C and the image functions write it.
std::optional<Piece> pieceOf(llvm::Value& value) {
  using namespace llvm::PatternMatch;
  llvm::Value *word = nullptr, *shifted = nullptr;
  const llvm::APInt *shift = nullptr, *mask = nullptr;
  if (!value.getType()->isIntegerTy(32)) return std::nullopt;
  std::uint64_t first = 0, bits = 0;
  if (match(&value, m_And(m_Value(word), m_APInt(mask)))) {
    if (!mask->isMask()) return std::nullopt;
    bits = mask->countr_one();
    if (match(word, m_LShr(m_Value(shifted), m_APInt(shift)))) {
      first = shift->getZExtValue();
      word = shifted;
    }
  } else if (match(&value, m_LShr(m_Value(word), m_APInt(shift)))) {
    first = shift->getZExtValue();
    bits = 32 - first;
  }
  if ((bits != 8 && bits != 16) || first % bits != 0 || first + bits > 32) return std::nullopt;
  return Piece{word, static_cast<unsigned>(first / 8), static_cast<unsigned>(bits / 8)};
}

class Converter {
public:
  explicit Converter(llvm::Function& function) : function_(function) {}

  bool run() {
    bool any = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function_))) {
      if (!instruction.getType()->getScalarType()->isFloatTy()) continue;
      // convert() erases the conversion.
      if (auto* unsignedOne = llvm::dyn_cast<llvm::UIToFPInst>(&instruction))
        any |= convert(*unsignedOne);
      else if (auto* signedOne = llvm::dyn_cast<llvm::SIToFPInst>(&instruction))
        any |= widen(*signedOne);
    }
    return any;
  }

private:
  bool convert(llvm::UIToFPInst& conversion) {
    llvm::Value* const integers = conversion.getOperand(0);
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(conversion.getType());
    llvm::SmallVector<Piece, 4> pieces;
    for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
      llvm::Value* lane = vector ? llvm::findScalarElement(integers, i) : integers;
      const std::optional<Piece> piece = lane ? pieceOf(*lane) : std::nullopt;
      if (!piece) return false;
      pieces.push_back(*piece);
    }
    llvm::IRBuilder<> builder(&conversion);
    llvm::Value* result = llvm::PoisonValue::get(conversion.getType());
    for (unsigned i = 0; i < pieces.size(); ++i) {
      llvm::Value* made = floatOf(builder, pieces[i]);
      result = vector ? builder.CreateInsertElement(result, made, i) : made;
    }
    conversion.replaceAllUsesWith(result);
    conversion.eraseFromParent();
    return true;
  }

  static llvm::Value* floatOf(llvm::IRBuilder<>& builder, const Piece& piece) {
    // By nibble, the lowest first: which byte, of the word (0 to 3) or of the unit (4 to 7).
    const std::uint32_t order =
        piece.bytes == 1 ? 0x7440 + piece.first : 0x7400 + ((piece.first + 1) << 4) + piece.first;
    llvm::Value* both = builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::nvvm_prmt,
                                                {piece.word, builder.getInt32(bitsOfUnit), builder.getInt32(order)});
    return builder.CreateFSub(builder.CreateBitCast(both, builder.getFloatTy()),
                              llvm::ConstantFP::get(builder.getFloatTy(), unit));
  }

  static bool widen(llvm::SIToFPInst& conversion) {
    llvm::Type* const type = conversion.getSrcTy();
    const unsigned bits = type->getScalarSizeInBits();
    if (bits != 8 && bits != 16) return false;
    llvm::IRBuilder<> builder(&conversion);
    conversion.setOperand(0, builder.CreateSExt(conversion.getOperand(0), type->getWithNewBitWidth(32)));
    return true;
  }

  llvm::Function& function_;
};

}  // namespace

llvm::PreservedAnalyses ConvertBytesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  return Converter(function).run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
