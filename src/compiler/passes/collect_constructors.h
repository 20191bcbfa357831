// SPDX-License-Identifier: Apache-2.0
// This file declares what makes one kernel of a program's constructors.
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

namespace llvm {
class Function;
class raw_ostream;
}  // namespace llvm

namespace clarity::compiler {

/// The name of the kernel that runs the constructors.
inline constexpr char constructorsName[] = "__clarity_constructors";

/// In C++ for OpenCL, objects at program scope may have constructors. clang makes a function of those of every source;
/// here they become a kernel that the device runs once, as one work-item.
///   before:  @llvm.global_ctors = [{ 65535, @_GLOBAL__sub_I_a }, { 101, @_GLOBAL__I_000101 }]
///   after:   define spir_kernel void @__clarity_constructors() { call @_GLOBAL__I_000101();  call @_GLOBAL__sub_I_a()
///   }
/// Returns the kernel, or nullptr if there is nothing to construct. Fails with a text for what cannot be: objects that
/// have destructors, for nothing tells a device when it would have to run them; and static variables of functions that
/// begin as what is only known when the function is called, for work-items cannot wait for each other there.
llvm::Expected<llvm::Function*> collectConstructors(llvm::Module&);

/// The same alone; why it fails goes to a stream.
class CollectConstructorsPass : public llvm::PassInfoMixin<CollectConstructorsPass> {
public:
  explicit CollectConstructorsPass(llvm::raw_ostream& out) : out_(out) {}
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream& out_;
};

}  // namespace clarity::compiler
