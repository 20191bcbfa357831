// SPDX-License-Identifier: Apache-2.0
// This file is what the functions of control.h set and read.
#pragma once

#include <atomic>
#include <cstdint>

namespace clarity::discrete {

struct Faults {
  std::atomic<unsigned> operation{0}, allocation{0};  ///< how many more until one fails; 0: none
  std::atomic<std::uint64_t> operations{0}, bytesFromHost{0}, bytesToHost{0};

  static Faults& get() {
    static Faults faults;
    return faults;
  }
  /// Counts down; true for the one that is to fail.
  static bool isDue(std::atomic<unsigned>& count) {
    unsigned now = count.load();
    while (now != 0 && !count.compare_exchange_weak(now, now - 1)) {
    }
    return now == 1;
  }
};

}  // namespace clarity::discrete
