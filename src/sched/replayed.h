// SPDX-License-Identifier: Apache-2.0
// This file enqueues the commands of a graph as events, one for each command.
#pragma once

#include "sched/command_buffer.h"
#include "sched/event.h"
#include "sched/queue.h"

#include <memory>
#include <span>
#include <vector>

namespace clarity::sched {

/// The events of one execution of a graph: one that waits for what comes before, one for each command, and one at the
/// end, which is the application's. Only the end is in a command-queue: the first one waits for what is before it in
/// all command-queues, and what is enqueued later comes after the end, in further command-queues after a marker that
/// does.
class Replayed {
public:
  /// Enqueues; returns the end, whose application's reference is the caller's.
  static Event& enqueue(const Graph& graph, std::span<const Ref<Queue>> queues, std::span<const Ref<Event>> waitList);

private:
  Replayed(std::span<const Ref<Queue>> queues) : queues_(queues) {}
  ~Replayed();
  Event& make(Queue& queue, std::unique_ptr<Command> command, bool inQueue);
  void make(const Graph& graph, std::span<const Ref<Event>> waitList);
  void arrange();

  std::span<const Ref<Queue>> queues_;
  std::vector<Event*> events_;  ///< all, in an order in which none comes after a later one; with their references
  bool submitted_ = false;
  Event* begin_ = nullptr;
  Event* end_ = nullptr;
  std::vector<Event*> last_;  ///< each command-queue's last event
};

}  // namespace clarity::sched
