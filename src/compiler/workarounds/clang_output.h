// SPDX-License-Identifier: Apache-2.0
// This file declares what is mended in modules that clang has generated.
#pragma once

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Upstream: an entry of llvm.global_ctors names the variable that it constructs, so that both can be left out. For
/// static members of templates clang 22 writes a variable in global memory into that field, whose pointers are of
/// another address space, and LLVM cannot read the bitcode that it writes of this. Here no entry names a variable: none
/// is ever left out.
void mendConstructors(llvm::Module& module);

/// Upstream: of a block that captures nothing clang 22 makes a constant that contains the address of its function,
/// which nothing reads: calls are direct. No variable can begin with the address of a function here, so that field
/// becomes null.
void mendBlocks(llvm::Module& module);

}  // namespace clarity::compiler
