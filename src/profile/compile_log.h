// SPDX-License-Identifier: Apache-2.0
// This file keeps what the compiler did, and how long it took.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

namespace clarity::profile {

struct CompileRecord {
  std::string what;  ///< compiler::CompileTimes
  std::string name;  ///< the kernel's name
  std::uint64_t thread = 0;
  std::uint64_t begin = 0, end = 0;  ///< support/clock.h
  bool fromCache = false;
  bool isQuick = false;
  bool isCounted = false;  ///< compiler::CompileTimes
};

/// From now on all compiles are kept.
void keepCompiles();
/// Those until now.
std::deque<CompileRecord> compiles();

}  // namespace clarity::profile
