// SPDX-License-Identifier: Apache-2.0
// This file is the observer that finds mistakes in kernels. Each check is a LaunchObserver of its own (checks.h) that
// gets the events it needs.
#pragma once

#include "check/reporter.h"
#include "device/observer.h"

#include <memory>

namespace clarity::check {

class KernelChecker final : public device::Observer {
public:
  /// `groups`: what is checked, bits of Group.
  KernelChecker(Reporter& reporter, unsigned groups) : reporter_(reporter), groups_(groups) {}

  compiler::Instrumentation instrumentation() const override {
    return groups_ & static_cast<unsigned>(Group::Races) ? compiler::Instrumentation::Check
                                                         : compiler::Instrumentation::CheckAllowed;
  }
  std::unique_ptr<device::LaunchObserver> begin(const device::ObservedLaunch&) override;
  void cannotObserve(const compiler::KernelInfo&, std::string_view why) override;

private:
  Reporter& reporter_;
  const unsigned groups_;
};

}  // namespace clarity::check
