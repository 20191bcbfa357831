// SPDX-License-Identifier: Apache-2.0
// This file is an observer that counts the accesses of each launch by source line and variable (`clarity exec
// --observe=accesses`).
#pragma once

#include "device/observer.h"

#include <functional>
#include <string>

namespace clarity::device {

/// At the end of each launch it hands a table on: for each line and variable how often it was read and written, how
/// many bytes that were, how many different places in memory, and the line itself.
class AccessTable final : public Observer {
public:
  using Write = std::function<void(const std::string&)>;
  /// `write` may be called from any thread, by one at a time.
  explicit AccessTable(Write write) : write_(std::move(write)) {}

  compiler::Instrumentation instrumentation() const override { return compiler::Instrumentation::Profile; }
  std::unique_ptr<LaunchObserver> begin(const ObservedLaunch&) override;
  void cannotObserve(const compiler::KernelInfo&, std::string_view why) override;

private:
  class OfLaunch;
  Write write_;
};

}  // namespace clarity::device
