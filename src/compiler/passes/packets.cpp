// SPDX-License-Identifier: Apache-2.0
// This file finds the loops over work-items, builds their tiles and the loops around them.
#include "compiler/passes/packets.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/item_nest.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/strip_marks.h"
#include "compiler/packets/choose_shape.h"
#include "compiler/packets/nest_writer.h"
#include "compiler/packets/packet_builder.h"
#include "compiler/packets/packet_obstacle.h"
#include "compiler/packets/packet_plan.h"
#include "compiler/packets/promote_variables.h"
#include "compiler/packets/separate_rows.h"
#include "compiler/packets/sub_group_runs.h"
#include "compiler/reports/describe.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <bit>
#include <memory>
#include <optional>
#include <vector>

namespace clarity::compiler {
namespace {

// --- private variables -----------------------------------------------------------------------------------------------

/// Whether all accesses are of scalars of one size at multiples of it, so that elements can be interleaved by lane.
bool interleavable(const llvm::AllocaInst& variable, const llvm::DataLayout& layout, std::int64_t& size) {
  llvm::SmallVector<const llvm::Value*, 8> work{&variable};
  size = 0;
  const auto sees = [&](llvm::Type* type) {
    if (!type->isSingleValueType() || type->isVectorTy()) return false;
    const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue());
    if (size == 0) size = bytes;
    return size == bytes;
  };
  llvm::SmallVector<const llvm::GetElementPtrInst*, 8> addresses;
  while (!work.empty()) {
    const llvm::Value* pointer = work.pop_back_val();
    for (const llvm::User* user : pointer->users()) {
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (!load->isSimple() || !sees(load->getType())) return false;
      } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (!store->isSimple() || store->getValueOperand() == pointer || !sees(store->getValueOperand()->getType()))
          return false;
      } else if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (address->getType()->isVectorTy() || address->getPointerOperand() != pointer) return false;
        addresses.push_back(address);
        work.push_back(address);
      } else if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
                 !intrinsic || !intrinsic->isLifetimeStartOrEnd()) {
        return false;
      }
    }
  }
  if (size == 0) return false;
  for (const llvm::GetElementPtrInst* address : addresses) {
    const auto operation = affineOperationOf(*address, layout);
    if (!operation || operation->constant % size != 0) return false;
    for (const auto& [index, bytes] : llvm::drop_begin(operation->terms))
      if (bytes % size != 0) return false;
  }
  return true;
}

PrivateLayouts layOutPrivateVariables(llvm::Function& function) {
  PrivateLayouts layouts;
  const llvm::DataLayout& layout = function.getDataLayout();
  for (const llvm::Instruction& instruction : function.getEntryBlock()) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!variable || !llvm::isa<llvm::ConstantInt>(variable->getArraySize()) ||
        variable->getMetadata(uniformSlotMetadata))
      continue;
    PrivateLayout place;
    place.interleaved = interleavable(*variable, layout, place.stride);
    if (!place.interleaved)
      place.stride = static_cast<std::int64_t>(
          llvm::alignTo(layout.getTypeAllocSize(variable->getAllocatedType()).getFixedValue() *
                            llvm::cast<llvm::ConstantInt>(variable->getArraySize())->getZExtValue(),
                        variable->getAlign()));
    layouts[variable] = place;
  }
  return layouts;
}

/// Addresses in private memory that were computed once for the group, in its first block, go to where they are used:
/// every packet has its own.
void sinkPrivateAddresses(llvm::Function& function) {
  llvm::BasicBlock& entry = function.getEntryBlock();
  for (llvm::Instruction& address : llvm::make_early_inc_range(llvm::reverse(entry))) {
    if (!llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(address)) continue;
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&address, 0));
    if (!variable || variable->getMetadata(uniformSlotMetadata)) continue;
    for (llvm::Use& use : llvm::make_early_inc_range(address.uses())) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::Instruction* at = phi ? phi->getIncomingBlock(use)->getTerminator() : user;
      if (at->getParent() == &entry) continue;
      llvm::Instruction* copy = address.clone();
      copy->insertBefore(at->getIterator());
      use.set(copy);
    }
    if (address.use_empty()) address.eraseFromParent();
  }
}

