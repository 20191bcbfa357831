// SPDX-License-Identifier: Apache-2.0
// This file is how a profile learns what becomes of commands: it has memory for the times of each, and the command's
// event writes them there, so that the profile asks for no events and looks after none.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstdint>

namespace clarity::device {

struct Launch;

/// The end of a command. In memory that stays until the process is gone.
struct CommandOutcome {
  std::uint64_t queued = 0;                             ///< support/clock.h, as all times; set by the profile
  std::uint64_t submitted = 0, started = 0, ended = 0;  ///< set by the event, before `status`
  std::atomic<cl_int> status{CL_QUEUED};                ///< the event's status; more than CL_COMPLETE: it has not ended
};

/// Gives the place for the command that the present call enqueues; null: it is not recorded. `launch` is null where it
/// launches no kernel.
using CommandListener = CommandOutcome*(const Launch* launch) noexcept;
/// Null: there is no profile.
inline std::atomic<CommandListener*> commandListener{nullptr};

}  // namespace clarity::device
