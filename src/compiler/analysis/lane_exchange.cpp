// SPDX-License-Identifier: Apache-2.0
// This file compares, work-item by work-item, the addresses of stores and loads that no barrier separates.
#include "compiler/analysis/lane_exchange.h"

#include "compiler/analysis/lane_values.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

/// The size of a work-group whose size is not known: a power of two, so that halves of it are.
constexpr std::uint64_t supposedLocalSize = 256;

struct Access {
  llvm::Instruction* instruction = nullptr;
  bool isStore = false;
  const llvm::Value* pointer = nullptr;
  const llvm::Value* object = nullptr;  ///< nullptr: not known
  std::uint64_t bytes = 0;
  const llvm::Loop* loop = nullptr;  ///< innermost
};

/// The events of local memory in a block, in order: indices of accesses, or a meeting of work-items.
struct BlockEvents {
  static constexpr std::size_t meeting = ~std::size_t{0};
  llvm::SmallVector<std::size_t, 8> events;
};

bool isMeeting(const llvm::Instruction& instruction) {
  const auto primitive = primitiveOf(instruction);
  if (primitive == Primitive::Barrier || primitive == Primitive::WorkGroupCollective) return true;
  return primitive == Primitive::SubGroup &&
         collectiveOf(instruction, subGroupPrefix)->kind == Collective::Kind::Barrier;
}

const llvm::Value* objectOf(const llvm::Value& pointer) {
  const llvm::Value* at = &pointer;
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(at)) at = step->getPointerOperand();
  return llvm::isa<llvm::Argument, llvm::GlobalVariable>(at) ? at : nullptr;
}

/// The loops that two blocks are both in, the innermost one first.
const llvm::Loop* commonLoop(const llvm::Loop* a, const llvm::Loop* b) {
  while (a && !a->contains(b)) a = a->getParentLoop();
  return b ? a : nullptr;
}

class Search {
public:
  Search(llvm::Function& kernel, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
         const std::array<std::uint32_t, 3>& local, ExchangeSearch search)
      : kernel_(kernel),
        loops_(loops),
        world_{loops, dominators, kernel.getDataLayout(), {supposedLocalSize, 1, 1}},
        search_(search) {
    if (local[0] == 0) return;
    for (unsigned d = 0; d < 3; ++d) world_.local[d] = std::max<std::uint64_t>(local[d], 1);
    world_.isLocalKnown = true;
    lanes_ = std::min<std::uint64_t>(world_.local[0] * world_.local[1] * world_.local[2], 64);
  }

  LaneExchange run() {
    findAccesses();
    const bool hasStores = llvm::any_of(accesses_, [](const Access& access) { return access.isStore; });
    if (!hasStores) return {};
    if (accesses_.size() > cost::search::exchangeAccesses ||
        accesses_.size() * kernel_.size() > cost::search::exchangeBlocksTimesAccesses) {
      result_.isComplete = false;
      return std::move(result_);
    }
    for (std::size_t i = 0; i < accesses_.size(); ++i) compareFrom(i);
    collect();
    return std::move(result_);
  }

private:
  void findAccesses() {
    for (llvm::BasicBlock& block : kernel_)
      for (llvm::Instruction& instruction : block) {
        if (isMeeting(instruction)) events_[&block].events.push_back(BlockEvents::meeting);
        if (const llvm::Value* changed = localMemoryChangedAtomically(instruction))
          changedAtomically_.push_back(objectOf(*changed));
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if ((!load || load->isAtomic()) && (!store || store->isAtomic())) continue;
        const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (pointer->getType()->getPointerAddressSpace() != localAddressSpace) continue;
        events_[&block].events.push_back(accesses_.size());
        const auto bytes = world_.layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
        accesses_.push_back(
            {&instruction, store != nullptr, pointer, objectOf(*pointer), bytes, loops_.getLoopFor(&block)});
      }
  }

  // --- ways without a barrier ---------------------------------------------------------------------------------------

