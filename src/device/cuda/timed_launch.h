// SPDX-License-Identifier: Apache-2.0
// This file issues a kernel and the events before and behind it at once.
#pragma once

#include "device/cuda/driver.h"

#include <memory>

namespace clarity::device::cuda {

class Code;

/// Two events that take an operation's times; null where the driver has none.
struct TimedBy {
  CuEvent begin = nullptr, end = nullptr;
};

/// A graph of the driver, whose kernel and events are changed for each launch. Issued one by one, the first
/// event is recorded while the host still prepares the kernel, which makes microseconds that are not the kernel's.
class TimedLaunch {
public:
  TimedLaunch() = default;
  ~TimedLaunch();
  TimedLaunch(const TimedLaunch&) = delete;
  TimedLaunch& operator=(const TimedLaunch&) = delete;

  /// False if the driver does not take it so: nothing has been issued. The context is in use (Gpu::use).
  /// `code` has the kernel's function.
  bool launch(CuStream, const CuKernelNode&, const TimedBy&, std::shared_ptr<const Code> code);

private:
  bool make(const CuKernelNode&, const TimedBy&);

  bool refused_ = false;  ///< there will be no graph
  CuGraph graph_ = nullptr;
  CuGraphExec executable_ = nullptr;
  CuGraphNode begin_ = nullptr, kernel_ = nullptr, end_ = nullptr;
  /// That of the graph's first and last launch. A function that is unloaded leaves its address to a later one, which
  /// the driver then takes for the one that the graph has: it would run with the registers of the former.
  std::shared_ptr<const Code> first_, last_;
};

}  // namespace clarity::device::cuda
