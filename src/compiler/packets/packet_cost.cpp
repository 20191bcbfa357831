// SPDX-License-Identifier: Apache-2.0
// This file counts what a run costs both ways.
#include "compiler/packets/packet_cost.h"

#include "compiler/analysis/address.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/primitives.h"
#include "compiler/packets/lane_bits.h"
#include "compiler/packets/tile_memory.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cmath>

namespace clarity::compiler {
namespace {

/// The costs of a run, roughly in instructions: a packet's work-items one after the other, or in the packet.
struct Costs {
  double alone = 0, packet = 0;
  const llvm::Instruction* expensive =
      nullptr;              ///< an access that costs more in a packet than for the work-items alone
  bool laneByLane = false;  ///< a result that other instructions need is computed lane by lane
};

class PacketCost {
public:
  PacketCost(const WeightedRegion& region, const PacketShape& shape) : region_(region), shape_(shape) {}

  bool worth(NoPackets* reasons) const {
    Costs all;
    const llvm::DenseMap<const llvm::BasicBlock*, double> shares = sharesOfLanes();
    for (const llvm::BasicBlock* block : region_.blocks) {
      Costs own;
      const bool uneven = leftUnevenly(*block);
      const bool masked = uneven || region_.variance.divergence(*block).has(shape_.along);
      for (const llvm::Instruction& instruction : *block) addInstruction(own, instruction, masked);
      all.alone += own.alone * region_.weight(*block) * shares.lookup(block);
      all.packet += own.packet * region_.weight(*block) * (uneven ? cost::packet::unevenLoop : 1);
      if ((uneven || region_.depth(*block) == 0 || own.laneByLane) && own.expensive) all.expensive = own.expensive;
    }
    if (!all.expensive || all.packet < cost::packet::mostRelative * all.alone) return true;
    if (reasons) *reasons = {.expensive = all.expensive, .alone = all.alone, .packet = all.packet};
    return false;
  }

private:
  struct Located {
    const llvm::Instruction* access;
    Address address;
  };

  /// The share of the lanes that reach each block. A packet runs it if one of them does; of work-items alone, the
  /// others pay nothing for it.
  llvm::DenseMap<const llvm::BasicBlock*, double> sharesOfLanes() const {
    struct Place {
      unsigned number = 0;
      const llvm::BasicBlock* dominator = nullptr;
      double share = 1;
    };
    llvm::DenseMap<const llvm::BasicBlock*, Place> places;
    const auto common = [&](const llvm::BasicBlock* a, const llvm::BasicBlock* b) {
      while (a != b) {
        const Place &first = places[a], &second = places[b];
        (first.number > second.number ? a : b) = first.number > second.number ? first.dominator : second.dominator;
      }
      return a;
    };
    llvm::LoopBlocksRPO order(region_.items.loop);
    order.perform(&region_.loops);
    llvm::DenseMap<const llvm::BasicBlock*, double> shares;
    for (const llvm::BasicBlock* block : order) {
      Place place{.number = static_cast<unsigned>(places.size())};
      double sum = 0;
      for (const llvm::BasicBlock* from : llvm::predecessors(block)) {
        const auto before = places.find(from);
        if (before == places.end()) continue;  // outside, or the end of a loop
        sum += before->second.share * (dividesLanes(*from) ? cost::packet::sideShare : 1);
        place.dominator = place.dominator ? common(place.dominator, from) : from;
      }
      if (place.dominator) place.share = std::min(sum, places[place.dominator].share);
      shares[block] = place.share;
      places[block] = place;
    }
    return shares;
  }

  /// Whether lanes take different sides of a branch. Conditions on ids come out alike for most, and what leaves loops
  /// is counted by leftUnevenly().
  bool dividesLanes(const llvm::BasicBlock& block) const {
    const llvm::Instruction& branch = *block.getTerminator();
    return branch.getNumSuccessors() > 1 && !region_.loops.getLoopFor(&block)->isLoopExiting(&block) &&
           !WeightedRegion::rareSuccessor(branch) && region_.varies(*branch.getOperand(0), shape_.along) &&
           !comparesIds(*branch.getOperand(0));
  }

  bool comparesIds(const llvm::Value& condition) const {
    const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    return comparison && llvm::all_of(comparison->operands(), [&](const llvm::Use& side) {
             return region_.variance.of(*side).stride[shape_.along].has_value();
           });
  }

  /// Loops that lanes leave in different iterations mostly run with few of them.
  bool leftUnevenly(const llvm::BasicBlock& block) const {
    for (const llvm::Loop* loop = region_.loops.getLoopFor(&block); loop && loop != region_.items.loop;
         loop = loop->getParentLoop()) {
      llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
      loop->getExitingBlocks(exiting);
      for (const llvm::BasicBlock* exit : exiting) {
        const llvm::Value& condition = *exit->getTerminator()->getOperand(0);
        if (!region_.varies(condition, shape_.along)) continue;
        // Between affine values, as in a grid-stride loop, they leave at most one iteration apart.
        const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
        const auto affine = [&](const llvm::Use& side) {
          return region_.variance.of(*side).stride[shape_.along].has_value();
        };
        if (!comparison || !llvm::all_of(comparison->operands(), affine)) return true;
      }
    }
    return false;
  }

