// SPDX-License-Identifier: Apache-2.0
// This file declares properties of loops that LLVM and the compiler's own passes keep to.
#pragma once

namespace llvm {
class LLVMContext;
class MDNode;
}  // namespace llvm

namespace clarity::compiler {

/// The properties (`llvm.loop`, on the branch back) of a loop that no step unrolls.
llvm::MDNode* notUnrolled(llvm::LLVMContext&);

}  // namespace clarity::compiler
