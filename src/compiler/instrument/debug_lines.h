// SPDX-License-Identifier: Apache-2.0
// This file reads the debugging information of an executable or a library: which lines of the application's source a
// machine instruction comes from.
#pragma once

#include "compiler/instrument/site.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clarity::compiler {

/// Not for several threads at once.
class DebugLines {
public:
  /// Null if the file cannot be read or is no object file.
  static std::unique_ptr<DebugLines> open(const std::string& path);
  virtual ~DebugLines() = default;
  /// The line of an instruction and those of the calls through which it was inlined, innermost first; empty if it is
  /// not known. `address` as the file counts it.
  virtual std::vector<SiteCall> linesAt(std::uint64_t address) = 0;
};

}  // namespace clarity::compiler
