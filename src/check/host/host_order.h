// SPDX-License-Identifier: Apache-2.0
// This file is the order of the application's commands: which command comes after which other, by command-queues, wait
// lists, barriers, user events, and by what the application waits for before it enqueues the next one.
//
// All threads of the application count as one here, as nothing tells how they wait for each other: commands that only
// they order are taken as ordered.
#pragma once

#include "check/host/host_call.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace clarity::compiler {
struct KernelInfo;
}  // namespace clarity::compiler

namespace clarity::check {

/// The places of the texels of an image.
struct ImageLayout {
  std::uint64_t texelBytes = 0;  ///< 0: it is no image, or texels share bytes
  std::uint64_t rowPitch = 0, slicePitch = 0;
  bool isArrayOf1D = false;  ///< its layers are along the second dimension of a region
};

/// Functions of the driver that checks need.
struct HostServices {
  /// A reference that the application does not count.
  void (*retainEvent)(cl_event) = nullptr;
  void (*releaseEvent)(cl_event) = nullptr;
  /// The application's reference to an event that it does not want.
  void (*forgetEvent)(cl_event) = nullptr;
  cl_int (*statusOf)(cl_event) = nullptr;
  std::string (*failureOf)(cl_event) = nullptr;
  void (*endUserEvent)(cl_event, cl_int status) = nullptr;
  /// The address at which the host sees the first byte of a memory object; 0 if its memory is in several places.
  std::uint64_t (*addressOf)(cl_mem) = nullptr;
  std::uint64_t (*bytesOf)(cl_mem) = nullptr;
  ImageLayout (*layoutOf)(cl_mem) = nullptr;
  bool (*isOutOfOrder)(cl_command_queue) = nullptr;
  bool (*isOnDevice)(cl_command_queue) = nullptr;  ///< kernels enqueue to it, the application does not
  cl_device_id (*deviceOf)(cl_command_queue) = nullptr;
  const compiler::KernelInfo* (*kernelOf)(cl_kernel) = nullptr;
  std::vector<std::string> (*logsOf)(cl_program) = nullptr;  ///< logs of the compiler, one of each device
};

/// Bytes that a command accesses, by their addresses.
struct AddressRange {
  std::uint64_t begin = 0, end = 0;
};
struct MemoryAccess {
  std::uint64_t object = 0;    ///< the handle of the memory object or of that it is a part of; 0: the host's memory
  std::int32_t argument = -1;  ///< a kernel's argument: HostCommand::arguments has the object
  AccessKind kind = AccessKind::Read;
  std::vector<AddressRange> ranges{};  ///< in the order of their addresses, apart
};

struct HostCommand : std::enable_shared_from_this<HostCommand> {
  CallSite site;
  std::string words;         ///< the call with its arguments
  std::uint64_t queue = 0;   ///< 0: a user event
  std::uint64_t kernel = 0;  ///< the kernel of a launch that may be parallel to others
  bool inOrder = true;
  cl_event event = nullptr;  ///< null for calls that have none
  bool isKept = true;        ///< there is a reference to the event
  std::vector<std::shared_ptr<HostCommand>> earlier;
  std::uint64_t enqueuedAt = 0;  ///< numbers of calls
  std::uint64_t knownAt = 0;     ///< from this call on the application knows that it has ended; 0: it does not
  std::uint64_t setAt = 0;       ///< the call that set the user event; 0: none has
  cl_int status = CL_QUEUED;     ///< once it is known
  bool failureSeen = false;      ///< the application has been told of its error
  bool flushed = false;
  bool isBlocking = false;
  bool isCompared = false;                     ///< compared with others
  std::map<cl_uint, std::uint64_t> arguments;  ///< memory objects of a kernel
  std::vector<MemoryAccess> accesses;

  bool isUser() const { return queue == 0; }
  static constexpr std::uint64_t ofSeveralQueues = ~std::uint64_t{0};
  bool isOfSeveralQueues() const { return queue == ofSeveralQueues; }
};
using CommandRef = std::shared_ptr<HostCommand>;

class CommandOrder {
public:
  explicit CommandOrder(const HostServices& services) : services_(services) {}

  /// Called when the application gets to know that a command has ended.
  std::function<void(HostCommand&)> onKnown;
  /// Called for each new command.
  std::function<void(const CommandRef&, const HostCall&)> onEnqueued;

  /// Gives a command that the application wants no event of one.
  void before(HostCall& call);
  void after(const HostCall& call);
  /// A callback of the application is told that a command has ended.
  void endedInCallback(cl_event event, std::uint64_t now);

  /// The application has released a user event for the last time: it is not kept, so that its handle is not valid.
  void released(cl_event event);

  /// Drops the events of commands that have succeeded: they keep command-queues and contexts, whose end the application
  /// may wait for. Whether there are commands that have not ended.
  bool forgetEnded();

  /// The command of an event that the application may not know to have ended; null otherwise.
  CommandRef commandOf(cl_event event) const;
  CommandRef commandOf(std::uint64_t number) const;
  /// Whether the second command, which was enqueued later, begins after the first one has ended.
  bool isOrdered(const HostCommand& first, const HostCommand& second) const;
  /// Commands that the application does not know to have ended, or that may still be compared with such.
  const std::deque<CommandRef>& live() const { return live_; }
  std::vector<CommandRef> unknownOf(std::uint64_t queue) const;
  /// Whether commands may run at the same time: there are several command-queues, or one out of order.
  bool mayBeParallel() const { return queuesEver_ > 1 || anyOutOfOrder_; }
  /// The commands and all before them that the application does not know to have ended, each once.
  static std::vector<HostCommand*> withEarlier(std::vector<HostCommand*> commands);
  /// The process ends: commands that have ended count as known.
  void finish(std::uint64_t now);
  /// Events that are kept no more, to be released by the caller without its lock: destructors call the application.
  std::vector<cl_event> takeDropped() { return std::exchange(dropped_, {}); }

private:
  struct Queue {
    bool outOfOrder = false;
    CommandRef last, barrier;
    std::vector<CommandRef> open;  ///< out of order: not known, since the last barrier for all
  };

  /// HostCommand::queue of a command that is enqueued.
  std::uint64_t queueOf(const HostCall& call) const;
  void enqueue(const HostCall& call);
  void arrange(const CommandRef& command, const HostCall& call);
  void markKnown(HostCommand& command, std::uint64_t now, bool isObserved);
  void markAllKnown(std::uint64_t queue, std::uint64_t before, std::uint64_t now, bool isObserved);
  void retire();
  void drop(HostCommand& command);

  const HostServices& services_;
  std::unordered_map<std::uint64_t, Queue> queues_;
  std::unordered_map<std::uint64_t, std::uint64_t> bufferQueues_;  ///< by command-buffer
  std::unordered_map<cl_event, CommandRef> byEvent_;
  std::deque<CommandRef> live_;  ///< in the order of their calls
  std::vector<cl_event> dropped_;
  std::size_t queuesEver_ = 0;
  bool anyOutOfOrder_ = false;
};

}  // namespace clarity::check
