// SPDX-License-Identifier: Apache-2.0
// This file declares running another program to its end: with captured output and a time limit, or on
// the terminal.
#pragma once

#include "driver.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace clarity::tools {

struct ChildResult {
  int status = 0;         ///< exit code; 128 + signal if a signal ended it
  bool timedOut = false;  ///< it ran past its limit and was killed
  std::string output;     ///< its standard output
  std::string errors;     ///< its standard error
  double seconds = 0;     ///< wall-clock time from start to end

  /// "exit code 2", "killed by signal 11 (Segmentation fault)", "timed out after 120 s".
  std::string ending() const;
};

struct ChildOptions {
  Environment environment;       ///< changes to this process's environment
  std::filesystem::path folder;  ///< working folder; empty: that of this process
  double limitSeconds = 120;
};

/// Throws Failure when the program cannot be started.
ChildResult runChild(const std::vector<std::string>& words, const ChildOptions& options);

/// The exit codes of shells and env(1) if a program cannot be started.
inline constexpr int cannotStartCode = 126, notFoundCode = 127;

/// Runs a program with this process's input and output, and its environment as it is now. Its exit code, 128 + signal
/// if a signal ended it, whose number `signal` gets; `command` complains if it cannot be started. Signals of the
/// terminal are for the program.
int runInForeground(const std::string& command, const std::vector<std::string>& words, int* signal = nullptr);

}  // namespace clarity::tools