  /// The accesses of a block; those of the last one queried are cached.
  llvm::ArrayRef<Located> accessesOf(const llvm::BasicBlock& block) const {
    if (locatedIn_ == &block) return located_;
    locatedIn_ = &block;
    located_.clear();
    for (const llvm::Instruction& instruction : block)
      if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
        located_.push_back({&instruction, addressOf(*pointer, instruction.getDataLayout())});
    return located_;
  }

  /// Whether another access of the block lies beside this one in every work-item: they become vectors.
  bool hasNeighbour(const llvm::Instruction& access, std::int64_t bytes) const {
    const llvm::ArrayRef<Located> all = accessesOf(*access.getParent());
    const Address& own = llvm::find_if(all, [&](const Located& one) { return one.access == &access; })->address;
    return llvm::any_of(all, [&](const Located& other) {
      return other.access->getOpcode() == access.getOpcode() &&
             llvm::getLoadStoreType(other.access) == llvm::getLoadStoreType(&access) && other.address.near(own) &&
             distance(wrappingDifference(other.address.offset, own.offset)) == bytes;
    });
  }

  /// Whether an access only copies a member of a structure: alone, LLVM copies several at once.
  static bool isCopied(const llvm::Instruction& access) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(store->getValueOperand());
      return load && load->hasOneUse();
    }
    const auto* store = access.hasOneUse() ? llvm::dyn_cast<llvm::StoreInst>(access.user_back()) : nullptr;
    return store && store->getValueOperand() == &access;
  }

  /// Whether an access is the last of an odd number of members side by side.
  bool isLeftOver(const llvm::Instruction& access, std::int64_t bytes) const {
    const llvm::ArrayRef<Located> all = accessesOf(*access.getParent());
    const Address& own = llvm::find_if(all, [&](const Located& one) { return one.access == &access; })->address;
    const auto isAt = [&](std::int64_t members) {
      return llvm::any_of(all, [&](const Located& other) {
        return other.access->getOpcode() == access.getOpcode() &&
               llvm::getLoadStoreType(other.access) == llvm::getLoadStoreType(&access) && other.address.near(own) &&
               wrappingDifference(other.address.offset, own.offset) == members * bytes;
      });
    };
    if (isAt(1)) return false;
    std::int64_t before = 0;
    while (before < cost::mostGroupMembers && isAt(-before - 1)) ++before;
    return before % 2 == 0;
  }

