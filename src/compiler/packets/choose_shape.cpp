// SPDX-License-Identifier: Apache-2.0
// This file weighs the types, accesses and registers of a region.
#include "compiler/packets/choose_shape.h"

#include "compiler/analysis/tile_model.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/cost_model.h"
#include "compiler/packets/chain.h"
#include "compiler/packets/core_machine.h"
#include "compiler/packets/lane_bits.h"
#include "compiler/packets/packet_cost.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
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

  /// Properties of a region that decide which tiles are possible.
  struct Features {
    unsigned instructions = 0;
    unsigned depth = 0;        ///< loops around the innermost blocks
    bool rows = false;         ///< something differs between rows: a kernel of one dimension has none
    bool diverges = false;     ///< neighbours along the lanes diverge inside loops
    bool waits = false;        ///< they do so in an innermost loop, around one, or as they leave a loop
    bool rowsDiverge = false;  ///< those of neighbouring rows do
    unsigned runs = 0;         ///< bytes of elements consecutive across rows, far apart along lanes; 0: none
    unsigned outerRuns = 0;    ///< the same outside the innermost loops
    bool reads = false;        ///< the innermost loops read memory
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

  /// Whether the innermost loop around a load reads another place in each iteration.
  bool changesInLoop(const llvm::LoadInst& load) const {
    const llvm::Loop* loop = region_.loops.getLoopFor(load.getParent());
    return !loop || !loop->isLoopInvariant(load.getPointerOperand());
  }

  /// Whether the branch at the end of a block decides how often code is executed that lies in so many loops: it lies
  /// there itself, leaves a loop, or leads around one. A branch beside the innermost loops does not.
  bool decidesLoops(const llvm::BasicBlock& block, unsigned deepest) const {
    if (region_.depth(block) == deepest) return true;
    const llvm::Loop* const loop = region_.loops.getLoopFor(&block);
    llvm::SmallVector<const llvm::BasicBlock*, 16> next(llvm::successors(&block));
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
    while (!next.empty()) {
      const llvm::BasicBlock* const at = next.pop_back_val();
      if (!loop || !loop->contains(at) || region_.depth(*at) == deepest || seen.size() == cost::search::decidingBlocks)
        return true;
      // All ways meet in the header and in the latch, if not before.
      if (at == loop->getHeader() || at == loop->getLoopLatch() || !seen.insert(at).second) continue;
      next.append(llvm::succ_begin(at), llvm::succ_end(at));
    }
    return false;
  }

  Features features(const PacketShape& shape) const {
    Features result;
    for (const llvm::BasicBlock* block : region_.blocks) result.depth = std::max(result.depth, region_.depth(*block));
    result.rows = llvm::any_of(region_.items.counter[shape.across]->users(), [&](const llvm::User* user) {
      const llvm::BasicBlock* block = llvm::cast<llvm::Instruction>(user)->getParent();
      return block == region_.items.entry || llvm::is_contained(region_.blocks, block);
    });
    for (const llvm::BasicBlock* block : region_.blocks) {
      if (block->getTerminator()->getNumSuccessors() > 1 && !WeightedRegion::rareSuccessor(*block->getTerminator())) {
        const llvm::Value& condition = *block->getTerminator()->getOperand(0);
        if (region_.depth(*block) > 0 && region_.varies(condition, shape.along)) {
          result.diverges = true;
          result.waits = result.waits || decidesLoops(*block, result.depth);
        }
        if (region_.depth(*block) > 0 && region_.varies(condition, shape.across)) result.rowsDiverge = true;
      }
      const bool isDeepest = region_.depth(*block) == result.depth;
      for (const llvm::Instruction& instruction : *block) {
        result.instructions += halfOperations(instruction, region_.target);
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) result.jumps |= jumps(*phi, shape.along);
        if (consecutiveAcross(instruction, region_.variance, shape.along, shape.across)) {
          unsigned& runs = isDeepest ? result.runs : result.outerRuns;
          const llvm::DataLayout& layout = instruction.getDataLayout();
          runs = std::max<unsigned>(runs, layout.getTypeAllocSize(llvm::getLoadStoreType(&instruction)));
        }
        if (!isDeepest) continue;
        result.reads |= instruction.mayReadFromMemory();
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
            load && region_.varies(*load->getPointerOperand(), shape.along) && changesInLoop(*load))
          result.farReads |=
              !region_.variance.of(*load->getPointerOperand()).stride[shape.along] || isFarStride(*load, shape.along);
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

  TileModel modelOf(const PacketShape& shape) const {
    TileModel model(coreMachine(region_.target, shape.lanes),
                    {.variance = region_.variance,
                     .loops = region_.loops,
                     .around = region_.loops.getLoopDepth(region_.items.header)});
    for (const llvm::BasicBlock* block : region_.blocks)
      model.add(*block, [](const llvm::Instruction&) { return true; });
    return model;
  }

  static TileModel::Cells cellsOf(const PacketShape& shape) {
    TileModel::Cells cells{1, 1, 1};
    cells[shape.along] = shape.packets;
    cells[shape.across] = shape.rows;
    return cells;
  }

  /// Whether the chain of operations decides if packets wait, and how long.
  static bool mayWait(const Features& features) { return features.depth == 0 || features.waits; }

  /// Whether packets wait for their chains of operations: where lanes leave a loop, as no iteration begins before the
  /// last is known to go on, and in long straight code, of which the processor does not see the next packet.
  static bool waits(const Features& features, const Chain& chain) {
    if (features.depth > 0) return features.waits;
    return chain.operations >= cost::latency::leastStraight && chain.cycles >= cost::latency::leastStraight;
  }

  /// Whether loops load what differs along one dimension alone: neighbours along the other have it in common.
  static bool loadsAlongOnly(const TileModel& model, const PacketShape& shape, unsigned dimension) {
    return model.demand().inLoops[shape.along][Dimensions::only(dimension).bits()].transactions > 0;
  }

  /// Packets side by side at most.
  unsigned mostPackets(const PacketShape& shape, const Features& features, const TileModel& model, bool waiting) const {
    unsigned most = 1;
    if (waiting)
      most = region_.target.registers / cost::latency::registersOfPacket;
    else if (features.depth > 0 && model.registers({1, 1, 1}) > 0)
      most = features.farReads ? cost::tile::mostFarReading
             : features.reads  ? cost::tile::mostReading
                               : cost::tile::mostComputing;
    else if (loadsAlongOnly(model, shape, shape.across))
      most = 2;
    if (const std::uint64_t items = limits_.items[shape.along])
      most = static_cast<unsigned>(std::min<std::uint64_t>(most, std::max<std::uint64_t>(items / shape.lanes, 1)));
    return most;
  }

  /// The quickest of the tiles for whose values there are registers; of equal ones, the largest, and the smallest where
  /// packets wait.
  void chooseTile(PacketShape& shape) const {
    const Features features = this->features(shape);
    const TileModel model = modelOf(shape);
    const Chain chain = mayWait(features) ? longestChain(region_, shape.along, features.depth, shape.lanes) : Chain();
    const bool waiting = waits(features, chain);
    const bool mayHaveRows = features.depth > 0 && features.rows && !features.diverges && !features.rowsDiverge &&
                             loadsAlongOnly(model, shape, shape.along);
    const unsigned budget =
        std::max(1u, (features.diverges ? cost::latency::mostDivergent : cost::tile::mostInstructions) /
                         std::max(features.instructions, 1u));
    const auto fits = [&](const PacketShape& tile) {
      const std::uint64_t items = limits_.items[shape.across];
      return tile.cells() <= budget && model.fits(cellsOf(tile)) && (items == 0 || items % tile.rows == 0);
    };
    const auto cycles = [&](const PacketShape& tile) {
      return waiting ? model.waitingCycles(chain, cellsOf(tile)) : model.cycles(cellsOf(tile), shape.along);
    };
    PacketShape tile = shape, best = shape;
    best.packets = limits_.packets ? limits_.packets : 1;
    best.rows = limits_.rows ? limits_.rows : 1;
    const unsigned leastRows = best.rows;
    const unsigned mostRows = limits_.rows ? limits_.rows : mayHaveRows ? cost::tile::mostRows : 1;
    const unsigned most = limits_.packets ? limits_.packets : mostPackets(shape, features, model, waiting);
    double least = cycles(best);
    for (tile.packets = best.packets; tile.packets <= most; tile.packets *= 2)
      for (tile.rows = leastRows; tile.rows <= mostRows; ++tile.rows) {
        const double taken = cycles(tile);
        const bool wantsGain = waiting || tile.packets > cost::tile::mostReading;
        if (!fits(tile) || (wantsGain ? taken >= cost::tile::equalCycles * least : taken > least)) continue;
        best = tile;
        least = taken;
      }
    shape = best;
    if (!limits_.packets && features.jumps) widenJumps(shape, model, budget);
    if (limits_.rows || features.diverges || features.rowsDiverge) return;
    if (features.runs)
      coverRuns(shape, features.runs, budget);
    else if (features.outerRuns)
      coverOuterRuns(shape, features.outerRuns, budget, model);
  }

  /// Packets of a grid-stride loop, whose step the launch decides, as many as there are registers for.
  void widenJumps(PacketShape& shape, const TileModel& model, unsigned budget) const {
    shape.packets = 1;
    const std::uint64_t items = limits_.items[shape.along];
    for (PacketShape tile = shape; tile.packets <= std::min(budget, cost::tile::mostJumpingPackets); tile.packets *= 2)
      if (model.fits(cellsOf(tile)) && (items == 0 || tile.width() <= items)) shape.packets = tile.packets;
  }

  /// A square of lanes and rows is transposed in registers: at least that many rows, and whole lines of the cache.
  void coverRuns(PacketShape& shape, unsigned runs, unsigned budget) const {
    const std::uint64_t items = limits_.items[shape.across];
    shape.rows = std::bit_floor(shape.rows);
    const unsigned wanted = std::clamp(std::max(shape.lanes, cost::cacheLine / runs), shape.rows, cost::tile::mostRows);
    shape.rows = std::max(shape.rows, std::min(wanted, std::bit_floor(std::max(1u, budget / shape.packets))));
    while (items && shape.rows > 1 && items % shape.rows != 0) shape.rows /= 2;
    coverRow(shape, runs, budget);
  }

  /// The same for accesses before or after the innermost loops, whose values must stay in registers: with fewer packets
  /// where there are too few, and not at all where the loops would take much longer. Half a square keeps half the gain.
  void coverOuterRuns(PacketShape& shape, unsigned runs, unsigned budget, const TileModel& model) const {
    const double most = cost::tile::mostForRuns * model.cycles(cellsOf(shape), shape.along);
    PacketShape best = shape;
    best.rows = std::max(1u, shape.lanes / 2 - 1);
    const unsigned leastRows = best.rows;
    for (unsigned packets = shape.packets; packets > 0; packets = limits_.packets ? 0 : packets / 2) {
      PacketShape tile = shape;
      tile.packets = packets;
      tile.rows = 1;
      coverRuns(tile, runs, budget);
      while (!model.fits(cellsOf(tile)) && tile.rows > 1) tile.rows /= 2;
      if (tile.rows > best.rows && model.cycles(cellsOf(tile), tile.along) <= most) best = tile;
    }
    if (best.rows > leastRows) shape = best;
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
