// SPDX-License-Identifier: Apache-2.0
// This file declares the target of clang for programs with inline assembly.
#pragma once

#include <clang/Basic/TargetInfo.h>
#include <llvm/ADT/IntrusiveRefCntPtr.h>

namespace clarity::compiler {

/// Another target in all but the constraints of inline assembly: every letter stands for a register. Clang knows no
/// constraints for spir64; which ones a device has is checked later (assembly.h).
llvm::IntrusiveRefCntPtr<clang::TargetInfo> withAnyAssembly(llvm::IntrusiveRefCntPtr<clang::TargetInfo> target);

}  // namespace clarity::compiler
