// SPDX-License-Identifier: Apache-2.0
// This file replaces accesses to local memory by variables of threads and shuffles.
#include "compiler/nvptx/local_registers.h"

#include "compiler/analysis/variance.h"
#include "compiler/guard/limits.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/nvptx/lane_values.h"
#include "compiler/nvptx/tile.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <map>
#include <optional>
#include <set>

namespace clarity::compiler::nvptx {
namespace {

/// CLK_GLOBAL_MEM_FENCE and CLK_IMAGE_MEM_FENCE.
constexpr std::uint64_t otherFences = 2 | 4;

/// A load or store of local memory by a warp.
struct LocalAccess {
  llvm::Instruction* instruction = nullptr;
  llvm::SmallVector<std::int64_t, warp> elements;  ///< for each thread; of those that never get there, anything
  llvm::SmallVector<bool, warp> reached;
  bool own = true;                ///< every thread accesses an element of its own, at one place among them
  std::set<std::int64_t> places;  ///< among those of a thread
};

/// Accesses at a distance of whole elements from each other.
struct Array {
  llvm::Type* type = nullptr;
  std::vector<LocalAccess> accesses;
  std::set<std::int64_t> stored;                        ///< places among those of a thread
  std::map<std::int64_t, llvm::AllocaInst*> variables;  ///< by place
};

std::int64_t threadOf(std::int64_t element) { return element & (warp - 1); }
std::int64_t placeOfElement(std::int64_t element) { return element >> 5; }

class LocalMemoryPromoter {
public:
  /// @param warps that execute an instruction of the kernel: one, if it has been coarsened
  LocalMemoryPromoter(llvm::Function& kernel, unsigned cells, unsigned warps)
      : kernel_(kernel), cells_(cells), warps_(warps), values_(kernel.getDataLayout(), warp * warps) {
    dominators_.recalculate(kernel);
    if (warps == 1) variance_.emplace(kernel);
  }

  bool check(std::string& why) {
    if (!collect(why)) return false;
    std::size_t shuffles = 0;
    for (auto& [base, array] : arrays_)
      if (!analyse(array, shuffles, why)) return false;
    return shuffles <= cost::coarsen::mostShuffles * cells_ || refuse(why, "too many elements change threads");
  }

  /// After check().
  void run() {
    for (auto& [base, array] : arrays_) replace(array);
    eraseBarriers();
  }

private:
  static bool refuse(std::string& why, const char* text) {
    why = text;
    return false;
  }

  /// Where the array of an access begins: an argument, or a place in the kernel's own local memory.
  using Base = std::pair<llvm::Value*, std::int64_t>;

  bool collect(std::string& why) {
    for (llvm::Instruction& instruction : llvm::instructions(kernel_)) {
      if (primitiveOf(instruction) == Primitive::LocalMemory || llvm::isa<llvm::GetElementPtrInst>(instruction))
        continue;
      const bool touches = llvm::any_of(instruction.operands(), [](const llvm::Use& operand) {
        return operand->getType()->isPointerTy() && operand->getType()->getPointerAddressSpace() == localAddressSpace;
      });
      if (!touches && !(instruction.getType()->isPointerTy() &&
                        instruction.getType()->getPointerAddressSpace() == localAddressSpace))
        continue;
      if (!add(instruction, why)) return false;
    }
    return !arrays_.empty() || refuse(why, "it has no local memory");
  }

