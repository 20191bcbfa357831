// SPDX-License-Identifier: Apache-2.0
// This file makes of the source locations that IR keeps what debuggers and profilers read: DWARF with lines and inlined
// functions (-cl-clarity-debug-info).
#pragma once

#include <string>
#include <string_view>

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// The symbol of a kernel's entry in an object: the kernel's name, which debuggers and profilers show. `fallback` where
/// the runtime has a function of this name, which code may call, or assemblers would misread the name.
std::string entrySymbolOf(std::string_view kernel, std::string_view fallback);

/// Prepares a module of native IR for LLVM's writer of DWARF: its functions get one compile unit if `withUnit`, and the
/// entry a place in the source, that of the kernel's function. Variables are not described.
void describeLines(llvm::Module& module, std::string_view entry, std::string_view kernel, bool withUnit);

}  // namespace clarity::compiler
