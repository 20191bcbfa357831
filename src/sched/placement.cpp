// SPDX-License-Identifier: Apache-2.0
// This file moves content between the places of a context.
#include "sched/placement.h"

#include "core/error.h"
#include "sched/queue.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace clarity::sched {
namespace {

using core::Access;
using core::ByteRange;
using core::Memory;
using core::MemoryUse;

constexpr core::Residency::Place host = 0;

ByteRange rangeOf(const MemoryUse& use) {
  const std::size_t begin = use.memory->origin() + use.offset;
  return {begin, begin + use.bytes};
}

/// Calls with each location of the operation that is in a memory object, in the order of Command::memory.
template <class Visit>
void forEachLocation(device::Operation& operation, const Visit& visit) {
  // Of two ends of a transfer, host memory has an address from the beginning.
  const auto ends = [&](auto& transfer) {
    if (!transfer.to.host) visit(transfer.to);
    if (!transfer.from.host) visit(transfer.from);
  };
  if (auto* const launch = std::get_if<device::Launch>(&operation)) {
    for (device::BufferArgument& buffer : launch->buffers) visit(buffer.memory);
  } else if (auto* const copy = std::get_if<device::Copy>(&operation)) {
    ends(*copy);
  } else if (auto* const rect = std::get_if<device::RectCopy>(&operation)) {
    ends(*rect);
  } else if (auto* const fill = std::get_if<device::Fill>(&operation)) {
    visit(fill->to);
  } else if (auto* const function = std::get_if<device::HostFunction>(&operation)) {
    for (device::HostFunction::Pointer& pointer : function->pointers) visit(pointer.memory);
  }
}

bool isTransfer(const Command& command) {
  return command.operation &&
         (std::holds_alternative<device::Copy>(*command.operation) || std::holds_alternative<device::RectCopy>(*command.operation));
}

/// Runs a step; what it throws becomes a result.
template <class Step>
device::Result guarded(const Step& step) {
  try {
    step();
    return {};
  } catch (const core::Error& error) {
    return {error.code(), error.text()};
  } catch (const std::bad_alloc&) {
    return {CL_OUT_OF_HOST_MEMORY, {}};
  }
}

}  // namespace

Placement::Placement(Event& event, device::Start start)
    : event_(event), start_(start), devicePlace_(event.context().placeOf(event.queue()->device())) {
  for (const MemoryUse& use : event.command_->memory) roots_.push_back(&use.memory->root());
  std::ranges::sort(roots_, {}, [](const Memory* root) { return root->serial(); });
  roots_.erase(std::ranges::unique(roots_).begin(), roots_.end());
}

void Placement::begin(Event& event, device::Start start) { std::make_shared<Placement>(event, start)->enterGates(); }

void Placement::enterGates() {
  while (entered_ < roots_.size()) {
    // Another thread may go on with this object as soon as the gate has refused it: nothing is touched afterwards.
    if (!roots_[entered_]->gate().enter([self = shared_from_this()] { self->enterGates(); })) return;
    ++entered_;
  }
  moveContent();
}

Placement::Place Placement::placeOf(const MemoryUse& use) const {
  const Command& command = *event_->command_;
  if (command.where == Where::Host) return host;
  // A transfer reads where the content is.
  const bool anywhere = isTransfer(command) && use.access == Access::Read;
  if (!anywhere) return devicePlace_;
  const core::Residency& residency = *use.memory->residency();
  return !residency.isValid(devicePlace_, rangeOf(use)) && residency.isValid(host, rangeOf(use)) ? host : devicePlace_;
}

void Placement::moveContent() {
  std::size_t first = transfers_.size();
  device::Result result = guarded([&] {
    for (const MemoryUse& use : event_->command_->memory)
      if (use.access != Access::Overwrite) addTransfers(use, placeOf(use));
    if (first == transfers_.size()) resolve();
  });
  if (!result || first == transfers_.size()) return end(std::move(result));
  const std::size_t last = transfers_.size();
  // One more until all are submitted. Afterwards another thread may go on with this object.
  pending_.store(last - first + 1, std::memory_order_relaxed);
  const std::shared_ptr<Placement> self = shared_from_this();
  for (; first < last; ++first) {
    Transfer& transfer = transfers_[first];
    transfer.owner = self;
    transfer.operation = &transfer.copy;
    transfer.device->transfers().submit(transfer, device::Start::AtOnce, {});
  }
  settle();
}

void Placement::addTransfers(const MemoryUse& use, Place place) {
  Memory& root = use.memory->root();
  for (const core::Residency::Transfer& missing : root.residency()->missing(place, rangeOf(use)))
    // From device to device by way of the host: what has arrived there goes on in the next round.
    addTransfer(root, missing.from, missing.from == host ? place : host, missing.range);
}

void Placement::addTransfer(Memory& root, Place from, Place to, ByteRange range) {
  // Several arguments may be the same buffer.
  for (const Transfer& other : transfers_)
    if (other.root == &root && other.to == to && !other.ended() && other.range == range) return;
  const device::Location target = root.at(range.begin, to), source = root.at(range.begin, from);
  const auto hostEnd = [](const device::Location& end) { return device::Location::inHost(end.hostAddress()); };
  Transfer& transfer = transfers_.emplace_back();
  transfer.device = &event_->context().deviceAt(to == host ? from : to);
  transfer.copy = device::Copy{
      .to = to == host ? hostEnd(target) : target, .from = from == host ? hostEnd(source) : source, .bytes = range.end - range.begin};
  transfer.root = &root;
  transfer.to = to;
  transfer.range = range;
}

void Placement::Transfer::complete(device::Result result, const device::Times&) noexcept {
  const std::shared_ptr<Placement> self = std::move(owner);
  {
    const std::lock_guard lock(self->mutex_);
    if (result)
      root->residency()->arrived(to, range);
    else if (self->failure_)
      self->failure_ = std::move(result);
  }
  done.store(true, std::memory_order_release);
  self->settle();
}

void Placement::settle() {
  if (pending_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (!failure_) return end(std::move(failure_));
  moveContent();
}

void Placement::resolve() {
  Command& command = *event_->command_;
  std::size_t i = 0;
  if (command.operation)
    forEachLocation(*command.operation, [&](device::Location& location) {
      MemoryUse& use = command.memory[i++];
      const Place place = placeOf(use);
      // The location has its offset from the start of the root already.
      const device::Location first = use.memory->root().at(location.offset, place);
      location = place == devicePlace_ ? first : device::Location::inHost(first.hostAddress());
    });
  for (const MemoryUse& use : command.memory)
    if (use.access != Access::Read) use.memory->residency()->written(placeOf(use), rangeOf(use));
}

void Placement::end(device::Result result) {
  // The event may end, and with it the command: what is needed afterwards is kept here.
  std::vector<core::Ref<Memory>> roots;
  for (Memory* const root : roots_) roots.emplace_back(*root);
  event_->placed(start_, std::move(result));
  for (const core::Ref<Memory>& root : roots) root->gate().leave();
}

}  // namespace clarity::sched
