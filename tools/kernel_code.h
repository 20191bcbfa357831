// SPDX-License-Identifier: Apache-2.0
// This file declares what the tool asks the compiler about a kernel of a profile: its report, and the instructions that
// each line of the source became.
#pragma once

#include "kernel_loops.h"

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::tools {

/// A remark of the report (docs/reports.md).
struct KernelRemark {
  unsigned region = 0, line = 0, column = 0;  ///< 0: of the kernel; not known
  std::string kind, message, help;
  bool isMissed = false;
  bool says(std::string_view words) const { return message.find(words) != std::string::npos; }
};

/// Instructions of one line, as they stand in the code.
struct LineInstructions {
  unsigned doubles = 0;    ///< arithmetic of double
  unsigned divisions = 0;  ///< divisions of integers
  unsigned all = 0;
};

struct KernelCode {
  std::string kernel, source, options;
  std::vector<KernelRemark> remarks;
  std::map<unsigned, LineInstructions> lines;  ///< lines of the program's own file
  std::vector<MachineLoop> loops;              ///< innermost ones, of machine code
};

/// Compiles one kernel as the application has it compiled, for work-groups of a size. Without remarks where the
/// compiler refuses: a header may be missing.
KernelCode kernelCodeOf(std::string_view source, const std::string& options, const std::string& kernel,
                        const std::array<std::size_t, 3>& local);

}  // namespace clarity::tools
