// SPDX-License-Identifier: Apache-2.0
// This file holds the entry point that copies a command-buffer to other command-queues (OpenCL 3.1, "Remapping
// Command-Buffers"; cl_khr_command_buffer_multi_device).
#include "api/commands.h"
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/record.h"
#include "api/shared_transfer.h"
#include "core/image_support.h"
#include "sched/command_buffer.h"

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace clarity::api {

using sched::Command;
using sched::CommandBuffer;
using sched::Dispatch;
using sched::MutableCommand;
using sched::Queue;

namespace {

/// Properties that the device must have for a command that launches no kernel.
void requireDevice(const Queue& queue, const Command& command) {
  if (command.type == CL_COMMAND_SVM_MEMCPY || command.type == CL_COMMAND_SVM_MEMFILL) requireShared(queue);
  for (const core::MemoryUse& use : command.memory) {
    requireAligned(queue, use.memory, "a memory object of the command-buffer");
    if (const core::ImageDescription* const image = use.memory->image()) core::requireSupport(queue.device(), *image);
  }
}

/// A command for another command-queue. Parts that both commands have alike are shared.
std::shared_ptr<const Command> remade(const Queue& from, Queue& to, const sched::RecordedCommand& recorded,
                                      const Dispatch* dispatch) {
  if (&from.device() == &to.device()) return recorded.command;
  if (dispatch) return commandOf(to, *dispatch);
  requireDevice(to, *recorded.command);
  return recorded.command;
}

/// Which of the command-queues `to` takes the commands of each of `from`, where the application leaves it to the
/// driver: one of the same device if there is one, so that content stays where it is; those of a device take turns.
std::vector<std::uint32_t> chooseTargets(const std::vector<Ref<Queue>>& from, const std::vector<Ref<Queue>>& to) {
  std::vector<std::uint32_t> targets;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t each = 0; each < to.size(); ++each)
      if (&to[each]->device() == &from[i]->device()) candidates.push_back(each);
    targets.push_back(candidates.empty() ? static_cast<std::uint32_t>(i % to.size())
                                         : candidates[i % candidates.size()]);
  }
  return targets;
}

/// Handles of the command-buffer, of which copies are wanted.
std::vector<MutableCommand*> handlesOf(const CommandBuffer& buffer, cl_uint count, const cl_mutable_command_khr* list,
                                       const cl_mutable_command_khr* results) {
  // CL_INVALID_VALUE if handles or handles_ret is NULL and num_handles is > 0, or the reverse.
  failIf((count == 0) != (list == nullptr) || (count == 0) != (results == nullptr), CL_INVALID_VALUE,
         "num_handles is {}, handles is {} and handles_ret is {}", count, static_cast<const void*>(list),
         static_cast<const void*>(results));
  std::vector<MutableCommand*> handles;
  for (cl_uint i = 0; i < count; ++i) {
    // CL_INVALID_VALUE if any handle in handles is not a valid command handle belonging to command_buffer.
    RefPtr<MutableCommand> handle = MutableCommand::fromHandle(list[i]);
    failIf(!handle || &handle->buffer() != &buffer, CL_INVALID_VALUE,
           "handles[{}], {}, is no command of the command-buffer", i, static_cast<const void*>(list[i]));
    handles.push_back(&CallScope::current().keep(std::move(handle)));
  }
  return handles;
}

}  // namespace

cl_command_buffer_khr clRemapCommandBufferKHR(cl_command_buffer_khr command_buffer, cl_bool automatic,
                                              cl_uint num_queues, const cl_command_queue* queues, cl_uint num_handles,
                                              const cl_mutable_command_khr* handles,
                                              cl_mutable_command_khr* handles_ret, cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> cl_command_buffer_khr {
    CommandBuffer& buffer = ref<CommandBuffer>(command_buffer);
    // CL_INVALID_VALUE if num_queues is 0, or if queues is NULL, or if automatic is CL_FALSE and num_queues is not
    // equal to the number of queues used on creation of command_buffer.
    failIf(num_queues == 0 || !queues, CL_INVALID_VALUE, "num_queues is {} and queues is {}", num_queues,
           static_cast<const void*>(queues));
    failIf(!automatic && num_queues != buffer.queues().size(), CL_INVALID_VALUE,
           "num_queues is {}; the command-buffer was created with {}", num_queues, buffer.queues().size());
    const std::vector<MutableCommand*> wanted = handlesOf(buffer, num_handles, handles, handles_ret);
    std::vector<Ref<Queue>> its;
    for (cl_uint i = 0; i < num_queues; ++i) {
      // CL_INVALID_COMMAND_QUEUE if any command-queue in queues is not valid.
      its.emplace_back(hostQueue(queues[i]));
      // CL_INVALID_CONTEXT if command_buffer and all the command-queues do not have the same OpenCL context.
      requireSameContext(buffer.context(), "command_buffer", its.back()->context(), "a command-queue of queues");
    }
    requireSyncOfDevices(buffer.flags(), its);
    std::vector<std::uint32_t> targets(num_queues);
    std::iota(targets.begin(), targets.end(), 0U);
    if (automatic) targets = chooseTargets(buffer.queues(), its);
    std::vector<MutableCommand*> copies;
    CommandBuffer& copy = buffer.remap(std::move(its), targets, remade, wanted, copies);
    for (cl_uint i = 0; i < num_handles; ++i) handles_ret[i] = copies[i]->handOut();
    return copy.handOut();
  });
}

}  // namespace clarity::api
