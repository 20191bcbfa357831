// SPDX-License-Identifier: Apache-2.0
// This file notices what a thread of the application touches behind a call, where its memory has no pages of its own,
// or the device uses it meanwhile: the processor stops behind each of the first instructions, and what these access is
// looked up afterwards.
#pragma once

#include "check/host/host_call.h"

#include <cstdint>
#include <vector>

namespace clarity::check {

class StepWatch {
public:
  /// Memory, and whether reads count as well.
  struct Range {
    std::uint64_t owner = 0;
    std::uint64_t address = 0, bytes = 0;
    bool writesOnly = false;
    bool systemOnly = false;  ///< only what system calls take from there counts
  };
  struct Touch {
    std::uint64_t owner = 0;
    std::uint64_t address = 0;
    bool writes = false;
    const void* instruction = nullptr;  ///< an address in the application, the last one before a library was entered
    const void* touching = nullptr;     ///< the one that touches
    Frames frames{};                    ///< behind `instruction`, and the calls since begin() that led to it
  };

  /// Whether instructions of this thread can be stepped through.
  static bool isPossible();
  /// To be called last before the thread goes back to the application: until end(), or for the first some thousand
  /// instructions.
  static void begin(std::vector<Range> ranges);
  /// The first touch of each range.
  static std::vector<Touch> end();
};

}  // namespace clarity::check
