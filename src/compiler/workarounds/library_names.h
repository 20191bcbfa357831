// SPDX-License-Identifier: Apache-2.0
// This file declares a work-around for how LLVM recognises functions of the C library.
#pragma once

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Upstream: TargetLibraryInfo (LLVM 22) takes every function with the name and type of one of the C library's for that
/// function, also one with local linkage. A program may define a `sqrtf` of its own that does something else. Here
/// functions with local linkage get names that no C function has: "cl." and the name.
void keepFromLibraryNames(llvm::Module& module);

}  // namespace clarity::compiler
