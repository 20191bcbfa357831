// SPDX-License-Identifier: Apache-2.0
// This file records commands, makes their graph and enqueues it.
#include "sched/command_buffer.h"

#include "core/error.h"
#include "sched/replayed.h"

#include <algorithm>
#include <utility>

namespace clarity::sched {
CommandBuffer::CommandBuffer(std::vector<Ref<Queue>> queues, cl_bitfield flags, cl_bitfield asserts,
                             std::vector<cl_ulong> propertiesArray)
    : queues_(std::move(queues)),
      flags_(flags),
      asserts_(asserts),
      propertiesArray_(std::move(propertiesArray)),
      lastOf_(queues_.size()) {}

CommandBuffer::~CommandBuffer() {
  for (MutableCommand* const handle : handles_) {
    handle->withdraw();
    handle->release();
  }
}

CommandBuffer::State CommandBuffer::state() {
  const std::lock_guard lock(mutex_);
  if (recording_) return State::Recording;
  return isComplete() ? State::Executable : State::Finalized;
}

bool CommandBuffer::isComplete() const {
  return std::ranges::all_of(commands_, [](const RecordedCommand& each) { return each.command != nullptr; });
}

void CommandBuffer::requireRecordingLocked() const {
  core::failIf(!recording_, CL_INVALID_OPERATION, "the command-buffer has been finalized");
}

void CommandBuffer::requireRecording() {
  const std::lock_guard lock(mutex_);
  requireRecordingLocked();
}

void CommandBuffer::requireSyncPoints(std::span<const SyncPoint> waits) {
  const std::lock_guard lock(mutex_);
  for (const SyncPoint point : waits)
    core::failIf(point == 0 || point > commands_.size(), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
                 "sync-point {} is none of the command-buffer's, which has {} commands", point, commands_.size());
}

CommandBuffer::SyncPoint CommandBuffer::addLocked(std::shared_ptr<const Command> command, std::uint32_t queue,
                                                  std::span<const SyncPoint> waits, Order order,
                                                  std::shared_ptr<const Dispatch> launch) {
  requireRecordingLocked();
  RecordedCommand added{.command = std::move(command), .queue = queue, .after = {}, .launch = std::move(launch)};
  std::vector<std::uint32_t>& after = added.after;
  for (const SyncPoint point : waits) after.push_back(point - 1);
  // A barrier without a list waits for all commands before it.
  if (order == Order::Barrier && waits.empty())
    for (SyncPoint point = std::max<SyncPoint>(barrier_, 1); point <= commands_.size(); ++point)
      after.push_back(point - 1);
  if (barrier_) after.push_back(barrier_ - 1);
  if (!queues_[queue]->isOutOfOrder() && lastOf_[queue]) after.push_back(lastOf_[queue] - 1);
  std::ranges::sort(after);
  after.erase(std::ranges::unique(after).begin(), after.end());
  commands_.push_back(std::move(added));
  const auto point = static_cast<SyncPoint>(commands_.size());
  lastOf_[queue] = point;
  if (order == Order::Barrier) barrier_ = point;
  return point;
}

CommandBuffer::SyncPoint CommandBuffer::add(std::shared_ptr<const Command> command, std::uint32_t queue,
                                            std::span<const SyncPoint> waits, Order order,
                                            std::shared_ptr<const Dispatch> launch) {
  if (command) command->prepareAhead(device::Runs::Often);
  const std::lock_guard lock(mutex_);
  return addLocked(std::move(command), queue, waits, order, std::move(launch));
}

CommandBuffer::SyncPoint CommandBuffer::add(std::unique_ptr<MutableCommand> handle,
                                            std::shared_ptr<const Command> command, std::uint32_t queue,
                                            std::span<const SyncPoint> waits) {
  if (command) command->prepareAhead(device::Runs::Often);
  const std::lock_guard lock(mutex_);
  if (handles_.size() == handles_.capacity()) handles_.reserve(2 * handles_.size() + 1);
  handle->syncPoint_ = addLocked(std::move(command), queue, waits, Order::Normal);
  const SyncPoint point = handle->syncPoint_;
  handles_.push_back(handle.release());
  return point;
}

std::shared_ptr<const Graph> CommandBuffer::makeGraph() {
  auto graph = std::make_shared<Graph>();
  graph->commands = commands_;
  if (queues_.size() > 1 || !context().sharesOneMemory()) return graph;
  std::vector<const device::Operation*> operations;
  for (const RecordedCommand& each : commands_)
    if (each.command->operation) operations.push_back(&*each.command->operation);
  // Sync-points, barriers and the order of a command-queue lead from earlier to later commands: the order of recording
  // is one that respects them all.
  graph->recording = queues_.front()->device().backend().record(operations);
  return graph;
}

void CommandBuffer::finalize() {
  const std::lock_guard lock(mutex_);
  requireRecordingLocked();
  if (isComplete()) graph_ = makeGraph();
  recording_ = false;
}

void CommandBuffer::replace(std::vector<std::pair<SyncPoint, std::shared_ptr<const Command>>> commands) {
  for (const auto& [point, command] : commands)
    if (command) command->prepareAhead(device::Runs::Often);
  const std::lock_guard lock(mutex_);
  for (auto& [point, command] : commands) std::swap(commands_[point - 1].command, command);
  graph_ = nullptr;
}

CommandBuffer& CommandBuffer::remap(std::vector<Ref<Queue>> queues, std::span<const std::uint32_t> targets,
                                    const Remake& remake, std::span<MutableCommand* const> handles,
                                    std::vector<MutableCommand*>& copies) {
  const Ref<CommandBuffer> made(*new CommandBuffer(std::move(queues), flags_, asserts_, propertiesArray_));
  CommandBuffer& copy = made;
  copy.release();  // the application gets a reference when nothing can fail any more
  const std::lock_guard lock(mutex_);
  std::vector<MutableCommand*> handleOf(commands_.size());
  for (MutableCommand* const handle : handles_) handleOf[handle->syncPoint() - 1] = handle;
  std::vector<MutableCommand*> copyOf(commands_.size());
  copy.handles_.reserve(handles_.size());
  for (std::size_t i = 0; i < commands_.size(); ++i) {
    const RecordedCommand& recorded = commands_[i];
    const std::uint32_t target = targets[recorded.queue];
    Queue& to = copy.queues_[target];
    MutableCommand* const handle = handleOf[i];
    const Dispatch dispatch = handle ? handle->dispatch() : Dispatch{};
    RecordedCommand& remade = copy.commands_.emplace_back(recorded);
    remade.queue = target;
    remade.command = remake(queues_[recorded.queue], to, recorded, handle ? &dispatch : recorded.launch.get());
    // Commands of several command-queues that come to one in order, or of one that was out of order, are in order now.
    if (!to.isOutOfOrder() && copy.lastOf_[target]) {
      remade.after.push_back(copy.lastOf_[target] - 1);
      std::ranges::sort(remade.after);
      remade.after.erase(std::ranges::unique(remade.after).begin(), remade.after.end());
    }
    copy.lastOf_[target] = static_cast<SyncPoint>(i + 1);
    if (!handle) continue;
    copyOf[i] =
        new MutableCommand(copy, to, handle->updatable(), handle->asserts(), handle->propertiesArray(), dispatch);
    copyOf[i]->syncPoint_ = handle->syncPoint();
    copy.handles_.push_back(copyOf[i]);
  }
  copies.clear();
  for (const MutableCommand* const handle : handles) copies.push_back(copyOf[handle->syncPoint() - 1]);
  copy.recording_ = recording_;
  copy.barrier_ = barrier_;
  copy.retain();
  return copy;
}

Event& CommandBuffer::enqueue(std::span<const Ref<Queue>> queues, std::span<const Ref<Event>> waitList) {
  std::shared_ptr<const Graph> graph;
  {
    const std::lock_guard lock(mutex_);
    core::failIf(recording_, CL_INVALID_OPERATION, "the command-buffer has not been finalized");
    if (!graph_) {
      core::failIf(!isComplete(), CL_INVALID_OPERATION,
                   "a kernel of the command-buffer has arguments that are not set");
      graph_ = makeGraph();
    }
    graph = graph_;
  }
  if (!graph->recording) return Replayed::enqueue(*graph, queues, waitList);
  auto command = Command::order(CL_COMMAND_COMMAND_BUFFER_KHR);
  command->operation.emplace(std::in_place_type<device::Replay>, graph->recording);
  command->keeps = std::move(graph);
  return queues.front()->enqueue(std::move(command), waitList);
}

}  // namespace clarity::sched
