// SPDX-License-Identifier: Apache-2.0
// This file refuses programs whose constants are too large to become part of the code.
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Portable IR: an error line that names the variable, its size and the limit; empty if every size is allowed.
std::string oversized(const llvm::Module&);

}  // namespace clarity::compiler