  bool add(llvm::Instruction& instruction, std::string& why) {
    checkLimits();
    llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || instruction.isVolatile() || instruction.isAtomic() ||
        pointer->getType()->getPointerAddressSpace() != localAddressSpace)
      return refuse(why, "it does more with local memory than load and store");
    const auto address = values_.address(*pointer);
    if (!address) return refuse(why, "an index of local memory is known at run time only");
    const Base base{address->base, address->start};
    Array& array = arrays_[base];
    llvm::Type* type = llvm::getLoadStoreType(&instruction);
    if (array.type && array.type != type) return refuse(why, "an array in local memory is accessed as several types");
    array.type = type;
    const auto bytes = kernel_.getDataLayout().getTypeStoreSize(type).getFixedValue();
    if (bytes != kernel_.getDataLayout().getTypeAllocSize(type).getFixedValue() ||
        !(bytes == 1 || bytes == 2 || (bytes % 4 == 0 && bytes <= 16)) || !type->isSingleValueType() ||
        type->isPtrOrPtrVectorTy())
      return refuse(why, "elements of local memory have no size of registers");
    const auto reached = values_.reach(*instruction.getParent(), dominators_);
    for (unsigned first = 0; first < warp * warps_; first += warp) {
      LocalAccess access;
      access.instruction = &instruction;
      for (unsigned item = first; item < first + warp; ++item) {
        const std::int64_t offset = address->bytes[item];
        if (reached[item] && (offset < 0 || offset % static_cast<std::int64_t>(bytes) != 0))
          return refuse(why, "an index of local memory lies between elements, or ahead of the first");
        access.elements.push_back(offset / static_cast<std::int64_t>(bytes));
        access.reached.push_back(reached[item]);
      }
      array.accesses.push_back(std::move(access));
    }
    return true;
  }

  bool analyse(Array& array, std::size_t& shuffles, std::string& why) {
    for (LocalAccess& access : array.accesses) {
      for (unsigned thread = 0; thread < warp; ++thread) {
        if (!access.reached[thread]) continue;
        access.own &= threadOf(access.elements[thread]) == thread;
        access.places.insert(placeOfElement(access.elements[thread]));
      }
      access.own &= access.places.size() <= 1;
      if (!llvm::isa<llvm::StoreInst>(access.instruction)) continue;
      if (!access.own) return refuse(why, "work-items store what belongs to others in local memory");
      array.stored.insert(access.places.begin(), access.places.end());
    }
    if (array.stored.size() > cost::coarsen::mostPlaces) return refuse(why, "it has much local memory");
    for (LocalAccess& access : array.accesses) {
      if (!llvm::isa<llvm::LoadInst>(access.instruction)) continue;
      for (const std::int64_t place : access.places)
        if (!array.stored.contains(place)) return refuse(why, "it reads local memory that it does not write");
      if (access.own) continue;
      if (access.places.size() > cost::coarsen::mostSources)
        return refuse(why, "an element comes from many places of local memory");
      if (variance_ && !pointFor(access)) return refuse(why, "work-items read elements of others where they diverge");
      shuffles += access.places.size() * words(array.type);
    }
    return true;
  }

  std::size_t words(llvm::Type* type) const {
    return std::max<std::size_t>(kernel_.getDataLayout().getTypeStoreSize(type).getFixedValue() / 4, 1);
  }

  /// Where all threads of the warp are together and the element is what it is for the load; nullptr: nowhere.
  llvm::Instruction* pointFor(const LocalAccess& access) const {
    llvm::BasicBlock* block = access.instruction->getParent();
    if (!variance_->divergence(*block).has(0)) return access.instruction;
    auto* node = dominators_.getNode(block)->getIDom();
    while (node && variance_->divergence(*node->getBlock()).has(0)) node = node->getIDom();
    if (!node) return nullptr;
    llvm::BasicBlock* above = node->getBlock();
    bool own = false;
    for (unsigned thread = 0; thread < warp; ++thread)
      own |= access.reached[thread] && threadOf(access.elements[thread]) == thread;
    // Between there and the load neither barriers nor, where a thread reads what it may have written, stores.
    llvm::SmallVector<llvm::BasicBlock*, 8> work(llvm::predecessors(block));
    llvm::SmallPtrSet<llvm::BasicBlock*, 8> seen{above};
    const auto isFree = [&](llvm::BasicBlock& from, const llvm::Instruction* end) {
      for (const llvm::Instruction& instruction : from) {
        if (&instruction == end) break;
        if (primitiveOf(instruction) == Primitive::Barrier) return false;
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if (own && store && store->getPointerAddressSpace() == localAddressSpace) return false;
      }
      return true;
    };
    if (!isFree(*block, access.instruction)) return nullptr;
    while (!work.empty()) {
      checkLimits();
      llvm::BasicBlock* from = work.pop_back_val();
      if (!seen.insert(from).second) continue;
      if (!isFree(*from, nullptr)) return nullptr;
      work.append(llvm::pred_begin(from), llvm::pred_end(from));
    }
    return above->getTerminator();
  }

  // --- what becomes of accesses --------------------------------------------------------------------------------------

