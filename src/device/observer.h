// SPDX-License-Identifier: Apache-2.0
// This file is how events of instrumented code reach those who want to know of them: checkers, profilers. A launch that
// names an observer (Launch::observer) runs code that is instrumented for it; other launches run code that has nothing
// of this.
#pragma once

#include "compiler/compiler.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace clarity::device {

struct NDRange;

/// A launch as its observer gets it. Lives as long as the LaunchObserver.
struct ObservedLaunch {
  const compiler::KernelInfo& kernel;
  const NDRange& range;
  std::span<const compiler::AccessSite> sites;  ///< the places in the source that events come from
};

/// A work-item is about to access memory.
struct ObservedAccess {
  std::uint32_t site = 0;  ///< index in ObservedLaunch::sites
  std::uint64_t address = 0, bytes = 0;
  std::array<std::uint64_t, 3> globalId{};
};

/// Gets the events of one launch. With Instrumentation::Check they come from one thread, by work-group and, between two
/// barriers, by work-item, both in the order z, y, x. With Profile they come from several threads at once, on each
/// thread in that order.
class LaunchObserver {
public:
  virtual ~LaunchObserver() = default;
  virtual void access(const ObservedAccess&) {}
  /// The launch has ended, by an error if `completed` is false; nothing follows.
  virtual void end(bool /*completed*/) {}
};

/// Observes launches. Thread-safe.
class Observer {
public:
  virtual ~Observer() = default;
  /// What the code of observed launches is compiled for: Check or Profile.
  virtual compiler::Instrumentation instrumentation() const = 0;
  /// A launch begins.
  virtual std::unique_ptr<LaunchObserver> begin(const ObservedLaunch&) { return std::make_unique<LaunchObserver>(); }
  /// A launch that runs as if it had no observer, and why: its program keeps no portable IR.
  virtual void cannotObserve(const compiler::KernelInfo&, std::string_view /*why*/) {}
};

}  // namespace clarity::device
