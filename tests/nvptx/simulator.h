// SPDX-License-Identifier: Apache-2.0
// This file declares what executes a launch of a kernel for NVIDIA GPUs on the CPU.
#pragma once

#include "compiler/nvptx/launch_abi.h"

#include <cstdint>
#include <functional>

namespace simulator {

struct Grid {
  unsigned blocks[3], threads[3];
};
using Body = std::function<void()>;

/// Calls `kernel` as each thread of each block; blocks one after the other. Ends the process where threads wait for
/// each other for ever, or meet at different places of the code.
void run(const Grid& grid, Body kernel);

using Launch = clarity::compiler::nvptx::LaunchInfo;

}  // namespace simulator
