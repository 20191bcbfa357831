// SPDX-License-Identifier: Apache-2.0
// This file declares a pass for LLVM's code generators, which have no callbacks between their passes: it stands between
// them and checks the compile's limits (limits.h).
#pragma once

#include <functional>

namespace llvm {
class FunctionPass;
}

namespace clarity::compiler {

/// A pass for a legacy pass manager, which owns it, to stand before another one: ends the compile when it has taken
/// more than it may. Then it calls `begins`, if that is not empty.
llvm::FunctionPass* makeCheckLimitsPass(std::function<void()> begins = {});

}  // namespace clarity::compiler
