// SPDX-License-Identifier: Apache-2.0
// This file leads the application's calls to the checks of the host program and to the recorder of profiles, and gives
// the checks what they need of the driver.
#include "api/host_calls.h"

#include "api/entry_points.h"
#include "api/recorded_calls.h"
#include "check/host/host_checker.h"
#include "core/memory.h"
#include "core/messages.h"
#include "core/observation.h"
#include "core/program.h"
#include "profile/interrupts.h"
#include "profile/recorder.h"
#include "sched/event.h"
#include "sched/queue.h"
#include "support/process_end.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::api {
namespace {

using sched::Event;
using sched::Queue;

// The names are as many as the parameters.
template <class Result, class... Args>
constexpr std::size_t parametersOf(Result (*)(Args...)) {
  return sizeof...(Args);
}
constexpr std::size_t wordsIn(std::string_view text) {
  return text.empty() ? 0 : 1 + static_cast<std::size_t>(std::ranges::count(text, ' '));
}
#define API_ENTRY(name, words) static_assert(wordsIn(words) == parametersOf(&name), #name);
#define API_BY_NAME(name, words) API_ENTRY(name, words)
#include "support/api.def"

const check::HostServices& services() {
  static constexpr check::HostServices all{
      .retainEvent = [](cl_event event) { static_cast<void>(Event::fromHandle(event).release()); },
      .releaseEvent = [](cl_event event) { static_cast<Event*>(event)->releaseInternal(); },
      .forgetEvent = [](cl_event event) { static_cast<Event*>(event)->release(); },
      .statusOf = [](cl_event event) { return static_cast<Event*>(event)->status(); },
      .failureOf = [](cl_event event) { return static_cast<Event*>(event)->failureText(); },
      .endUserEvent = [](cl_event event, cl_int status) { static_cast<Event*>(event)->setUserStatus(status); },
      .addressOf =
          [](cl_mem handle) {
            const core::RefPtr<core::Memory> memory = core::Memory::fromHandle(handle);
            const device::Location first = memory ? memory->at(0) : device::Location{};
            return first.allocation && first.allocation->hostAddress()
                       ? reinterpret_cast<std::uint64_t>(first.hostAddress())
                       : 0;
          },
      .bytesOf =
          [](cl_mem handle) {
            const core::RefPtr<core::Memory> memory = core::Memory::fromHandle(handle);
            return memory ? std::uint64_t{memory->extent()} : 0;
          },
      .layoutOf = [](cl_mem handle) -> check::ImageLayout {
        const core::RefPtr<core::Memory> memory = core::Memory::fromHandle(handle);
        const core::ImageDescription* const image = memory ? memory->image() : nullptr;
        if (!image || image->format->blockTexels != 1) return {};
        return {.texelBytes = image->format->texelBytes,
                .rowPitch = image->rowPitch,
                .slicePitch = image->slicePitch,
                .isArrayOf1D = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY};
      },
      .isOutOfOrder =
          [](cl_command_queue handle) {
            const core::RefPtr<Queue> queue = Queue::fromHandle(handle);
            return queue && queue->isOutOfOrder();
          },
      .isOnDevice =
          [](cl_command_queue handle) {
            const core::RefPtr<Queue> queue = Queue::fromHandle(handle);
            return queue && queue->isOnDevice();
          },
      .deviceOf = [](cl_command_queue handle) -> cl_device_id {
        const core::RefPtr<Queue> queue = Queue::fromHandle(handle);
        return queue ? queue->device().handle() : nullptr;
      },
      .kernelOf = [](cl_kernel handle) -> const compiler::KernelInfo* {
        const core::RefPtr<core::Kernel> kernel = core::Kernel::fromHandle(handle);
        return kernel ? &kernel->info() : nullptr;
      },
      .logsOf =
          [](cl_program handle) {
            std::vector<std::string> logs;
            if (const core::RefPtr<core::Program> program = core::Program::fromHandle(handle))
              for (const core::Ref<core::Device>& device : program->devices())
                logs.push_back(program->state(*device).log);
            return logs;
          },
  };
  return all;
}

/// Null where host programs are not checked. Never destroyed.
check::HostChecker* checker() {
  static check::HostChecker* const instance = core::makeHostChecker(services());
  return instance;
}

/// The configuration has been read. A process that was forked while another thread read it would wait for that thread,
/// which it does not have.
constinit std::atomic<bool> isConfigured{false};

// Behind all that the application runs when it ends: destructors of its static objects release objects.
[[gnu::destructor]] void programEnds() {
  if (!isConfigured) return;
  if (profile::Recorder* const it = recorder()) {
    profile::awaitEnding();
    it->finish({.status = support::exitStatus() & 0xff});
  }
  if (!checksHost()) return;
  if (check::HostChecker* const it = checker()) it->finish(support::exitStatus());
  core::endOfChecks();
}

}  // namespace

bool checksHost() {
  const bool checks = core::checksHost();
  isConfigured = true;
  return checks;
}

bool observesCalls() { return checksHost() || recorder(); }

CheckedCall::CheckedCall(const check::CallInfo& info, std::span<check::Value> arguments) noexcept
    : call_{.info = info, .arguments = arguments}, errorsBefore_(core::errorsOfThread()) {
  if (check::HostChecker* const it = checker()) it->before(call_);
  if (profile::Recorder* const it = recorder()) it->before(call_);
}

void CheckedCall::ended(cl_int error, check::Value result) noexcept {
  call_.error = error;
  call_.result = result;
  if (core::errorsOfThread() != errorsBefore_) call_.sentence = core::lastError();
  if (profile::Recorder* const it = recorder()) it->after(call_);
  if (check::HostChecker* const it = checker()) it->after(call_);
}

}  // namespace clarity::api