  void addAccess(Costs& costs, const llvm::Instruction& access, bool masked) const {
    const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&access);
    const llvm::TypeSize size = access.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&access));
    const auto bytes = static_cast<std::int64_t>(size.getFixedValue());
    const ValueVariance variance = region_.variance.of(pointer);
    const std::optional<std::int64_t> stride = variance.stride[shape_.along], across = variance.stride[shape_.across];
    const double lanes = shape_.lanes, whole = masked ? cost::packet::maskedAccess : 1;
    const bool isLoad = llvm::isa<llvm::LoadInst>(access);
    costs.alone += lanes;
    if (!variance.dims.has(shape_.along)) {
      costs.packet += 1;
    } else if (stride && distance(*stride) <= bytes &&
               (!masked || isLoad || isOwnMemory(pointer) ||
                region_.target.masks(8 * static_cast<std::uint64_t>(bytes)))) {
      costs.packet += whole;
    } else if (stride && (!masked || isLoad) && distance(*stride) <= cost::mostShuffledStride * bytes) {
      costs.packet += whole * static_cast<double>(distance(*stride)) / static_cast<double>(bytes);
    } else if (hasNeighbour(access, bytes)) {
      // A share in the transposition of a square of lanes and members, and in its addresses.
      double share = std::log2(lanes) + whole;
      if (!masked && isCopied(access)) {
        if (!stride)
          share *= region_.target.gathers && !region_.target.fastGathers ? cost::packet::slowUnrelatedMember
                                                                         : cost::packet::unrelatedMember;
        if (isLeftOver(access, bytes)) share = lanes * cost::packet::gatherElement;
        costs.alone -= lanes * (1 - cost::packet::copiedMember);
        costs.expensive = &access;
      }
      costs.packet += share;
    } else {
      const bool asOne = region_.target.gathers && bytes >= 4;
      const double gather =
          region_.target.fastGathers ? cost::packet::gatherInstruction : cost::packet::slowGatherInstruction;
      costs.packet += lanes * (asOne    ? (isLoad ? gather : cost::packet::scatterInstruction)
                               : masked ? cost::packet::gatherMaskedElement
                                        : cost::packet::gatherElement);
      // Accesses of neighbours along the other dimension may be consecutive.
      if (!across || *across == 0 || distance(*across) > bytes) costs.expensive = &access;
    }
  }

  /// Adds an atomic operation; those on one address for all lanes become a single one.
  void addAtomic(Costs& costs, const llvm::AtomicRMWInst& atomic) const {
    if (!region_.varies(*atomic.getPointerOperand(), shape_.along)) {
      const double once = costOfAtomic(atomic.getPointerAddressSpace());
      costs.alone += shape_.lanes * once;
      costs.packet += once + std::log2(static_cast<double>(shape_.lanes));
      return;
    }
    addEachAtomic(costs, atomic, atomic.getPointerAddressSpace(), {atomic.getValOperand()});
  }

  /// Adds an exchange after a comparison; a loop around it that work-items leave one by one leaves nothing to a packet.
  void addExchange(Costs& costs, const llvm::AtomicCmpXchgInst& exchange) const {
    addEachAtomic(costs, exchange, exchange.getPointerAddressSpace(),
                  {exchange.getCompareOperand(), exchange.getNewValOperand()});
  }

  static double costOfAtomic(unsigned addressSpace) {
    return addressSpace == localAddressSpace ? cost::packet::localAtomic : cost::packet::lockedAtomic;
  }

  /// Adds an atomic operation of each lane.
  void addEachAtomic(Costs& costs, const llvm::Instruction& atomic, unsigned addressSpace,
                     llvm::ArrayRef<const llvm::Value*> operands) const {
    const double once = costOfAtomic(addressSpace), lanes = shape_.lanes;
    const auto vectors = static_cast<double>(llvm::count_if(
        operands, [&](const llvm::Value* operand) { return region_.variesIrregularly(*operand, shape_.along); }));
    costs.alone += lanes * once;
    costs.packet += lanes * (once + cost::packet::laneAddress + vectors * cost::packet::laneOperand +
                             (atomic.use_empty() ? 0 : cost::packet::laneResult));
    if (atomic.use_empty()) return;
    costs.expensive = &atomic;
    costs.laneByLane = true;
  }

  /// Whether an instruction of a work-item's innermost loop does no more than count it: it is the same for all.
  bool isCounting(const llvm::Instruction& instruction) const {
    const llvm::Loop* loop = region_.loops.getLoopFor(instruction.getParent());
    return loop != region_.items.loop && loop->isInnermost() && !region_.varies(instruction, shape_.along) &&
           !instruction.mayReadOrWriteMemory();
  }

  void addBranch(Costs& costs, const llvm::Instruction& branch) const {
    if (branch.getNumSuccessors() < 2) return;
    // Work-items alone pay for mispredictions; a packet runs both sides.
    const bool diverges = region_.varies(*branch.getOperand(0), shape_.along);
    const bool leaves = region_.loops.getLoopFor(branch.getParent())->isLoopExiting(branch.getParent());
    const double counting = isCounting(branch) && !diverges ? cost::packet::unrolledCounter : 1;
    costs.alone += shape_.lanes * (!diverges ? counting * cost::packet::uniformBranch
                                   : leaves  ? cost::packet::exitBranch
                                             : cost::packet::divergentBranch);
    costs.packet += diverges ? cost::packet::packetDivergentBranch : cost::packet::uniformBranch;
  }

  void addInstruction(Costs& costs, const llvm::Instruction& instruction, bool masked) const {
    if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::CastInst>(instruction))
      return;  // part of others, or registers only
    if (llvm::getLoadStorePointerOperand(&instruction)) return addAccess(costs, instruction, masked);
    if (instruction.isTerminator()) return addBranch(costs, instruction);
    if (primitiveOf(instruction) == Primitive::ExpectBelow) return;  // as much alone as in packets
    if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return addAtomic(costs, *atomic);
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return addExchange(costs, *exchange);
    const double lanes = shape_.lanes;
    costs.alone += lanes * (isCounting(instruction) ? cost::packet::unrolledCounter : 1);
    const bool isVector = region_.variesIrregularly(instruction, shape_.along);
    costs.packet += isVector ? std::max(1.0, lanes * laneBits(instruction, region_.target) / region_.target.bits) : 1;
  }

  const WeightedRegion& region_;
  const PacketShape& shape_;
  mutable const llvm::BasicBlock* locatedIn_ = nullptr;
  mutable llvm::SmallVector<Located, 16> located_;
};

}  // namespace

bool worthPackets(const WeightedRegion& region, const PacketShape& shape, NoPackets* reasons) {
  return PacketCost(region, shape).worth(reasons);
}

}  // namespace clarity::compiler
