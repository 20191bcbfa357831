// SPDX-License-Identifier: Apache-2.0
// This file lists the checks of kernels. Each is a LaunchObserver in a file of its own; a new one is declared here and
// added to KernelChecker::begin().
#pragma once

#include "check/report/reporter.h"
#include "device/observer.h"

#include <memory>

namespace clarity::check {

/// State that checks of one launch share. Lives as long as they do.
struct LaunchScene {
  const device::ObservedLaunch launch;
  Reporter& reporter;

  /// Reports a finding with what is known of the launch.
  void add(Finding finding) const;
  const compiler::Site& site(std::uint32_t index) const { return launch.sites[index]; }
  /// "work-item (16, 0) of work-group (1, 0)", of as many dimensions as the launch has.
  std::string workItem(const device::GlobalId& globalId) const;
  /// "(1, 0)".
  std::string workGroup(const device::GlobalId& globalId) const;
  /// "argument 1 'y'", "local array 'tile'".
  std::string objectOf(const compiler::Site&) const;
  static std::string named(const compiler::KernelInfo&, std::uint32_t argument);
};

using Check = std::unique_ptr<device::LaunchObserver>;

/// Accesses outside of objects, through null pointers, misaligned, or of a kind that flags forbid (memory_check.cpp).
Check memoryCheck(const LaunchScene&);
/// Operands that divisions, shifts and conversions do not allow; of these groups, what comes of overflow, and where NaN
/// and infinities come from (arithmetic_check.cpp). Null: none of them is checked.
Check arithmeticCheck(const LaunchScene&, unsigned groups);
/// Uses of values that were never written (value_check.cpp).
Check valueCheck(const LaunchScene&);
/// Loops that a work-item does not leave (loop_check.cpp).
Check loopCheck(const LaunchScene&);
/// Accesses that the processor refuses (fault_check.cpp).
Check faultCheck(const LaunchScene&);
/// Restrict arguments that lead to the same memory (overlap_check.cpp). Null: there are none.
Check overlapCheck(const LaunchScene&);
/// Whether there may be some.
bool mayOverlap(const device::Launch&);
/// Barriers that not all work-items of a work-group reach (barrier_check.cpp).
Check barrierCheck(const LaunchScene&);
/// Arguments of functions of the work-group that differ between its work-items (uniform_check.cpp).
Check uniformCheck(const LaunchScene&);
/// Waits for copies of the work-group that were never started (copy_check.cpp).
Check copyCheck(const LaunchScene&);
/// Accesses of several work-items to the same memory that nothing orders (race_check.cpp).
Check raceCheck(const LaunchScene&);
/// The same, for code that compares cells (cell_race_check.cpp).
Check cellRaceCheck(const LaunchScene&);

}  // namespace clarity::check
