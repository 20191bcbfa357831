// SPDX-License-Identifier: Apache-2.0
// This file is how events of instrumented code reach those who want to know of them: checkers, profilers. A launch that
// names an observer (Launch::observer) runs code that is instrumented for it; other launches run code that has nothing
// of this.
#pragma once
#include "compiler/driver/compiler.h"
#include "device/observed_events.h"
#include "support/race_cells.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace clarity::device {

struct Launch;

/// Gets the events of one launch. With Instrumentation::Check they come from one thread, by work-group and, between two
/// barriers, by work-item, both in the order z, y, x. With Profile they come from several threads at once, on each
/// thread in that order, and are accesses only. With CheckAllowed, CheckValues and CheckRaces they come so too, and are
/// all but accesses; of these, CheckRaces reports the undecided ones.
class LaunchObserver {
public:
  virtual ~LaunchObserver() = default;
  virtual void access(const ObservedAccess&) {}
  /// A thread begins to execute work-groups with this interval, and ends it. Their code is for CheckRaces.
  virtual void enter(support::RaceInterval&) {}
  virtual void leave(support::RaceInterval&) {}
  virtual void undecided(const UndecidedAccess&, support::RaceInterval&) {}
  virtual void refused(const RefusedAccess&) {}
  virtual void texel(const ObservedTexel&) {}
  virtual void channels(const ObservedChannels&) {}
  virtual void sampler(const ObservedSampler&) {}
  virtual void uniform(const ObservedUniform&) {}
  virtual void copyBegins(const ObservedCopy&) {}
  virtual void copiesAwaited(const ObservedCopy&) {}
  virtual void subGroup(const ObservedSubGroup&) {}
  /// A work-item calls a function of its sub-group: what `flags` name is ordered among its work-items.
  virtual void subGroupMeets(std::uint32_t /*flags*/, const GlobalId&) {}
  virtual void arithmetic(const ObservedArithmetic&) {}
  virtual void fence(const ObservedFence&) {}
  virtual void uninitialised(const ObservedValue&) {}
  virtual void loops(const ObservedLoops&) {}
  virtual void fault(const ObservedFault&) {}
  virtual void region(const ObservedRegion&) {}
  virtual void barriers(const ObservedBarriers&) {}
  /// With Instrumentation::Count, from several threads at once.
  virtual void counts(const ObservedCounts&) {}
  /// The same, from GPUs: each line once.
  virtual void line(const ObservedLine&) {}
  /// The launch has ended, by an error if `completed` is false; nothing follows.
  virtual void end(bool /*completed*/) {}
};

/// Observes launches. Thread-safe.
class Observer {
public:
  virtual ~Observer() = default;
  /// The instrumentation of the code of observed launches.
  virtual compiler::Instrumentation instrumentation() const = 0;
  /// The same of one launch, whose buffers may not have memory yet.
  virtual compiler::Instrumentation instrumentationOf(const Launch&) const { return instrumentation(); }
  /// So long a work-item may be in loops between two barriers; 0: as long as it likes.
  virtual double mostSeconds() const { return 0; }
  /// A launch will run, observed or not.
  virtual void launches(const Launch&) {}
  /// An observed launch begins.
  virtual std::unique_ptr<LaunchObserver> begin(const ObservedLaunch&) { return std::make_unique<LaunchObserver>(); }
  /// A launch that runs as if it had no observer, and why: its program keeps no portable IR.
  virtual void cannotObserve(const compiler::KernelInfo&, std::string_view /*why*/) {}
};

}  // namespace clarity::device
