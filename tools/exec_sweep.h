// SPDX-License-Identifier: Apache-2.0
// This file declares `clarity exec --sweep local`: the same launch with work-groups of many sizes.
#pragma once

#include "argument.h"
#include "exec_results.h"
#include "launch.h"

#include <cstddef>
#include <vector>

namespace clarity::tools {

/// Work-group sizes to try: powers of two that divide the range in each dimension, of at most `most` work-items in all,
/// but for those of fewer than `least`, which are there only if the range has no others.
std::vector<std::vector<size_t>> sweptSizes(const std::vector<size_t>& global, size_t least, size_t most);

/// Runs the kernel with each size, and with the one that the driver chooses, and prints a table, the fastest first.
/// The first launch of each size is not timed: its code is made then. Returns the exit code.
int sweepLocal(const ExecOptions& options, Launch& launch, const std::vector<Argument>& arguments);

}  // namespace clarity::tools
