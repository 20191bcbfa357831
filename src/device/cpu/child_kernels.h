// SPDX-License-Identifier: Apache-2.0
// This file is the kernels that a launch enqueues by itself (OpenCL 3.0, section 3.2.3; OpenCL C 3.0, 6.15.18): blocks
// and markers, their events, and how they run when their parent has ended.
#pragma once

#include "device/device_queue.h"
#include "device/executable.h"
#include "device/host/workers.h"
#include "device/result.h"
#include "support/enqueue_hooks.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace clarity::device::cpu {

/// Events that a launch of the host and what it enqueues may have at a time: its memory is bounded.
inline constexpr std::uint32_t mostEnqueuedEvents = 1u << 20;

/// All that one launch of the host enqueues, directly and through what it has enqueued.
///
/// A kernel that is enqueued begins when its parent has ended: all flags allow that, none promises more. Then those
/// that wait for no event are *ready*. Ready kernels run on the workers of the device: several small ones at a time,
/// large ones one after the other, each on all workers. Those of the kernel that has ended last come first, so that
/// trees of kernels keep short queues. No thread waits for an event, and no stack grows with the depth of a tree.
class ChildKernels {
public:
  /// Runs a launch to its end.
  using RunLaunch = std::function<Result(const Launch&, host::Workers&)>;
  /// Has the code of a launch to come compiled on another thread.
  using PrepareAhead = std::function<void(const Launch&)>;
  /// A kernel that runs or will run, or a marker.
  struct Command;

  /// `root`: the launch that the host has enqueued, which outlives this. `kernels`: those of its compiled program.
  ChildKernels(const Launch& root, std::span<const compiler::KernelInfo> kernels, host::Workers&, RunLaunch,
               PrepareAhead);
  ~ChildKernels();
  ChildKernels(const ChildKernels&) = delete;
  ChildKernels& operator=(const ChildKernels&) = delete;

  /// Launch::parent of the root.
  void* root();
  /// After the root has ended with this result: runs all that it has enqueued. The result is the first failure.
  Result finish(Result ofRoot);

  // Hooks of kernels (support/enqueue_hooks.h), on any thread. Results are those of OpenCL C; pointers are the
  // kernel's, so that reading from or writing to them may fault: nothing is locked or allocated then.
  std::int32_t enqueue(Command& parent, const EnqueueRequest&);
  std::int32_t enqueueMarker(Command& parent, std::uint64_t queue, std::uint32_t count, const std::uint64_t* waits,
                             std::uint64_t* event);
  std::uint64_t defaultQueue() const;
  std::uint64_t createEvent();
  void retainEvent(std::uint64_t event);
  void releaseEvent(std::uint64_t event);
  bool isEvent(std::uint64_t event);
  void setEvent(std::uint64_t event, std::int32_t status);
  void profileEvent(std::uint64_t event, std::int32_t name, std::uint64_t* value);
  std::uint32_t factOf(std::uint32_t block, BlockFact, const EnqueueRange*) const;

private:
  struct Event;

  /// A wait list in memory of its own.
  using Waits = std::vector<std::uint64_t>;

  bool saysWhyNot(const Command& parent) const;
  const compiler::KernelInfo* blockOf(std::uint32_t number) const;
  /// The index space of a request; false if it is none.
  bool rangeOf(const EnqueueRange&, const compiler::KernelInfo& block, NDRange& range) const;
  /// The launch of a request but for its kernel and its literal.
  std::int32_t launchOf(const EnqueueRange&, std::span<const std::size_t> localSizes, Launch& launch) const;

  /// The first time that a block is enqueued: its code is compiled while its parent runs.
  void prepareOnce(const Launch&, std::uint32_t block);

  // With mutex_ locked.
  /// Adds a command behind its events; `event` gets the number of its own unless it is null.
  std::int32_t add(Command& parent, std::unique_ptr<Command> command, DeviceQueue& queue, const Waits& waits,
                   std::uint64_t* event);
  Event* find(std::uint64_t event);
  std::uint64_t addEvent(bool isUser);
  /// Something that a command waits for has ended.
  void endWait(Command&);
  /// The command itself has ended, not yet what it has enqueued.
  void ended(Command&, Result);
  /// The same of markers that wait for nothing more.
  void endMarkers();
  void completeIfAll(Command*);
  void complete(std::uint64_t number, Event&, std::int32_t status);
  void dropUnused(std::uint64_t number);
  /// All that is left waits for events that nothing sets.
  void giveUp();

  /// Runs a ready command, without the lock.
  void run(Command&, host::Workers&);
  Command* takeReady(bool small);

  const Launch& rootLaunch_;
  const std::span<const compiler::KernelInfo> kernels_;
  host::Workers& workers_;
  host::Workers one_{1};
  const RunLaunch runLaunch_;
  const PrepareAhead prepareAhead_;
  std::vector<std::atomic<bool>> isPrepared_;  ///< by the number of a block
  const LaunchQueues none_;
  const LaunchQueues& queues_;

  std::mutex mutex_;  ///< guards what follows
  std::unique_ptr<Command> root_;
  std::vector<std::unique_ptr<Command>> all_;  ///< all others, until they are complete
  std::vector<Command*> ready_;                ///< a stack
  std::vector<Command*> endedMarkers_;
  std::unordered_map<std::uint64_t, Event> events_;
  Result result_;
};

}  // namespace clarity::device::cpu
