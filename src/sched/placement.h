// SPDX-License-Identifier: Apache-2.0
// This file moves the content of memory objects to where a command needs it, in contexts of several places.
#pragma once

#include "core/memory.h"
#include "device/stream.h"
#include "sched/command.h"
#include "sched/event.h"

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace clarity::sched {

/// The way of one event from ready to submitted. It enters the gates of all buffers (roots) that its command uses, so
/// that one event at a time moves the content of a buffer, and copies what is missing where the command needs it: from
/// the host to a device or back, from one device to another by way of the host. When the copies have arrived it records
/// what the command will write, fills in the allocations of the operation, leaves the gates and lets the event go on.
/// No thread waits: every step runs where the one before it ended.
class Placement final : public std::enable_shared_from_this<Placement> {
public:
  static void begin(Event& event, device::Start start);
  Placement(Event& event, device::Start start);

private:
  using Place = core::Residency::Place;
  /// A copy on its way.
  struct Transfer final : device::Submission {
    std::shared_ptr<Placement> owner;  ///< while it is on its way
    const core::Device* device = nullptr;
    device::Operation copy;
    core::Memory* root = nullptr;
    Place to = 0;
    core::ByteRange range;

    void started() noexcept override {}
    void complete(device::Result result, const device::Times&) noexcept override;
    bool ended() const noexcept override { return done.load(std::memory_order_acquire); }
    std::atomic<bool> done{false};
  };

  /// Enters the gates that are left to enter, then moves content; returns early where a gate is held by another event.
  void enterGates();
  /// Submits the copies that can be made now; when nothing is missing, ends.
  void moveContent();
  /// Adds the copies that bring a use's content nearer to its place.
  void addTransfers(const core::MemoryUse& use, Place place);
  void addTransfer(core::Memory& root, Place from, Place to, core::ByteRange range);
  /// One copy less; with the last one the next round begins.
  void settle();
  void end(device::Result result);
  /// Where a use of the command's memory is to be.
  Place placeOf(const core::MemoryUse& use) const;
  /// Fills in the operation's allocations and records what it writes.
  void resolve();

  core::Ref<Event> event_;
  device::Start start_;
  Place devicePlace_;
  std::vector<core::Memory*> roots_;  ///< in the order of their serial numbers, so that no two events wait for each other
  std::size_t entered_ = 0;           ///< of roots_
  std::deque<Transfer> transfers_;
  std::atomic<std::size_t> pending_{0};
  std::mutex mutex_;  ///< guards failure_ and the residencies while copies are on their way
  device::Result failure_;
};

}  // namespace clarity::sched
