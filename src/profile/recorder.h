// SPDX-License-Identifier: Apache-2.0
// This file is what a profile is recorded with: the API layer hands over every call, before and after, and the times of
// commands when they have ended. Only where a profile is wanted: otherwise the dispatch tables lead past it
// (api/host_calls.h).
#pragma once

#include "check/host/host_call.h"
#include "device/recorded_command.h"

#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clarity::profile {

/// The names of kernels, by numbers from 1. Those of the process; thread-safe.
class KernelNames {
public:
  KernelNames();
  ~KernelNames();
  std::uint32_t numberOf(const std::string& name);
  std::vector<std::string> all() const;

private:
  const std::unique_ptr<class NumberedTexts> texts_;
};

/// A launch as the driver understood it.
struct LaunchFacts {
  std::uint32_t kernel = 0;              ///< KernelNames
  std::array<std::uint64_t, 3> local{};  ///< where the application left it to the driver, too
};

struct QueueRecord {
  std::uint64_t handle = 0;
  std::string device;
  bool isOutOfOrder = false, isOnGpu = false;
};

/// Functions of the driver that recording needs.
struct Services {
  /// The place that the listener (device/recorded_command.h) gave for the command of an event; null: it gave none.
  const device::CommandOutcome* (*outcomeOf)(cl_event) = nullptr;
  QueueRecord (*queueOf)(cl_command_queue) = nullptr;
  /// The facts of a launch that has been enqueued, of which the listener got no device::Launch.
  LaunchFacts (*launchOf)(const check::HostCall&, KernelNames&) = nullptr;
};

/// How the process ends.
struct Ending {
  int signal = 0;  ///< that ends it; 0: none
  int status = 0;  ///< its exit status
  static constexpr int unknown = -1;
  bool isAtOnce = false;  ///< by _exit() or quick_exit(), not by exit()
};

/// Records the calls and commands of the process. Thread-safe; nothing throws.
class Recorder {
public:
  /// `file`: to which the record is appended when the process ends, an object of JSON.
  Recorder(std::string file, const Services& services);
  ~Recorder();

  /// A call begins.
  void before(const check::HostCall& call) noexcept;
  void after(const check::HostCall& call) noexcept;
  /// The process ends.
  void finish(const Ending& ending) noexcept;

private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace clarity::profile
