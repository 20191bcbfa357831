// SPDX-License-Identifier: Apache-2.0
// This file weighs a region's accesses, types and registers.
#include "compiler/packets/choose_shape.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/cost_model.h"
#include "compiler/packets/address.h"
#include "compiler/primitives.h"
#include "compiler/remarks.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace clarity::compiler {
namespace {

/// Instructions of a tile: more make code that no instruction cache and no compile time likes.
constexpr unsigned mostTileInstructions = 1500;
constexpr unsigned mostRows = 16;
constexpr unsigned mostJumpingPackets = 16;

/// A product in 32 or 64 bits of numbers half as wide, of which only halves are used.
bool isHalvedProduct(const llvm::Value& value) {
  using namespace llvm::PatternMatch;
  const auto* product = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!product || product->getOpcode() != llvm::Instruction::Mul) return false;
  if (!product->getType()->isIntegerTy(32) && !product->getType()->isIntegerTy(64)) return false;
  const unsigned half = product->getType()->getIntegerBitWidth() / 2;
  const auto isHalf = [half](const llvm::Value& each) { return each.getType()->getScalarSizeInBits() <= half; };
  const bool ofHalves = llvm::all_of(product->operands(), [&](const llvm::Use& operand) {
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(operand)) return number->getValue().isIntN(half);
    return llvm::isa<llvm::ZExtInst, llvm::SExtInst>(operand) && isHalf(*llvm::cast<llvm::Instruction>(operand)->getOperand(0));
  });
  return ofHalves && llvm::all_of(product->users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::TruncInst>(user)) return isHalf(*user);
    return match(user, m_Shr(m_Specific(product), m_SpecificInt(half))) &&
           llvm::all_of(user->users(), [&](const llvm::User* part) { return llvm::isa<llvm::TruncInst>(part) && isHalf(*part); });
  });
}

/// Such a product, or what is as wide for it only.
bool isOfHalvedProduct(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction))
    return !instruction.use_empty() && llvm::all_of(instruction.users(), [](const llvm::User* user) { return isHalvedProduct(*user); });
  return isHalvedProduct(instruction) || (instruction.isShift() && isHalvedProduct(*instruction.getOperand(0)));
}

class Chooser {
public:
  Chooser(const ItemLoop& items, const VarianceInfo& variance, const llvm::LoopInfo& loops, const VectorTarget& target, const ShapeLimits& limits, NoPackets* reasons)
      : items_(items), variance_(variance), loops_(loops), target_(target), limits_(limits), reasons_(reasons) {
    for (llvm::BasicBlock* block : items.loop->blocks())
      if (block != items.header && block != items.latch) blocks_.push_back(block);
  }

  PacketShape choose() {
    PacketShape shape;
    chooseDimension(shape);
    chooseLanes(shape);
    if (!limits_.lanes && shape.lanes > 1 && !worthPackets(shape)) shape.lanes = 1;
    if (shape.lanes > 1) chooseTile(shape);
    while (limits_.width && shape.width() > limits_.width && shape.packets > 1) shape.packets /= 2;
    return shape;
  }

private:
  bool varies(const llvm::Value& value, unsigned dimension) const { return variance_.of(value).dims.has(dimension); }
  /// Bits of a lane in which an instruction computes: half mostly as float. Loads do not compute. Products whose halves are
  /// wanted (mul_hi) are made in lanes of a half: there are instructions for them, or every other lane is multiplied at a time.
  unsigned laneBits(const llvm::Instruction& instruction) const {
    if (isOfHalvedProduct(instruction)) return instruction.getType()->getScalarSizeInBits() / 2;
    const llvm::Type& type = *instruction.getType()->getScalarType();
    const bool inFloat = type.isHalfTy() && target_.half != HalfSupport::Arithmetic && !llvm::isa<llvm::LoadInst>(instruction);
    return inFloat ? 32 : type.getScalarSizeInBits();
  }
  unsigned depth(const llvm::BasicBlock& block) const { return loops_.getLoopDepth(&block) - loops_.getLoopDepth(items_.header); }
  /// What a block's instructions weigh: those of inner loops run more often.
  double weight(const llvm::BasicBlock& block) const { return std::pow(8.0, std::min(depth(block), 4u)); }
  void chooseDimension(PacketShape& shape) const {
    shape.along = limits_.along;
    shape.across = 1 - limits_.along;
  }

