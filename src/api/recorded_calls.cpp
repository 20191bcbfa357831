// SPDX-License-Identifier: Apache-2.0
// This file makes the recorder of profiles, and answers what it asks about events, command-queues and launches.
#include "api/recorded_calls.h"

#include "core/config.h"
#include "core/kernel.h"
#include "profile/compile_log.h"
#include "profile/gpu_log.h"
#include "profile/interrupts.h"
#include "profile/recorder.h"
#include "sched/event.h"
#include "sched/queue.h"
#include "support/process_end.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace clarity::api {
namespace {

using sched::Event;
using sched::Queue;

const device::CommandOutcome* outcomeOf(cl_event handle) {
  const core::RefPtr<Event> event = Event::fromHandle(handle);
  return event ? event->outcome() : nullptr;
}

profile::QueueRecord queueOf(cl_command_queue handle) {
  profile::QueueRecord record{.handle = reinterpret_cast<std::uint64_t>(handle), .device = {}};
  const core::RefPtr<Queue> queue = Queue::fromHandle(handle);
  if (!queue) return record;
  record.device = queue->device().properties().name;
  record.isOutOfOrder = queue->isOutOfOrder();
  record.isOnGpu = queue->device().properties().type == CL_DEVICE_TYPE_GPU;
  return record;
}

profile::LaunchFacts launchOf(const check::HostCall& call, profile::KernelNames& names) {
  profile::LaunchFacts facts;
  facts.local = {1, 1, 1};
  static const check::CallInfo& launch = check::callInfo("clEnqueueNDRangeKernel");
  static const int globalAt = launch.indexOf("global_work_size"), localAt = launch.indexOf("local_work_size");
  const auto argument = [&](int at) { return call.arguments[static_cast<std::size_t>(at)]; };
  const core::RefPtr<core::Kernel> kernel = core::Kernel::fromHandle(argument(1).as<cl_kernel>());
  if (!kernel) return facts;
  facts.kernel = names.numberOf(kernel->info().name);
  if (&call.info != &launch) return facts;  // clEnqueueTask
  const auto dimensions = std::min<std::size_t>(argument(2).as<cl_uint>(), 3);
  const auto* const local = argument(localAt).as<const std::size_t*>();
  const auto* const global = argument(globalAt).as<const std::size_t*>();
  if (local) {
    std::copy_n(local, dimensions, facts.local.begin());
  } else if (const core::RefPtr<Queue> queue = Queue::fromHandle(argument(0).as<cl_command_queue>()); queue && global) {
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
  support::noticeProcessEnd();
  profile::keepCompiles();
  profile::keepGpuLaunches();
  profile::finishOnInterrupt([](const profile::Ending& ending) { recorder()->finish(ending); });
  return new profile::Recorder(file, {.outcomeOf = outcomeOf, .queueOf = queueOf, .launchOf = launchOf});
}

}  // namespace

profile::Recorder* recorder() {
  // Never destroyed: threads make calls until the process is gone.
  static profile::Recorder* const instance = makeRecorder();
  return instance;
}

}  // namespace clarity::api
