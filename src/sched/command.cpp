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
    {CL_COMMAND_NDRANGE_KERNEL, "clEnqueueNDRangeKernel"},
    {CL_COMMAND_TASK, "clEnqueueTask"},
    {CL_COMMAND_NATIVE_KERNEL, "clEnqueueNativeKernel"},
    {CL_COMMAND_READ_BUFFER, "clEnqueueReadBuffer"},
    {CL_COMMAND_WRITE_BUFFER, "clEnqueueWriteBuffer"},
    {CL_COMMAND_COPY_BUFFER, "clEnqueueCopyBuffer"},
    {CL_COMMAND_READ_BUFFER_RECT, "clEnqueueReadBufferRect"},
    {CL_COMMAND_WRITE_BUFFER_RECT, "clEnqueueWriteBufferRect"},
    {CL_COMMAND_COPY_BUFFER_RECT, "clEnqueueCopyBufferRect"},
    {CL_COMMAND_FILL_BUFFER, "clEnqueueFillBuffer"},
    {CL_COMMAND_MAP_BUFFER, "clEnqueueMapBuffer"},
    {CL_COMMAND_READ_IMAGE, "clEnqueueReadImage"},
    {CL_COMMAND_WRITE_IMAGE, "clEnqueueWriteImage"},
    {CL_COMMAND_COPY_IMAGE, "clEnqueueCopyImage"},
    {CL_COMMAND_COPY_IMAGE_TO_BUFFER, "clEnqueueCopyImageToBuffer"},
    {CL_COMMAND_COPY_BUFFER_TO_IMAGE, "clEnqueueCopyBufferToImage"},
    {CL_COMMAND_FILL_IMAGE, "clEnqueueFillImage"},
    {CL_COMMAND_MAP_IMAGE, "clEnqueueMapImage"},
    {CL_COMMAND_UNMAP_MEM_OBJECT, "clEnqueueUnmapMemObject"},
    {CL_COMMAND_MIGRATE_MEM_OBJECTS, "clEnqueueMigrateMemObjects"},
    {CL_COMMAND_SVM_FREE, "clEnqueueSVMFree"},
    {CL_COMMAND_SVM_MEMCPY, "clEnqueueSVMMemcpy"},
    {CL_COMMAND_SVM_MEMFILL, "clEnqueueSVMMemFill"},
    {CL_COMMAND_SVM_MAP, "clEnqueueSVMMap"},
    {CL_COMMAND_SVM_UNMAP, "clEnqueueSVMUnmap"},
    {CL_COMMAND_SVM_MIGRATE_MEM, "clEnqueueSVMMigrateMem"},
    {CL_COMMAND_MEMFILL_INTEL, "clEnqueueMemFillINTEL"},
    {CL_COMMAND_MEMCPY_INTEL, "clEnqueueMemcpyINTEL"},
    {CL_COMMAND_MIGRATEMEM_INTEL, "clEnqueueMigrateMemINTEL"},
    {CL_COMMAND_MEMADVISE_INTEL, "clEnqueueMemAdviseINTEL"},
    {CL_COMMAND_MARKER, "clEnqueueMarkerWithWaitList"},
    {CL_COMMAND_BARRIER, "clEnqueueBarrierWithWaitList"},
    {CL_COMMAND_SEMAPHORE_WAIT_KHR, "clEnqueueWaitSemaphoresKHR"},
    {CL_COMMAND_SEMAPHORE_SIGNAL_KHR, "clEnqueueSignalSemaphoresKHR"},
    {CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, "clEnqueueAcquireExternalMemObjectsKHR"},
    {CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, "clEnqueueReleaseExternalMemObjectsKHR"},
    {CL_COMMAND_COMMAND_BUFFER_KHR, "clEnqueueCommandBufferKHR"},
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
  const auto* const launch = operation ? std::get_if<device::Launch>(&*operation) : nullptr;
  if (!launch) return;
  try {
    launch->executable->prepareAhead(*launch, runs);
  } catch (const std::exception&) {
    // It is compiled when it runs.
  }
}

}  // namespace clarity::sched
