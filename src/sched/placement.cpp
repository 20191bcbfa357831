// SPDX-License-Identifier: Apache-2.0
// This file moves content between the places of a context.
#include "sched/placement.h"

#include "core/error.h"
#include "sched/queue.h"

#include <exception>
#include <new>
#include <utility>

namespace clarity::sched {
namespace {

using core::Access;
using core::Memory;
using core::MemoryUse;
using core::Residency;

constexpr Residency::Place host = Residency::host;

/// The range in the root.
Residency::Interval rangeOf(const MemoryUse& use) {
  const std::size_t begin = use.memory->origin() + use.offset;
  return {begin, begin + use.bytes};
}

/// Calls with each location of the operation that is in a memory object, in the order of Command::memory.
template <class Visit>
void forEachLocation(device::Operation& operation, const Visit& visit) {
  // One of the two ends of a transfer, host memory, has an address from the beginning.
  const auto ends = [&](auto& transfer) {
    if (!transfer.to.host) visit(transfer.to);
    if (!transfer.from.host) visit(transfer.from);
  };
  if (auto* const launch = std::get_if<device::Launch>(&operation)) {
    for (device::BufferArgument& buffer : launch->buffers) visit(buffer.memory);
  } else if (auto* const sequence = std::get_if<device::Sequence>(&operation)) {
    for (device::Launch& each : sequence->launches)
      for (device::BufferArgument& buffer : each.buffers) visit(buffer.memory);
  } else if (auto* const copy = std::get_if<device::Copy>(&operation)) {
    ends(*copy);
  } else if (auto* const rect = std::get_if<device::RectCopy>(&operation)) {
    ends(*rect);
  } else if (auto* const fill = std::get_if<device::Fill>(&operation)) {
    visit(fill->to);
  } else if (auto* const function = std::get_if<device::HostFunction>(&operation)) {
    for (device::HostFunction::Pointer& pointer : function->pointers) visit(pointer.memory);
  } else if (auto* const move = std::get_if<device::Move>(&operation)) {
    for (device::Move::Part& part : move->parts) visit(part.memory);
  }
}

bool isTransfer(const Command& command) {
  return command.operation && (std::holds_alternative<device::Copy>(*command.operation) ||
                               std::holds_alternative<device::RectCopy>(*command.operation));
}

/// Runs a step; what it throws becomes a result.
template <class Step>
device::Result guarded(const Step& step) noexcept {
  try {
    try {
      step();
      return {};
    } catch (const core::Error& error) {
      return {error.code(), error.text()};
    }
  } catch (...) {
    return {CL_OUT_OF_HOST_MEMORY, {}};
  }
}

}  // namespace

void Placement::allocateFor(const Command& command, const Queue& queue) {
  const Place place = command.where == Where::Host ? host : queue.context().placeOf(queue.device());
  for (const MemoryUse& use : command.memory)
    if (command.where != Where::Nowhere && !(isTransfer(command) && use.access == Access::Read))
      use.memory->at(0, place);
}

Placement::Placement(Event& event, const Uses& uses)
    : event_(event), devicePlace_(event.context().placeOf(event.queue()->device())), uses_(uses) {}

Placement::Uses Placement::usesOf(Event& event) {
  Uses uses;
  for (const MemoryUse& use : event.command_->memory)
    uses.push_back({&use.memory->root(), placeOf(event, use), rangeOf(use), use.access});
  return uses;
}

/// Decided once: what the command waited for has ended, so content stays where it is until the command has ended too.
Placement::Place Placement::placeOf(const Event& event, const MemoryUse& use) {
  const Command& command = *event.command_;
  if (command.where == Where::Host) return host;
  const Place onDevice = event.context().placeOf(event.queue()->device());
  // A transfer reads where the content is, or in the host's memory if a part of it is elsewhere.
  const Residency* const residency = use.memory->residency();
  if (!isTransfer(command) || use.access != Access::Read || !residency || !residency->lacks(onDevice, rangeOf(use)))
    return onDevice;
  const auto* const copy = std::get_if<device::Copy>(&*command.operation);
  if (!copy || copy->to.host) return host;
  // A place that is gone is asked no more for what is elsewhere too.
  Residency& record = *use.memory->root().residency();
  auto peer = record.peerWith(onDevice, rangeOf(use));
  while (peer && event.context().isGone(*peer) && record.doWithout(*peer, rangeOf(use)))
    peer = record.peerWith(onDevice, rangeOf(use));
  return peer.value_or(host);
}

bool Placement::begin(Event& event) {
  bool ready = true;
  device::Result result = guarded([&] {
    const Uses uses = usesOf(event);
    for (const Use& use : uses)
      ready = ready && (!use.root->residency() ||
                        use.root->residency()->isPrepared(use.place, use.range, use.access != Access::Overwrite));
    if (!ready) {
      auto* const placement = new Placement(event, uses);
      ready = placement->prepareAll();
      if (ready) delete placement;  // otherwise it deletes itself, and may have done so already
    }
    if (ready) resolve(event, uses);
  });
  if (!result) event.placed(std::move(result));
  return result && ready;
}

bool Placement::prepareAll() noexcept {
  // One more than there is to wait for, so that this round ends before the next one begins.
  pending_.store(1, std::memory_order_relaxed);
  const std::size_t first = transfers_.size();
  bool complete = true;
  for (const Use& use : uses_)
    if (use.root->residency()) complete = prepare(use) && complete;  // else it is shared by address
  if (complete) return true;
  for (std::size_t i = first, last = transfers_.size(); i < last; ++i) start(transfers_[i]);
  endOne();
  return false;
}

bool Placement::prepare(const Use& use) noexcept {
  Residency& residency = *use.root->residency();
  std::vector<Residency::Transfer> wanted;
  std::size_t added = 0;
  bool prepared = true;
  pending_.fetch_add(1, std::memory_order_relaxed);
  device::Result result = guarded([&] {
    prepared = residency.prepare(use.place, use.range, use.access != Access::Overwrite, wanted, *this);
    for (; added < wanted.size(); ++added) addTransfer(*use.root, wanted[added]);
  });
  if (prepared) pending_.fetch_sub(1, std::memory_order_relaxed);
  if (result) return prepared;
  failed(std::move(result));
  // They have begun for all others.
  for (; added < wanted.size(); ++added) residency.ended(wanted[added], false);
  return false;
}

void Placement::addTransfer(Memory& root, const Residency::Transfer& what) {
  Transfer& transfer = transfers_.emplace_back();
  transfer.owner = this;
  transfer.root = &root;
  transfer.what = what;
  pending_.fetch_add(1, std::memory_order_relaxed);
}

void Placement::failed(device::Result result) noexcept {
  const std::lock_guard lock(mutex_);
  if (failure_) failure_ = std::move(result);
}

void Placement::start(Transfer& transfer) {
  const auto [id, from, to, range] = transfer.what;
  // Memory of the host, that of devices which use the same too, is the host's for the device that copies.
  const auto end = [&](Place place) {
    const device::Location location = transfer.root->at(range.begin, place);
    return place == host ? device::Location::inHost(location.hostAddress()) : location;
  };
  std::vector<core::RefPtr<Event>> earlier;
  std::vector<device::Submission*> after;
  device::Result result = guarded([&] {
    transfer.copy = device::Copy{.to = end(to), .from = end(from), .bytes = range.size()};
    transfer.operation = &transfer.copy;
    const Place place = to == host ? from : to;
    const core::Device& itsOwn = event_->queue()->device();
    transfer.stream = &(place == devicePlace_ ? itsOwn : event_->context().deviceAt(place)).transfers();
    if (place != devicePlace_) return;
    // On a device that orders operations, those that this event comes after may still be writing what is transferred.
    const std::lock_guard lock(event_->mutex_);
    for (const core::RefPtr<Event>& each : earlier = event_->after_) after.push_back(each.get());
  });
  if (!result) return transfer.complete(std::move(result), {});
  transfer.stream->submit(transfer, device::Start::AtOnce, after);
}

void Placement::Transfer::complete(device::Result result, const device::Times&) noexcept {
  const bool succeeded{result};
  // The next round brings content from elsewhere if this cannot be had and that can.
  const bool isElsewhere =
      !succeeded && owner->event_->context().isGone(what.from) && root->residency()->doWithout(what.from, what.range);
  if (!succeeded && !isElsewhere) owner->failed(std::move(result));
  done.store(true, std::memory_order_release);
  root->residency()->ended(what, succeeded);
  owner->endOne();  // which may delete the owner and this
}

void Placement::endOne() {
  if (pending_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  // All that this waited for has ended, so no other thread uses it any more.
  bool ready = false;
  device::Result result = std::move(failure_);
  if (result)
    result = guarded([&] {
      ready = prepareAll();
      if (ready) resolve(*event_, uses_);
    });
  if (result && !ready) return;
  const core::Ref<Event> event = event_;
  delete this;
  event->placed(std::move(result));
}

void Placement::resolve(Event& event, const Uses& uses) {
  Command& command = *event.command_;
  const Place onDevice = event.context().placeOf(event.queue()->device());
  std::size_t i = 0;
  if (command.operation)
    forEachLocation(*command.operation, [&](device::Location& location) {
      const Use& use = uses[i++];
      if (!use.root->residency()) {  // shared by address: it has its allocation already
        if (use.place != onDevice) location = device::Location::inHost(location.hostAddress());
        return;
      }
      // The location has its offset from the start of the root already.
      const device::Location first = use.root->at(location.offset, use.place);
      location = use.place == host && onDevice != host ? device::Location::inHost(first.hostAddress()) : first;
    });
  for (std::size_t u = 0; u < uses.size(); ++u) {
    const Use& use = uses[u];
    if (!use.root->residency()) continue;
    if (const core::Rectangle* const inObject = command.memory[u].rows.get()) {
      core::Rectangle rows = *inObject;
      rows.begin += command.memory[u].memory->origin();
      use.root->residency()->rowsWritten(use.place, rows);
    } else if (use.access != Access::Read) {
      use.root->residency()->written(use.place, use.range);
    }
  }
}

}  // namespace clarity::sched
