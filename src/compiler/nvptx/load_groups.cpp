// SPDX-License-Identifier: Apache-2.0
// This file compares the addresses of loads by scalar evolution.
#include "compiler/nvptx/load_groups.h"

#include "compiler/guard/limits.h"
#include "compiler/ir/cost_model.h"
#include "compiler/nvptx/address_spaces.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace clarity::compiler::nvptx {
namespace {

/// Offsets that instructions have room for.
constexpr std::int64_t farthest = std::int64_t{1} << 22;

struct Member {
  llvm::LoadInst* load;
  std::int64_t bytes;  ///< from the first load of its group
};

/// In order of execution.
using Group = llvm::SmallVector<Member, 8>;

llvm::SmallVector<Group, 8> groupsOf(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<Group, 8> groups;
  for (llvm::Instruction& instruction : *loop.getHeader()) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple() || load->getPointerAddressSpace() != globalSpace) continue;
    checkLimits();
    const llvm::SCEV* address = evolution.getSCEV(load->getPointerOperand());
    const auto distanceTo = [&](const Group& group) -> std::optional<std::int64_t> {
      const auto* distance = llvm::dyn_cast<llvm::SCEVConstant>(
          evolution.getMinusSCEV(address, evolution.getSCEV(group.front().load->getPointerOperand())));
      if (!distance || !distance->getAPInt().isSignedIntN(32)) return std::nullopt;
      return distance->getAPInt().getSExtValue();
    };
    bool isMember = false;
    for (Group& group : groups)
      if (const auto distance = distanceTo(group); distance && std::abs(*distance) < farthest) {
        group.push_back({load, *distance});
        isMember = true;
        break;
      }
    if (!isMember) groups.push_back({{load, 0}});
  }
  return groups;
}

/// The value of a wider type, computed in it as far as sums and products of signed numbers that do not overflow lead.
llvm::Value* widened(llvm::Value& value, llvm::Type* type, llvm::IRBuilder<>& builder, unsigned depth) {
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!operation || depth == cost::search::offsetDepth || !llvm::isa<llvm::OverflowingBinaryOperator>(operation) ||
      operation->getOpcode() == llvm::Instruction::Shl || !operation->hasNoSignedWrap())
    return builder.CreateSExt(&value, type);
  llvm::Value* left = widened(*operation->getOperand(0), type, builder, depth + 1);
  llvm::Value* right = widened(*operation->getOperand(1), type, builder, depth + 1);
  llvm::Value* made = builder.CreateBinOp(operation->getOpcode(), left, right, operation->getName());
  if (auto* wide = llvm::dyn_cast<llvm::BinaryOperator>(made)) wide->setHasNoSignedWrap();
  return made;
}

/// An index that is known not to be negative is extended by zeros, one that is not by its sign: the same value, but
/// expressions that cannot be compared. All become extensions by the sign.
/// @param widens whether what is extended is computed in the wider type
void extendBySign(llvm::Loop& loop, llvm::ScalarEvolution& evolution, bool widens) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(*loop.getHeader())) {
    auto* extension = llvm::dyn_cast<llvm::CastInst>(&instruction);
    const auto* byZeros = llvm::dyn_cast_if_present<llvm::ZExtInst>(extension);
    const bool isSigned = byZeros ? byZeros->hasNonNeg() : extension && llvm::isa<llvm::SExtInst>(extension) && widens;
    if (!isSigned || !extension->getType()->isIntegerTy(64)) continue;
    llvm::IRBuilder<> builder(extension);
    llvm::Value* same =
        widened(*extension->getOperand(0), extension->getType(), builder, widens ? 0 : cost::search::offsetDepth);
    evolution.forgetValue(extension);
    extension->replaceAllUsesWith(same);
    extension->eraseFromParent();
  }
}

/// Scalar evolution looks through few instructions for a reason why a sum does not overflow: not through the phis of a
/// loop that carries as many values as a thread with many work-items.
bool areUnderstood(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return llvm::all_of(*loop.getHeader(), [&](llvm::Instruction& instruction) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || load->getPointerAddressSpace() != globalSpace) return true;
    const llvm::SCEV* address = evolution.getSCEV(load->getPointerOperand());
    const auto* steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
    return evolution.isLoopInvariant(address, &loop) || (steps && steps->isAffine());
  });
}

}  // namespace

void shareAddresses(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  extendBySign(loop, evolution, false);
  if (!areUnderstood(loop, evolution)) extendBySign(loop, evolution, true);
  for (const Group& group : groupsOf(loop, evolution)) {
    llvm::Value* const first = group.front().load->getPointerOperand();
    for (const Member& member : llvm::drop_begin(group)) {
      llvm::Value* const old = member.load->getPointerOperand();
      if (old == first) continue;
      llvm::IRBuilder<> builder(member.load);
      member.load->setOperand(0, builder.CreateGEP(builder.getInt8Ty(), first, builder.getInt64(member.bytes)));
    }
  }
}

llvm::SmallVector<LoadRow, 4> rowsOf(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<LoadRow, 4> rows;
  for (Group& group : groupsOf(loop, evolution)) {
    llvm::stable_sort(group, [](const Member& a, const Member& b) { return a.bytes < b.bytes; });
    for (std::size_t from = 0; from < group.size();) {
      llvm::Type* const type = group[from].load->getType();
      const std::uint64_t bytes = loop.getHeader()->getDataLayout().getTypeStoreSize(type).getFixedValue();
      std::size_t count = 1;
      while (count < 4 && from + count < group.size() && group[from + count].load->getType() == type &&
             group[from + count].bytes == group[from].bytes + static_cast<std::int64_t>(count * bytes))
        ++count;
      count = std::min<std::size_t>(count == 3 ? 2 : count, vectorBytes / std::max<std::uint64_t>(bytes, 1));
      const bool isVector = count > 1 && llvm::isPowerOf2_64(bytes) && !type->isVectorTy();
      if (isVector) rows.push_back({group[from].load, count * bytes});
      from += isVector ? count : 1;
    }
  }
  return rows;
}

}  // namespace clarity::compiler::nvptx
