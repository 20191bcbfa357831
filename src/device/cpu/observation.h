// SPDX-License-Identifier: Apache-2.0
// This file leads the events of instrumented code to the observer of the launch that its thread executes.
#pragma once

#include "device/observer.h"

namespace clarity::device::cpu {

/// While it lives, events of this thread go to the observer. Null: the thread executes no observed launch.
class Observing {
public:
  explicit Observing(LaunchObserver* observer);
  ~Observing();
  Observing(const Observing&) = delete;

private:
  LaunchObserver* before_;
};

}  // namespace clarity::device::cpu
