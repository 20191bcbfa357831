// SPDX-License-Identifier: Apache-2.0
// This file makes commands.
#include "sched/command.h"

#include "core/observation.h"

#include <fmt/format.h>

#include <exception>

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
    {CL_COMMAND_UNMAP_MEM_OBJECT, "clEnqueueUnmapMemObject"},
    {CL_COMMAND_MIGRATE_MEM_OBJECTS, "clEnqueueMigrateMemObjects"},
    {CL_COMMAND_MARKER, "clEnqueueMarkerWithWaitList"},
    {CL_COMMAND_BARRIER, "clEnqueueBarrierWithWaitList"},
};

}  // namespace

std::string commandName(cl_command_type type) {
  for (const CommandName& each : commandNames)
    if (each.type == type) return each.name;
  return fmt::format("command {:#x}", type);
}

std::unique_ptr<Command> Command::order(cl_command_type type, Where where, std::vector<core::MemoryUse> memory) {
  auto command = std::make_unique<Command>();
  command->type = type;
  command->memory = std::move(memory);
  command->where = where;
  return command;
}

std::unique_ptr<Command> Command::of(cl_command_type type, device::Operation operation, std::vector<core::MemoryUse> memory) {
  auto command = order(type, Where::Device, std::move(memory));
  command->operation.emplace(std::move(operation));
  return command;
}

std::unique_ptr<Command> Command::launch(cl_command_type type, core::FrozenKernel kernel, const device::NDRange& range) {
  auto command = order(type, Where::Device, std::move(kernel.memory));
  auto& launch = std::get<device::Launch>(command->operation.emplace(std::in_place_type<device::Launch>, std::move(kernel.launch)));
  launch.range = range;
  launch.observer = core::observer();
  command->kernel = RefPtr<core::Kernel>(&kernel.kernel.get());
  return command;
}

void Command::prepareAhead() const noexcept {
  const auto* const launch = operation ? std::get_if<device::Launch>(&*operation) : nullptr;
  if (!launch) return;
  try {
    launch->executable->prepareAhead(*launch);
  } catch (const std::exception&) {
    // It is compiled when it runs.
  }
}

}  // namespace clarity::sched
