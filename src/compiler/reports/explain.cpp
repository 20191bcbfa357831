// SPDX-License-Identifier: Apache-2.0
// This file follows a value to what makes it differ between work-items.
#include "compiler/reports/explain.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clarity::compiler {
namespace {

constexpr unsigned mostVisited = 300;

std::string inLine(unsigned line) { return line ? fmt::format(" (line {})", line) : ""; }

const llvm::Value& withoutCasts(const llvm::Value& value) {
  const llvm::Value* inner = &value;
  while (llvm::isa<llvm::CastInst, llvm::FreezeInst>(inner))
    inner = llvm::cast<llvm::Instruction>(inner)->getOperand(0);
  return *inner;
}

}  // namespace

/// Values that differ between work-items and that a value follows from.
struct Explainer::Roots {
  const llvm::Instruction* load = nullptr;    ///< memory that differs
  const llvm::Instruction* call = nullptr;    ///< atomics, and calls of which nothing is known
  const llvm::Instruction* breaks = nullptr;  ///< computed from affine values, but not affine itself
  bool id = false;
};

Explainer::Roots Explainer::rootsOf(const llvm::Value& value) const {
  Roots roots;
  llvm::SmallVector<const llvm::Value*, 16> work{&value};
  llvm::SmallPtrSet<const llvm::Value*, 32> seen;
  while (!work.empty() && seen.size() < mostVisited) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!instruction || !varies(*instruction) || !seen.insert(instruction).second) continue;
    if (!plan_.contains(*instruction->getParent()) || llvm::is_contained(plan_.items().counter, instruction)) {
      roots.id = true;
    } else if (llvm::isa<llvm::LoadInst>(instruction)) {
      if (!roots.load) roots.load = instruction;
    } else if (instruction->isAtomic() ||
               (llvm::isa<llvm::CallInst>(instruction) &&
                llvm::none_of(instruction->operands(), [&](const llvm::Use& operand) { return varies(*operand); }))) {
      if (!roots.call) roots.call = instruction;
    } else {
      const bool isVector = plan_.forms().form(*instruction) == Form::Vector;
      const bool fromVectors = llvm::any_of(instruction->operands(), [&](const llvm::Use& operand) {
        return plan_.forms().form(*operand) == Form::Vector;
      });
      if (isVector && !fromVectors && !roots.breaks) roots.breaks = instruction;
      // Operands in their order: the first one is what a reader means.
      for (const llvm::Use& operand : llvm::reverse(instruction->operands())) work.push_back(operand);
    }
  }
  return roots;
}

std::string Explainer::nameOf(const llvm::Value& value) const {
  const llvm::Value& inner = withoutCasts(value);
  if (const std::string name = variableName(inner); !name.empty()) return "'" + name + "'";
  if (const std::string name = variableName(value); !name.empty()) return "'" + name + "'";
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&inner);
  if (!instruction) return {};
  if (const auto primitive = primitiveOf(*instruction)) {
    if (*primitive == Primitive::GlobalSize) return "get_global_size()";
    if (*primitive == Primitive::LocalSize || *primitive == Primitive::EnqueuedLocalSize) return "get_local_size()";
  }
  const std::string text = llvm::isa<llvm::LoadInst>(instruction) ? expression(*instruction) : std::string();
  return text.find('[') == std::string::npos ? std::string() : text;
}

std::string Explainer::expression(const llvm::Instruction& access) const {
  const Place place = placeOf(access);
  return source_.expressionAt(place.line, place.column);
}

Place Explainer::placeNear(const llvm::Instruction& instruction) {
  llvm::SmallVector<const llvm::Instruction*, 8> work{&instruction};
  for (unsigned at = 0; at < work.size() && at < 8; ++at) {
    if (const Place place = placeOf(*work[at]); place.line) return place;
    for (const llvm::Use& operand : work[at]->operands())
      if (const auto* from = llvm::dyn_cast<llvm::Instruction>(operand)) work.push_back(from);
  }
  for (const llvm::Instruction* before = instruction.getPrevNode(); before; before = before->getPrevNode())
    if (const Place place = placeOf(*before); place.line) return place;
  return {};
}

