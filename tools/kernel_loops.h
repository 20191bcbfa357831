// SPDX-License-Identifier: Apache-2.0
// This file declares what the tool reads off the machine code of loops: whether each iteration waits for the one before
// it for longer than its instructions need.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::tools {

/// An innermost loop of x86-64 code. Cycles are those of current processors, for values that the nearest cache has.
struct MachineLoop {
  std::map<unsigned, unsigned> lines;  ///< instructions by source line of the first file
  unsigned instructions = 0;
  double chain = 0;           ///< cycles of an iteration that depend on the one before
  double work = 0;            ///< cycles that the instructions need where none waits
  unsigned line = 0;          ///< the one that has most of the chain; 0: not known
  bool throughLoads = false;  ///< an address depends on a load of the iteration before
};

/// The loops of assembly with the comments `#@ FILE:LINE:COLUMN in FUNCTION`; none of other processors' code, nor those
/// that call functions.
std::vector<MachineLoop> loopsOf(std::string_view assembly);

/// The line in such a comment, without its "#@ "; 0: it is of another file than the first one, which `file` is set to.
unsigned lineIn(std::string_view comment, std::string& file);

}  // namespace clarity::tools