  void chooseLanes(PacketShape& shape) const {
    if (limits_.lanes) {
      shape.lanes = limits_.lanes;
      return;
    }
    // The width of what is computed decides; addresses do not count, they stay scalar where they are linear.
    std::array<double, 4> byWidth{};  // 8, 16, 32, 64 bits
    for (const llvm::BasicBlock* block : blocks_)
      for (const llvm::Instruction& instruction : *block) {
        llvm::Type* type = instruction.getType();
        if (!varies(instruction, shape.along) || variance_.of(instruction).stride[shape.along]) continue;
        if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode>(instruction) || type->isPointerTy() || type->isVoidTy()) continue;
        // Extended only to be an index.
        if (llvm::isa<llvm::CastInst>(instruction) && llvm::all_of(instruction.users(), [](const llvm::User* user) { return llvm::isa<llvm::GetElementPtrInst>(user); })) continue;
        const unsigned bits = std::clamp(laneBits(instruction), 8u, 64u);
        if (type->isIntegerTy(1)) continue;
        byWidth[std::countr_zero(std::bit_ceil(bits)) - 3] += weight(*block);
      }
    const double all = byWidth[0] + byWidth[1] + byWidth[2] + byWidth[3];
    unsigned bits = 32;
    if (all > 0) {
      if (byWidth[3] > 0.5 * all) bits = 64;
      else if (byWidth[2] + byWidth[3] > 0.2 * all) bits = 32;
      else if (byWidth[1] > 0.2 * all) bits = 16;
      else bits = 8;
    } else {
      bits = narrowestAccess(shape.along);
    }
    shape.lanes = std::clamp(target_.bits / bits, 2u, 64u);
    if (const std::uint64_t items = limits_.items[shape.along])
      while (shape.lanes > 1 && shape.lanes > items) shape.lanes /= 2;
    if (limits_.width) shape.lanes = std::min(shape.lanes, limits_.width);
  }

  unsigned narrowestAccess(unsigned along) const {
    unsigned narrowest = 64;
    for (const llvm::BasicBlock* block : blocks_)
      for (const llvm::Instruction& instruction : *block)
        if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction); pointer && varies(*pointer, along)) {
          llvm::Type* type = llvm::getLoadStoreType(&instruction);
          narrowest = std::min(narrowest, std::clamp(static_cast<unsigned>(instruction.getDataLayout().getTypeAllocSizeInBits(type).getFixedValue()), 8u, 64u));
        }
    return narrowest;
  }

  // --- packets or not --------------------------------------------------------------------------------------------------

  /// What a run costs, roughly in instructions: `lanes` work-items one after the other, or in a packet.
  struct Costs {
    double alone = 0, packet = 0;
    const llvm::Instruction* dear = nullptr;  ///< something in a packet costs more than for the work-items alone
  };

  /// Loops that lanes leave in different turns mostly run with few of them.
  bool leftUnevenly(const llvm::BasicBlock& block, unsigned along) const {
    for (const llvm::Loop* loop = loops_.getLoopFor(&block); loop && loop != items_.loop; loop = loop->getParentLoop()) {
      llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
      loop->getExitingBlocks(exiting);
      for (const llvm::BasicBlock* exit : exiting) {
        const llvm::Value& condition = *exit->getTerminator()->getOperand(0);
        if (!varies(condition, along)) continue;
        // In a grid stride they leave at most one turn apart.
        const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
        const bool inStep = comparison && llvm::all_of(comparison->operands(), [&](const llvm::Use& side) { return variance_.of(*side).stride[along].has_value(); });
        if (!inStep) return true;
      }
    }
    return false;
  }

  struct Located {
    const llvm::Instruction* access;
    Address address;
  };

  /// The accesses of a block; of the last one that was asked for they are kept.
  llvm::ArrayRef<Located> accessesOf(const llvm::BasicBlock& block) const {
    if (locatedIn_ == &block) return located_;
    locatedIn_ = &block;
    located_.clear();
    for (const llvm::Instruction& instruction : block)
      if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) located_.push_back({&instruction, addressOf(*pointer, instruction.getDataLayout())});
    return located_;
  }

  /// Whether another access of the block lies beside this one in every work-item: they are made as vectors.
  bool hasNeighbour(const llvm::Instruction& access) const {
    const auto bytes = static_cast<std::int64_t>(access.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&access)).getFixedValue());
    const llvm::ArrayRef<Located> all = accessesOf(*access.getParent());
    const Address& own = llvm::find_if(all, [&](const Located& one) { return one.access == &access; })->address;
    return llvm::any_of(all, [&](const Located& other) {
      return other.access->getOpcode() == access.getOpcode() && llvm::getLoadStoreType(other.access) == llvm::getLoadStoreType(&access) &&
             other.address.near(own) && distance(wrappingDifference(other.address.offset, own.offset)) == bytes;
    });
  }

  void addAccess(Costs& costs, const llvm::Instruction& access, const PacketShape& shape, bool masked) const {
    const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&access);
    const auto bytes = static_cast<std::int64_t>(access.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&access)).getFixedValue());
    const auto stride = variance_.of(pointer).stride[shape.along];
    const double lanes = shape.lanes;
    costs.alone += lanes;
    if (!varies(pointer, shape.along)) {
      costs.packet += 1;
    } else if (stride && distance(*stride) <= bytes && (!masked || bytes >= 4 || target_.maskRegisters)) {
      costs.packet += masked ? 2 : 1;
    } else if (stride && !masked && distance(*stride) <= 4 * bytes) {
      costs.packet += static_cast<double>(distance(*stride)) / static_cast<double>(bytes);
    } else if (hasNeighbour(access)) {
      costs.packet += std::log2(lanes) + (masked ? 2 : 1);  // a share in a square of lanes and members, and in the choice of places
    } else {
      costs.packet += lanes * (target_.gathers && bytes >= 4 ? 1.0 : masked ? 3.5 : 2.5);
      // Neighbours along the other dimension may lie side by side.
      const auto across = variance_.of(pointer).stride[shape.across];
      if (!across || *across == 0 || distance(*across) > bytes) costs.dear = &access;
    }
  }

  void addInstruction(Costs& costs, const llvm::Instruction& instruction, const PacketShape& shape, bool masked) const {
    if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::CastInst>(instruction)) return;  // folded, or free
    if (llvm::getLoadStorePointerOperand(&instruction)) return addAccess(costs, instruction, shape, masked);
    const double lanes = shape.lanes;
    if (instruction.isTerminator()) {
      if (instruction.getNumSuccessors() < 2) return;
      // Work-items alone pay for ways that cannot be foreseen; a packet runs both.
      const bool apart = varies(*instruction.getOperand(0), shape.along);
      const llvm::Loop* loop = loops_.getLoopFor(instruction.getParent());
      const bool leaves = loop->isLoopExiting(instruction.getParent());
      costs.alone += lanes * (!apart ? 1 : leaves ? 2 : 6);
      costs.packet += apart ? 3 : 1;
      return;
    }
    costs.alone += lanes;
    if (!varies(instruction, shape.along) || variance_.of(instruction).stride[shape.along]) costs.packet += 1;
    else costs.packet += std::max(1.0, lanes * laneBits(instruction) / target_.bits);
  }

  /// Whether packets are faster than work-items one after the other. Where accesses go lane by lane with little to compute in
  /// between, or in loops that lanes leave in different turns, they may not be.
  bool worthPackets(const PacketShape& shape) const {
    Costs all;
    for (const llvm::BasicBlock* block : blocks_) {
      Costs own;
      const bool uneven = leftUnevenly(*block, shape.along);
      const bool masked = uneven || variance_.divergence(*block).has(shape.along);
      for (const llvm::Instruction& instruction : *block) addInstruction(own, instruction, shape, masked);
      all.alone += own.alone * weight(*block);
      all.packet += own.packet * weight(*block) * (uneven ? 2 : 1);
      if (uneven || depth(*block) == 0) all.dear = own.dear ? own.dear : all.dear;
    }
    if (!all.dear || all.packet < 1.15 * all.alone) return true;
    if (reasons_) *reasons_ = {.dear = all.dear, .alone = all.alone, .packet = all.packet};
    return false;
  }

  /// What one cell needs, and what a tile shares.
  struct Needs {
    double shared = 0;      ///< weight of vectors that the rows share
    double sharedRows = 0;  ///< weight of values that the packets share
    double own = 0;
    unsigned accumulators = 0;  ///< values that travel around the innermost loop
    unsigned instructions = 0;
    bool loops = false;
    bool rows = false;      ///< something differs between rows: a kernel of one dimension has none
    bool apart = false;     ///< neighbours along the lanes part inside loops
    bool rowsPart = false;  ///< those of neighbouring rows do
    unsigned runs = 0;      ///< bytes of the elements that lie side by side from row to row and apart from lane to lane; 0: none do
    bool rowsApart = false; ///< a loop reads a row, or a place, of every work-item's own
    bool jumps = false;     ///< a loop walks through memory in steps of its own: wide tiles read longer runs
  };

  /// The counter of a grid-stride loop: neighbours side by side, and a step that only the launch knows.
  bool jumps(const llvm::PHINode& phi, unsigned along) const {
    const llvm::Loop* loop = loops_.getLoopFor(phi.getParent());
    if (!loop || loop->getHeader() != phi.getParent() || !varies(phi, along) || !variance_.of(phi).stride[along]) return false;
    for (const llvm::Value* incoming : phi.incoming_values()) {
      const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(incoming);
      if (next && next->getOpcode() == llvm::Instruction::Add && loop->contains(next) && !llvm::isa<llvm::Constant>(next->getOperand(1)) &&
          !llvm::isa<llvm::Constant>(next->getOperand(0)))
        return true;
    }
    return false;
  }

  bool isFarStride(const llvm::LoadInst& load, unsigned along) const {
    const auto bytes = static_cast<std::int64_t>(load.getDataLayout().getTypeAllocSize(load.getType()).getFixedValue());
    return distance(*variance_.of(*load.getPointerOperand()).stride[along]) > cost::mostShuffledStride * bytes;
  }

  Needs needs(const PacketShape& shape) const {
    Needs result;
    unsigned deepest = 0;
    for (const llvm::BasicBlock* block : blocks_) deepest = std::max(deepest, depth(*block));
    result.loops = deepest > 0;
    result.rows = llvm::any_of(items_.counter[shape.across]->users(), [&](const llvm::User* user) {
      const llvm::BasicBlock* block = llvm::cast<llvm::Instruction>(user)->getParent();
      return block == items_.entry || llvm::is_contained(blocks_, block);
    });
    for (const llvm::BasicBlock* block : blocks_) {
      const double times = weight(*block);
      if (block->getTerminator()->getNumSuccessors() > 1) {
        const llvm::Value& condition = *block->getTerminator()->getOperand(0);
        if (depth(*block) > 0 && varies(condition, shape.along)) result.apart = true;
        if (depth(*block) > 0 && varies(condition, shape.across)) result.rowsPart = true;
      }
      for (const llvm::Instruction& instruction : *block) {
        result.instructions += halfOperations(instruction, target_);
        if (depth(*block) == deepest && consecutiveAcross(instruction, variance_, shape.along, shape.across))
          result.runs = std::max(result.runs, static_cast<unsigned>(instruction.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue()));
        const bool along = varies(instruction, shape.along), across = varies(instruction, shape.across);
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && depth(*block) == deepest && varies(*load->getPointerOperand(), shape.along))
          result.rowsApart |= !variance_.of(*load->getPointerOperand()).stride[shape.along] || isFarStride(*load, shape.along);
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
          result.jumps |= jumps(*phi, shape.along);
          if (depth(*block) == deepest && deepest > 0 && !variance_.of(instruction).stride[shape.along]) ++result.accumulators;
          continue;
        }
        if (depth(*block) < deepest || !llvm::isa<llvm::LoadInst>(instruction)) {
          if (depth(*block) == deepest && along && across) result.own += times;
          continue;
        }
        if (along && !across) result.shared += times;
        else if (!along && across) result.sharedRows += times;
        else if (along) result.own += times;
      }
    }
    return result;
  }

  void chooseTile(PacketShape& shape) const {
    const Needs needed = needs(shape);
    shape.packets = limits_.packets ? limits_.packets : 1;
    shape.rows = limits_.rows ? limits_.rows : 1;
    const unsigned budget = std::max(1u, mostTileInstructions / std::max(needed.instructions, 1u));
    const unsigned accumulators = std::max(needed.accumulators, 1u);
    const unsigned free = target_.registers - std::min(target_.registers / 4, 4u);
    const bool rowsShare = needed.loops && needed.rows && needed.shared > 0 && !needed.apart && !needed.rowsPart;
    if (!limits_.packets && needed.loops && !needed.apart) {
      // Two packets side by side share what does not vary along them, and hide latency.
      if (2 * accumulators <= free / 2 && budget >= 2 && (needed.sharedRows > 0 || needed.accumulators > 0)) shape.packets = 2;
      // Rows apart fill the sets of the nearest cache: fewer of them at a time.
      if (!rowsShare && !needed.rowsApart && needed.accumulators > 0 && 4 * accumulators <= free && budget >= 4) shape.packets = 4;
    }
    if (!limits_.packets && needed.jumps) {
      shape.packets = std::bit_floor(std::max(1u, std::min({free / accumulators, budget, mostJumpingPackets})));
    }
    if (const std::uint64_t items = limits_.items[shape.along])
      while (shape.packets > 1 && shape.width() > items) shape.packets /= 2;
    if (!limits_.rows && rowsShare) {
      unsigned rows = std::min(free / (accumulators * shape.packets), budget / shape.packets);
      rows = std::clamp(rows, 1u, mostRows);
      shape.rows = needed.runs ? std::bit_floor(rows) : rows;
    }
    if (!limits_.rows && needed.runs && !needed.apart && !needed.rowsPart) {
      // A square of lanes and rows is transposed in registers: at least that many rows, and whole lines of the cache.
      const unsigned wanted = std::clamp(std::max(shape.lanes, cost::cacheLine / needed.runs), shape.rows, mostRows);
      shape.rows = std::max(shape.rows, std::min(wanted, std::bit_floor(std::max(1u, budget / shape.packets))));
      if (const std::uint64_t items = limits_.items[shape.across])
        while (shape.rows > 1 && items % shape.rows != 0) shape.rows /= 2;
      // A row of the group that is one line is best written by one tile.
      if (const std::uint64_t items = limits_.items[shape.along]; !limits_.packets && items * needed.runs == cost::cacheLine && items > shape.width() && budget >= shape.rows * items / shape.lanes)
        shape.packets = static_cast<unsigned>(items / shape.lanes);
    }
    if (const std::uint64_t items = limits_.items[shape.across])
      while (shape.rows > 1 && items % shape.rows != 0) shape.rows = shape.rows > items ? static_cast<unsigned>(items) : shape.rows - 1;
  }

  const ItemLoop& items_;
  const VarianceInfo& variance_;
  const llvm::LoopInfo& loops_;
  const VectorTarget& target_;
  const ShapeLimits& limits_;
  NoPackets* reasons_;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks_;
  mutable const llvm::BasicBlock* locatedIn_ = nullptr;
  mutable llvm::SmallVector<Located, 16> located_;
};

