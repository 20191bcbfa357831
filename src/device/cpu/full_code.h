// SPDX-License-Identifier: Apache-2.0
// This file is how a launch that begins with quick code goes on with full code when it turns out to be long.
#pragma once

#include "device/cpu/kernel_code.h"

#include <functional>

namespace clarity::device::cpu {

/// Full code for a launch that has quick code.
struct FullCode {
  /// Has it compiled, on another thread if there is a processor for that.
  std::function<void()> make;
  /// The code if it is there; false if not, or not yet.
  std::function<bool(KernelCode::Choice&)> find;
  /// Nanoseconds that the launch must have left for the code to be worth compiling.
  double leastLeft = 0;
};

}  // namespace clarity::device::cpu
