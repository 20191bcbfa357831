// SPDX-License-Identifier: Apache-2.0
// This file weighs the accesses of a kernel: which of them neighbours have in common, and how a warp's lie in memory.
#include "compiler/nvptx/choose_tile.h"

#include "compiler/analysis/address.h"
#include "compiler/analysis/tile_model.h"
#include "compiler/analysis/variance.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/ir/shape.h"
#include "compiler/nvptx/explain_tile.h"
#include "compiler/nvptx/few_threads.h"
#include "compiler/nvptx/loop_steps.h"
#include "compiler/nvptx/one_work_item.h"
#include "compiler/nvptx/values_at_barriers.h"
#include "compiler/nvptx/warp_machine.h"
#include "compiler/passes/interleave_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace clarity::compiler::nvptx {
namespace {

std::uint32_t powerWithin(std::uint64_t number) {
  return number == 0 ? 1 : static_cast<std::uint32_t>(std::bit_floor(number));
}

class TileChooser {
public:
  TileChooser(llvm::Function& kernel, const Shape& shape, bool mayMerge)
      : kernel_(kernel),
        shape_(shape),
        mayMerge_(mayMerge),
        variance_(kernel),
        dominators_(kernel),
        loops_(dominators_),
        after_(kernel),
        model_(warpMachine, {.variance = variance_, .loops = loops_}) {}

  TileChoice choose() {
    weigh();
    const TileChoice choice = decide();
    if (!explains_) return choice;
    explainTile(kernel_, choice.tile, variance_);
    if (tried_.size() > 1)
      remark(kernel_, {}, RemarkKind::Order,
             fmt::format("tried, with the expected cycles of a work-item's innermost iteration: {}",
                         fmt::join(tried_, ", ")));
    return choice;
  }

private:
  TileChoice decide() {
    const std::uint32_t most = std::min(shape_.itemsPerThread, cost::coarsen::mostFast * cost::coarsen::mostSlow);
    if (kernel_.getInstructionCount() * most > cost::coarsen::mostInstructions) return {{}, "it is large"};
    if (indexesArrays_) return {{}, "it has private arrays with indices that are known at run time only"};
    if (mayMerge_) return ofMerged();
    if (shape_.local[0] == 0) return {{}, "its work-groups may be of any size"};
    if (shape_.local[1] > 1) return ofGroup();
    return ofGroups();
  }

  // --- what the kernel does -----------------------------------------------------------------------------------------

  void weigh() {
    for (const llvm::BasicBlock& block : kernel_) {
      const unsigned depth = loops_.getLoopDepth(&block);
      isForOne_.reset();
      for (const llvm::Instruction& instruction : block) {
        streams_ &= depth == 0 && mayStream(instruction);
        if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
          weighAccess(instruction, *pointer, depth);
          indexesArrays_ |= depth > 0 && isInIndexedArray(*pointer, kernel_.getDataLayout());
        }
        hasBarrier_ |= primitiveOf(instruction) == Primitive::Barrier;
        if (const auto primitive = primitiveOf(instruction);
            primitive == Primitive::GlobalId || primitive == Primitive::LocalId || primitive == Primitive::GroupId)
          if (const auto d = dimensionOf(llvm::cast<llvm::CallInst>(instruction)))
            asked_ = asked_ | Dimensions::only(*d);
      }
      noteLoops(block);
      model_.add(block, [&](const llvm::Instruction& access) { return isShared(access); });
    }
  }