/// How well the accesses suit lanes along a dimension: cheap minus dear ones.
double suits(llvm::Function& function, const VarianceInfo& variance, const llvm::LoopInfo& loops, unsigned dimension) {
  double sum = 0;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || !variance.of(*pointer).dims.has(dimension)) continue;
      const auto stride = variance.of(*pointer).stride[dimension];
      const auto bytes = static_cast<std::int64_t>(instruction.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue());
      const bool cheap = stride && (distance(*stride) == bytes || *stride == 0);
      const bool middling = stride && distance(*stride) <= 4 * bytes;
      sum += std::pow(8.0, std::min(loops.getLoopDepth(&block), 4u)) * (cheap ? 1.0 : middling ? -0.5 : -8.0);
    }
  return sum;
}

}  // namespace

unsigned chooseDimension(llvm::Function& function, const VarianceInfo& variance, const llvm::LoopInfo& loops, const std::array<std::uint64_t, 3>& items) {
  const auto fits = [&](unsigned dimension) { return items[dimension] == 0 || items[dimension] >= 4; };
  if (!fits(1)) return 0;
  if (!fits(0)) {
    remark(function, 0, "neighbours along y share packets, as there are too few along x");
    return 1;
  }
  bool usesY = false;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      const auto primitive = primitiveOf(instruction);
      if (primitive == Primitive::GlobalId || primitive == Primitive::LocalId) usesY |= variance.of(instruction).dims.has(1);
    }
  if (!usesY || suits(function, variance, loops, 1) <= suits(function, variance, loops, 0) + 4) return 0;
  remark(function, 0, "neighbours along y share packets, as more accesses are consecutive along y than along x");
  return 1;
}

unsigned halfOperations(const llvm::Instruction& instruction, const VectorTarget& target) {
  if (!instruction.getType()->getScalarType()->isHalfTy() || instruction.mayReadOrWriteMemory()) return 1;
  if (!llvm::isa<llvm::BinaryOperator, llvm::CallInst, llvm::FPTruncInst>(instruction)) return 1;
  return target.half == HalfSupport::Arithmetic ? 1 : target.half == HalfSupport::Conversions ? 2 : 16;
}

PacketShape chooseShape(const ItemLoop& items, const VarianceInfo& variance, const llvm::LoopInfo& loops, const VectorTarget& target,
                        const ShapeLimits& limits, NoPackets* reasons) {
  return Chooser(items, variance, loops, target, limits, reasons).choose();
}

}  // namespace clarity::compiler
