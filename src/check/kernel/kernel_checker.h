// SPDX-License-Identifier: Apache-2.0
// This file is the observer that finds mistakes in kernels. Each check is a LaunchObserver of its own (checks.h) that
// gets the events it needs.
#pragma once

#include "check/report/reporter.h"
#include "device/observer.h"

#include <memory>

namespace clarity::check {

class KernelChecker final : public device::Observer {
public:
  /// `groups`: what is checked, bits of Group.
  /// `mostSeconds`: of a work-item in loops; 0: no limit.
  KernelChecker(Reporter& reporter, unsigned groups, double mostSeconds)
      : reporter_(reporter), groups_(groups), mostSeconds_(mostSeconds) {}

  double mostSeconds() const override { return has(Group::Barriers) ? mostSeconds_ : 0; }

  compiler::Instrumentation instrumentation() const override;
  compiler::Instrumentation instrumentationOf(const device::Launch&) const override;
  std::unique_ptr<device::LaunchObserver> begin(const device::ObservedLaunch&) override;
  void launches(const device::Launch&) override;
  void cannotObserve(const compiler::KernelInfo&, std::string_view why) override;

private:
  bool has(Group group) const { return (groups_ & static_cast<unsigned>(group)) != 0; }

  Reporter& reporter_;
  const unsigned groups_;
  const double mostSeconds_;
};

}  // namespace clarity::check
