// SPDX-License-Identifier: Apache-2.0
// This file finds on which basis extensions keep the strides of narrow integers.
#include "compiler/analysis/extension_strides.h"

#include "compiler/analysis/divergence.h"
#include "compiler/analysis/exact_sum.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// `(int)get_global_id(0)` widened again comes as `id & 0x7fffffff` or `id & 0xffffffff`, and index arithmetic in int
/// as `(64-bit arithmetic) << 32 >> 32`: LLVM prefers the wide form and drops that int does not overflow.
const llvm::Value* wideUnder(const llvm::Instruction& instruction) {
  const llvm::Value* value = instruction.getOperand(0);
  if (instruction.getOpcode() == llvm::Instruction::And) return value;
  const auto* shift = llvm::dyn_cast<llvm::Instruction>(value);
  return shift && shift->getOpcode() == llvm::Instruction::Shl && shift->getOperand(1) == instruction.getOperand(1)
             ? shift->getOperand(0)
             : nullptr;
}

/// Whether strides are small enough that a value wraps at most once within a tile.
bool hasSmallStrides(const ValueVariance& variance) {
  return llvm::all_of(variance.stride,
                      [](const auto& stride) { return !stride || distance(*stride) <= std::int64_t{1} << 20; });
}

/// Hardly any program has work-items on both sides of a jump: what is only an index keeps its stride, and the code of a
/// tile compares its ends (ValueForms::wraps).
bool leadsToAddressesOnly(const llvm::Instruction& value) {
  llvm::SmallPtrSet<const llvm::Instruction*, 16> seen;
  llvm::SmallVector<const llvm::Instruction*, 16> work{&value};
  while (!work.empty()) {
    for (const llvm::User* user : work.pop_back_val()->users()) {
      const auto* instruction = llvm::cast<llvm::Instruction>(user);
      switch (instruction->getOpcode()) {
        case llvm::Instruction::GetElementPtr:
        case llvm::Instruction::Trunc: break;
        case llvm::Instruction::Add:
        case llvm::Instruction::Sub:
        case llvm::Instruction::Mul:
        case llvm::Instruction::Shl:
        case llvm::Instruction::Or:
        case llvm::Instruction::Freeze:
        case llvm::Instruction::PHI:
          if (seen.insert(instruction).second) work.push_back(instruction);
          if (seen.size() > cost::search::extensionValues) return false;
          break;
        default: return false;
      }
    }
  }
  return true;
}

}  // namespace

ValueVariance ExtensionStrides::ofExtension(const llvm::CastInst& extension) {
  const ValueVariance from = info_.of(*extension.getOperand(0));
  if (!extension.getType()->isIntegerTy() || from.uniform()) return from;
  return on(basisOf(extension, from), extension, from);
}

StrideBasis ExtensionStrides::basisOf(const llvm::CastInst& extension, const ValueVariance& strides) const {
  const llvm::Value& narrow = *extension.getOperand(0);
  // Facts that a guard implies for the work-items behind it do not hold for their neighbours: `if (x >= 5) y = x - 5`.
  const bool behindGuard = isGuarded(extension), isSigned = extension.getOpcode() == llvm::Instruction::SExt;
  const bool guarded = behindGuard || branches_.mayGoUnused(extension);
  if (staysInStep(narrow, {isSigned, guarded}, info_)) return StrideBasis::Proved;
  // An int that does not overflow for those who use it. One that is not negative is extended as an int, too.
  const auto* unsignedOne = llvm::dyn_cast<llvm::ZExtInst>(&extension);
  const bool isInt = isSigned || (unsignedOne && unsignedOne->hasNonNeg());
  if (isInt && hasSmallStrides(strides) && (!behindGuard || leadsToAddressesOnly(extension)) &&
      staysInStep(narrow, {.isSigned = true, .guarded = false}, info_) && exactSumOf(narrow, info_))
    return StrideBasis::ByTerms;
  return narrow.getType()->isIntegerTy(32) && mayBeAssumed(extension, strides) ? StrideBasis::Assumed
                                                                               : StrideBasis::None;
}

bool ExtensionStrides::narrowsIndex(const llvm::Instruction& instruction) {
  if (instruction.getOpcode() != llvm::Instruction::And && instruction.getOpcode() != llvm::Instruction::AShr)
    return false;
  const auto* wide = llvm::dyn_cast_or_null<llvm::Instruction>(wideUnder(instruction));
  const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (!wide || !bits || !instruction.getType()->isIntegerTy(64)) return false;
  if (instruction.getOpcode() == llvm::Instruction::AShr) return bits->getZExtValue() == 32;
  const auto primitive = primitiveOf(*wide);
  return (primitive == Primitive::GlobalId || primitive == Primitive::LocalId) &&
         llvm::isMask_64(bits->getZExtValue()) && bits->getZExtValue() >= 0x7fffffff;
}

ValueVariance ExtensionStrides::ofNarrowedIndex(const llvm::Instruction& narrowed) {
  const llvm::Value& wide = *wideUnder(narrowed);
  const ValueVariance from = info_.of(wide);
  if (from.uniform()) return from;
  const llvm::ConstantRange values = valuesOf(wide, isGuarded(narrowed));
  const bool fits =
      narrowed.getOpcode() == llvm::Instruction::AShr
          ? values.getSignedMin().isSignedIntN(32) && values.getSignedMax().isSignedIntN(32)
          : values.getUnsignedMax().ule(llvm::cast<llvm::ConstantInt>(narrowed.getOperand(1))->getValue());
  return on(fits                           ? StrideBasis::Proved
            : mayBeAssumed(narrowed, from) ? StrideBasis::Assumed
                                           : StrideBasis::None,
            narrowed, from);
}

bool ExtensionStrides::mayBeAssumed(const llvm::Instruction& value, const ValueVariance& strides) {
  return hasSmallStrides(strides) && leadsToAddressesOnly(value);
}

/// The strides that a value has on a basis, or on the weaker one of an earlier round.
ValueVariance ExtensionStrides::on(StrideBasis basis, const llvm::Instruction& value, const ValueVariance& strides) {
  const auto known = info_.bases_.try_emplace(&value, StrideBasis::Proved).first;
  if (basis > known->second) {
    known->second = basis;
    weakened_ = true;
  }
  return known->second == StrideBasis::None ? ValueVariance::varying(strides.dims) : strides;
}

bool ExtensionStrides::isGuarded(const llvm::Instruction& instruction) const {
  return !branches_.divergence(*instruction.getParent()).empty();
}

bool ExtensionStrides::isAssumed(const llvm::Value& address) const {
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*, 16> work{&address};
  while (!work.empty()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!instruction || !seen.insert(instruction).second) continue;
    if (info_.mayWrap(*instruction) || seen.size() > cost::search::extensionValues) return true;
    if (!instruction->mayReadOrWriteMemory()) work.append(instruction->value_op_begin(), instruction->value_op_end());
  }
  return false;
}

}  // namespace clarity::compiler
