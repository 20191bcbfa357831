// SPDX-License-Identifier: Apache-2.0
// This file declares the shuffles between vectors in the order of memory and vectors of one member each.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace clarity::compiler {

/// Members that are consecutive in every work-item: `parts` are the vectors of them in the order of memory, each member
/// is a vector with an element for each lane. There are as many of the one as of the other: three, or a power of two.
///
///   parts      x0 y0 x1 y1 | x2 y2 x3 y3           members    x0 x1 x2 x3 | y0 y1 y2 y3
llvm::SmallVector<llvm::Value*, 4> membersOfParts(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> parts,
                                                  unsigned lanes);
/// The reverse.
llvm::SmallVector<llvm::Value*, 4> partsOfMembers(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> members,
                                                  unsigned lanes);

}  // namespace clarity::compiler
