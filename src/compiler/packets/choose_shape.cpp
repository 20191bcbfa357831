// SPDX-License-Identifier: Apache-2.0
// This file weighs the types, accesses and registers of a region.
#include "compiler/packets/choose_shape.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/packets/chain.h"
#include "compiler/packets/lane_bits.h"
#include "compiler/packets/packet_cost.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <bit>

namespace clarity::compiler {
namespace {

class ShapeChooser {
public:
  ShapeChooser(const WeightedRegion& region, const ShapeLimits& limits, NoPackets* reasons)
      : region_(region), limits_(limits), reasons_(reasons) {}

  PacketShape choose() {
    PacketShape shape;
    shape.along = limits_.along;
    shape.across = 1 - limits_.along;
    chooseLanes(shape);
    if (!limits_.lanes && shape.lanes > 1 && !worthPackets(region_, shape, reasons_)) shape.lanes = 1;
    if (shape.lanes > 1) chooseTile(shape);
    while (limits_.width && shape.width() > limits_.width && shape.packets > 1) shape.packets /= 2;
    return shape;
  }

private:
  void chooseLanes(PacketShape& shape) const {
    if (limits_.lanes) {
      shape.lanes = limits_.lanes;
      return;
    }
    // The width of what is computed decides; addresses do not count, they stay scalar where they are affine.
    std::array<double, 4> byWidth{};  // 8, 16, 32, 64 bits
    for (const llvm::BasicBlock* block : region_.blocks)
      for (const llvm::Instruction& instruction : *block) {
        llvm::Type* type = instruction.getType();
        if (!region_.variesIrregularly(instruction, shape.along)) continue;
        if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode>(instruction) || type->isPointerTy() || type->isVoidTy())
          continue;
        // Extended only to be an index.
        if (llvm::isa<llvm::CastInst>(instruction) && llvm::all_of(instruction.users(), [](const llvm::User* user) {
              return llvm::isa<llvm::GetElementPtrInst>(user);
            }))
          continue;
        const unsigned bits = std::clamp(laneBits(instruction, region_.target), 8u, 64u);
        if (type->isIntegerTy(1)) continue;
        byWidth[std::countr_zero(std::bit_ceil(bits)) - 3] += region_.weight(*block);
      }
    const double all = byWidth[0] + byWidth[1] + byWidth[2] + byWidth[3];
    unsigned bits = 32;
    if (all > 0) {
      if (byWidth[3] > cost::tile::shareFor64 * all)
        bits = 64;
      else if (byWidth[2] + byWidth[3] > cost::tile::shareForNarrower * all)
        bits = 32;
      else if (byWidth[1] > cost::tile::shareForNarrower * all)
        bits = 16;
      else
        bits = 8;
    } else {
      bits = narrowestAccess(shape.along);
    }
    shape.lanes = std::clamp(region_.target.bits / bits, 2u, 64u);
    if (const std::uint64_t items = limits_.items[shape.along])
      while (shape.lanes > 1 && shape.lanes > items) shape.lanes /= 2;
    if (limits_.width) shape.lanes = std::min(shape.lanes, limits_.width);
  }

  unsigned narrowestAccess(unsigned along) const {
    unsigned narrowest = 64;
    for (const llvm::BasicBlock* block : region_.blocks)
      for (const llvm::Instruction& instruction : *block)
        if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
            pointer && region_.varies(*pointer, along)) {
          llvm::Type* type = llvm::getLoadStoreType(&instruction);
          narrowest = std::min(narrowest,
                               std::clamp(static_cast<unsigned>(
                                              instruction.getDataLayout().getTypeAllocSizeInBits(type).getFixedValue()),
                                          8u, 64u));
        }
    return narrowest;
  }

  /// What one cell needs, and what a tile shares.
  struct Needs {
    double shared = 0;      ///< weight of vectors that the rows share
    double sharedRows = 0;  ///< weight of values that the packets share
    double own = 0;
    unsigned accumulators = 0;  ///< values that travel around the innermost loop
    unsigned instructions = 0;
    unsigned depth = 0;  ///< loops around the innermost blocks
    bool loops = false;
    bool rows = false;         ///< something differs between rows: a kernel of one dimension has none
    bool diverges = false;     ///< neighbours along the lanes diverge inside loops
    bool rowsDiverge = false;  ///< those of neighbouring rows do
    unsigned runs = 0;         ///< bytes of elements consecutive across rows, far apart along lanes; 0: none
    bool farReads = false;     ///< a loop reads far apart places in neighbouring work-items
    bool jumps = false;        ///< a loop steps through memory as the launch decides: wide tiles read longer runs
  };

