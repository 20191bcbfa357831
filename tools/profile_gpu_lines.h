// SPDX-License-Identifier: Apache-2.0
// This file declares what a profile says of the lines of kernels that were counted on a GPU.
#pragma once

#include "kernel_source.h"
#include "profile_advice.h"

#include <string>
#include <vector>

namespace clarity::tools {

/// The lines of a launch that was counted, those that take the most of a GPU's time first, as far as counts say it.
struct CountedLines {
  CountedLines(const ProfiledProcess& process, const KernelSummary& kernel);

  struct Line {
    ProfiledCountedLine counts;
    std::string text;  ///< the text of the source; empty: not known
    /// Cycles of a multiprocessor that its instructions and accesses take at least; those that it could do without.
    double cycles = 0, inVain = 0;
  };
  std::vector<Line> lines;  ///< without those whose line is not known
  double cycles = 0;        ///< cycles of all
  KernelSource source;
};

/// The accesses of global memory that need more sectors than those of neighbours would, accesses of local memory that
/// wait for their banks, and branches and loops that leave threads of a warp without work.
std::vector<Advice> adviceOnCountedLines(const KernelSummary& kernel, const CountedLines& counted);

/// "4.5": units of a request; empty: there was none.
std::string unitsText(double units, double requests);

}  // namespace clarity::tools
