// SPDX-License-Identifier: Apache-2.0
// This file creates commands.
#include "sched/command.h"

#include "core/observation.h"
#include "support/command_buffer_types.h"
#include "support/spin_lock.h"

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <exception>
#include <mutex>
#include <new>
#include <utility>

namespace clarity::sched {
namespace {

struct CommandName {
  cl_command_type type;
  const char* name;
};

constexpr CommandName commandNames[] = {
#define API_COMMAND(name, parameters, command, accesses) {command, #name},
#define API_COMMAND_BY_NAME(name, parameters, command, accesses) API_COMMAND(name, parameters, command, accesses)
#include "support/api.def"
};

/// Blocks of the size of a command, for the commands to come.
class SpareBlocks {
public:
  /// Null if there is none.
  void* take() noexcept {
    const std::lock_guard lock(lock_);
    Block* const block = first_;
    if (!block) return nullptr;
    first_ = block->next;
    --count_;
    return block;
  }
  /// False: there are enough.
  bool keep(void* memory) noexcept {
    const std::lock_guard lock(lock_);
    if (count_ == most) return false;
    first_ = new (memory) Block{first_};
    ++count_;
    return true;
  }

private:
  struct Block {
    Block* next;
  };
#if defined(__has_feature) && __has_feature(address_sanitizer)
  static constexpr std::size_t most = 0;  // so that uses of commands that have ended are found
#else
  static constexpr std::size_t most = 512;  // some hundred KiB
#endif
  support::SpinLock lock_;
  Block* first_ = nullptr;
  std::size_t count_ = 0;
};
constinit SpareBlocks spareBlocks;

}  // namespace

void* Command::operator new(std::size_t bytes) {
  if (void* const memory = spareBlocks.take()) [[likely]]
    return memory;
  return ::operator new(bytes);
}

void Command::operator delete(void* memory) noexcept {
  if (!spareBlocks.keep(memory)) ::operator delete(memory);
}

std::string commandName(cl_command_type type) {
  for (const CommandName& each : commandNames)
    if (each.type == type) return each.name;
  return fmt::format("command {:#x}", type);
}

std::unique_ptr<Command> Command::order(cl_command_type type, Where where, core::MemoryUses&& memory) {
  auto command = std::make_unique<Command>(type, where);
  command->memory = std::move(memory);
  return command;
}

std::unique_ptr<Command> Command::launch(cl_command_type type, core::Kernel& kernel, core::Device& device) {
  auto command = std::make_unique<Command>(type);
  command->kernel = RefPtr<core::Kernel>(&kernel);
  // With an argument, because without one the whole object would be zeroed first.
  command->operation.emplace(std::in_place_type<device::Launch>, static_cast<device::Executable*>(nullptr));
  kernel.freeze(device, command->launch(), command->memory);
  command->launch().observer = core::observer();
  if (command->launch().observer) command->launch().command = core::observedCommand();
  return command;
}

void Command::prepareAhead(device::Runs runs) const noexcept {
  if (!operation) return;
  try {
    if (const auto* const launch = std::get_if<device::Launch>(&*operation))
      launch->executable->prepareAhead(*launch, runs);
    else if (const auto* const sequence = std::get_if<device::Sequence>(&*operation))
      for (const device::Launch& each : sequence->launches) each.executable->prepareAhead(each, runs);
  } catch (const std::exception&) {
    // It is compiled when it runs.
  }
}

}  // namespace clarity::sched
