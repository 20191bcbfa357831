// SPDX-License-Identifier: Apache-2.0
// This file gives a kernel and the events before and behind it to the GPU at once.
#pragma once

#include "device/cuda/driver.h"

namespace clarity::device::cuda {

/// Two events that take an operation's times; null where the driver has none.
struct TimedBy {
  CuEvent begin = nullptr, end = nullptr;
};

/// A graph of the driver, whose kernel and events are changed for each launch. Given to the GPU one by one, the first
/// event is recorded while the host still prepares the kernel, which makes microseconds that are not the kernel's.
class TimedLaunch {
public:
  TimedLaunch() = default;
  ~TimedLaunch();
  TimedLaunch(const TimedLaunch&) = delete;
  TimedLaunch& operator=(const TimedLaunch&) = delete;

  /// False if the driver does not take it so: nothing has been given to the GPU. The context is in use (Gpu::use).
  bool launch(CuStream, const CuKernelNode&, const TimedBy&);

private:
  bool make(const CuKernelNode&, const TimedBy&);

  bool refused_ = false;  ///< there will be no graph
  CuGraph graph_ = nullptr;
  CuGraphExec executable_ = nullptr;
  CuGraphNode begin_ = nullptr, kernel_ = nullptr, end_ = nullptr;
};

}  // namespace clarity::device::cuda
