// SPDX-License-Identifier: Apache-2.0
// This file gives functions without debug information locations: lines of the module's own text.
#pragma once

#include <string_view>

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Programs in portable IR and SPIR-V may come without debug information. Reports on instrumented code have places even
/// so: the lines of the module as LLVM prints it, which the debug information carries as the source's text. The file is
/// called `name`.ll.
void addTextLocations(llvm::Module& module, std::string_view name);

}  // namespace clarity::compiler
