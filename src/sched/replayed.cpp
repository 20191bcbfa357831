// SPDX-License-Identifier: Apache-2.0
// This file makes and orders the events of a graph.
#include "sched/replayed.h"

#include "sched/placement.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>

namespace clarity::sched {

Replayed::~Replayed() {
  // Events that are submitted keep themselves; the others go.
  if (end_ && !submitted_) end_->begin_ = nullptr;  // as they keep each other
  for (Event* const event : events_) event->release();
}

Event& Replayed::make(Queue& queue, std::unique_ptr<Command> command, bool inQueue) {
  events_.reserve(events_.size() + 1);
  // The application's command is the end of them all.
  const bool isWhole = command->type == CL_COMMAND_COMMAND_BUFFER_KHR && queue.hasTimes();
  device::CommandOutcome* const outcome = isWhole ? outcomeFor(*command) : nullptr;
  Event& event = *new Event(queue, std::move(command), Event::Seen::Yes, outcome);
  event.inQueue_ = inQueue;
  events_.push_back(&event);
  return event;
}

void Replayed::make(const Graph& graph, std::span<const Ref<Event>> waitList) {
  events_.reserve(graph.commands.size() + queues_.size() + 1);
  begin_ = &make(queues_.front(), Command::order(CL_COMMAND_MARKER), false);
  for (const Ref<Event>& earlier : waitList) begin_->dependOn(earlier, Edge::Result);
  for (const RecordedCommand& each : graph.commands) {
    Queue& queue = queues_[each.queue];
    auto command = std::make_unique<Command>(*each.command);
    if (!queue.context().sharesOneMemory()) Placement::allocateFor(*command, queue);
    Event& event = make(queue, std::move(command), false);
    event.dependOn(*begin_, Edge::Result);
    // The first event is the begin.
    for (const std::uint32_t earlier : each.after) event.dependOn(*events_[earlier + 1], Edge::Result);
  }
  end_ = &make(queues_.front(), Command::order(CL_COMMAND_COMMAND_BUFFER_KHR), true);
  end_->begin_ = RefPtr<Event>(begin_);
  end_->times_.queued = begin_->times_.queued;
  end_->ofSeveralQueues_ = queues_.size() > 1;
  end_->dependOn(*begin_, Edge::Result);
  for (std::size_t i = 0; i < graph.commands.size(); ++i) end_->dependOn(*events_[i + 1], Edge::Part);
  last_.push_back(end_);
  for (const Ref<Queue>& queue : queues_.subspan(1)) {
    last_.push_back(&make(queue, Command::order(CL_COMMAND_MARKER), true));
    last_.back()->dependOn(*end_, Edge::Order);
  }
}

void Replayed::arrange() {
  std::vector<RefPtr<Event>> before;  // released after the locks
  before.reserve(queues_.size());
  std::vector<Queue*> all;
  for (const Ref<Queue>& queue : queues_) all.push_back(&queue.get());
  std::ranges::sort(all, std::less<>());
  all.erase(std::ranges::unique(all).begin(), all.end());
  // All at once, as two executions on the same command-queues must not each come before the other.
  std::vector<std::unique_lock<support::SpinLock>> locks;
  for (Queue* const queue : all) locks.emplace_back(queue->mutex_);
  // Steps that may fail for want of memory come first: an event that others come after will end.
  for (const Ref<Queue>& queue : queues_) queue->orderNormally(*begin_);
  // A command-queue that is in the list twice has several last events, of which each comes after the end.
  for (std::size_t i = 0; i < queues_.size(); ++i) before.push_back(queues_[i]->append(*last_[i]));
}

Event& Replayed::enqueue(const Graph& graph, std::span<const Ref<Queue>> queues, std::span<const Ref<Event>> waitList) {
  Replayed replayed(queues);
  replayed.make(graph, waitList);
  replayed.arrange();
  replayed.submitted_ = true;
  for (Event* const event : replayed.events_) event->submit();
  replayed.end_->retain();
  return *replayed.end_;
}

}  // namespace clarity::sched
