// SPDX-License-Identifier: Apache-2.0
// This file is the payload of a semaphore that other processes and APIs have a descriptor of
// (cl_khr_external_semaphore_opaque_fd), and what waits for such payloads.
#pragma once

#include "core/context.h"
#include "core/ref.h"

#include <memory>
#include <string>

namespace clarity::sched {

class Event;

/// A counter of the operating system (eventfd), which all descriptors of it share: a signal adds one, a wait takes all.
/// Thread-safe, and safe between processes.
class ExternalPayload {
public:
  /// An unsignaled one. Null if the process can have no more descriptors.
  static std::unique_ptr<ExternalPayload> create();
  /// That of a descriptor, which it owns from now on. Null and a reason in `why` if it is none of such a counter.
  static std::unique_ptr<ExternalPayload> import(int descriptor, std::string& why);
  ~ExternalPayload();
  ExternalPayload(const ExternalPayload&) = delete;
  ExternalPayload& operator=(const ExternalPayload&) = delete;

  int descriptor() const { return descriptor_; }
  /// Another descriptor of it, which the caller owns; negative if the process can have no more.
  int duplicate() const;
  void signal() const noexcept;
  /// True, and it is unsignaled from now on, if it was signaled.
  bool take() const noexcept;
  bool isSignaled() const noexcept;

private:
  explicit ExternalPayload(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

/// Submits the event once it has taken the payload; waits for one payload take it in their order. `payload` is kept
/// until then. Throws CL_OUT_OF_RESOURCES if there is no thread for it.
void submitWhenSignaled(std::shared_ptr<const ExternalPayload> payload, Event& event);

/// Submits the events of a context that still wait, without their payloads: it has been terminated.
void stopWaiting(const core::Context& context);

}  // namespace clarity::sched