/// The origin of a value that differs, in words.
std::string Explainer::origin(const llvm::Instruction& root) const {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&root)) {
    const llvm::Value* object = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
    const auto* call = llvm::dyn_cast<llvm::Instruction>(object);
    if (call && primitiveOf(*call) == Primitive::BarrierSpillArea) {
      const std::string name = variableName(*load);
      return name.empty() ? "a value from before the barrier" : fmt::format("'{}', from before the barrier", name);
    }
    if (const std::string text = expression(*load); !text.empty()) return text + inLine(placeNear(root).line);
    return (llvm::isa<llvm::AllocaInst>(object) ? "private memory" : "memory") + inLine(placeNear(root).line);
  }
  return (root.isAtomic() ? "the result of an atomic function" : "the result of a call") + inLine(placeNear(root).line);
}

std::string Explainer::dependence(const llvm::Value& condition) const {
  const Roots roots = rootsOf(condition);
  if (roots.load) return "depends on " + origin(*roots.load);
  if (roots.call) return "depends on " + origin(*roots.call);
  return roots.id ? "depends on the work-item's id" : "differs between work-items";
}

// --- places ----------------------------------------------------------------------------------------------------------

/// Whether the access advances by one element with every iteration of its innermost loop.
bool Explainer::walksRow(const llvm::Value& pointer, const llvm::Instruction& access) const {
  const Level& level = *plan_.of(*access.getParent()).level;
  if (!level.loop) return false;
  llvm::SmallVector<const llvm::Value*, 8> work{&pointer};
  for (unsigned steps = 0; !work.empty() && steps < 32; ++steps) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!instruction) continue;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      if (phi->getParent() != level.header) continue;
      for (const llvm::Value* incoming : phi->incoming_values()) {
        const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(incoming);
        if (!next || next->getOpcode() != llvm::Instruction::Add || next->getOperand(0) != phi) continue;
        if (const auto* by = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1)); by && by->isOne()) return true;
      }
    } else if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(instruction) ||
               instruction->getOpcode() == llvm::Instruction::Add ||
               instruction->getOpcode() == llvm::Instruction::Or) {
      work.append(instruction->op_begin(), instruction->op_end());
    }
  }
  return false;
}

/// Whether nothing but sums lies between a product and the elements that an address counts.
bool Explainer::isIndex(const llvm::Instruction& product, const llvm::Value& pointer) const {
  const auto* at = llvm::dyn_cast<llvm::Instruction>(&pointer);
  for (bool addressed = false; at && at != &product;) {
    const llvm::Value* next = nullptr;
    for (const llvm::Use& operand : at->operands()) {
      if (plan_.forms().form(*operand) == Form::Uniform) continue;
      if (next) return false;
      next = operand;
    }
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(at);
    if (address && next != address->getPointerOperand()) {
      if (addressed || address->getSourceElementType()->isIntegerTy(8)) return false;
      addressed = true;
    }
    if (!address && !llvm::isa<llvm::CastInst>(at) && at->getOpcode() != llvm::Instruction::Add &&
        at->getOpcode() != llvm::Instruction::Or)
      return false;
    at = next ? llvm::dyn_cast<llvm::Instruction>(next) : nullptr;
  }
  return at == &product;
}

