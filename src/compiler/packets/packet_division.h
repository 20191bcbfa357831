// SPDX-License-Identifier: Apache-2.0
// This file declares integer division of vectors, for which processors have no instruction.
#pragma once

#include "compiler/packets/packet_values.h"

namespace clarity::compiler {

/// Generates divisions and remainders of integers that differ between lanes.
class PacketDivision {
public:
  PacketDivision(TileContext& tile, PacketValues& values) : tile_(tile), values_(values), builder_(tile.builder) {}

  /// nullptr: the divisor is a constant, by which LLVM multiplies or shifts.
  llvm::Value* emit(llvm::BinaryOperator& division, unsigned cell);

private:
  llvm::Value* byConstant(llvm::BinaryOperator& division, unsigned cell);
  /// The divisor where it is the same in all lanes, a scalar; nullptr: it is not.
  llvm::Value* commonDivisor(const llvm::BinaryOperator& division, unsigned cell);
  llvm::Value* emitEachLane(llvm::BinaryOperator& division, unsigned cell);

  llvm::Value* byEstimate(llvm::Value* dividend, llvm::Value* divisor);
  llvm::Value* toInteger(llvm::Value* quotient, llvm::Type* type, bool isSigned);

  TileContext& tile_;
  PacketValues& values_;
  llvm::IRBuilderBase& builder_;
};

}  // namespace clarity::compiler
