// SPDX-License-Identifier: Apache-2.0
// This file moves the content of memory objects to where a command needs it, in contexts of several places.
#pragma once

#include "core/memory.h"
#include "core/residency.h"
#include "device/stream.h"
#include "sched/command.h"
#include "sched/event.h"
#include "support/inline_vector.h"

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

namespace clarity::sched {

/// The way of one event from ready to submitted: prepares the parts of buffers that its command uses
/// (core/residency.h), runs the transfers that this needs and waits for those of others, in rounds, until nothing is
/// missing. Then it records what the command writes, fills in the allocations of the operation and lets the event go
/// on. No thread waits: every round runs where the last transfer of the one before it ended.
class Placement final : core::Residency::Waiter {
public:
  /// Allocates what a command will need where it will most likely need it, so that the call that enqueues it reports
  /// that there is no memory: CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static void allocateFor(const Command& command, const Queue& queue);

  /// True: content is where the command needs it, and the event may go on at once. False: Event::placed() is called
  /// later, or was called with an error.
  static bool begin(Event& event);

private:
  using Place = core::Residency::Place;

  /// A part of a root buffer in a place.
  struct Use {
    core::Memory* root;
    Place place;
    core::Residency::Interval range;
    core::Access access;
  };
  /// A transfer that has begun.
  struct Transfer final : device::Submission {
    Placement* owner = nullptr;
    core::Memory* root = nullptr;
    core::Residency::Transfer what;
    device::Operation copy;
    device::Stream* stream = nullptr;
    std::atomic<bool> done{false};

    void started() noexcept override {}
    void complete(device::Result result, const device::Times&) noexcept override;
    bool ended() const noexcept override { return done.load(std::memory_order_acquire); }
  };

  using Uses = support::InlineVector<Use, 8>;  ///< in the order of Command::memory

  static Uses usesOf(Event& event);
  static Place placeOf(const Event& event, const core::MemoryUse& use);
  /// Records what the command writes and fills in the operation's allocations.
  static void resolve(Event& event, const Uses& uses);

  Placement(Event& event, const Uses& uses);
  /// Prepares all uses and starts transfers. True when nothing is missing; otherwise the last endOne() goes on. Lack of
  /// memory becomes failure_: others may wait already for transfers that this has begun.
  bool prepareAll() noexcept;
  /// Prepares one; false if it has to be waited for, or after a failure.
  bool prepare(const Use& use) noexcept;
  void addTransfer(core::Memory& root, const core::Residency::Transfer& what);
  void failed(device::Result result) noexcept;
  void start(Transfer& transfer);
  void transferEnded() noexcept override { endOne(); }
  /// One thing less to wait for; with the last one the next round begins.
  void endOne();
  core::Ref<Event> event_;
  Place devicePlace_;
  Uses uses_;
  std::deque<Transfer> transfers_;
  std::atomic<std::size_t> pending_{0};
  std::mutex mutex_;  ///< guards failure_
  device::Result failure_;
};

}  // namespace clarity::sched
