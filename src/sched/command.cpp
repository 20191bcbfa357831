// SPDX-License-Identifier: Apache-2.0
// This file implements the commands.
#include "sched/command.h"

#include "core/observation.h"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <new>
#include <span>

namespace clarity::sched {
namespace {

// Waking a thread takes some ten microseconds of processor time; these take longer.
constexpr std::size_t heavyBytes = 256u << 10;
constexpr std::uint64_t heavyItems = 16u << 10;

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

device::Result Command::guarded(device::Result (Command::*step)(device::Device&), device::Device& device) noexcept {
  try {
    return (this->*step)(device);
  } catch (const std::bad_alloc&) {
    return {CL_OUT_OF_HOST_MEMORY, {}};
  } catch (const std::exception& error) {
    try {
      return {CL_OUT_OF_RESOURCES, error.what()};
    } catch (...) {
    }
  } catch (...) {
  }
  return {CL_OUT_OF_RESOURCES, {}};
}

bool CopyCommand::isHeavy() const { return bytes_ >= heavyBytes; }

bool RectCommand::isHeavy() const { return rect_.region[0] * rect_.region[1] * rect_.region[2] >= heavyBytes; }

FillCommand::FillCommand(core::Memory& memory, std::size_t offset, std::size_t bytes, const void* pattern,
                         std::size_t patternBytes)
    : Command(CL_COMMAND_FILL_BUFFER), memory_(memory), offset_(offset), bytes_(bytes), patternBytes_(patternBytes) {
  std::memcpy(pattern_.data(), pattern, patternBytes);
}

bool FillCommand::isHeavy() const { return bytes_ >= heavyBytes; }

device::Result FillCommand::act(device::Device& device) {
  return device.fill(memory_->data() + offset_, std::span(pattern_).first(patternBytes_), bytes_);
}

LaunchCommand::LaunchCommand(cl_command_type type, core::FrozenKernel kernel, const device::NDRange& range)
    : Command(type),
      kernel_(kernel.kernel),
      buffers_(std::move(kernel.buffers)),
      executable_(kernel.executable),
      launch_{kernel.info, range, std::move(kernel.args), kernel.bufferBytes, kernel.localBytes, std::move(kernel.reductions), core::observer()} {}

bool LaunchCommand::isHeavy() const {
  std::uint64_t items = 1;
  for (const std::size_t size : launch_.range.global) {
    if (size >= heavyItems) return true;
    items *= size;
  }
  return items >= heavyItems;
}

void LaunchCommand::prepareAhead() noexcept {
  try {
    executable_->prepareAhead(launch_);
  } catch (const std::exception&) {
    // Then in its turn.
  }
}

device::Result LaunchCommand::doPrepare(device::Device&) { return executable_->prepare(launch_); }

device::Result LaunchCommand::act(device::Device&) { return executable_->run(launch_); }

device::Result NativeCommand::act(device::Device&) {
  function_(hasArgs_ ? args_.data() : nullptr);
  return {};
}

}  // namespace clarity::sched