  /// The accesses on ways that begin behind an access, or at the top of `top`, stay in `within` and do not come to
  /// `avoided`. Returns whether one comes there.
  bool walk(std::optional<std::size_t> from, llvm::BasicBlock* top, const llvm::Loop* within,
            const llvm::BasicBlock* avoided, llvm::BitVector& seen) const {
    seen.resize(accesses_.size());
    bool comesThere = false;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 32> visited;
    llvm::SmallVector<llvm::BasicBlock*, 32> work;
    const auto passes = [&](llvm::BasicBlock& block, std::size_t begin) {
      const auto events = events_.find(&block);
      if (events == events_.end()) return true;
      for (const std::size_t event : llvm::ArrayRef(events->second.events).drop_front(begin)) {
        if (event == BlockEvents::meeting) return false;
        seen.set(static_cast<unsigned>(event));
      }
      return true;
    };
    const auto goOn = [&](llvm::BasicBlock& block) {
      for (llvm::BasicBlock* next : llvm::successors(&block)) {
        if (within && !within->contains(next)) continue;
        comesThere |= next == avoided;
        if (next != avoided && visited.insert(next).second) work.push_back(next);
      }
    };
    if (from) {
      llvm::BasicBlock& block = *accesses_[*from].instruction->getParent();
      const auto& events = events_.find(&block)->second.events;
      const auto at = static_cast<std::size_t>(llvm::find(events, *from) - events.begin());
      if (passes(block, at + 1)) goOn(block);
    } else if (passes(*top, 0)) {
      goOn(*top);
    }
    while (!work.empty()) {
      llvm::BasicBlock* block = work.pop_back_val();
      if (passes(*block, 0)) goOn(*block);
    }
    return comesThere;
  }

  /// Compares an access with those behind it without a barrier: in the same iteration of a loop that both are in, or in
  /// the next.
  void compareFrom(std::size_t first) {
    const Access& from = accesses_[first];
    llvm::BitVector seen;
    walk(first, nullptr, nullptr, nullptr, seen);
    for (const unsigned other : seen.set_bits()) together_.unionSets(first, other);
    llvm::DenseMap<const llvm::Loop*, llvm::BitVector> now, next;
    for (const unsigned second : seen.set_bits()) {
      const Access& to = accesses_[second];
      if (!from.isStore && !to.isStore) continue;
      if (from.isStore && to.isStore) continue;
      const llvm::Loop* loop = commonLoop(from.loop, to.loop);
      if (!loop) {
        compare(from, to, nullptr, false);
        continue;
      }
      if (!now.contains(loop)) {
        llvm::BitVector &same = now[loop], &later = next[loop];
        if (walk(first, nullptr, loop, loop->getHeader(), same))
          walk(std::nullopt, loop->getHeader(), loop, loop->getHeader(), later);
        later.resize(static_cast<unsigned>(accesses_.size()));
      }
      if (now[loop].test(second)) compare(from, to, loop, false);
      if (next[loop].test(second)) compare(from, to, loop, true);
    }
  }

  // --- addresses ----------------------------------------------------------------------------------------------------

  /// A store and a load, in the order in which they are executed.
  void compare(const Access& first, const Access& second, const llvm::Loop* common, bool isNext) {
    if (first.object && second.object && first.object != second.object) return;
    if (++pairs_ > cost::search::exchangePairs && search_ == ExchangeSearch::Certain) return;
    bool isKnown = first.object && second.object && pairs_ <= cost::search::exchangePairs;
    unsigned width = 0;
    if (isKnown) {
      forEachIteration(first, second, common, [&](const Iterations& a, Iterations b) {
        if (++comparisons_ > cost::search::exchangeComparisons) return isKnown = false;
        if (isNext) ++b[common];
        const auto found = conflict(first, valuesAt(a), second, valuesAt(b));
        if (found)
          width = std::max(width, *found);
        else
          isKnown = false;
        return isKnown && width < 64;
      });
    }
    if (!isKnown && search_ == ExchangeSearch::Possible) width = std::max(width, 32u);
    if (width > 32 && !first.isStore) width = 0;  // what is loaded first may be an element that the work-item owns
    if (width == 0) return;
    together_.unionSets(indexOf(first), indexOf(second));
    exchanging_.push_back(indexOf(first));
    result_.width = std::max(result_.width, width);
    if (result_.store) return;
    result_.store = (first.isStore ? first : second).instruction;
    result_.load = (first.isStore ? second : first).instruction;
  }

