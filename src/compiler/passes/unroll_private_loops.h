// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that fully unrolls loops that index small private arrays, so that SROA can split the
// arrays.
#pragma once

#include "compiler/ir/cost_model.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `unroll-private-loops`: fully unrolls short loops whose induction variables index a small private array. All indices
/// become constants, and SROA replaces the array by scalars: these live in registers, are spilled across barriers one
/// by one, and get lanes in packets.
///
///   float sum[4];                                           sum0 += row[k] * t[l][k];
///   for (w = 0; w < 4; w++)                          =>     sum1 += row[k] * t[l + 8][k];
///     sum[w] += row[k] * t[l + 8 * w][k];                   ...
///
/// An array may be a member of a structure, whose other members SROA splits off, too.
/// If an array is indexed by anything else within a loop, or its address escapes, it stays in memory and its loops are
/// not unrolled.
/// Counters may also choose the index in a constant table, `state[order[i]]`, a loop may begin where the counter of one
/// around it is, `for (b = a + 1; ...)`, and a number may count through several loops, `array[n++]`.
/// A loop may be left early, `while (j > 0 && a[j - 1] > key)`, and use its counter behind it: what is accessed there
/// is repeated for each way out (transforms/tail_duplication.h).
struct UnrollPrivateLoopsPass : llvm::PassInfoMixin<UnrollPrivateLoopsPass> {
  struct Limits {
    unsigned instructions = cost::mostPrivateInstructions;  ///< instructions of all loops together, unrolled
    std::uint64_t choices = cost::mostPrivateChoices;       ///< elements, times exits that no counter decides
    unsigned chosen = 0;         ///< elements of an array that may also be chosen at run time, outside of loops; for
                                 ///< select-elements
    std::uint64_t idsBelow = 0;  ///< a bound of global ids, so that a window around one has a known size; 0: none
  };
  UnrollPrivateLoopsPass() = default;
  explicit UnrollPrivateLoopsPass(const Limits& limits) : limits(limits) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  Limits limits;
};

}  // namespace clarity::compiler
