// SPDX-License-Identifier: Apache-2.0
// This file recognises calls of functions of the builtin library, on code as clang generates it.
#pragma once

#include "compiler/instrument/instrument.h"

#include <llvm/ADT/StringRef.h>

namespace llvm {
class Function;
}

namespace clarity::compiler {

/// The name of a function of the library, whose symbol is mangled: "cl._Z9mem_fencej". Empty: it is none.
llvm::StringRef libraryName(const llvm::Function&);

/// Asks for ids and sizes of a constant dimension by the primitive, not by the function of the library, so that
/// addresses can be seen to follow from them.
void callPrimitives(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
