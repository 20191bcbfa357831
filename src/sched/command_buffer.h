// SPDX-License-Identifier: Apache-2.0
// This file is the command-buffer: commands that are recorded once and enqueued again and again.
#pragma once

#include "core/context.h"
#include "core/kernel.h"
#include "core/object.h"
#include "core/ref.h"
#include "sched/command.h"
#include "sched/event.h"
#include "sched/queue.h"
#include "support/command_buffer_types.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace clarity::sched {

class MutableCommand;

/// The launch of a recorded command, as the application gave it.
struct Dispatch {
  using Sizes = std::array<std::size_t, 3>;
  RefPtr<core::Kernel> kernel;  ///< the application's
  RefPtr<core::Kernel> own;     ///< a copy with the arguments of this command
  cl_uint dims = 1;
  Sizes offset{}, global{}, local{};
  bool hasLocal = false;  ///< otherwise the device chooses the work-group size
  bool isEmpty = false;   ///< no global size was given
};

/// One command of a graph.
struct RecordedCommand {
  std::shared_ptr<const Command> command;  ///< null while arguments of its kernel are not set
  std::uint32_t queue = 0;                 ///< index of the command-queue that it was recorded to
  std::vector<std::uint32_t> after;        ///< the commands before it in the graph that it comes after
  std::shared_ptr<const Dispatch> launch;  ///< the launch of a kernel that has no MutableCommand
};

/// The commands of a command-buffer as one enqueue executes them: immutable, so that any number of executions use it at
/// the same time and while later updates make another one.
struct Graph {
  std::vector<RecordedCommand> commands;  ///< none comes after a later one
  /// All of them prepared by their device; null if they are to be executed one by one, because there are several
  /// command-queues, because content may have to be moved, or because the device has nothing to gain.
  std::shared_ptr<const device::Recording> recording;
};

/// The extension cl_khr_command_buffer (OpenCL 3.1, "Command-Buffers"). Thread-safe.
///
/// Commands are made and checked when they are recorded, by the same functions as for clEnqueue*. The graph is made
/// when the command-buffer is finalized, and after updates when it is enqueued next. A graph of one command-queue in a
/// context of one memory is a recording of the device (device/stream.h) and one operation; any other one is replayed as
/// events.
class CommandBuffer final : public core::ApiObject<CommandBuffer, _cl_command_buffer_khr> {
public:
  /// The number of a command in its command-buffer: 1 for the first.
  using SyncPoint = cl_uint;
  enum class State : std::uint8_t { Recording, Finalized, Executable };
  /// The commands that it is ordered with, apart from its sync-points.
  enum class Order : std::uint8_t { Normal, Barrier };

  /// `flags` are CL_COMMAND_BUFFER_FLAGS_KHR, `asserts` CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR and
  /// `propertiesArray` all properties as they were given, with the 0.
  CommandBuffer(std::vector<Ref<Queue>> queues, cl_bitfield flags, cl_bitfield asserts,
                std::vector<cl_ulong> propertiesArray);
  ~CommandBuffer() override;

  core::Context& context() const { return queues_.front()->context(); }
  const std::vector<Ref<Queue>>& queues() const { return queues_; }
  cl_bitfield flags() const { return flags_; }
  cl_bitfield asserts() const { return asserts_; }
  const std::vector<cl_ulong>& propertiesArray() const { return propertiesArray_; }
  State state();

  /// CL_INVALID_OPERATION if the command-buffer is not being recorded.
  void requireRecording();
  /// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR for a sync-point that no command has.
  void requireSyncPoints(std::span<const SyncPoint> waits);
  /// Adds a command that comes after those with these sync-points. CL_INVALID_OPERATION as requireRecording().
  SyncPoint add(std::shared_ptr<const Command> command, std::uint32_t queue, std::span<const SyncPoint> waits,
                Order order = Order::Normal, std::shared_ptr<const Dispatch> launch = nullptr);
  /// The same; the command can be changed through its MutableCommand, which it has from now on.
  SyncPoint add(std::unique_ptr<MutableCommand> handle, std::shared_ptr<const Command> command, std::uint32_t queue,
                std::span<const SyncPoint> waits);
  /// Ends recording and makes the graph. CL_INVALID_OPERATION as requireRecording().
  void finalize();
  /// Puts commands, given by their sync-points, in the place of others: all or none.
  void replace(std::vector<std::pair<SyncPoint, std::shared_ptr<const Command>>> commands);

