// SPDX-License-Identifier: Apache-2.0
// This file declares the one-line progress report on standard error, shown on terminals only.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace clarity::tools {

/// Shows the step, its seconds and an estimate of the time that is left, from two seconds after the beginning on. A
/// thread of its own keeps the line up to date. Where there is no terminal it does nothing.
class Progress {
public:
  /// There will be `total` steps.
  explicit Progress(size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The next step begins.
  void step(std::string label);
  /// Clears the line, so that something else can be printed; the next step shows it again.
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  void draw();  // call with mutex_ locked
  std::string line() const;

  const size_t total_;
  const Clock::time_point began_ = Clock::now();
  std::mutex mutex_;  // guards what follows
  std::condition_variable ends_;
  bool over_ = false;
  bool running_ = false;  // a step is under way
  bool drawn_ = false;
  size_t done_ = 0;
  std::string label_;
  Clock::time_point stepBegan_ = began_;
  std::thread thread_;
};

/// "1 min 20 s"
std::string durationText(double seconds);

}  // namespace clarity::tools
