// SPDX-License-Identifier: Apache-2.0
// This file makes the recorder of profiles, and answers what it asks about events, command-queues and launches.
#include "api/recorded_calls.h"

#include "core/config.h"
#include "core/kernel.h"
#include "profile/compile_log.h"
#include "profile/recorder.h"
#include "sched/event.h"
#include "sched/queue.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace clarity::api {
namespace {

using sched::Event;
using sched::Queue;

profile::CommandTimes timesOf(cl_event event) {
  const sched::ProfilingTimes& times = static_cast<Event*>(event)->times();
  return {.queued = times.queued, .submitted = times.submitted, .started = times.started, .ended = times.ended};
}

std::string deviceOf(cl_command_queue handle) {
  const core::RefPtr<Queue> queue = Queue::fromHandle(handle);
  return queue ? queue->device().properties().name : std::string();
}

profile::LaunchFacts launchOf(const check::HostCall& call) {
  profile::LaunchFacts facts;
  facts.local = {1, 1, 1};
  const core::RefPtr<core::Kernel> kernel = core::Kernel::fromHandle(call.at<cl_kernel>("kernel"));
  const core::RefPtr<Queue> queue = Queue::fromHandle(call.at<cl_command_queue>("command_queue"));
  if (!kernel || !queue) return facts;
  facts.kernel = kernel->info().name;
  const auto dimensions = std::min<std::size_t>(call.at<cl_uint>("work_dim"), 3);
  const auto* const local = call.at<const std::size_t*>("local_work_size");
  const auto* const global = call.at<const std::size_t*>("global_work_size");
  if (local) {
    std::copy_n(local, dimensions, facts.local.begin());
  } else if (global) {
    device::NDRange range;
    range.dims = dimensions;
    std::copy_n(global, dimensions, range.global.begin());
    queue->device().backend().chooseLocalSize(kernel->info(), range);
    std::copy_n(range.local.begin(), dimensions, facts.local.begin());
  }
  return facts;
}

profile::Recorder* makeRecorder() {
  const std::string& file = core::config().profile;
  if (file.empty()) return nullptr;
  profile::keepCompiles();
  return new profile::Recorder(
      file, {.retainEvent = [](cl_event event) { static_cast<void>(Event::fromHandle(event).release()); },
             .releaseEvent = [](cl_event event) { static_cast<Event*>(event)->releaseInternal(); },
             .forgetEvent = [](cl_event event) { static_cast<Event*>(event)->release(); },
             .statusOf = [](cl_event event) { return static_cast<Event*>(event)->status(); },
             .timesOf = timesOf,
             .isOutOfOrder =
                 [](cl_command_queue handle) {
                   const core::RefPtr<Queue> queue = Queue::fromHandle(handle);
                   return queue && queue->isOutOfOrder();
                 },
             .deviceOf = deviceOf,
             .launchOf = launchOf});
}

}  // namespace

profile::Recorder* recorder() {
  // Never destroyed: threads make calls until the process is gone.
  static profile::Recorder* const instance = makeRecorder();
  return instance;
}

}  // namespace clarity::api