class PacketMaker {
public:
  PacketMaker(llvm::Function& function, const PacketsPass::Options& options, llvm::LoopInfo& loops,
              llvm::DominatorTree& dominators, llvm::PostDominatorTree& postDominators)
      : function_(function),
        options_(options),
        loops_(loops),
        dominators_(dominators),
        postDominators_(postDominators),
        layouts_(layOutPrivateVariables(function)),
        variance_(function, layouts_) {}

  bool run() {
    const bool separateRows = rowsAreSeparate();
    // All plans first: building leaves the analyses behind.
    bool allDone = true;
    llvm::SmallVector<Planned, 4> planned;
    for (const ItemNest& nest : findItemNests(function_)) {
      if (!loops_.getLoopFor(nest.header[0])) continue;  // nothing leads here
      if (auto plan = planOf(nest))
        planned.push_back(*std::move(plan));
      else
        allDone = false;
    }
    for (Planned& plan : planned) {
      writeNest(
          function_, plan.nest, plan.shape, plan.low.rows,
          [&](llvm::BasicBlock* from, const TileInput& input, Visit visit) { return build(plan, from, input, visit); });
      if (options_.growth && options_.growth->outgrown()) return true;
      if (plan.waits) {
        finishRuns(*plan.nest.after);
        function_.addFnAttr(waitingAttribute, "yes");
      }
    }
    if (options_.report)
      for (const Planned& plan : planned)
        options_.report->regions[plan.reported] = describe(plan.nest, *plan.tile, plan.notes);
    if (separateRows) function_.addFnAttr(separateRowsAttribute, "yes");
    setTileAttributes(planned);
    if (!allDone) function_.addFnAttr(scalarRegionsAttribute, "yes");
    if (planned.empty()) return false;
    llvm::EliminateUnreachableBlocks(function_);
    promoteVariables(function_, variables_);
    keepMemoryOrder(function_, memberGroups_);
    return true;
  }

private:
  /// A nest that becomes packets.
  struct Planned {
    ItemNest nest;
    PacketShape chosen, shape, low, single;
    std::unique_ptr<PacketPlan> tile, lowTile, rest;
    PacketNotes notes;
    std::size_t reported = 0;  ///< index in the report
    bool waits = false;        ///< for other sub-groups, perhaps
  };

  /// Vectors that LLVM makes of the loop cost more, too.
  static void leaveAlone(const llvm::Loop& loop) {
    llvm::addStringMetadataToLoop(const_cast<llvm::Loop*>(&loop), "llvm.loop.vectorize.enable", 0);
  }

  /// The plan of a nest; none if it stays scalar, which is reported.
  std::optional<Planned> planOf(const ItemNest& nest) {
    NoPackets reasons;
    const PacketShape chosen = shapeOf(nest, reasons);
    Planned plan{nest,    chosen,  chosen,  {}, {},
                 nullptr, nullptr, nullptr, {}, options_.report ? options_.report->regions.size() : 0};
    const auto staysScalar = [&](const llvm::Instruction* obstacle) {
      if (options_.report) report(nest, describeScalar(itemLoop(nest), obstacle, reasons, options_.report->source));
      return std::nullopt;
    };
    if (plan.shape.lanes < 2 && reasons.expensive) leaveAlone(*itemLoop(nest).loop);
    if (plan.shape.lanes < 2 || !nest.entry) return staysScalar(nullptr);
    plan.single = plan.shape;
    plan.single.packets = plan.single.rows = 1;
    if (options_.onePacket) plan.shape = plan.single;
    plan.low = plan.shape;
    plan.low.rows = lowRowsOf(nest, plan.shape);
    const auto planFor = [&](const PacketShape& shape) {
      return std::make_unique<PacketPlan>(itemLoop(nest), shape, variance_, loops_, dominators_, postDominators_);
    };
    plan.tile = planFor(plan.shape);
    if (plan.low.rows) plan.lowTile = planFor(plan.low);
    plan.rest = planFor(plan.single);
    if (const llvm::Instruction* obstacle = findObstacle(*plan.tile)) return staysScalar(obstacle);
    if (options_.report) options_.report->regions.emplace_back();
    plan.waits = waitsForSubGroups(nest);
    foresee(plan.shape, *itemLoop(nest).loop, plan.lowTile ? 3 : 2);
    return plan;
  }

