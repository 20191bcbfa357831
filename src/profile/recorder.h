// SPDX-License-Identifier: Apache-2.0
// This file is what a profile is recorded with: the API layer hands over every call, before and after, and the times of
// commands when they have ended. Only where a profile is wanted: otherwise the dispatch tables lead past it
// (api/host_calls.h).
#pragma once

#include "check/host/host_call.h"

#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clarity::profile {

/// The times of a command in nanoseconds of the host's clock (support/clock.h).
struct CommandTimes {
  std::uint64_t queued = 0, submitted = 0, started = 0, ended = 0;
};

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

/// Functions of the driver that recording needs.
struct Services {
  /// A reference that the application does not count.
  void (*retainEvent)(cl_event) = nullptr;
  void (*releaseEvent)(cl_event) = nullptr;
  /// The application's reference to an event that it does not want.
  void (*forgetEvent)(cl_event) = nullptr;
  cl_int (*statusOf)(cl_event) = nullptr;
  CommandTimes (*timesOf)(cl_event) = nullptr;  ///< of an event that has ended
  bool (*isOutOfOrder)(cl_command_queue) = nullptr;
  std::string (*deviceOf)(cl_command_queue) = nullptr;
  /// The facts of a launch that has been enqueued.
  LaunchFacts (*launchOf)(const check::HostCall&, KernelNames&) = nullptr;
};

/// Records the calls and commands of the process. Thread-safe; nothing throws.
class Recorder {
public:
  /// `file`: to which the record is appended when the process ends, an object of JSON.
  Recorder(std::string file, const Services& services);
  ~Recorder();

  /// A call begins. Its arguments may change, so that command-queues take times and commands have events.
  void before(check::HostCall& call) noexcept;
  void after(const check::HostCall& call) noexcept;
  /// The process ends, and nothing of the application runs any more.
  void finish() noexcept;

private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace clarity::profile
