// SPDX-License-Identifier: Apache-2.0
// This file compares the addresses that a nest accesses.
#include "compiler/packets/separate_rows.h"

#include "compiler/analysis/address.h"
#include "compiler/analysis/item_nest.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdlib>

namespace clarity::compiler {
namespace {

constexpr unsigned x = 0, y = 1;

bool inDeviceMemory(const llvm::Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == globalAddressSpace || space == constantAddressSpace;
}

/// Addresses of one object are those of one place per work-item: they differ by less than a cache line.
class Places {
public:
  bool add(const llvm::Value& pointer, const llvm::DataLayout& layout) {
    const llvm::Value* object = llvm::getUnderlyingObject(&pointer, 0);
    Address address = addressOf(pointer, layout);
    const auto same = llvm::find_if(all_, [&](const auto& one) { return one.first == object; });
    if (same == all_.end()) {
      all_.emplace_back(object, std::move(address));
      return true;
    }
    return same->second.near(address) && std::abs(same->second.offset - address.offset) < std::int64_t{cost::cacheLine};
  }

private:
  llvm::SmallVector<std::pair<const llvm::Value*, Address>, 8> all_;
};

}  // namespace

bool hasSeparateRows(const ItemNest& nest, const VarianceInfo& variance, const llvm::LoopInfo& loops) {
  const llvm::Loop* items = loops.getLoopFor(nest.header[x]);
  if (!items) return false;
  Places places;
  bool any = false;
  for (const llvm::BasicBlock* block : items->blocks())
    for (const llvm::Instruction& instruction : *block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer) {
        if (instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::IntrinsicInst>(instruction)) return false;
        continue;
      }
      if (!inDeviceMemory(*pointer)) continue;
      const ValueVariance at = variance.of(*pointer);
      if (!at.dims.has(x)) continue;  // one value for a row, or for all
      const std::optional<std::int64_t> stride = at.stride[x];
      const bool isOwn = at.dims.has(y) && loops.getLoopFor(block) == items;
      if (!isOwn || !stride || std::abs(*stride) >= std::int64_t{cost::cacheLine}) return false;
      if (!places.add(*pointer, instruction.getDataLayout())) return false;
      any = true;
    }
  return any;
}

}  // namespace clarity::compiler