  /// Writes the packets of one visit of a nest behind `from`. Returns the last block.
  llvm::BasicBlock* build(Planned& plan, llvm::BasicBlock* from, const TileInput& input, Visit visit) {
    PacketPlan& packets = visit == Visit::Tile ? *plan.tile : visit == Visit::LowTile ? *plan.lowTile : *plan.rest;
    PacketBuilder builder(packets, options_.target, layouts_, function_.getEntryBlock(), options_.growth);
    if (longRows(plan.nest, plan.shape))
      builder.allowNonTemporal(options_.nonTemporal, NonTemporalStores::Rows::Long);
    else if (mostItems(plan.nest, plan.shape.along) == plan.shape.width())
      builder.allowNonTemporal(options_.nonTemporal, NonTemporalStores::Rows::WholeInTile);
    if (visit == Visit::Tile && options_.report) builder.noteIn(plan.notes);
    if (plan.waits) markBeginOfRun(*from);
    llvm::BasicBlock* end = builder.build(from, input);
    if (plan.waits) markEndOfRun(*end);
    if (builder.hasNonTemporalStores()) function_.addFnAttr(nonTemporalAttribute, "yes");
    variables_.push_back({from, llvm::SmallVector<llvm::AllocaInst*, 64>(builder.variables())});
    llvm::append_range(memberGroups_, builder.memberGroups());
    return end;
  }

  /// The most work-items of a tile in each dimension, for passes that follow.
  void setTileAttributes(llvm::ArrayRef<Planned> planned) {
    for (unsigned d = 0; d < 3; ++d) {
      unsigned most = 1;
      for (const Planned& plan : planned)
        if (!copiesPanel(plan.nest) && (d == plan.chosen.along || d == plan.chosen.across))
          most = std::max(most, d == plan.chosen.along ? plan.chosen.width() : plan.chosen.rows);
      function_.addFnAttr(tileAttributes[d], std::to_string(most));
    }
  }

  ItemLoop itemLoop(const ItemNest& nest) const {
    return {loops_.getLoopFor(nest.header[0]), nest.header[0], nest.entry, nest.latch, nest.counter};
  }

  void foresee(const PacketShape& shape, const llvm::Loop& loop, unsigned forms) const {
    PacketGrowth* const growth = options_.growth;
    if (!growth) return;
    for (const llvm::BasicBlock* block : loop.blocks()) growth->planned += block->size() * forms;
    growth->lanes = std::max(growth->lanes, shape.lanes);
    growth->cells = std::max(growth->cells, shape.cells());
  }

  /// Whether rows share no memory in all nests; what boundary work-items access beside does not count.
  bool rowsAreSeparate() const {
    llvm::SmallVector<ItemNest, 4> nests = findItemNests(function_);
    llvm::erase_if(nests, copiesPanel);
    if (llvm::any_of(nests, isInterior)) llvm::erase_if(nests, [](const ItemNest& nest) { return !isInterior(nest); });
    return !nests.empty() &&
           llvm::all_of(nests, [&](const ItemNest& nest) { return hasSeparateRows(nest, variance_, loops_); });
  }

  /// Whether neighbours fill whole lines of the cache: parts of lines must not go past it.
  bool longRows(const ItemNest& nest, const PacketShape& shape) const {
    const std::uint64_t items = mostItems(nest, shape.along);
    return items == 0 || items >= cost::tile::leastLongRow;
  }

  /// The work-items along a dimension where that is known; 0: any number, as in boxes, which the device makes of whole
  /// tiles.
  std::uint64_t itemsAlong(const ItemNest& nest, unsigned dimension) const {
    const std::uint64_t items = mostItems(nest, dimension);
    return items == boxSideOf(function_) ? 0 : items;
  }

