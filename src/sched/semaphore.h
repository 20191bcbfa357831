// SPDX-License-Identifier: Apache-2.0
// This file is the binary semaphore: it pairs commands that signal it with commands that wait for it.
#pragma once

#include "core/context.h"
#include "core/device.h"
#include "core/object.h"
#include "core/ref.h"
#include "sched/event.h"
#include "sched/external_payload.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace clarity::sched {

/// cl_khr_semaphore (OpenCL 3.1, "Semaphores"). Thread-safe. Its commands keep it alive.
///
/// Signals and waits alternate, so each wait is paired with one signal when the later of the two is enqueued, and comes
/// after it like after an event of its wait list: no thread and no command polls. A signal that ends with an error ends
/// its wait too.
///
/// Signals of a semaphore that other processes may have are those of its payload: a signal sets it when it ends, and a
/// wait takes it, as soon as it is set, and comes after that. No wait then learns of a signal that has failed.
class Semaphore final : public core::ApiObject<Semaphore, _cl_semaphore_khr> {
public:
  /// `external`: of a semaphore that other processes may have; null otherwise.
  Semaphore(core::Context& context, std::vector<core::Ref<core::Device>> devices, std::vector<cl_ulong> propertiesArray,
            std::shared_ptr<const ExternalPayload> external, bool exportable)
      : context_(context),
        devices_(std::move(devices)),
        propertiesArray_(std::move(propertiesArray)),
        external_(std::move(external)),
        exportable_(exportable) {}
  ~Semaphore() override = default;

  core::Context& context() const { return context_; }
  /// The devices whose command-queues may use it.
  const std::vector<core::Ref<core::Device>>& devices() const { return devices_; }
  const std::vector<cl_ulong>& propertiesArray() const { return propertiesArray_; }
  const ExternalPayload* external() const { return external_.get(); }
  bool isExportable() const { return exportable_; }
  /// CL_SEMAPHORE_PAYLOAD_KHR: whether a signal has ended whose wait has not.
  bool isSignaled();

  /// The event that a wait comes after which is being enqueued to the command-queue: the signal without a wait, or an
  /// event that a later signal ends.
  core::Ref<Event> pairWait(Queue& queue);
  /// The event of a signal that has been enqueued.
  void pairSignal(Event& signal);

  /// A command of it has ended without an error.
  void ended(bool bySignal);

private:
  friend class core::ApiObject<Semaphore, _cl_semaphore_khr>;
  /// No signal can come any more: waits that have none end with an error.
  void onLastRelease() noexcept;

  core::Ref<core::Context> context_;
  std::vector<core::Ref<core::Device>> devices_;
  std::vector<cl_ulong> propertiesArray_;
  std::shared_ptr<const ExternalPayload> external_;
  bool exportable_;
  std::mutex mutex_;  ///< guards what follows
  bool signaled_ = false;
  core::RefPtr<Event> signal_;                ///< the signal that no wait is paired with
  std::deque<core::RefPtr<Event>> unpaired_;  ///< waits without a signal, in their order: not submitted yet
};

}  // namespace clarity::sched
