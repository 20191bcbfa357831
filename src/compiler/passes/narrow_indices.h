// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that shows index arithmetic in int for what it is.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// LLVM writes index arithmetic in int on 64-bit ids as 64-bit arithmetic between shifts, and forgets that int does not
/// overflow. This pass writes it as 32-bit arithmetic again, so that strides between work-items can be seen.
///
///   before:  %a = shl i64 %id, 32             after:  %n = trunc i64 %id to i32
///            %b = add i64 %a, 4294967296              %m = add nsw i32 %n, 1
///            %i = ashr exact i64 %b, 32               %i = sext i32 %m to i64
///
/// A sum without carry, which LLVM writes as `or disjoint`, is a sum again. Quotients, remainders, masks, comparisons
/// and conversions of ids as `size_t` become those of 32 bits as well, where ids are known to be below 2^31. Where the
/// pass runs ahead of the loops over work-items, all of them must be.
struct NarrowIndicesPass : llvm::PassInfoMixin<NarrowIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
