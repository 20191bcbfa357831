// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that lets optimised code see whether accesses are within their memory.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `check-bounds`: ahead of each access whose object is known, expects its offset to be below the first one that is too
/// large (Primitive::ExpectBelow). Objects are found as in code for checks (object_bounds.h), but of pointers that come
/// from memory nothing is expected. An expectation that follows from one on every way to the access is left out, as is
/// one about a variable's inside whatever the work-item.
///
///   before:  %v = load float, ptr addrspace(1) %p
///   after:   %offset = sub i64 (ptrtoint %p), %begin
///            call void @__clarity_expect_below(i64 %offset, i64 %room)
///            %v = load float, ptr addrspace(1) %p
///
/// An expectation is a value for passes to follow, and no branch: loops over work-items still become packets, in which
/// one that grows from lane to lane is looked at in the first and the last one. `lower-bounds-checks` makes branches.
struct CheckBoundsPass : llvm::PassInfoMixin<CheckBoundsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
