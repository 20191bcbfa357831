// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that narrows 64-bit index arithmetic to 32 bits.
#pragma once

#include "compiler/transforms/index_form.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// LLVM writes index arithmetic in int on 64-bit ids as 64-bit arithmetic between shifts, and drops nsw with it. This
/// pass writes it as 32-bit arithmetic again (index_form.h), so that the analyses see the strides between work-items.
///
///   before:  %a = shl i64 %id, 32             after:  %n = trunc i64 %id to i32
///            %b = add i64 %a, 4294967296              %m = add nsw i32 %n, 1
///            %i = ashr exact i64 %b, 32               %i = sext i32 %m to i64
///
/// A sum without carry, which LLVM writes as `or disjoint`, is a sum again. Quotients, remainders, masks, comparisons
/// and conversions of ids as `size_t` become those of 32 bits as well.
///
/// Needs: nothing; on CPUs it runs ahead of WorkItemLoopsPass and after it. Ahead of it, all ids of the launch must be
/// below `wideIdsFrom` (the condition `narrow ids` of the pipeline) if the form says that ids fit int; after it, ids
/// that are not have 64 bits.
struct NarrowIndicesPass : llvm::PassInfoMixin<NarrowIndicesPass> {
  explicit NarrowIndicesPass(IndexForm form) : form(form) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  IndexForm form;
};

}  // namespace clarity::compiler
