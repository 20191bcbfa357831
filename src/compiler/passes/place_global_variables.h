// SPDX-License-Identifier: Apache-2.0
// This file declares what gives a program's variables in global memory their places.
#pragma once

#include "compiler/ir/compiled_program.h"

#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

namespace llvm {
class raw_ostream;
}

namespace clarity::compiler {

/// Gives every variable in global memory a place in one block, and leaves its declaration in the module. From
/// here on code and storage are separate: code is generated once and cached, storage belongs to a program object.
///
///   before:  @counter = addrspace(1) global i32 5                @next = addrspace(1) global ptr addrspace(1) @counter
///   after:   @cl.counter = external addrspace(1) global i32
///            @cl.next = external addrspace(1) global ptr addrspace(1)
///            and in what is returned: cl.counter at 0, cl.next at 8; the bytes 5 at 0; the address of 0 at 8
///
/// The optimiser sees variables that differ, with their alignment, whose contents other code may have changed. Small
/// constants keep their values, as `available_externally`. Variables in constant memory move along if a pointer in the
/// block leads to them; others stay in the code. Fails with a text naming what is used and defined nowhere, or begins
/// as what has no fixed place.
llvm::Expected<GlobalVariables> placeGlobalVariables(llvm::Module&);

/// The storage that the variables defined in a module will take: what GlobalVariables::bytes is once they have their
/// places, less the constants that move along.
std::uint64_t globalVariableBytes(const llvm::Module&);

/// The same alone; what is returned goes to a stream, as text.
class PlaceGlobalVariablesPass : public llvm::PassInfoMixin<PlaceGlobalVariablesPass> {
public:
  explicit PlaceGlobalVariablesPass(llvm::raw_ostream& out) : out_(out) {}
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream& out_;
};

}  // namespace clarity::compiler