  /// The rows of the lower tile, for heights that high tiles do not fill; 0 where there is no need of one.
  unsigned lowRowsOf(const ItemNest& nest, const PacketShape& shape) const {
    const std::uint64_t items = itemsAlong(nest, shape.across);
    const bool fills = items > 0 && items % shape.rows == 0;
    return shape.rows < cost::tile::leastHighTile || fills ? 0 : std::bit_floor(shape.rows / 2);
  }

  RegionReport describe(const ItemNest& nest, const PacketPlan& plan, const PacketNotes& notes) const {
    RegionReport region = describePackets(plan, notes, options_.report->source);
    if (asksSubGroup(nest)) region.form += ", one for each sub-group";
    return titled(nest, std::move(region));
  }

  static RegionReport titled(const ItemNest& nest, RegionReport region) {
    if (copiesPanel(nest)) region.form += ", copy of a panel";
    if (isInterior(nest)) region.form += ", interior";
    if (mostSideBySide(nest)) region.form += ", block-aligned";
    return region;
  }

  void report(const ItemNest& nest, RegionReport region) const {
    options_.report->regions.push_back(titled(nest, std::move(region)));
  }

  PacketShape shapeOf(const ItemNest& nest, NoPackets& reasons) const {
    if (asksSubGroup(nest)) {
      // A packet is a sub-group: of consecutive work-items, the first of which WorkItemLoopsPass has put at a multiple
      // of its size.
      const unsigned size = subGroupSizeOf(function_);
      return {.along = 0, .across = 1, .lanes = size ? size : options_.lanes, .packets = 1, .rows = 1};
    }
    ShapeLimits limits;
    for (unsigned d = 0; d < 3; ++d) limits.items[d] = itemsAlong(nest, d);
    limits.width = mostSideBySide(nest);
    limits.along = lanesAlong(function_);
    limits.lanes = options_.lanes;
    limits.packets = options_.packets;
    limits.rows = options_.rows;
    return fitting(chooseShape(itemLoop(nest), variance_, loops_, options_.target, limits, &reasons));
  }

  /// The tile has a copy of each private variable for each of its work-items, as the lower tile and single packets
  /// have. A shape whose copies would take too large a stack is made smaller, down to one work-item.
  PacketShape fitting(PacketShape shape) const {
    const auto fits = [&](unsigned items) {
      return privateBytes_ <= cost::tile::mostPrivateBytes / (std::uint64_t{3} * items);
    };
    if (!fits(shape.cells() * shape.lanes)) shape.rows = shape.packets = 1;
    if (!fits(shape.lanes)) shape.lanes = 1;
    return shape;
  }

  static std::uint64_t bytesOf(llvm::Function& function, const PrivateLayouts& layouts) {
    const llvm::DataLayout& layout = function.getDataLayout();
    std::uint64_t bytes = 0;
    for (const auto& [variable, place] : layouts)
      if (const auto size = variable->getAllocationSize(layout))
        bytes = llvm::SaturatingAdd(bytes, size->getFixedValue());
    return bytes;
  }

  llvm::Function& function_;
  const PacketsPass::Options& options_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::PostDominatorTree& postDominators_;
  const PrivateLayouts layouts_;
  const std::uint64_t privateBytes_ = bytesOf(function_, layouts_);  ///< private memory of a work-item
  const VarianceInfo variance_;
  std::vector<RunVariables> variables_;
  std::vector<MemberGroup> memberGroups_;
};

}  // namespace

llvm::PreservedAnalyses PacketsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (options.lanes == 1 && llvm::none_of(findItemNests(function), asksSubGroup)) return llvm::PreservedAnalyses::all();
  sinkPrivateAddresses(function);
  PacketMaker maker(function, options, analyses.getResult<llvm::LoopAnalysis>(function),
                    analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                    analyses.getResult<llvm::PostDominatorTreeAnalysis>(function));
  return maker.run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