  std::size_t indexOf(const Access& access) const { return static_cast<std::size_t>(&access - accesses_.data()); }

  LaneValues& valuesAt(const Iterations& iterations) {
    std::unique_ptr<LaneValues>& values = values_[iterations];
    if (!values) values = std::make_unique<LaneValues>(world_, iterations);
    return *values;
  }

  /// Iterations of the loops that the accesses are in: the same of those that they share.
  template <class Visit>
  static void forEachIteration(const Access& first, const Access& second, const llvm::Loop* common,
                               const Visit& visit) {
    struct Counted {
      const llvm::Loop* loop;
      unsigned count;
      bool ofFirst, ofSecond;
    };
    llvm::SmallVector<Counted, 6> all;
    const auto add = [&](const llvm::Loop* from, const llvm::Loop* end, bool ofFirst, bool ofSecond) {
      unsigned count = cost::search::exchangeInner;
      for (const llvm::Loop* loop = from; loop != end;
           loop = loop->getParentLoop(), count = cost::search::exchangeOuter)
        all.push_back({loop, count, ofFirst, ofSecond});
    };
    add(common, nullptr, true, true);
    add(first.loop, common, true, false);
    add(second.loop, common, false, true);
    llvm::SmallVector<unsigned, 6> at(all.size(), 0);
    for (std::size_t done = 0; done < cost::search::exchangeIterations; ++done) {
      Iterations a, b;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].ofFirst) a[all[i].loop] = at[i];
        if (all[i].ofSecond) b[all[i].loop] = at[i];
      }
      if (!visit(a, b)) return;
      std::size_t i = 0;
      while (i < all.size() && ++at[i] == all[i].count) at[i++] = 0;
      if (i == all.size()) return;
    }
  }

  /// How many work-items must run in step, so that what one does first is before what another one does second; 0: no
  /// two access the same. Empty: not known.
  std::optional<unsigned> conflict(const Access& first, LaneValues& a, const Access& second, LaneValues& b) {
    const LaneIntegers *from = a.offsetOf(*first.pointer), *to = b.offsetOf(*second.pointer);
    if (!from || !to) return std::nullopt;
    const LaneValues::Reach &reachFirst = a.reach(*first.instruction->getParent()),
                            &reachSecond = b.reach(*second.instruction->getParent());
    const bool loadsFirst = !first.isStore;
    if (loadsFirst && !(reachFirst.certain && reachSecond.certain)) return 0;
    // Rows of a work-item's own, which a loop that nothing is known of would leave.
    const auto isRow = [](const LaneIntegers& at, std::uint64_t bytes) {
      const auto step = static_cast<std::int64_t>(at.of[1] - at.of[0]);
      return step > static_cast<std::int64_t>(bytes) || -step > static_cast<std::int64_t>(bytes);
    };
    if (!(reachFirst.bounded && reachSecond.bounded) && (isRow(*from, first.bytes) || isRow(*to, second.bytes)))
      return 0;
    bool inWarp = false, acrossWarps = false;
    bool byBlocks = true;  // all distances are multiples of what may be the size of a row or of a work-group
    for (std::size_t i = 0; i < lanes_; ++i)
      for (std::size_t j = 0; j < lanes_; ++j) {
        if (i == j || !reachFirst.may[i] || !reachSecond.may[j]) continue;
        const auto apart = static_cast<std::int64_t>(to->of[j] - from->of[i]);
        if (apart >= static_cast<std::int64_t>(first.bytes) || -apart >= static_cast<std::int64_t>(second.bytes))
          continue;
        (i / 32 == j / 32 ? inWarp : acrossWarps) = true;
        byBlocks &= (i > j ? i - j : j - i) % 8 == 0;
      }
    if (!inWarp && !acrossWarps) return 0;
    if (byBlocks && areOwn(first, a, second, b)) return 0;
    return inWarp ? 32 : 64;  // what a warp of 32 does with its neighbours' elements is a race there, too
  }

  /// Whether each work-item may own both places: it loads what it stores at the one and stores what it loads at the
  /// other. In work-groups of as many work-items as lie between them nothing is exchanged then.
  bool areOwn(const Access& first, LaneValues& a, const Access& second, LaneValues& b) {
    const auto hasOther = [&](const Access& access, LaneValues& values) {
      const LaneIntegers* own = values.offsetOf(*access.pointer);
      return llvm::any_of(accesses_, [&](const Access& other) {
        if (other.object != access.object || other.isStore == access.isStore) return false;
        const LaneIntegers* at = values.offsetOf(*other.pointer);
        return at && at->of == own->of;
      });
    };
    return hasOther(first, a) && hasOther(second, b);
  }

  void collect() {
    if (result_.width == 0) return;
    llvm::BitVector chosen(static_cast<unsigned>(accesses_.size()));
    for (const std::size_t each : exchanging_)
      for (std::size_t i = 0; i < accesses_.size(); ++i)
        if (i == each || (together_.findLeader(i) != together_.member_end() && together_.isEquivalent(i, each)))
          chosen.set(static_cast<unsigned>(i));
    for (const unsigned i : chosen.set_bits())
      if (mayBeStored(i, chosen)) result_.accesses.push_back(accesses_[i].instruction);
  }

  /// Whether one of the accesses stores what this one accesses, with no barrier between the two, or an atomic operation
  /// anywhere changes it.
  bool mayBeStored(std::size_t access, const llvm::BitVector& among) const {
    const llvm::Value* object = accesses_[access].object;
    const auto mayBeSame = [&](const llvm::Value* other) { return !object || !other || other == object; };
    return llvm::any_of(changedAtomically_, mayBeSame) || llvm::any_of(among.set_bits(), [&](unsigned i) {
             const Access& other = accesses_[i];
             return other.isStore && mayBeSame(other.object) && (i == access || together_.isEquivalent(i, access));
           });
  }

  llvm::Function& kernel_;
  const llvm::LoopInfo& loops_;
  LaneWorld world_;
  const ExchangeSearch search_;
  std::size_t lanes_ = 64;
  std::vector<Access> accesses_;
  std::vector<const llvm::Value*> changedAtomically_;  ///< objects that atomic operations change
  llvm::DenseMap<const llvm::BasicBlock*, BlockEvents> events_;
  std::map<Iterations, std::unique_ptr<LaneValues>> values_;
  llvm::EquivalenceClasses<std::size_t> together_;  ///< accesses between the same barriers
  llvm::SmallVector<std::size_t, 8> exchanging_;
  std::size_t pairs_ = 0, comparisons_ = 0;
  LaneExchange result_;
};

bool accessesLocalMemory(const llvm::Function& function) {
  bool loads = false, stores = false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (pointer && pointer->getType()->getPointerAddressSpace() == localAddressSpace)
      (llvm::isa<llvm::LoadInst>(instruction) ? loads : stores) = true;
  }
  return loads && stores;
}

}  // namespace

const llvm::Value* localMemoryChangedAtomically(const llvm::Instruction& instruction) {
  const llvm::Value* pointer = nullptr;
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    pointer = update->getPointerOperand();
  else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    pointer = exchange->getPointerOperand();
  else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic())
    pointer = store->getPointerOperand();
  return pointer && pointer->getType()->getPointerAddressSpace() == localAddressSpace ? pointer : nullptr;
}

LaneExchange findLaneExchange(const llvm::Function& kernel, const std::array<std::uint32_t, 3>& local,
                              ExchangeSearch search) {
  auto& function = const_cast<llvm::Function&>(kernel);  // analyses leave it as it is
  if (!accessesLocalMemory(function)) return {};
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  return Search(function, loops, dominators, local, search).run();
}

}  // namespace clarity::compiler