  /// Whether an access is to memory that work-items share. Nothing is gained by loading the program's constants less
  /// often: most become immediate numbers.
  bool isShared(const llvm::Instruction& access) {
    const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&access);
    const unsigned space = pointer.getType()->getPointerAddressSpace();
    if (variance_.privateAddress(pointer) || space == 0) return false;
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(&pointer));
    if (variable && variable->isConstant() && space != localAddressSpace) return false;
    if (!isForOne_) isForOne_ = isForOneWorkItem(*access.getParent(), dominators_, variance_);
    return !*isForOne_;
  }

  /// Whether the time of a kernel of such instructions may be that of its accesses to global memory.
  static bool mayStream(const llvm::Instruction& instruction) {
    if (instruction.isAtomic() || instruction.isVolatile() || llvm::isa<llvm::AllocaInst>(instruction)) return false;
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) return true;
    const auto primitive = primitiveOf(instruction);
    return primitive && isQuery(*primitive);
  }

  /// Streams of a kernel that streams_: bytes that a work-item moves of its own, and along which dimensions those of
  /// neighbours lie side by side.
  void noteStream(const llvm::Instruction& access, const ValueVariance& variance, unsigned space, std::uint64_t bytes) {
    streams_ &= space != localAddressSpace;
    if (variance.dims.empty()) return;
    (llvm::isa<llvm::LoadInst>(access) ? bytesLoaded_ : bytesStored_) += bytes;
    for (unsigned d = 0; d < 2; ++d)
      isStream_[d] &=
          !variance.dims.has(d) || (variance.stride[d] && std::cmp_equal(distance(*variance.stride[d]), bytes));
  }

  void weighAccess(const llvm::Instruction& access, const llvm::Value& pointer, unsigned depth) {
    const unsigned space = pointer.getType()->getPointerAddressSpace();
    if (variance_.privateAddress(pointer) || space == 0) {
      streams_ = false;
      return;
    }
    const ValueVariance variance = variance_.of(pointer);
    const auto bytes = kernel_.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
    noteStream(access, variance, space, bytes);
    if (!llvm::isa<llvm::LoadInst>(access) || depth == 0 || !isShared(access)) return;
    widest_ = std::max(widest_, bytes);
    isProduct_ &= variance.dims.has(0) != variance.dims.has(1);
    if (!variance.dims.empty()) {
      ++varying_;
      sliding_ += depth == 1 && slidesAlongX(pointer, *loops_.getLoopFor(access.getParent()), variance);
    }
    for (unsigned d = 0; d < 2; ++d)
      isConsecutive_[d] &= !variance.dims.has(d) || variance.stride[d] == static_cast<std::int64_t>(bytes);
  }

  /// Along which dimensions work-items leave loops in different iterations.
  void noteLoops(const llvm::BasicBlock& block) {
    const llvm::Loop* loop = loops_.getLoopFor(&block);
    const Dimensions parting = loop ? dimensionsOfDivergentExit(block, *loop, after_, variance_) : Dimensions();
    if (parting.empty()) return;
    parted_ = parted_ | parting;
    if (loop->getHeader() != &block) leftInside_ = leftInside_ | parting;
  }

  /// Whether work-items along a dimension may share a thread, and loads in loops.
  bool mayShareAlong(unsigned d) const {
    return asked_.has(d) && !parted_.has(d) && model_.demand().sharedLoads(0, d) > 0;
  }

  /// The number of work-items of a thread with which an innermost iteration takes the fewest cycles for each of them,
  /// of the powers of two up to `most` and the launch's. Those along `fast` come last, unless the thread loads them as
  /// a vector: they are a warp apart, so that each needs a line of the cache for itself.
  std::array<std::uint32_t, 3> quickest(unsigned fast, const std::array<std::uint32_t, 2>& most, bool asVector) {
    std::array<std::uint32_t, 3> best{1, 1, 1};
    const double alone = model_.cycles(best, fast);
    double least = alone * cost::coarsen::mostOfAlone;
    if (explains_) tried_ = {fmt::format("1 x 1: {:.1f}", alone)};
    for (std::uint32_t slow = 1; slow <= most[1 - fast]; slow *= 2)
      for (std::uint32_t along = 1; along <= most[fast] && along * slow <= shape_.itemsPerThread; along *= 2) {
        const bool isVector = asVector && along == cost::coarsen::elementsOfVector;
        if (along * slow == 1 || (along > 1 && slow < most[1 - fast] && !isVector)) continue;
        std::array<std::uint32_t, 3> cells{1, 1, 1};
        cells[fast] = along;
        cells[1 - fast] = slow;
        const double cycles = model_.cycles(cells, fast);
        const bool fits = model_.fits(cells);
        if (explains_)
          tried_.push_back(fmt::format("{} x {}: {}", cells[0], cells[1],
                                       fits ? fmt::format("{:.1f}", cycles) : "too many registers"));
        if (!fits || cycles >= least) continue;
        best = cells;
        least = cycles * cost::tile::equalCycles;
      }
    return best;
  }

  // --- what follows --------------------------------------------------------------------------------------------------

  /// No barriers, and no question about groups: a block is what suits memory.
  TileChoice ofMerged() {
    using namespace cost::coarsen;
    const bool isFlat = !asked_.has(1) || shape_.local[1] == 1;
    const bool swaps = !isFlat && model_.demand().suitsLanesAlongY();
    const unsigned fast = swaps ? 1 : 0, slow = 1 - fast;
    std::array<std::uint32_t, 2> most{1, 1};
    if (mayShareAlong(fast)) most[fast] = isFlat ? mostGroups : mostFast;
    if (!isFlat && mayShareAlong(slow)) most[slow] = mostSlow;
    const bool isVector = loadsVectors(fast) && most[slow] > 1 && most[fast] > 1;
    if (isVector) most[fast] = elementsOfVector;
    TileChoice choice;
    Tile& tile = choice.tile;
    tile.cells = quickest(fast, most, isVector);
    if (const std::uint32_t cells = cellsOfStream(fast, isFlat); tile.cellsOfThread() == 1 && cells > 1)
      return ofStream(fast, isFlat, cells);
    if (tile.cellsOfThread() == 1 && !swaps && !wantsOtherBlocks(shape_)) return {{}, whyAlone(most)};
    tile.merged = true;
    tile.swapped = swaps;
    const std::uint32_t threads = shape_.itemsPerThread < mostSlow * mostFast ? threadsOfFew : threadsOfBlock;
    tile.threads = {threads, 1, 1};
    if (!isFlat && (fast != 0 || varying_ == 0 || sliding_ < varying_)) {
      tile.threads[fast] = warp;
      tile.threads[slow] = threads / warp;
    }
    choice.reason = tile.cellsOfThread() > 1 ? "neighbours load the same memory in loops"
                    : swaps                  ? "as they lie in memory"
                                             : "the work-groups fit neither warps nor the range";
    if (isSmallProduct() && tile.cells[slow] > 1 && tile.cells[fast] > 1) limitRegisters(choice, fast);
    return choice;
  }

  const char* whyAlone(const std::array<std::uint32_t, 2>& most) const {
    if (most[0] * most[1] == 1) return "neighbours load nothing in common in loops";
    if (!model_.fits({std::min(most[0], 2u), std::min(most[1], 2u), 1}))
      return "its loops carry too many values for several";
    return "several would hardly be faster";
  }

  /// Work-items of a thread that hide the latency of memory in a kernel whose accesses are its time.
  std::uint32_t cellsOfStream(unsigned fast, bool isFlat) const {
    using namespace cost::coarsen;
    if (!streams_ || !isStream_[fast] || kernel_.getInstructionCount() > mostOfStream) return 1;
    // A block of several rows, or of rows that are shorter than it, would reach far beyond the range.
    if (shape_.partialBlocks && (asked_.has(1) || asked_.has(2))) return 1;
    const std::uint64_t bytes = std::max(bytesLoaded_, bytesStored_);
    if (bytes == 0) return 1;
    return powerWithin(std::min<std::uint64_t>(
        {bytesOfStream / bytes, shape_.itemsPerThread / leastOfStream, std::uint64_t{mostSlow}}));
  }

  TileChoice ofStream(unsigned fast, bool isFlat, std::uint32_t cells) const {
    using namespace cost::coarsen;
    const unsigned slow = 1 - fast;
    TileChoice choice;
    Tile& tile = choice.tile;
    tile.merged = true;
    tile.swapped = fast == 1;
    if (isFlat) {
      tile.cells[fast] = cells;
      tile.threads[fast] = std::min(threadsOfBlock, static_cast<std::uint32_t>(commonMultiple[fast]) / cells);
      tile.threads[slow] = tile.threads[2] = 1;
    } else {
      tile.cells[slow] = cells;
      tile.threads = {1, 1, 1};
      tile.threads[fast] = warp;
      tile.threads[slow] = threadsOfBlock / warp;
    }
    choice.reason = "they only move neighbouring elements, and more of them are under way";
    return choice;
  }

  /// Whether neighbouring work-items of a thread may load neighbouring elements of a product's factor as vectors.
  bool loadsVectors(unsigned fast) const {
    return isSmallProduct() && isConsecutive_[fast] && shape_.itemsPerThread >= cost::coarsen::leastForVectors;
  }

  /// Whether a kernel is a matrix product, or the like, of words, whose work-items fit few registers.
  bool isSmallProduct() const {
    return isProduct_ && widest_ <= warpMachine.bankBytes &&
           kernel_.getInstructionCount() <= cost::coarsen::mostOfFewRegisters;
  }

  /// Blocks of a product that a multiprocessor holds together, and vector loads along `fast`.
  void limitRegisters(TileChoice& choice, unsigned fast) const {
    using namespace cost::coarsen;
    Tile& tile = choice.tile;
    const unsigned slow = 1 - fast;
    tile.adjacent = tile.cells[fast] == elementsOfVector;
    const bool isFull = tile.cells[slow] == mostSlow;
    if (tile.adjacent && isFull) tile.threads[slow] /= 2;
    choice.together = isFull || !tile.adjacent ? blocksTogether : blocksOfVectorsTogether;
  }

  /// A work-group with local memory or barriers, of two dimensions.
  TileChoice ofGroup() {
    if (shape_.local[2] != 1) return {{}, "its work-groups have three dimensions"};
    const bool swaps = model_.demand().suitsLanesAlongY();
    const unsigned slow = swaps ? 0 : 1;
    TileChoice choice;
    Tile& tile = choice.tile;
    tile.swapped = swaps;
    const std::uint32_t items = shape_.local[0] * shape_.local[1];
    if (!parted_.has(slow) && (mayShareAlong(slow) || loops_.empty())) {
      const std::uint32_t most = loops_.empty() ? cost::coarsen::mostGroups : cost::coarsen::mostOfGroup;
      std::array<std::uint32_t, 2> parts{1, 1};
      parts[slow] = largestPart(powerWithin(std::min({shape_.itemsPerThread, most, items / warp})),
                                [&](std::uint32_t part) { return shape_.local[slow] % part == 0; });
      tile.cells[slow] = loops_.empty() ? parts[slow] : quickest(1 - slow, parts, false)[slow];
    }
    if (tile.cells[slow] == 1 && !swaps) return {{}, "its work-groups are small, or neighbours load nothing in common"};
    for (unsigned d = 0; d < 3; ++d) tile.threads[d] = shape_.local[d] / tile.cells[d];
    choice.reason = "neighbours load the same from local memory";
    if (!swaps && !loops_.empty()) considerSharing(choice);
    return choice;
  }

  /// How many neighbouring work-groups a thread has registers for.
  void considerSharing(TileChoice& choice) const {
    using namespace cost::coarsen;
    const Tile& tile = choice.tile;
    const std::uint32_t own = tile.cells[1];
    if (own == 1 || parted_.has(0) || shape_.partialBlocks) return;
    if (bytesOfVariables() > mostOfSharingGroup) return;
    const std::uint32_t groups =
        largestPart(std::min(shape_.itemsPerThread / own, mostGroups), [&](std::uint32_t part) {
          return model_.fits({part, own, 1}) && commonMultiple[0] % (shape_.local[0] * part) == 0;
        });
    const std::uint32_t registers = own * groups > mostFast * mostSlow ? registersOfLarge : registersOfThread;
    choice.sharing = {groups, registersOfMultiprocessor / (registers * tile.threadsOfBlock())};
  }

  /// Bytes of a work-group's local memory; the most there is where it depends on the launch.
  std::uint64_t bytesOfVariables() const {
    constexpr std::uint64_t unknown = ~std::uint64_t{0};
    for (const llvm::Argument& argument : kernel_.args())
      if (argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == localAddressSpace)
        return unknown;
    const auto variables = localVariablesOf(kernel_);
    return variables.empty() ? unknown : variables.back().offset + variables.back().bytes;
  }

  /// Work-groups of one dimension: several in step share barriers and what surrounds them.
  TileChoice ofGroups() {
    if (!hasBarrier_) return {{}, "it has neither barriers nor work-groups that run as one"};
    if (leftInside_.has(0)) return {{}, "work-items leave a loop in different iterations"};
    // The other groups of a block would wait for the one with the longest loop.
    if (!loopsEvenly(kernel_, loops_, after_, variance_))
      return {{}, "some work-groups may loop for longer than others"};
    if (groupsToInterleave(kernel_) < 2) return {{}, "its work-groups cannot run in step"};
    // Loops that work-items leave in different iterations hide latency themselves, with all threads that there are.
    const std::uint32_t wanted = parted_.has(0) ? shape_.itemsPerThread / 4 : shape_.itemsPerThread;
    const std::uint32_t kept = std::max(1U, registersAtBarriers(kernel_));
    const std::uint32_t cells = std::min(wanted, cost::coarsen::mostAtBarriers / kept);
    if (cells == 0 || (cells == 1 && wanted > 1)) return {{}, "its work-items keep many values at barriers"};
    TileChoice choice;
    if (shape_.local[0] >= cost::coarsen::largeGroup && parted_.empty()) {
      const std::uint32_t own = largestPart(powerWithin(std::min(cells, cost::coarsen::mostOfGroup)),
                                            [&](std::uint32_t part) { return shape_.local[0] % (part * warp) == 0; });
      if (own == 1) return {{}, "the launch is small, or threads of fewer work-items would not fill warps"};
      choice.tile.cells[0] = own;
      choice.tile.threads = {shape_.local[0] / own, 1, 1};
      choice.reason = "fewer threads wait at barriers";
      return choice;
    }
    choice.tile.groups = powerWithin(std::min(cells, cost::coarsen::mostGroups));
    if (choice.tile.groups == 1) return {{}, "the launch is small"};
    choice.tile.threads = {shape_.local[0], 1, 1};
    choice.reason = "they wait at barriers together";
    return choice;
  }

  llvm::Function& kernel_;
  const Shape& shape_;
  const bool mayMerge_;
  const VarianceInfo variance_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::PostDominatorTree after_;
  TileModel model_;
  const bool explains_ = wantsRemarks(kernel_);
  std::vector<std::string> tried_;                   ///< tiles and their expected cycles, for the report
  std::uint64_t widest_ = 0;                         ///< bytes of a load in a loop
  bool streams_ = true;                              ///< straight code that moves elements of global memory
  std::array<bool, 2> isStream_{true, true};         ///< neighbours along a dimension access neighbouring elements
  std::uint64_t bytesLoaded_ = 0, bytesStored_ = 0;  ///< bytes for a work-item alone, in global memory
  std::array<bool, 2> isConsecutive_{true, true};  ///< neighbours along a dimension load neighbouring elements in loops
  bool isProduct_ = true;         ///< a load in a loop differs along one of the two dimensions, as in matrix products
  std::optional<bool> isForOne_;  ///< whether one work-item alone executes the block that is weighed, if asked
  bool hasBarrier_ = false;
  bool indexesArrays_ = false;  ///< in loops, private ones: several work-items a thread would have as many in memory
  Dimensions asked_;
  unsigned varying_ = 0, sliding_ = 0;  ///< loads in loops that differ between work-items; those of windows along x
  Dimensions parted_, leftInside_;  ///< along which loops are left in different iterations; elsewhere than in headers
};

}  // namespace

TileChoice chooseTile(llvm::Function& kernel, const Shape& shape, bool mayMerge) {
  return TileChooser(kernel, shape, mayMerge).choose();
}

}  // namespace clarity::compiler::nvptx
