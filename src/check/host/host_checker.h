// SPDX-License-Identifier: Apache-2.0
// This file is what the API layer tells of the application's calls, for the checks of host programs. Only where they
// are wanted: otherwise the dispatch tables lead past it (api/host_calls.h).
#pragma once

#include "check/host/host_call.h"
#include "check/host/host_order.h"
#include "check/report/reporter.h"

#include <memory>

namespace clarity::check {

/// Thread-safe.
class HostChecker {
public:
  /// `groups`: what is checked, bits of Group.
  HostChecker(Reporter& reporter, unsigned groups, const HostServices& services);
  ~HostChecker();

  /// A call begins: gets a number; its arguments may change.
  void before(HostCall& call) noexcept;
  void after(HostCall& call) noexcept;
  /// The process ends, and nothing of the application runs any more.
  void finish(int exitStatus) noexcept;

  /// The number of the call that this thread makes, by which accesses of a kernel are reported; 0: none. With the bit
  /// `onlyNamed`, accesses are not needed.
  static std::uint64_t currentCommand() noexcept;
  static constexpr std::uint64_t onlyNamed = std::uint64_t{1} << 63;
  /// Takes the accesses of a command's kernel.
  static void accessed(std::uint64_t command, std::vector<MemoryAccess> accesses) noexcept;

private:
  /// The smallest buffer, image or shared memory at an address.
  HostMemoryOf memoryOf(std::uint64_t address) noexcept;
  /// The place of the call that made a launch.
  Party launchOf(std::uint64_t call) noexcept;

  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace clarity::check
