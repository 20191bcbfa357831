// SPDX-License-Identifier: Apache-2.0
// This file is the command: what was enqueued, as data.
#pragma once

#include "core/kernel.h"
#include "core/memory.h"
#include "core/ref.h"
#include "device/stream.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clarity::sched {

class Semaphore;

using core::Ref;
using core::RefPtr;

/// "clEnqueueReadBuffer" for CL_COMMAND_READ_BUFFER: the call that enqueues such commands, for texts.
std::string commandName(cl_command_type type);

/// The place in which a command uses its memory objects, for contexts in which content is moved (sched/placement.h).
enum class Where : std::uint8_t {
  Nowhere,  ///< it only keeps them: a marker, a launch of no work-items
  Device,   ///< in the memory of its command-queue's device
  Host,     ///< in memory that the host accesses: it maps, unmaps or migrates to the host
};

/// A command with everything that it needs; nothing is left to check. Commands without an operation (markers, barriers,
/// migrations, maps and unmaps) are complete when what they wait for is and content is where they want it.
struct Command {
  explicit Command(cl_command_type itsType, Where itsPlace = Where::Device) : type(itsType), where(itsPlace) {}
  /// In the memory of a command that has ended, if there is one: malloc takes longer for blocks of this size.
  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory) noexcept;

  cl_command_type type;
  std::optional<device::Operation> operation;
  /// In the order in which the operation names memory: Launch::buffers; `to` and `from` of a transfer as far as they
  /// are memory objects; HostFunction::pointers. Behind these, what a kernel reaches beside its arguments.
  core::MemoryUses memory;
  Where where;
  RefPtr<core::Kernel> kernel;                                    ///< the kernel of a launch
  std::shared_ptr<const std::vector<Ref<Semaphore>>> semaphores;  ///< that it signals or waits for
  std::shared_ptr<const void> keeps;                              ///< a replay's: what its operations use

  /// A command without operation.
  static std::unique_ptr<Command> order(cl_command_type type, Where where = Where::Nowhere,
                                        core::MemoryUses&& memory = {});
  /// A transfer, a fill or a host function.
  template <class Operation>
  static std::unique_ptr<Command> of(cl_command_type type, Operation operation, core::MemoryUses&& memory) {
    auto command = order(type, Where::Device, std::move(memory));
    command->operation.emplace(std::in_place_type<Operation>, std::move(operation));
    return command;
  }
  /// A launch of the kernel with its arguments as they are now; its NDRange is still to be set. Errors of
  /// Kernel::freeze().
  static std::unique_ptr<Command> launch(cl_command_type type, core::Kernel& kernel, core::Device& device);

  /// The launch of a command from launch().
  device::Launch& launch() { return std::get<device::Launch>(*operation); }

  /// Compiles for a launch while it waits for others, if its device does that. Returns at once.
  void prepareAhead(device::Runs) const noexcept;
};

}  // namespace clarity::sched