  void replace(Array& array) {
    llvm::IRBuilder<> entry(&kernel_.getEntryBlock(), kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    for (const std::int64_t place : array.stored)
      array.variables[place] =
          entry.CreateAlloca(array.type, kernel_.getDataLayout().getAllocaAddrSpace(), nullptr, "element");
    // Points are found in the old code; loads become others only then.
    std::vector<std::pair<LocalAccess*, llvm::Instruction*>> shuffled;
    for (LocalAccess& access : array.accesses)
      if (llvm::isa<llvm::LoadInst>(access.instruction) && !access.own && !access.places.empty())
        shuffled.emplace_back(&access, pointFor(access));
    for (const auto& [access, point] : shuffled) {
      llvm::Value* element = fromOthers(array, *access, *point);
      remark(*access->instruction, RemarkKind::Access,
             "element of local memory that another thread has in a register: comes by a shuffle");
      access->instruction->replaceAllUsesWith(element);
    }
    for (LocalAccess& access : array.accesses) {
      llvm::Instruction* old = access.instruction;
      llvm::IRBuilder<> builder(old);
      auto* store = llvm::dyn_cast<llvm::StoreInst>(old);
      if (store && !access.places.empty())
        builder.CreateStore(store->getValueOperand(), array.variables.at(*access.places.begin()));
      else if (!store && access.places.empty())  // no thread gets there
        old->replaceAllUsesWith(llvm::PoisonValue::get(old->getType()));
      else if (!store && access.own)
        old->replaceAllUsesWith(builder.CreateLoad(array.type, array.variables.at(*access.places.begin())));
      if (access.own) remark(*old, RemarkKind::Access, "element of local memory that the thread has in a register");
      llvm::Value* pointer = llvm::getLoadStorePointerOperand(old);
      old->eraseFromParent();
      llvm::RecursivelyDeleteTriviallyDeadInstructions(pointer);
    }
    llvm::SmallVector<llvm::AllocaInst*, 16> variables;
    for (const auto& [place, variable] : array.variables) variables.push_back(variable);
    llvm::PromoteMemToReg(variables, dominators_);
  }

  /// The element that each thread reads, made at a place where all are.
  llvm::Value* fromOthers(Array& array, const LocalAccess& access, llvm::Instruction& point) {
    llvm::IRBuilder<> builder(&point);
    llvm::Value* thread = builder.CreateTrunc(emitQuery(builder, Primitive::LocalId, 0), builder.getInt32Ty());
    llvm::Value* source = sourceOf(access, thread, builder);
    llvm::Value* element = nullptr;
    for (const std::int64_t place : access.places) {
      llvm::Value* own = builder.CreateLoad(array.type, array.variables.at(place));
      llvm::Value* other = shuffle(own, source, builder);
      std::uint32_t threads = 0;
      for (unsigned each = 0; each < warp; ++each)
        if (access.reached[each] && placeOfElement(access.elements[each]) == place) threads |= 1u << each;
      element = element ? builder.CreateSelect(isAmong(thread, threads, access, builder), other, element) : other;
    }
    return element;
  }

  /// The thread that each thread reads from: a step, a mask of bits, or a constant; elsewhere out of a table.
  llvm::Value* sourceOf(const LocalAccess& access, llvm::Value* thread, llvm::IRBuilder<>& builder) const {
    std::optional<std::int64_t> step, bits, one;
    bool steps = true, flips = true, same = true;
    for (unsigned each = 0; each < warp; ++each) {
      if (!access.reached[each]) continue;
      const std::int64_t from = threadOf(access.elements[each]);
      const std::int64_t difference = threadOf(from - each), flipped = from ^ each;
      steps &= step.value_or(difference) == difference;
      flips &= bits.value_or(flipped) == flipped;
      same &= one.value_or(from) == from;
      step = difference, bits = flipped, one = from;
    }
    const auto number = [&](std::int64_t value) { return builder.getInt32(static_cast<std::uint32_t>(value)); };
    if (same) return number(*one);
    if (flips) return builder.CreateXor(thread, number(*bits));
    if (steps) return builder.CreateAnd(builder.CreateAdd(thread, number(*step)), number(warp - 1));
    return byTable(access, thread, builder);
  }

  /// Bit by bit: bit i of the source of thread t is bit t of a constant.
  static llvm::Value* byTable(const LocalAccess& access, llvm::Value* thread, llvm::IRBuilder<>& builder) {
    llvm::Value* source = builder.getInt32(0);
    for (unsigned bit = 0; bit < 5; ++bit) {
      std::uint32_t column = 0;
      for (unsigned each = 0; each < warp; ++each)
        if (access.reached[each] && (threadOf(access.elements[each]) >> bit & 1)) column |= 1u << each;
      llvm::Value* own = builder.CreateAnd(builder.CreateLShr(builder.getInt32(column), thread), 1);
      source = builder.CreateOr(source, builder.CreateShl(own, bit));
    }
    return source;
  }

  /// Whether a thread is one of a set, as far as it gets to the access: a comparison where these are the first or last.
  static llvm::Value* isAmong(llvm::Value* thread, std::uint32_t threads, const LocalAccess& access,
                              llvm::IRBuilder<>& builder) {
    for (unsigned border = 1; border < warp; ++border) {
      bool below = true, above = true;
      for (unsigned each = 0; each < warp; ++each) {
        if (!access.reached[each]) continue;
        const bool is = threads >> each & 1;
        below &= is == (each < border);
        above &= is == (each >= border);
      }
      if (below) return builder.CreateICmpULT(thread, builder.getInt32(border));
      if (above) return builder.CreateICmpUGE(thread, builder.getInt32(border));
    }
    return builder.CreateTrunc(builder.CreateLShr(builder.getInt32(threads), thread), builder.getInt1Ty());
  }

  llvm::Value* shuffle(llvm::Value* value, llvm::Value* source, llvm::IRBuilder<>& builder) const {
    llvm::Type* const type = value->getType();
    const unsigned bits = static_cast<unsigned>(kernel_.getDataLayout().getTypeSizeInBits(type).getFixedValue());
    llvm::Type* const word = builder.getInt32Ty();
    const auto move = [&](llvm::Value* own) {
      return builder.CreateIntrinsic(word, llvm::Intrinsic::nvvm_shfl_sync_idx_i32,
                                     {builder.getInt32(~0u), own, source, builder.getInt32(warp - 1)});
    };
    llvm::Value* raw = builder.CreateBitCast(value, builder.getIntNTy(bits));
    if (bits <= 32)
      return builder.CreateBitCast(builder.CreateTrunc(move(builder.CreateZExt(raw, word)), builder.getIntNTy(bits)),
                                   type);
    auto* vector = llvm::FixedVectorType::get(word, bits / 32);
    llvm::Value* parts = builder.CreateBitCast(raw, vector);
    llvm::Value* moved = llvm::PoisonValue::get(vector);
    for (unsigned i = 0; i < bits / 32; ++i)
      moved = builder.CreateInsertElement(moved, move(builder.CreateExtractElement(parts, i)), i);
    return builder.CreateBitCast(moved, type);
  }

  void eraseBarriers() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel_))) {
      if (primitiveOf(instruction) != Primitive::Barrier) continue;
      const auto* fences = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(0));
      if (!fences || (fences->getZExtValue() & otherFences) != 0) continue;
      remark(instruction, RemarkKind::Order, "barrier left out: no local memory is left that it orders");
      instruction.eraseFromParent();
    }
  }

  llvm::Function& kernel_;
  const unsigned cells_, warps_;
  LaneValues values_;
  llvm::DominatorTree dominators_;
  std::optional<VarianceInfo> variance_;  ///< the variance in the threads of a warp, once the kernel is theirs
  llvm::MapVector<Base, Array> arrays_;
};

}  // namespace

bool mayKeepLocalMemoryInRegisters(llvm::Function& kernel, unsigned cells, std::string& why) {
  return LocalMemoryPromoter(kernel, cells, cells).check(why);
}

llvm::PreservedAnalyses PromoteLocalMemoryPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  std::string why;
  const bool changes = keepLocalMemoryInRegisters(kernel, cells, why);
  return changes ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

bool keepLocalMemoryInRegisters(llvm::Function& kernel, unsigned cells, std::string& why) {
  LocalMemoryPromoter promoter(kernel, cells, 1);
  if (!promoter.check(why)) return false;
  promoter.run();
  return true;
}

}  // namespace clarity::compiler::nvptx
