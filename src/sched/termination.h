// SPDX-License-Identifier: Apache-2.0
// This file ends all commands of a context at once (cl_khr_terminate_context).
#pragma once

#include "core/context.h"

namespace clarity::sched {

class Event;

/// The commands that have not ended of the contexts that can be terminated (Context::isTerminable). Others are not
/// kept. Thread-safe.
class Termination {
public:
  /// An event of a command has been made. It is kept until it is removed.
  static void add(Event&);
  /// It has ended, or is being destroyed. Does nothing if it is not there.
  static void remove(Event&) noexcept;

  /// Terminates a context: commands that have not begun end with CL_CONTEXT_TERMINATED_KHR, kernels that run are ended.
  /// Returns when these have ended or, should a thread not get to run, after some seconds. False if the context was
  /// terminated already.
  static bool run(core::Context&);
};

}  // namespace clarity::sched
