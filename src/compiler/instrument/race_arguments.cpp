// SPDX-License-Identifier: Apache-2.0
// This file collects what a kernel does with its arguments.
#include "compiler/instrument/race_arguments.h"

#include "compiler/instrument/hooks.h"
#include "compiler/instrument/sites.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace clarity::compiler {
namespace {

constexpr std::uint32_t mostArguments = 64;
constexpr unsigned dimensions = 3;

}  // namespace

RaceArguments::RaceArguments(llvm::Function& function, const InstrumentedPlaces& places, bool isWhole)
    : addresses_(function) {
  if (!isWhole || function.hasLocalLinkage()) return;
  std::vector<llvm::Instruction*> marked;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (instruction.hasMetadata(raceMetadata)) marked.push_back(&instruction);
  writesAreKnown_ = readsAreKnown_ = true;
  for (llvm::Instruction* instruction : marked) {
    llvm::SmallVector<Access, 2> accesses;
    addRaceAccesses(*instruction, accesses);
    const llvm::MDNode& node = *instruction->getMetadata(raceMetadata);
    for (unsigned i = 0; i < node.getNumOperands(); ++i)
      add(accesses[i], places.sites[llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(i))->getZExtValue()]);
  }
}

void RaceArguments::add(const Access& access, const Site& site) {
  if (site.object == SiteObject::Local || site.object == SiteObject::Global) return;
  if (site.object != SiteObject::Argument || site.argument >= mostArguments) {
    (writes(site.kind) ? writesAreKnown_ : readsAreKnown_) = false;
    return;
  }
  const std::uint64_t bit = std::uint64_t{1} << site.argument;
  accessed_ |= bit;
  if (writes(site.kind)) written_ |= bit;
  Own& own = own_[site.argument];
  if (own.isAffine) addOffset(own, access);
}

void RaceArguments::addOffset(Own& own, const Access& access) {
  const auto offset = addresses_.offsetOf(access.pointer);
  const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  own.isAffine = offset && bytes && (own.isEmpty || AffineAddresses::differInConstant(own.offset, *offset));
  if (!own.isAffine) return;
  const std::int64_t begin = offset->constant, end = begin + bytes->getSExtValue();
  own.begin = own.isEmpty ? begin : std::min(own.begin, begin);
  own.end = own.isEmpty ? end : std::max(own.end, end);
  own.isNarrow |= offset->isNarrow;
  if (own.isEmpty) own.offset = *offset;
  own.isEmpty = false;
}

llvm::Value* RaceArguments::mayBeShared(const Site& site) {
  if (!writesAreKnown_ || site.object != SiteObject::Argument || site.argument >= mostArguments) return nullptr;
  const auto [found, isNew] = answers_.try_emplace(site.argument);
  if (isNew) {
    llvm::Value* const answer = asked(site.argument);
    return answers_[site.argument] = answer;
  }
  return found->second;
}

llvm::Value* RaceArguments::asked(std::uint32_t argument) {
  llvm::IRBuilder<>& entry = addresses_.entry();
  const auto number = [&](std::uint64_t value) -> llvm::Value* { return entry.getInt64(value); };
  const std::uint64_t bit = std::uint64_t{1} << argument;
  if (!(written_ & bit))
    return entry.CreateICmpNE(call("__clarity_race_shared", {entry.getInt32(argument), number(written_)}),
                              entry.getInt32(0));
  const Own& own = own_[argument];
  const auto steps = llvm::count_if(own.offset.steps, [](const llvm::Value* step) { return step != nullptr; });
  if (!readsAreKnown_ || !own.isAffine || steps == 0 || (own.offset.repeated && steps > 1)) return nullptr;
  llvm::SmallVector<llvm::Value*, 20> arguments{entry.getInt32(argument), number(accessed_ & ~bit)};
  for (llvm::Value* step : own.offset.steps) arguments.push_back(step ? step : number(0));
  for (const Primitive size : {Primitive::GlobalSize, Primitive::EnqueuedLocalSize})
    for (unsigned d = 0; d < dimensions; ++d) arguments.push_back(emitQuery(entry, size, d));
  arguments.push_back(entry.getInt32(addresses_.needsWholeGroups()));
  arguments.push_back(number(static_cast<std::uint64_t>(own.end - own.begin)));
  // The distance from the beginning, where that has to fit into an int.
  arguments.push_back(own.isNarrow ? reachOf(own) : number(0));
  return entry.CreateICmpNE(call("__clarity_race_own", arguments), entry.getInt32(0));
}

llvm::Value* RaceArguments::reachOf(const Own& own) {
  llvm::IRBuilder<>& entry = addresses_.entry();
  const auto absolute = [&](llvm::Value* value) {
    return entry.CreateSelect(entry.CreateICmpSLT(value, entry.getInt64(0)), entry.CreateNeg(value), value);
  };
  llvm::Value* reach = entry.getInt64(static_cast<std::uint64_t>(std::max(std::abs(own.begin), std::abs(own.end))));
  if (own.offset.rest) reach = entry.CreateAdd(reach, absolute(own.offset.rest));
  for (unsigned i = 0; i < own.offset.steps.size(); ++i) {
    llvm::Value* const step = own.offset.steps[i];
    if (!step) continue;
    const unsigned d = i % dimensions;
    llvm::Value* end = nullptr;  // of the id
    if (i >= AffineNumber::group)
      end = emitQuery(entry, Primitive::NumGroups, d);
    else if (i >= AffineNumber::local)
      end = emitQuery(entry, Primitive::EnqueuedLocalSize, d);
    else
      end = entry.CreateAdd(emitQuery(entry, Primitive::GlobalSize, d), emitQuery(entry, Primitive::GlobalOffset, d));
    reach = entry.CreateAdd(reach, entry.CreateMul(absolute(step), end));
  }
  return reach;
}

llvm::CallInst* RaceArguments::call(const char* name, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::IRBuilder<>& entry = addresses_.entry();
  return emitQuestion(entry, name, entry.getInt32Ty(), arguments);
}

}  // namespace clarity::compiler
