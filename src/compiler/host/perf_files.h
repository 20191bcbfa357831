// SPDX-License-Identifier: Apache-2.0
// This file writes the two files in which `perf` looks for code that is generated at run time: /tmp/perf-PID.map with
// names, and /tmp/jit-PID.dump with code and source lines (`perf record -k mono`, `perf inject --jit`).
#pragma once

#include "compiler/host/line_table.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace clarity::compiler {

struct NamedCode {
  std::string_view name;
  std::uint64_t address;
  std::uint64_t bytes;
};

/// Appends functions, whose code is at their addresses, to both files. `rows` count from `entry`. Does nothing where a
/// file cannot be written. Any thread.
void writePerfFiles(std::span<const NamedCode> functions, std::span<const LineRow> rows, std::uint64_t entry);

}  // namespace clarity::compiler
