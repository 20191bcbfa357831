// SPDX-License-Identifier: Apache-2.0
// This file reduces debug information to source locations, which must not change what passes do, and gives wrappers
// theirs.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace clarity::compiler {

/// Instructions keep their locations; names of variables, types and everything else goes.
void keepOnlyLocations(llvm::Module& module);

/// Leaves locations where a fault may be, and where functions are called, into which those are inlined: of the module
/// as clang generates it, the smaller part.
void keepLocationsOfFaults(llvm::Module& module);

/// Removes the locations that loops have beside those of their instructions: clang puts them among a loop's properties,
/// and a loop without properties is treated differently from one with some.
void dropLocationsOfLoops(llvm::Module& module);

/// Gives a function whose only work is to call `code` the place in the source that `code` has, and a name in its debug
/// information: that of `code` if it is empty.
void placeWrapper(llvm::Function& wrapper, const llvm::Function& code, llvm::StringRef name = "");

}  // namespace clarity::compiler
