// SPDX-License-Identifier: Apache-2.0
// This file declares the ranges of index arithmetic and the proofs that it does not wrap. Every pass that needs such a
// proof asks here. All of it holds for code whose ids and counters have 32 bits; wide ids
// (WorkItemLoopsPass::Options::wideIds) keep 64-bit arithmetic.
#pragma once

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Function;
class Instruction;
class PHINode;
class Value;
class raw_ostream;
}  // namespace llvm

namespace clarity::compiler {

class VarianceInfo;

/// Ids, sizes and counters are below 2^idBits: launches for which they are not have wide ids.
inline constexpr unsigned idBits = 31;

// --- ids -----------------------------------------------------------------------------------------------------------

/// Whether a value counts a loop over work-items.
bool isCounter(const llvm::Value& value);

/// The value that a counter never reaches: `icmp ult next, end` closes its loop. nullptr if that is not known.
const llvm::Value* endOfCounter(const llvm::PHINode& counter);

/// A counter, or the id that WorkItemLoopsPass computes from it. With 32 bits it is below 2^idBits, whatever its flags.
bool isId(const llvm::Value& value);

/// A 32-bit id extended to 64 bits, as WorkItemLoopsPass emits it.
bool isExtendedId(const llvm::Value& value);

/// A 32-bit id under casts that do not change it.
bool isNarrowId(const llvm::Value& value);

// --- ranges --------------------------------------------------------------------------------------------------------

/// Integers from `least` to `most`.
struct IndexRange {
  std::int64_t least = 0, most = 0;
  bool operator==(const IndexRange&) const = default;
  /// Whether all of them are numbers of a type of so many bits (1 to 64).
  bool fits(unsigned bits, bool isSigned) const;
};

/// The range of index arithmetic on constants and on counters whose loops end at constants, computed with integers that
/// never wrap; nothing if anything else is part of it. If it fits the type, the value does not wrap, nor do flags
/// matter.
std::optional<IndexRange> rangeOf(const llvm::Value& value);

/// The values that a 64-bit expression of ids, sizes and constants may have, wrapping included; the full set for any
/// other value. `guarded`: not all work-items compute it, so that its flags say nothing.
llvm::ConstantRange valuesOf(const llvm::Value& value, bool guarded = false);

/// Whether a value is known not to be negative: ids, sizes, and sums and products of such whose flags exclude signed
/// wrapping.
bool isNonNegative(const llvm::Value& value, const llvm::DataLayout& layout);

/// Whether a value is computed from sizes of the launch and positive constants only, by sums, products and casts, so
/// that it is above zero. Arguments are not known: 0xffffffff may mean -1.
bool isPositiveSize(const llvm::Value& value);

/// The 32-bit value, known not to be negative, that a 64-bit value is an extension of, of a constant the same constant;
/// nullptr for other values.
llvm::Value* narrowNonNegative(llvm::Value& wide);

/// Whether a 64-bit sum, product or shift of ids, sizes and constants wraps neither as a signed nor as an unsigned
/// number.
bool neverWraps(const llvm::Instruction& operation);

/// Whether `value & mask` is `value`: `id & -2` where every id is even, `id & 127` where the loop ends at 128.
bool clearsNothing(const llvm::Instruction& conjunction, const llvm::DataLayout& layout);

// --- proofs over work-items ----------------------------------------------------------------------------------------

/// Whether a value of the form `u - x`, `u - 1 - x` or the like, `u` uniform and `x` the counter of a loop over
/// work-items, is never negative because of where that loop ends. Such arithmetic on unsigned numbers does not wrap.
bool staysAboveZero(const llvm::Value& value, const VarianceInfo& variance);

/// The question to a value.
struct WrapQuestion {
  bool isSigned = false;  ///< it is read as a signed number
  bool guarded = false;   ///< some work-items do not compute it: flags such as nuw hold for the others only
};

/// Whether a value is, as a signed or an unsigned number, the sum of its strides times the ids plus a constant: from
/// one work-item to the next it never wraps. A uniform value may have wrapped before. Only for values whose strides are
/// known (variance.h).
bool staysInStep(const llvm::Value& value, WrapQuestion question, const VarianceInfo& variance);

/// `print<no-wrap>`: a line for every integer that varies between work-items: its range, and as which kind of number it
/// stays in step.
struct NoWrapPrinterPass : llvm::PassInfoMixin<NoWrapPrinterPass> {
  explicit NoWrapPrinterPass(llvm::raw_ostream& out) : out(out) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  llvm::raw_ostream& out;
};

}  // namespace clarity::compiler
