// SPDX-License-Identifier: Apache-2.0
// This file adds up the time of passes and prints it: `--time-passes`.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace clarity::compiler {

/// Processor time of the calling thread, so that other work of the machine does not count.
std::chrono::nanoseconds threadTime();

/// The times of one compile's passes, by their names.
class PassTimes {
public:
  void add(const std::string& pass, std::chrono::nanoseconds time) { times_[pass].time += time; }
  void addRun(const std::string& pass) { ++times_[pass].runs; }
  /// Prints a table on standard error, the longest time first. `title`: whose passes they are.
  void print(const std::string& title) const;

private:
  struct Times {
    std::chrono::nanoseconds time{};
    unsigned runs = 0;
  };
  std::map<std::string, Times> times_;
};

}  // namespace clarity::compiler