  /// Enqueues the commands on these command-queues, as many as the command-buffer has, as one command. The caller owns
  /// the application's reference to its event. CL_INVALID_OPERATION if the command-buffer is not executable.
  Event& enqueue(std::span<const Ref<Queue>> queues, std::span<const Ref<Event>> waitList);

  /// Makes a command for another command-queue of one that was recorded; with what it launches if that is a kernel.
  using Remake =
      std::function<std::shared_ptr<const Command>(Queue& from, Queue& to, const RecordedCommand&, const Dispatch*)>;
  /// A copy in the same state for other command-queues; `targets` has, for each command-queue of this one, the index of
  /// the one that takes its commands. The caller owns the application's reference to the copy. `copies` become those of
  /// `handles`, commands of this one; what `remake` throws is passed on.
  CommandBuffer& remap(std::vector<Ref<Queue>> queues, std::span<const std::uint32_t> targets, const Remake& remake,
                       std::span<MutableCommand* const> handles, std::vector<MutableCommand*>& copies);

private:
  SyncPoint addLocked(std::shared_ptr<const Command> command, std::uint32_t queue, std::span<const SyncPoint> waits,
                      Order order, std::shared_ptr<const Dispatch> launch = nullptr);
  void requireRecordingLocked() const;
  bool isComplete() const;                   ///< call with mutex_ locked
  std::shared_ptr<const Graph> makeGraph();  ///< call with mutex_ locked

  std::vector<Ref<Queue>> queues_;
  cl_bitfield flags_, asserts_;
  std::vector<cl_ulong> propertiesArray_;

  std::mutex mutex_;  ///< guards what follows
  bool recording_ = true;
  std::vector<RecordedCommand> commands_;
  std::vector<MutableCommand*> handles_;  ///< with an internal count each
  std::vector<std::uint32_t> lastOf_;     ///< the sync-point of each command-queue's last command, or 0
  SyncPoint barrier_ = 0;                 ///< the last barrier's
  std::shared_ptr<const Graph> graph_;    ///< null before finalize() and after replace()
};

/// A launch in a command-buffer that the application may change (cl_khr_command_buffer_mutable_dispatch). Lives as long
/// as its command-buffer.
class MutableCommand final : public core::ApiObject<MutableCommand, _cl_mutable_command_khr> {
public:
  using Sizes = Dispatch::Sizes;

  /// `updatable` are the fields that may change, `propertiesArray` the command's properties with the 0.
  MutableCommand(CommandBuffer& buffer, Queue& queue, cl_bitfield updatable, cl_bitfield asserts,
                 std::vector<cl_ulong> propertiesArray, Dispatch dispatch)
      : buffer_(buffer),
        queue_(queue),
        updatable_(updatable),
        asserts_(asserts),
        propertiesArray_(std::move(propertiesArray)),
        dispatch_(std::move(dispatch)) {}
  ~MutableCommand() override = default;

  CommandBuffer& buffer() const { return buffer_; }
  /// The same for a thread that found it by its handle; null if the command-buffer is being destroyed.
  RefPtr<CommandBuffer> owner() const {
    if (!buffer_.tryRetainInternal()) return nullptr;
    RefPtr<CommandBuffer> owner = RefPtr<CommandBuffer>::adopt(&buffer_);
    // Another one may have taken the place of one that is gone.
    return isLive(this) ? std::move(owner) : nullptr;
  }
  core::Context& context() const { return buffer_.context(); }
  Queue& queue() const { return queue_; }
  cl_bitfield updatable() const { return updatable_; }
  cl_bitfield asserts() const { return asserts_; }
  const std::vector<cl_ulong>& propertiesArray() const { return propertiesArray_; }
  CommandBuffer::SyncPoint syncPoint() const { return syncPoint_; }
  Dispatch dispatch() {
    const std::lock_guard lock(mutex_);
    return dispatch_;
  }
  void setDispatch(Dispatch dispatch) {
    const std::lock_guard lock(mutex_);
    std::swap(dispatch_, dispatch);
  }

private:
  friend class CommandBuffer;

  CommandBuffer& buffer_;
  Queue& queue_;  ///< kept by the command-buffer
  cl_bitfield updatable_, asserts_;
  std::vector<cl_ulong> propertiesArray_;
  CommandBuffer::SyncPoint syncPoint_ = 0;
  std::mutex mutex_;  ///< guards dispatch_
  Dispatch dispatch_;
};

}  // namespace clarity::sched
