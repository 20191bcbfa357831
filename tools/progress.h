// SPDX-License-Identifier: Apache-2.0
// This file declares the one-line progress report on standard error, shown on terminals only.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace clarity::tools {

class Progress {
public:
  /// There will be `total` steps.
  explicit Progress(size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The next step begins.
  void step(std::string label);
  /// The step continues: updates the seconds that are shown. To be called at intervals.
  void tick();
  /// Clears the line, so that something else can be printed.
  void clear();

private:
  void draw();

  bool shown_;  // standard error is a terminal
  bool drawn_ = false;
  size_t total_;
  size_t done_ = 0;
  std::string label_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace clarity::tools