  /// The counter of a grid-stride loop: neighbours side by side, and a step that only the launch knows.
  bool jumps(const llvm::PHINode& phi, unsigned along) const {
    const llvm::Loop* loop = region_.loops.getLoopFor(phi.getParent());
    if (!loop || loop->getHeader() != phi.getParent() || !region_.varies(phi, along) ||
        !region_.variance.of(phi).stride[along])
      return false;
    for (const llvm::Value* incoming : phi.incoming_values()) {
      const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(incoming);
      if (next && next->getOpcode() == llvm::Instruction::Add && loop->contains(next) &&
          !llvm::isa<llvm::Constant>(next->getOperand(1)) && !llvm::isa<llvm::Constant>(next->getOperand(0)))
        return true;
    }
    return false;
  }

  bool isFarStride(const llvm::LoadInst& load, unsigned along) const {
    const auto bytes = static_cast<std::int64_t>(load.getDataLayout().getTypeAllocSize(load.getType()).getFixedValue());
    return distance(*region_.variance.of(*load.getPointerOperand()).stride[along]) > cost::mostShuffledStride * bytes;
  }

  Needs needs(const PacketShape& shape) const {
    Needs result;
    unsigned deepest = 0;
    for (const llvm::BasicBlock* block : region_.blocks) deepest = std::max(deepest, region_.depth(*block));
    result.depth = deepest;
    result.loops = deepest > 0;
    result.rows = llvm::any_of(region_.items.counter[shape.across]->users(), [&](const llvm::User* user) {
      const llvm::BasicBlock* block = llvm::cast<llvm::Instruction>(user)->getParent();
      return block == region_.items.entry || llvm::is_contained(region_.blocks, block);
    });
    for (const llvm::BasicBlock* block : region_.blocks) {
      const double times = region_.weight(*block);
      if (block->getTerminator()->getNumSuccessors() > 1 && !WeightedRegion::rareSuccessor(*block->getTerminator())) {
        const llvm::Value& condition = *block->getTerminator()->getOperand(0);
        if (region_.depth(*block) > 0 && region_.varies(condition, shape.along)) result.diverges = true;
        if (region_.depth(*block) > 0 && region_.varies(condition, shape.across)) result.rowsDiverge = true;
      }
      for (const llvm::Instruction& instruction : *block) {
        result.instructions += halfOperations(instruction, region_.target);
        if (region_.depth(*block) == deepest &&
            consecutiveAcross(instruction, region_.variance, shape.along, shape.across))
          result.runs = std::max(
              result.runs,
              static_cast<unsigned>(
                  instruction.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue()));
        const bool along = region_.varies(instruction, shape.along), across = region_.varies(instruction, shape.across);
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
            load && region_.depth(*block) == deepest && region_.varies(*load->getPointerOperand(), shape.along))
          result.farReads |=
              !region_.variance.of(*load->getPointerOperand()).stride[shape.along] || isFarStride(*load, shape.along);
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
          result.jumps |= jumps(*phi, shape.along);
          if (region_.depth(*block) == deepest && deepest > 0 && !region_.variance.of(instruction).stride[shape.along])
            ++result.accumulators;
          continue;
        }
        if (region_.depth(*block) < deepest || !llvm::isa<llvm::LoadInst>(instruction)) {
          if (region_.depth(*block) == deepest && along && across) result.own += times;
          continue;
        }
        if (along && !across)
          result.shared += times;
        else if (!along && across)
          result.sharedRows += times;
        else if (along)
          result.own += times;
      }
    }
    return result;
  }

  /// A short row of the group that fills whole cache lines is written by one tile: non-temporal stores must not write
  /// parts of lines, and no other tile completes them (NonTemporalStores::Rows).
  void coverRow(PacketShape& shape, unsigned bytes, unsigned budget) const {
    const std::uint64_t items = limits_.items[shape.along], packets = items / shape.lanes;
    const std::uint64_t lines = items * bytes / cost::cacheLine, cells = shape.rows * packets;
    if (limits_.packets || items <= shape.width() || items >= cost::tile::leastLongRow) return;
    if (lines == 0 || items * bytes % cost::cacheLine != 0 || !std::has_single_bit(packets) || cells > budget) return;
    if (lines == 1 || cells <= cost::tile::mostCellsPerRegister * region_.target.registers)
      shape.packets = static_cast<unsigned>(packets);
  }

  /// Packets side by side whose chains of operations overlap: where lanes leave a loop, as no iteration begins before
  /// the last is known to go on, and in long straight-line code, of which the processor does not see the next packet.
  unsigned packetsForLatency(const PacketShape& shape, const Needs& needed, unsigned free, unsigned budget) const {
    const Chain chain = longestChain(region_, shape.along, needed.depth, shape.lanes);
    if (!needed.loops &&
        (chain.operations < cost::latency::leastStraight || chain.cycles < cost::latency::leastStraight))
      return 1;
    const unsigned most =
        needed.loops ? std::min(budget, cost::latency::mostDivergent / std::max(needed.instructions, 1u)) : budget;
    unsigned packets = chain.packets(region_.target.registers);
    while (packets > 1 && (packets > most || packets * std::max(needed.accumulators, 1u) > free)) packets /= 2;
    return packets;
  }

  void chooseTile(PacketShape& shape) const {
    const Needs needed = needs(shape);
    shape.packets = limits_.packets ? limits_.packets : 1;
    shape.rows = limits_.rows ? limits_.rows : 1;
    const unsigned budget = std::max(1u, cost::tile::mostInstructions / std::max(needed.instructions, 1u));
    const unsigned accumulators = std::max(needed.accumulators, 1u);
    const unsigned free = region_.target.registers - std::min(region_.target.registers / 4, cost::tile::mostReserved);
    const bool rowsShare = needed.loops && needed.rows && needed.shared > 0 && !needed.diverges && !needed.rowsDiverge;
    if (!limits_.packets && needed.loops && !needed.diverges) {
      // Two packets side by side share what does not vary along them, and hide latency.
      if (2 * accumulators <= free / 2 && budget >= 2 && (needed.sharedRows > 0 || needed.accumulators > 0))
        shape.packets = 2;
      // Rows far apart compete for the same sets of the first cache: fewer of them at a time.
      if (!rowsShare && !needed.farReads && needed.accumulators > 0 && 4 * accumulators <= free && budget >= 4)
        shape.packets = 4;
    }
    if (!limits_.packets && (needed.diverges || !needed.loops))
      shape.packets = packetsForLatency(shape, needed, free, budget);
    if (!limits_.packets && needed.jumps) {
      shape.packets =
          std::bit_floor(std::max(1u, std::min({free / accumulators, budget, cost::tile::mostJumpingPackets})));
    }
    if (const std::uint64_t items = limits_.items[shape.along])
      while (shape.packets > 1 && shape.width() > items) shape.packets /= 2;
    if (!limits_.rows && rowsShare) {
      unsigned rows = std::min(free / (accumulators * shape.packets), budget / shape.packets);
      rows = std::clamp(rows, 1u, cost::tile::mostRows);
      shape.rows = needed.runs ? std::bit_floor(rows) : rows;
    }
    if (!limits_.rows && needed.runs && !needed.diverges && !needed.rowsDiverge) {
      // A square of lanes and rows is transposed in registers: at least that many rows, and whole lines of the cache.
      const unsigned wanted =
          std::clamp(std::max(shape.lanes, cost::cacheLine / needed.runs), shape.rows, cost::tile::mostRows);
      shape.rows = std::max(shape.rows, std::min(wanted, std::bit_floor(std::max(1u, budget / shape.packets))));
      if (const std::uint64_t items = limits_.items[shape.across])
        while (shape.rows > 1 && items % shape.rows != 0) shape.rows /= 2;
      coverRow(shape, needed.runs, budget);
    }
    if (const std::uint64_t items = limits_.items[shape.across])
      while (shape.rows > 1 && items % shape.rows != 0)
        shape.rows = shape.rows > items ? static_cast<unsigned>(items) : shape.rows - 1;
  }

  const WeightedRegion& region_;
  const ShapeLimits& limits_;
  NoPackets* reasons_;
};

}  // namespace

PacketShape chooseShape(const ItemLoop& items, const VarianceInfo& variance, const llvm::LoopInfo& loops,
                        const VectorTarget& target, const ShapeLimits& limits, NoPackets* reasons) {
  const WeightedRegion region(items, variance, loops, target);
  return ShapeChooser(region, limits, reasons).choose();
}

}  // namespace clarity::compiler