std::string Explainer::distance(const llvm::Value& pointer, const llvm::Instruction& product) const {
  for (unsigned i = 0; i < 2; ++i) {
    const llvm::Value *operand = product.getOperand(i), *other = product.getOperand(1 - i);
    if (plan_.forms().form(*operand) != Form::Uniform || llvm::isa<llvm::Constant>(operand)) continue;
    const bool byOne = plan_.forms().form(*other) == Form::Affine && plan_.forms().stride(*other) == 1;
    const std::string name = byOne && isIndex(product, pointer) ? nameOf(*operand) : std::string();
    if (product.getOpcode() == llvm::Instruction::Mul && !name.empty())
      return fmt::format("neighbouring work-items are {} elements apart", name);
    return "the distance of neighbouring work-items is known at run time only";
  }
  return {};
}

/// The operation whose result is no longer affine.
std::string Explainer::whereAffineEnds(const llvm::Value& pointer, const llvm::Instruction& end) const {
  const std::string line = inLine(placeNear(end).line);
  if (line.empty() && end.isIntDivRem()) return "a sub-group may reach over several rows of the work-group";
  switch (end.getOpcode()) {
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
      if (std::string text = distance(pointer, end); !text.empty()) return text;
      return "the index is not affine: a product of ids" + line;
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt: return "the index may wrap around in its own type" + line;
    case llvm::Instruction::Select:
    case llvm::Instruction::PHI: return "the index depends on the branches that a work-item takes" + line;
    default: break;
  }
  const llvm::DILocation* place = end.getDebugLoc();
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&end)) {
    const std::string text = expression(*call);
    const bool isMost = llvm::isa<llvm::MinMaxIntrinsic>(call);
    return fmt::format("the index is not affine: computed with {}{}",
                       !text.empty() ? text.substr(0, text.find('('))
                       : isMost      ? "a minimum or maximum"
                                     : "a call",
                       line);
  }
  const std::string text = place ? source_.operatorAt(place->getLine(), place->getColumn()) : std::string();
  if (!text.empty()) return fmt::format("the index is not affine: computed with '{}'{}", text, line);
  // An instruction that LLVM has rewritten stands elsewhere, or has become another operation.
  switch (end.getOpcode()) {
    case llvm::Instruction::Xor: return "the index is not affine: computed with '^'" + line;
    case llvm::Instruction::Or: return "the index is not affine: computed with '|'" + line;
    case llvm::Instruction::And: return "the index is not affine: computed with '&' or '%'" + line;
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr: return "the index is not affine: computed with '>>' or '/'" + line;
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv: return "the index is not affine: computed with '/'" + line;
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem: return "the index is not affine: computed with '%'" + line;
    default: break;
  }
  return "the index is not affine in the work-item's id" + line;
}

Explainer::Obstacle Explainer::obstacleOf(const llvm::Value& pointer) const {
  const Roots roots = rootsOf(pointer);
  if (roots.load || roots.call || !roots.breaks) return Obstacle::Memory;
  const unsigned opcode = roots.breaks->getOpcode();
  const bool product = opcode == llvm::Instruction::Mul || opcode == llvm::Instruction::Shl;
  return product && !distance(pointer, *roots.breaks).empty() ? Obstacle::Distance : Obstacle::Arithmetic;
}

std::string Explainer::places(const llvm::Value& pointer, const llvm::Instruction& access) const {
  const auto bytes = static_cast<std::int64_t>(
      access.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&access)).getFixedValue());
  const std::string row = walksRow(pointer, access) ? "; each accesses its own row" : "";
  if (plan_.forms().form(pointer) == Form::Affine) {
    const std::int64_t stride = plan_.forms().stride(pointer);
    if (stride % bytes) return fmt::format("neighbouring work-items are {} bytes apart", stride);
    return fmt::format("neighbouring work-items are {} elements apart{}", stride / bytes, row);
  }
  const Roots roots = rootsOf(pointer);
  if (roots.load) return "the index is not affine: loaded from " + origin(*roots.load);
  if (roots.call) return "the index is not affine: " + origin(*roots.call);
  if (roots.breaks) return whereAffineEnds(pointer, *roots.breaks) + row;
  return "the index is not affine in the work-item's id";
}

}  // namespace clarity::compiler
