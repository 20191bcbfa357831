// SPDX-License-Identifier: Apache-2.0
// This file orders the commands of a command-queue.
#include "sched/queue.h"

#include "core/error.h"
#include "sched/placement.h"

#include <mutex>
#include <ranges>
#include <unordered_set>
#include <utility>
#include <variant>

namespace clarity::sched {
namespace {

/// The command-queues that there are, those on their way to destruction too. Never destroyed: applications release
/// command-queues from their own static destructors.
struct AllQueues {
  std::mutex mutex;
  std::unordered_set<Queue*> queues;
};

AllQueues& allQueues() {
  static AllQueues* const all = new AllQueues;
  return *all;
}

}  // namespace

device::CommandOutcome* outcomeFor(const Command& command) noexcept {
  device::CommandListener* const listener = device::commandListener.load(std::memory_order_acquire);
  if (!listener) return nullptr;
  return listener(command.operation ? std::get_if<device::Launch>(&*command.operation) : nullptr);
}

Queue::Queue(core::Context& context, core::Device& device, cl_command_queue_properties properties,
             std::vector<cl_queue_properties> propertiesArray)
    : context_(context),
      device_(device),
      properties_(properties),
      propertiesArray_(std::move(propertiesArray)),
      ordersOperations_(device.properties().ordersOperations),
      hasTimes_(isProfiled() || device::commandListener.load(std::memory_order_relaxed)),
      stream_(device.backend().createStream({.outOfOrder = isOutOfOrder(), .profiled = hasTimes_})) {
  if (device::Result made = stream_->made(); !made) throw core::Error(made.code, std::move(made.text));
  const std::lock_guard lock(allQueues().mutex);
  allQueues().queues.insert(this);
}

Queue::Queue(core::Context& context, core::Device& device, cl_command_queue_properties properties,
             std::vector<cl_queue_properties> propertiesArray, cl_uint bytes)
    : context_(context),
      device_(device),
      properties_(properties),
      propertiesArray_(std::move(propertiesArray)),
      bytes_(bytes) {
  context.onDeviceQueues().add(handle(), device, std::make_shared<device::DeviceQueue>(bytes));
}

Queue::~Queue() {
  if (isOnDevice()) {
    context_->onDeviceQueues().remove(handle());
    return;
  }
  const std::lock_guard lock(allQueues().mutex);
  allQueues().queues.erase(this);
}

void Queue::finishAll(core::Context& context) {
  std::vector<RefPtr<Queue>> found;
  {
    const std::lock_guard lock(allQueues().mutex);
    for (Queue* const queue : allQueues().queues)
      if (&queue->context() == &context && queue->tryRetainInternal()) found.push_back(RefPtr<Queue>::adopt(queue));
  }
  for (const RefPtr<Queue>& queue : found) queue->finish();
}

RefPtr<Event> Queue::make(std::unique_ptr<Command> command, Event::Seen seen) {
  if (!context_->sharesOneMemory()) Placement::allocateFor(*command, *this);
  device::CommandOutcome* const outcome = hasTimes_ ? outcomeFor(*command) : nullptr;
  auto* const event = new Event(*this, std::move(command), seen, outcome);
  return seen == Event::Seen::Yes ? RefPtr<Event>(event) : RefPtr<Event>::adopt(event);
}

Event& Queue::enqueue(std::unique_ptr<Command> command, std::span<const Ref<Event>> waitList, Order order) {
  RefPtr<Event> made = make(std::move(command), Event::Seen::Yes);
  Event& event = *made;
  try {
    enqueue(std::move(made), waitList, order);
  } catch (...) {
    event.release();
    throw;
  }
  return event;
}

void Queue::enqueue(RefPtr<Event> event, std::span<const Ref<Event>> waitList, Order order) {
  // If this fails, the events that it already depends on drop it when they end.
  for (const Ref<Event>& earlier : waitList) event->dependOn(earlier, Edge::Result);
  arrange(*event, order);
  Event::submit(std::move(event));
}

void Queue::arrange(Event& event, Order order) {
  RefPtr<Event> before;  // released after the lock
  const std::lock_guard lock(mutex_);
  // Steps that may fail for want of memory come first: an event that others come after will end.
  orderNormally(event);
  if (isOutOfOrder() && (order == Order::AfterAll || order == Order::FullBarrier))
    for (Event* earlier = oldest_; earlier; earlier = earlier->nextInQueue_) event.dependOn(*earlier, Edge::Order);
  before = append(event);
  if (isOutOfOrder() && (order == Order::Barrier || order == Order::FullBarrier))
    before = std::exchange(barrier_, RefPtr<Event>(&event));
}

void Queue::orderNormally(Event& event) {
  if (Event* const before = isOutOfOrder() ? barrier_.get() : last_.get()) event.dependOn(*before, Edge::Order);
}

RefPtr<Event> Queue::append(Event& event) noexcept {
  if (!isOutOfOrder()) return std::exchange(last_, RefPtr<Event>(&event));
  event.retainInternal();
  event.previousInQueue_ = newest_;
  (newest_ ? newest_->nextInQueue_ : oldest_) = &event;
  newest_ = &event;
  return nullptr;
}

std::vector<Ref<Event>> Queue::unfinished() const {
  std::vector<Ref<Event>> events;
  for (Event* event = oldest_; event; event = event->nextInQueue_) events.emplace_back(*event);
  return events;
}

void Queue::commandEnded(Event& event) {
  RefPtr<Event> dropped;  // released after the lock
  const std::lock_guard lock(mutex_);
  if (!isOutOfOrder()) {
    if (last_.get() == &event) std::swap(dropped, last_);
    return;
  }
  if (barrier_.get() == &event) std::swap(dropped, barrier_);
  (event.previousInQueue_ ? event.previousInQueue_->nextInQueue_ : oldest_) = event.nextInQueue_;
  (event.nextInQueue_ ? event.nextInQueue_->previousInQueue_ : newest_) = event.previousInQueue_;
  event.releaseInternal();  // not the last one: the caller holds another
}

std::string Queue::failureText() const {
  const std::lock_guard lock(mutex_);
  return failureText_;
}

void Queue::commandFailed(cl_int code, const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    failureText_ = text;
  }
  failure_.store(code, std::memory_order_relaxed);
}

void Queue::finish() {
  RefPtr<Event> last;
  std::vector<Ref<Event>> all;
  {
    const std::lock_guard lock(mutex_);
    last = last_;
    if (isOutOfOrder()) all = unfinished();
  }
  if (last) last->wait();
  // The last one first: while it waits, this thread executes those before it, and wakes no other thread for them.
  for (const Ref<Event>& event : std::views::reverse(all)) event->wait();
}

}  // namespace clarity::sched
