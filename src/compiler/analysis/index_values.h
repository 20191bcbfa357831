// SPDX-License-Identifier: Apache-2.0
// This file declares how index arithmetic of a kernel becomes values that a launch can compute with
// (ir/access_summary.h).
#pragma once

#include "compiler/ir/access_summary.h"
#include "compiler/ir/compiled_kernel.h"

#include <llvm/ADT/DenseMap.h>

#include <cstdint>

namespace llvm {
class CallInst;
class CastInst;
class BinaryOperator;
class DataLayout;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class SCEV;
class SCEVAddRecExpr;
class SCEVNAryExpr;
class ScalarEvolution;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// Adds to the values of a summary what integers of a kernel are. Kind::Unknown, which is any integer, stands
/// for the rest.
class IndexValues {
public:
  IndexValues(AccessSummary& summary, const KernelInfo& kernel, llvm::ScalarEvolution& evolution,
              const llvm::LoopInfo& loops, const llvm::DataLayout& layout)
      : summary_(summary), kernel_(kernel), evolution_(evolution), loops_(loops), layout_(layout) {}

  std::uint32_t of(llvm::Value& value);
  std::uint32_t of(const llvm::SCEV& expression);
  std::uint32_t constant(std::int64_t number, unsigned bits);
  std::uint32_t unknown(unsigned bits);
  std::uint32_t add(AccessValue value);
  std::uint32_t sum(std::uint32_t a, std::uint32_t b, unsigned bits);
  std::uint32_t product(std::uint32_t a, std::uint32_t b, unsigned bits);

private:
  std::uint32_t compute(llvm::Value& value, unsigned bits);
  std::uint32_t ofInstruction(llvm::Instruction& instruction, unsigned bits);
  std::uint32_t ofOperation(llvm::BinaryOperator& operation, unsigned bits);
  std::uint32_t ofCast(llvm::CastInst& cast, unsigned bits);
  std::uint32_t ofCall(llvm::CallInst& call, unsigned bits);
  std::uint32_t ofPhi(llvm::PHINode& phi, unsigned bits);
  /// An integer in the argument block: of an argument, at an offset in it.
  std::uint32_t ofArgument(const llvm::Value& argument, std::uint64_t at, unsigned bits);
  std::uint32_t ofLoad(llvm::Instruction& load, unsigned bits);
  std::uint32_t ofRecurrence(const llvm::SCEVAddRecExpr& recurrence, unsigned bits);
  std::uint32_t ofSeveral(const llvm::SCEVNAryExpr& expression, AccessValue::Kind kind, unsigned bits);
  std::uint32_t iterationOf(const llvm::Loop& loop);

  AccessSummary& summary_;
  const KernelInfo& kernel_;
  llvm::ScalarEvolution& evolution_;
  const llvm::LoopInfo& loops_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, std::uint32_t> known_;
  llvm::DenseMap<const llvm::SCEV*, std::uint32_t> knownExpressions_;
  llvm::DenseMap<const llvm::Loop*, std::uint32_t> iterations_;
  unsigned depth_ = 0;
};

}  // namespace clarity::compiler
